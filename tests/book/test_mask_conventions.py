"""The page on masks of other libraries: its code runs, and so does what its first table says."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion import masks
from companion.attention import scaled_dot_product_attention

BOOK = Path(__file__).resolve().parents[2] / "book"
PAGE = (BOOK / "mask_conventions.md").read_text(encoding="utf-8")
CODE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
CODE_WIDTH = 86  # what a page shows without scrolling


def run(blocks: list[str]) -> None:
    namespace: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "mask_conventions.md", "exec"), namespace)


@pytest.mark.usefixtures("as_a_user")
def test_the_code_on_the_page_runs():
    assert len(CODE) >= 8
    run(CODE)


def test_every_block_asserts_something():
    assert [block for block in CODE if "assert" not in block] == []
    assert [line for block in CODE for line in block.splitlines() if len(line) > CODE_WIDTH] == []


@pytest.mark.usefixtures("as_a_user")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"attn_mask": masks.to_torch_mha(causal)', '"attn_mask": causal'),
        ("attn_mask=corner", "is_causal=True"),
        ("torch.finfo(torch.float32).min)", "-torch.inf)"),
        ("attn_mask=ones.bool()", "attn_mask=ones"),
        ("assert not leaks(fused(mask)", "assert not leaks(fused(~mask)"),
    ],
)
def test_the_code_on_the_page_notices_the_mistakes_it_warns_of(right: str, wrong: str):
    assert sum(right in block for block in CODE) == 1
    with pytest.raises(AssertionError):
        run([block.replace(right, wrong) for block in CODE])


@pytest.fixture
def hidden_last() -> tuple[Tensor, Tensor]:
    """Three positions, the last of them padding, and the mask that says so."""
    return torch.randn(1, 1, 3, 4), torch.tensor([[[[True, True, False]]]])


def test_a_function_of_indices_for_flex_attention(hidden_last):
    from torch.nn.attention.flex_attention import create_mask

    m = masks.causal_mask(3) & hidden_last[1]
    made = create_mask(lambda b, h, q, k: m[b, h, q, k], 1, 1, 3, 3, device="cpu")
    assert torch.equal(made, m)


def test_the_masks_of_a_torch_transformer():
    model = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True)  # training: no fast path
    source, target = torch.randn(1, 3, 8), torch.randn(1, 3, 8)
    padding = masks.to_torch_mha(torch.tensor([[True, True, False]]))
    additive = nn.Transformer.generate_square_subsequent_mask(3)
    assert torch.equal(masks.from_additive(additive), masks.causal_mask(3))

    def run(source: Tensor, target: Tensor, causal: Tensor) -> Tensor:
        return model(
            source,
            target,
            tgt_mask=causal,
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
            tgt_key_padding_mask=padding,
        )

    hidden = masks.to_torch_mha(masks.causal_mask(3))
    before = run(source, target, hidden)
    last = torch.tensor([0.0, 0.0, 1.0])[:, None]
    assert torch.equal(run(source + last, target, hidden), before)  # the padding is not seen
    assert torch.equal(run(source, target + last, hidden)[:, :2], before[:, :2])
    first = torch.randn(3, 8) * torch.tensor([1.0, 0.0, 0.0])[:, None]
    assert not torch.allclose(run(source + first, target, hidden), before)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a float is mixed with a boolean
        torch.testing.assert_close(run(source, target, additive), before)


def test_mixing_a_boolean_with_a_float_is_warned_of():
    layer, x = nn.MultiheadAttention(4, 1, batch_first=True), torch.randn(1, 3, 4)
    additive = masks.to_additive(masks.causal_mask(3))
    padding = torch.zeros(1, 3, dtype=torch.bool)
    with pytest.warns(UserWarning, match="mismatched"):
        layer(x, x, x, attn_mask=additive, key_padding_mask=padding)


def gpt2(attention: str) -> Callable[..., Tensor]:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {"vocab_size": 20, "n_embd": 8, "n_layer": 1, "n_head": 2, "n_positions": 16}
    ids = {"bos_token_id": 0, "eos_token_id": 0}
    config = transformers.GPT2Config(**sizes, **ids, attn_implementation=attention)
    model = transformers.GPT2Model(config).eval()

    def hidden(tokens: Tensor, **options: Tensor) -> Tensor:
        with torch.no_grad():
            return model(tokens, **options).last_hidden_state

    return hidden


TOKENS = torch.tensor([[3, 1, 4, 1, 5]])
REAL = torch.tensor([[True, True, True, False, False]])[:, None, None]


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_hugging_face_takes_one_and_zero_and_the_additive_form(attention: str):
    model = gpt2(attention)
    alone = model(TOKENS[:, :3])
    two_axes = model(TOKENS, attention_mask=masks.to_hugging_face(REAL))
    torch.testing.assert_close(two_axes[:, :3], alone)
    both = masks.causal_mask(5) & REAL
    smallest = torch.zeros(both.shape).masked_fill(~both, torch.finfo(torch.float32).min)
    for additive in (masks.to_additive(both), smallest):
        four_axes = model(TOKENS, attention_mask=additive)
        torch.testing.assert_close(four_axes[:, :3], alone)
        assert torch.equal(masks.from_additive(additive), both)


def test_hugging_face_adds_a_boolean_of_four_axes_in_eager_attention():
    both = masks.causal_mask(5) & REAL
    for attention, understood in (("sdpa", True), ("eager", False)):
        model = gpt2(attention)
        with_mask, alone = model(TOKENS, attention_mask=both)[:, :3], model(TOKENS[:, :3])
        assert torch.allclose(with_mask, alone, atol=1e-5) == understood


def test_padding_on_the_left_moves_the_positions_of_gpt2():
    model = gpt2("sdpa")
    left = torch.cat([torch.zeros(1, 2, dtype=torch.long), TOKENS[:, :3]], dim=1)
    valid = torch.tensor([[False, False, True, True, True]])
    options = {"attention_mask": valid.long()}
    alone = model(TOKENS[:, :3])
    assert not torch.allclose(model(left, **options)[:, 2:], alone, atol=1e-3)
    positions = masks.positions_from_mask(valid)
    torch.testing.assert_close(model(left, position_ids=positions, **options)[:, 2:], alone)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_a_row_with_everything_hidden(dtype: torch.dtype):
    y = torch.randn(1, 1, 3, 8).to(dtype)
    nothing = torch.zeros(1, 3, dtype=torch.bool)
    assert (scaled_dot_product_attention(y[:, :, :1], y, y, mask=nothing) == 0).all()
    assert (F.scaled_dot_product_attention(y[:, :, :1], y, y, attn_mask=nothing) == 0).all()


def test_every_table_row_that_is_not_run_here_is_cited():
    known = (BOOK / "references.bib").read_text(encoding="utf-8")
    _, second = PAGE.split("The second table is read from documentation", maxsplit=1)
    table = second.split("\n:::\n", maxsplit=1)[0]
    rows = re.split(r"^\* - ", table, flags=re.M)[2:]  # what precedes the table, and its header
    assert len(rows) == 6
    for row in rows:
        keys = re.findall(r"\{cite:p\}`(\w+)`", row)
        assert keys, row
        assert all(f"@misc{{{key}," in known for key in keys)
