"""Write a test for a layer norm: which implementations it is tried on."""

from exercises.engine.exercise import Exercise
from exercises.engine.testing import tried_on

TEST = "test_layer_norm"
exercise = Exercise(__file__, order=410, minutes=20, parts=(TEST,))

tried_on(
    exercise,
    TEST,
    right=("fused", "written_out", "other_rounding"),
    wrong=(
        "unbiased_variance",
        "variance_without_root",
        "mean_not_subtracted",
        "root_mean_square",
        "eps_outside_the_root",
        "eps_of_its_own",
        "weight_ignored",
        "bias_ignored",
        "bias_before_weight",
        "over_axis_one",
        "over_the_whole_sentence",
        "float32_result",
        "writes_into_x",
    ),
)
