"""Write the pages that are made of other things: the API reference, the parity table, the claims.

`make notebooks` runs this, and a test compares. The reference only lists modules; Sphinx's autodoc
reads the rest from the package when the book is built. The parity table shows the numbers that the
tests wrote (`make parity`). The claims ledger and the sheet of shapes are computed from the
package, the first by `book/claims`, the second by `book/cheat_sheet`.
"""

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

BOOK = Path(__file__).resolve().parent.parent

GROUPS: dict[str, list[str]] = {
    "Attention and masks": ["masks", "attention", "tiled_attention", "capture", "diagnosis"],
    "The other parts of a layer": ["feed_forward", "activations", "normalization", "embeddings"],
    "Positions": ["positions", "rotary", "rotary_scaling", "relative_positions"],
    "Configurations": ["config", "presets", "encoder_presets", "initialization"],
    "Models": ["layers", "stack", "transformer", "gpt", "bert"],
    "Decoding": ["kv_cache", "generation", "sampling"],
    "Training objectives": ["objectives"],
    "Published weights": ["pretrained"],
    "Contrast": ["recurrent", "recurrent_decoder", "ngram"],
    "Counting and explaining": ["accounting", "shape_trace", "explanation"],
}

INTRODUCTION = """\
# The package, name by name

<!-- Written by book/tools/build_pages.py -->

What `companion` offers, read from its docstrings when this page was built. Shapes are jaxtyping
annotations: `Float[Tensor, "batch time d_model"]` is a floating-point tensor with those three axes;
`*batch` stands for any number of leading axes, `...` for anything that broadcasts. The test run
checks them at every call.

"""


PARITY = """\
# Equal to the originals

<!-- Written by book/tools/build_pages.py from the numbers of `make parity` -->

For each family a tiny Hugging Face model is built with random weights, saved, read by
`load_pretrained` and run on the same input. Compared are the logits and the hidden states of every
layer: the table gives the largest difference, relative to the largest value, over all of them. In
float32 the tests allow 1e-5, in float64 1e-9 (Hugging Face's cast of RMS norms to float32 lifted,
and its float32 position tables replaced by ours). Generating models also give the same 20 greedy
tokens from their caches. Digits differ a little from machine to machine; the bounds hold on all.

| configuration | tensors compared | float32 | float64 |
|---|---|---|---|
"""


def parity_page() -> str:
    """The parity table as MyST Markdown."""
    rows = json.loads((BOOK / "parity.json").read_text(encoding="utf-8"))
    lines = [
        f"| {case} | {row['float32']['tensors']} | {row['float32']['error']} "
        f"| {row['float64']['error']} |\n"
        for case, row in sorted(rows.items(), key=lambda item: item[0].lower())
    ]
    return PARITY + "".join(lines)


def reference_page() -> str:
    """The API reference as MyST Markdown."""
    parts = [INTRODUCTION]
    for title, modules in GROUPS.items():
        parts.append(f"## {title}\n\n")
        for module in modules:
            parts.append(
                f"### `companion.{module}`\n\n"
                "```{eval-rst}\n"
                f".. automodule:: companion.{module}\n"
                "   :members:\n"
                "```\n\n"
            )
    return "".join(parts).rstrip() + "\n"


def computed(package: str) -> Callable[[], str]:
    """A page that a package beside it computes; imported when the page is asked for."""

    def page() -> str:
        sys.path.insert(0, str(BOOK))
        try:
            return importlib.import_module(package).page()
        finally:
            sys.path.remove(str(BOOK))

    return page


PAGES: dict[str, Callable[[], str]] = {
    "reference.md": reference_page,
    "parity.md": parity_page,
    "claims.md": computed("claims"),
    "cheat_sheet.md": computed("cheat_sheet"),
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (BOOK / name).write_text(page(), encoding="utf-8")
        print(f"wrote {BOOK / name}")


if __name__ == "__main__":
    main()
