"""The drawing of the whole model shows the layers as the package has them."""

from pathlib import Path
from types import ModuleType

import pytest
from torch import nn

from companion.accounting import on_meta
from companion.layers import Residual
from companion.presets import tiny_translator
from companion.transformer import Transformer

BOOK = Path(__file__).resolve().parents[2] / "book"


@pytest.fixture(scope="module")
def tool(load_tool) -> ModuleType:
    return load_tool("architecture")


def sublayers(layer: nn.Module) -> tuple[str, ...]:
    return tuple(n for n, part in layer.named_children() if not isinstance(part, Residual))


def test_boxes_are_the_sub_layers_of_the_package(tool: ModuleType):
    model = on_meta(Transformer, tiny_translator(100))
    for stack, drawn in (("encoder", tool.ENCODER), ("decoder", tool.DECODER)):
        layer = getattr(model, stack).layers[0]
        assert sublayers(layer) == drawn
        frames = sum(isinstance(part, Residual) for part in layer.children())
        assert frames == len(drawn), "each sub-layer stands in a frame of its own"
        assert [name for name, _ in tool.rows(stack)] == [n for d in drawn for n in (d, "residual")]


def test_every_word_is_used_and_none_stands_outside_the_list(tool: ModuleType):
    picture = tool.svg()
    words = [
        w for entry in tool.WORDS.values() for w in ([entry] if isinstance(entry, str) else entry)
    ]
    for word in words:
        assert word.replace("<", "&lt;").replace(">", "&gt;") in picture


def test_the_picture_is_the_generated_one(tool: ModuleType):
    stored = (BOOK / "architecture.svg").read_text(encoding="utf-8")
    assert stored == tool.svg(), "run `python book/tools/architecture.py`"


def test_nothing_is_drawn_outside_the_picture(tool: ModuleType):
    top, bottom = tool.rows("decoder")[-1][1] - 176, tool.HEIGHT
    for stack in tool.COLUMNS:
        for _, y in tool.rows(stack):
            assert top + 100 < y < bottom - 60
