"""Right numbers that are written otherwise; each must pass."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

variants.edit(
    "four-decimals",
    (
        "\nweights = ",
        "\nweights = [[0.5760, 0.1400, 0.2840], [0.4857, 0.4857, 0.0287],"
        " [0.7336, 0.1785, 0.0879]]\nold_weights = ",
    ),
    (
        "\noutput = ",
        "\noutput = [[0.2919, 0.4240], [0.4570, 0.5144], [0.6457, 0.2664]]\nold_output = ",
    ),
)
variants.edit(
    "expressions",
    (
        "\nscaled = ",
        "\nscaled = [[score / 2**0.5 for score in row] for row in scores]\nold_scaled = ",
    ),
    (
        "\nweights = ",
        "\nimport math\nweights = "
        "[[math.exp(s) / sum(map(math.exp, row)) for s in row] for row in scaled]"
        "\nold_weights = ",
    ),
)
variants.edit(
    "from-rounded-lines",
    ("\noutput = ", "\noutput = [[0.30, 0.42], [0.46, 0.52], [0.64, 0.27]]\nold_output = "),
    (
        "\nweights = ",
        "\nweights = [[0.57, 0.14, 0.29], [0.48, 0.48, 0.03], [0.73, 0.18, 0.09]]\nold = ",
    ),
)
variants.edit(
    "tuples-of-floats",
    (
        "\nscores = ",
        "\nscores = ((2.0, 0.0, 1.0), (2.0, 2.0, -2.0), (3.0, 1.0, 0.0))\nold_scores = ",
    ),
)
