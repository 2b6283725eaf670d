"""Write a test for a causal mask: which implementations it is tried on."""

from exercises.engine.exercise import Exercise
from exercises.engine.testing import tried_on

TEST = "test_causal_mask"
exercise = Exercise(__file__, order=400, minutes=20, parts=(TEST,))

tried_on(
    exercise,
    TEST,
    right=("triangle", "compared", "rows_of_the_square", "transposed_in_memory"),
    wrong=(
        "shows_everything",
        "inverted",
        "sees_the_next",
        "misses_itself",
        "right_number_wrong_places",
        "top_left",
        "hides_the_stored",
        "always_square",
        "forgets_after_four",
        "zeros_and_ones",
        "four_axes",
    ),
)
