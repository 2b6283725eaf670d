"""Write a test for any decoder: which implementations it is tried on."""

from exercises.engine.exercise import Exercise
from exercises.engine.testing import tried_on

TEST = "test_decoder"
exercise = Exercise(__file__, order=420, minutes=25, parts=(TEST,))

tried_on(
    exercise,
    TEST,
    right=("attention", "two_layers", "recurrent", "newest_word_only", "average_by_subtraction"),
    wrong=(
        "no_mask",
        "looks_ahead_only",
        "sees_the_next",
        "second_layer_leaks",
        "last_word_leaks",
        "normalised_over_time",
        "leaks_beyond_eight",
        "faint_leak",
        "knows_the_length",
        "positions_from_the_end",
        "normalised_over_the_batch",
        "first_row_for_all",
        "dropout_left_on",
        "writes_into_tokens",
    ),
)
