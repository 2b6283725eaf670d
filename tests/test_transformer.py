import dataclasses

import pytest
import reference
import torch
from torch import Tensor

from companion.config import AttentionSpec, TransformerConfig
from companion.positions import Learned, NoPositions, PositionSpec, SequenceTooLongError, Sinusoidal
from companion.transformer import Transformer

PAD = 0
SCHEMES = [Sinusoidal(), Learned(max_seq_len=16), NoPositions()]


def ids(*shape: int) -> Tensor:
    return torch.randint(1, 19, shape)


def padded(rows: list[Tensor], side: str) -> Tensor:
    longest = max(len(row) for row in rows)
    batch = torch.full((len(rows), longest), PAD)
    for index, row in enumerate(rows):
        batch[index, slice(-len(row), None) if side == "left" else slice(len(row))] = row
    return batch


@pytest.fixture(params=SCHEMES, ids=lambda scheme: scheme.kind)
def scheme(request: pytest.FixtureRequest) -> PositionSpec:
    return request.param


@pytest.fixture
def model(tiny_config: TransformerConfig, scheme: PositionSpec) -> Transformer:
    return Transformer(dataclasses.replace(tiny_config, position=scheme)).double().eval()


@pytest.mark.parametrize("tie_output", [True, False])
@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("scale", [True, False])
def test_logits_equal_functionals(
    tiny_config: TransformerConfig, tie_output: bool, share: bool, scale: bool
) -> None:
    config = dataclasses.replace(
        tiny_config, tie_output=tie_output, share_embeddings=share, scale_embeddings=scale
    )
    model = Transformer(config).double().eval()
    source, target = ids(2, 5), ids(2, 4)
    # Sinusoids are float32 tables by design, hence not 1e-10.
    torch.testing.assert_close(
        model(source, target), reference.transformer(model, source, target), rtol=1e-5, atol=1e-6
    )


def test_no_target_position_sees_what_follows(model: Transformer) -> None:
    source, target = ids(1, 5), ids(1, 7)
    before = model(source, target)
    for position in range(1, 7):
        changed = target.clone()
        changed[0, position] = changed[0, position] % 18 + 1
        after = model(source, changed)
        assert torch.equal(before[:, :position], after[:, :position])
        assert not torch.allclose(before[:, position], after[:, position])


def test_every_target_position_sees_the_whole_source(model: Transformer) -> None:
    source, target = ids(1, 5), ids(1, 4)
    before = model(source, target)
    for position in range(5):
        changed = source.clone()
        changed[0, position] = changed[0, position] % 18 + 1
        assert (model(changed, target) - before).abs().amax(dim=-1).min() > 1e-6


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_changes_nothing_and_a_batch_equals_its_sentences(
    model: Transformer, side: str
) -> None:
    sources, targets = [ids(3), ids(6), ids(1)], [ids(5), ids(2), ids(4)]
    together = model(padded(sources, side), padded(targets, side))
    for row, (source, target) in enumerate(zip(sources, targets, strict=True)):
        alone = model(source[None], target[None])[0]
        real = slice(-len(target), None) if side == "left" else slice(len(target))
        torch.testing.assert_close(together[row, real], alone, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("chunk", [1, 2, 3, 7])
@pytest.mark.parametrize("side", ["left", "right"])
def test_cached_equals_uncached_at_every_step_and_chunk_size(
    model: Transformer, chunk: int, side: str
) -> None:
    source = padded([ids(3), ids(6)], side)
    target = padded([ids(7), ids(5)], side)
    memory = model.encode(source)
    whole = model.decode(target, memory)
    cache = model.new_cache(batch_size=2, max_len=7)
    pieces = [model.decode(piece, memory, cache=cache) for piece in target.split(chunk, dim=1)]
    real = target != PAD
    torch.testing.assert_close(torch.cat(pieces, dim=1)[real], whole[real], rtol=1e-9, atol=1e-9)


def test_rewinding_the_cache_and_trying_again(model: Transformer) -> None:
    memory = model.encode(ids(1, 5))
    cache = model.new_cache(batch_size=1, max_len=6)
    start, wrong, right = ids(1, 3), ids(1, 2), ids(1, 3)
    model.decode(start, memory, cache=cache)
    model.decode(wrong, memory, cache=cache)
    cache.rewind(3)
    again = model.decode(right, memory, cache=cache)
    whole = model.decode(torch.cat([start, right], dim=1), memory)
    torch.testing.assert_close(again, whole[:, 3:], rtol=1e-9, atol=1e-9)


def test_cross_attention_projects_the_memory_once(model: Transformer) -> None:
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    for layer in model.decoder.layers:
        layer.cross_attention.k_proj.register_forward_hook(count)
    memory, cache = model.encode(ids(1, 5)), model.new_cache(1, 4)
    for _ in range(4):
        model.decode(ids(1, 1), memory, cache=cache)
    assert calls == len(model.decoder.layers)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_a_row_of_nothing_but_padding_stays_finite(
    tiny_config: TransformerConfig, dtype: torch.dtype
) -> None:
    model = Transformer(tiny_config).to(dtype)
    source, target = ids(2, 5), ids(2, 4)
    source[1] = PAD
    target[1, 1:] = PAD
    loss = model(source, target).float().logsumexp(dim=-1).mean()
    loss.backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name


def test_tables_are_shared_as_the_configuration_says(tiny_config: TransformerConfig) -> None:
    shared = Transformer(tiny_config)
    assert shared.encoder.embedding.tokens is shared.decoder.embedding.tokens
    assert shared.output is None
    moved = shared.to(torch.float16)
    moved.load_state_dict(Transformer(tiny_config).state_dict())
    source, target = moved.encoder.embedding.tokens.weight, moved.decoder.embedding.tokens.weight
    assert source.data_ptr() == target.data_ptr()
    apart = Transformer(dataclasses.replace(tiny_config, share_embeddings=False))
    assert apart.encoder.embedding.tokens is not apart.decoder.embedding.tokens


def test_two_vocabularies(tiny_config: TransformerConfig) -> None:
    config = dataclasses.replace(tiny_config, share_embeddings=False, target_vocab_size=23)
    assert Transformer(config)(ids(1, 5), ids(1, 4)).shape == (1, 4, 23)


def test_grouped_queries_shrink_the_cache(tiny_config: TransformerConfig) -> None:
    spec = AttentionSpec(n_heads=6, n_kv_heads=2)
    grouped = Transformer(dataclasses.replace(tiny_config, attention=spec))
    full = Transformer(dataclasses.replace(tiny_config, attention=AttentionSpec(n_heads=6)))
    assert 3 * grouped.new_cache(2, 5).nbytes() == full.new_cache(2, 5).nbytes()


@pytest.mark.parametrize("norm_position", ["pre"], indirect=True)
@pytest.mark.parametrize("position", [Learned(max_seq_len=4), Sinusoidal(max_seq_len=4)])
def test_over_long_input_is_named_also_with_a_cache(
    tiny_config: TransformerConfig, position: PositionSpec
) -> None:
    model = Transformer(dataclasses.replace(tiny_config, position=position))
    for source, target in ((5, 1), (1, 5)):
        with pytest.raises(SequenceTooLongError, match=r"5 tokens, .* end at 4"):
            model(ids(1, source), ids(1, target))
    memory, cache = model.encode(ids(1, 4)), model.new_cache(1, 9)
    model.decode(ids(1, 4), memory, cache=cache)
    with pytest.raises(SequenceTooLongError, match="5 tokens"):
        model.decode(ids(1, 1), memory, cache=cache)


def test_dropout_is_off_in_eval(tiny_config: TransformerConfig) -> None:
    spec = AttentionSpec(n_heads=3, dropout=0.3)
    model = Transformer(dataclasses.replace(tiny_config, dropout=0.3, attention=spec))
    source, target = ids(1, 5), ids(1, 4)
    assert not torch.equal(model(source, target), model(source, target))
    model.eval()
    assert torch.equal(model(source, target), model(source, target))


def test_autocast_stays_close(tiny_config: TransformerConfig) -> None:
    model = Transformer(tiny_config).eval()
    source, target = ids(2, 5), ids(2, 4)
    expected = model(source, target)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(source, target).float()
    torch.testing.assert_close(logits, expected, rtol=0.1, atol=0.1)


def test_a_model_can_be_built_on_the_meta_device(tiny_config: TransformerConfig) -> None:
    with torch.device("meta"):
        model = Transformer(tiny_config)
        logits = model(torch.ones(1, 5, dtype=torch.long), torch.ones(1, 4, dtype=torch.long))
    assert logits.is_meta
    assert logits.shape == (1, 4, 19)
