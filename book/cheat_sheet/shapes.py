"""The tensors of the sheet: their shapes in letters, in numbers, and as the package has them."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import torch

from companion.accounting import on_meta, run_on_meta
from companion.capture import Capture
from companion.config import transformer_base
from companion.gpt import GPT
from companion.kv_cache import KVCache
from companion.masks import causal_mask, combine_masks, padding_mask, prefix_mask
from companion.objectives import teacher_forcing_shift
from companion.presets import llama_3_1_8b
from companion.shape_trace import shape_trace
from companion.transformer import Transformer

Shape = tuple[int, ...]

# The worked example: two sentences of at most seven tokens, translated into five.
EXAMPLE = {"B": 2, "s": 7, "t": 5}
# And one of today: the next token of two texts that are 1,024 tokens long with it.
TODAY = {"B": 2, "n": 1, "m": 1024}


@dataclass(frozen=True)
class Row:
    """A tensor: what it is and its shape in letters."""

    name: str
    letters: str

    def shape(self, sizes: dict[str, int]) -> Shape:
        """The letters as numbers; ``B·t`` is a product."""
        axes = self.letters.strip("()").split(",")
        return tuple(_product(axis, sizes) for axis in axes if axis.strip())


def _product(axis: str, sizes: dict[str, int]) -> int:
    size = 1
    for letter in axis.split("·"):
        size *= int(letter) if letter.strip().isdigit() else sizes[letter.strip()]
    return size


def sizes() -> dict[str, int]:
    """The letters of the worked example, the original base model."""
    config = transformer_base()
    return EXAMPLE | {
        "d": config.d_model,
        "h": config.attention.n_heads,
        "g": config.attention.kv_heads,
        "d_k": config.attention.head_size(config.d_model),
        "d_ff": config.feed_forward.d_ff,
        "N": config.n_encoder_layers,
        "V": config.target_vocab_size,
    }


def sizes_today() -> dict[str, int]:
    """The letters of Llama 3.1 8B."""
    config = llama_3_1_8b()
    return TODAY | {
        "d": config.d_model,
        "h": config.attention.n_heads,
        "g": config.attention.kv_heads,
        "d_k": config.attention.head_size(config.d_model),
        "d_ff": config.feed_forward.d_ff,
        "N": config.n_layers,
        "V": config.vocab_size,
    }


MODEL = (
    Row("source ids", "(B, s)"),
    Row("embedding + positions", "(B, s, d)"),
    Row("*encoder:* queries, keys, values", "(B, h, s, d_k)"),
    Row("weights", "(B, h, s, s)"),
    Row("attention output", "(B, s, d)"),
    Row("inside the feed-forward", "(B, s, d_ff)"),
    Row("layer output; memory", "(B, s, d)"),
    Row("decoder input ids", "(B, t)"),
    Row("embedding + positions", "(B, t, d)"),
    Row("*decoder:* queries, keys, values", "(B, h, t, d_k)"),
    Row("weights", "(B, h, t, t)"),
    Row("*cross-attention:* queries", "(B, h, t, d_k)"),
    Row("keys, values of the memory", "(B, h, s, d_k)"),
    Row("weights", "(B, h, t, s)"),
    Row("inside the feed-forward", "(B, t, d_ff)"),
    Row("layer output", "(B, t, d)"),
    Row("logits", "(B, t, V)"),
)
CACHE = (
    Row("new queries", "(B, h, n, d_k)"),
    Row("cached keys; values", "(B, g, m, d_k)"),
    Row("weights", "(B, h, n, m)"),
    Row("logits", "(B, n, V)"),
)
MASKS = (
    Row("padding of the source", "(B, 1, 1, s)"),
    Row("causal", "(t, t)"),
    Row("causal `&` padding", "(B, 1, t, t)"),
    Row("cross-attention", "(B, 1, 1, s)"),
    Row("prefix", "(B, 1, t, t)"),
    Row("with a cache", "(B, 1, n, m)"),
)
LOSS = (
    Row("decoder input: bos y₁ … yₙ", "(B, t)"),
    Row("labels: y₁ … yₙ eos", "(B, t)"),
    Row("logits", "(B, t, V)"),
    Row("logits, flattened", "(B·t, V)"),
    Row("labels, flattened", "(B·t)"),
)


@cache
def measured() -> dict[str, tuple[Shape, ...]]:
    """What the package has, for every row of every table, in their order."""
    return {"MODEL": _model(), "CACHE": _cached(), "MASKS": _masks(), "LOSS": _loss()}


def _ids() -> tuple[torch.Tensor, torch.Tensor]:
    """Source and target ids of the example; the second target is shorter, then eos is set."""
    source = torch.ones(EXAMPLE["B"], EXAMPLE["s"], dtype=torch.long)
    target = torch.full((EXAMPLE["B"], EXAMPLE["t"] - 1), 5)
    target[1, -1] = 0
    return source, target


def _model() -> tuple[Shape, ...]:
    source, target = _ids()
    given, _ = teacher_forcing_shift(target, bos_id=1, eos_id=2, pad_id=0)
    found: dict[str, list[Shape]] = defaultdict(list)
    for stage in shape_trace(on_meta(Transformer, transformer_base()), source, given).stages:
        part = stage.where.split(".")[0]
        found[f"{part}/{stage.name.split(',')[0]}/{stage.name.count('heads')}"].append(stage.shape)
    ids, encoder, decoder = found["/token ids/0"], "encoder/", "decoder/"
    queries, keys = found[decoder + "queries/1"], found[decoder + "keys/1"]
    assert found[encoder + "queries/1"] == found[encoder + "keys/1"]
    assert queries[0] == keys[0]
    return (
        ids[0],
        found[encoder + "+ positions/0"][0],
        found[encoder + "queries/1"][0],
        found[encoder + "weights/0"][0],
        found[encoder + "attention output/0"][0],
        found[encoder + "feed-forward/0"][0],
        found[encoder + "5 more layers/0"][0],
        ids[1],
        found[decoder + "+ positions/0"][0],
        queries[0],
        found[decoder + "weights/0"][0],
        queries[1],
        keys[1],
        found[decoder + "weights/0"][1],
        found[decoder + "feed-forward/0"][0],
        found[decoder + "5 more layers/0"][0],
        found["/logits/0"][0],
    )


def _cached() -> tuple[Shape, ...]:
    """One step of Llama 3.1 8B on the meta device, its cache full up to the new token."""
    config, (batch, new, length) = llama_3_1_8b(), TODAY.values()
    heads = config.attention
    model, capture = on_meta(GPT, config), Capture()
    cache: KVCache = model.new_cache(batch, length)
    cache.extend(torch.ones(batch, length - new, dtype=torch.bool, device="meta"))
    queries: list[Shape] = []
    projection = model.layers[0].self_attention.q_proj
    projection.register_forward_hook(lambda *hook: queries.append(tuple(hook[-1].shape)))
    tokens = torch.zeros(batch, new, dtype=torch.long, device="meta")
    logits = run_on_meta(model, tokens, cache=cache, capture=capture)
    d_head = heads.head_size(config.d_model)
    assert queries[0] == (batch, new, heads.n_heads * d_head)
    stored = (batch, heads.kv_heads, length, d_head)
    bytes_each = model.embedding.tokens.weight.element_size()
    assert cache.nbytes() == 2 * config.n_layers * torch.Size(stored).numel() * bytes_each
    weights = tuple(capture["layers.0.self_attention.weights"].shape)
    split = (batch, heads.n_heads, new, d_head)
    return split, stored, weights, tuple(logits.shape)


def _masks() -> tuple[Shape, ...]:
    source, target = _ids()
    decoder_input, _ = teacher_forcing_shift(target, bos_id=1, eos_id=2, pad_id=0)
    padding, causal = padding_mask(source, 0), causal_mask(EXAMPLE["t"])
    decoder = combine_masks(causal, padding_mask(decoder_input, 0))
    prefix = prefix_mask(torch.tensor([2, 3]), EXAMPLE["t"])
    batch, new, length = TODAY.values()
    cache = KVCache(n_layers=1, batch_size=batch, n_kv_heads=1, max_len=length, d_head=1)
    cache.extend(torch.ones(batch, length - new, dtype=torch.bool))
    cache.extend(torch.ones(batch, new, dtype=torch.bool))
    assert decoder is not None
    masks = (padding, causal, decoder, padding, prefix, cache.mask())
    return tuple(tuple(mask.shape) for mask in masks)


def _loss() -> tuple[Shape, ...]:
    _, target = _ids()
    given, labels = teacher_forcing_shift(target, bos_id=1, eos_id=2, pad_id=0)
    logits = torch.empty(_model()[-1], device="meta")
    tensors = (given, labels, logits, logits.flatten(0, 1), labels.flatten())
    return tuple(tuple(tensor.shape) for tensor in tensors)
