"""Right numbers that are written otherwise; each must pass."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

variants.edit(
    "three-decimals",
    ("\npenalties = ", "\npenalties = [1.275, 1.590]\nold_penalties = "),
    ("\nfinal = ", "\nfinal = [-1.882, -1.761]\nold_final = "),
)
variants.edit(
    "computed",
    (
        "\ntotals = ",
        "\ntotals = [[old + new for new in row] for old, row in zip(SO_FAR, NEXT, strict=True)]"
        "\nold_totals = ",
    ),
    ("\npenalties = ", "\npenalties = [((5 + n) / 6) ** ALPHA for n in LENGTHS]\nold_penalties = "),
)
variants.edit("rounded-on-the-way", ("\nfinal = ", "\nfinal = [-1.875, -1.76]\nold_final = "))
variants.edit("tuples", ("\nbest = ", "\nbest = ((0, 1), (0, 0))\nold_best = "))
