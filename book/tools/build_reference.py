"""Write the API reference page: every public module, by what it is for, with its docstrings live.

`make notebooks` runs this too, and a test compares. The page only lists modules; Sphinx's autodoc
reads the rest from the package when the book is built, so it cannot go stale.
"""

from pathlib import Path

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

<!-- Written by book/tools/build_reference.py -->

What `companion` offers, read from its docstrings when this page was built. Shapes are jaxtyping
annotations: `Float[Tensor, "batch time d_model"]` is a floating-point tensor with those three axes;
`*batch` stands for any number of leading axes, `...` for anything that broadcasts. The test run
checks them at every call.

"""


def page() -> str:
    """The page as MyST Markdown."""
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


def main() -> None:
    """Write ``book/reference.md``."""
    target = Path(__file__).parent.parent / "reference.md"
    target.write_text(page(), encoding="utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
