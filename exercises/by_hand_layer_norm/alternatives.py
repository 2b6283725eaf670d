"""Right numbers that are written otherwise; each must pass."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

variants.edit(
    "fractions",
    (
        "\nnormalised = ",
        "\nnormalised = [[1/2, -1/2, -1, 1], [-1/3, -1/3, -1/3, 1]]\nold_normalised = ",
    ),
)
variants.edit(
    "computed",
    ("\nmean = ", "\nmean = [sum(row) / len(row) for row in X]\nold_mean = "),
    (
        "\ncentred = ",
        "\ncentred = [[x - m for x in row] for row, m in zip(X, mean, strict=True)]\nold = ",
    ),
    (
        "\nvariance = ",
        "\nvariance = [sum(c * c for c in row) / 4 for row in centred]\nold_variance = ",
    ),
)
variants.edit(
    "one-decimal-short",
    ("\noutput = ", "\noutput = [[1, .5, 1.5, -.5], [-0.66, 0.67, 0.83, -0.5]]\nold_output = "),
)
variants.edit("tuples", ("\nmean = ", "\nmean = (2.0, 1.0)\nold_mean = "))
