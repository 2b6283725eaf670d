"""Every number about sizes and costs that the course states, computed."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from companion.accounting import (
    Cost,
    activation_bytes,
    crossing_length,
    decoding_cost,
    estimated_training_flops,
    forward_flops,
    kv_cache_bytes,
    layer_flops_per_token,
    matmul_cost,
    mixing_flops_per_token,
    on_meta,
    parameter_count,
    parameters_by_part,
    run_on_meta,
    training_flops,
    training_memory,
)
from companion.attention import MultiHeadAttention, scaled_dot_product_attention
from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, StackSpec, TransformerConfig
from companion.gpt import GPT
from companion.layers import EncoderLayer
from companion.positions import Sinusoidal
from companion.presets import gpt2, llama_3_1_8b, llama_7b, tiny_gpt, transformer_base
from companion.tiled_attention import tiled_attention
from companion.transformer import Transformer


def notes_model() -> Transformer:
    """The size of the notes' estimator: V = 30,000, three separate tables, 512/2048, 6 + 6."""
    base = transformer_base(vocab_size=30_000).to_dict()
    return on_meta(
        Transformer,
        TransformerConfig.from_dict(base | {"share_embeddings": False, "tie_output": False}),
    )


# --- parameters ---------------------------------------------------------------------------------


def test_the_notes_total_and_its_parts() -> None:
    parts = {p.name: p.parameters for p in parameters_by_part(notes_model())}
    assert parts == {
        "encoder.embedding": 15_360_000,
        "encoder.layers": 6 * 3_152_384,
        "decoder.embedding": 15_360_000,
        "decoder.layers": 6 * 4_204_032,
        "output.weight": 15_360_000,
    }
    assert sum(parts.values()) == parameter_count(notes_model()) == 90_218_496


def test_the_estimator_of_the_notes_is_short_of_the_truth() -> None:
    d_model, d_ff, vocab, layers = 512, 2048, 30_000, 6
    per_layer = 4 * d_model**2 + 2 * d_model * d_ff + 4 * d_model
    decoder = layers * (per_layer + d_model**2)
    estimate = 3 * vocab * d_model + layers * per_layer + decoder
    printed = [f"{n / 1e6:.1f}" for n in (layers * per_layer, decoder, estimate)]
    assert printed == ["18.9", "20.5", "85.4"]
    assert notes_model().decoder.layers[0].cross_attention.q_proj.weight.numel() == d_model**2
    assert parameter_count(notes_model().decoder.layers[0].cross_attention) == 4 * (
        d_model**2 + d_model
    )


def test_share_of_the_tables_untied_and_tied() -> None:
    untied = {p.name: p.share for p in parameters_by_part(notes_model())}
    tables = [share for name, share in untied.items() if "embedding" in name or "output" in name]
    assert round(100 * sum(tables)) == 51
    tied = parameters_by_part(on_meta(Transformer, transformer_base(vocab_size=30_000)))
    assert round(100 * tied[0].share) == 26
    assert sum(p.share for p in tied) == pytest.approx(1)


def test_the_base_model_and_tied_tables_count_once() -> None:
    model = on_meta(Transformer, transformer_base())
    assert parameter_count(model) == 63_082_496
    assert [p.parameters for p in parameters_by_part(model)] == [
        37_000 * 512,
        6 * 3_152_384,
        6 * 4_204_032,
    ]


def test_parts_to_any_depth_add_up() -> None:
    model = on_meta(GPT, gpt2())
    for depth in range(1, 8):
        parts = parameters_by_part(model, depth=depth)
        assert sum(p.parameters for p in parts) == 124_439_808
    names = [p.name for p in parameters_by_part(model, depth=3)]
    assert "layers.11.feed_forward" in names
    with pytest.raises(ValueError, match="depth must be at least 1, got 0"):
        parameters_by_part(model, depth=0)


def test_llama_counts_need_all_heads_for_keys_and_values() -> None:
    config = llama_7b()
    assert parameter_count(on_meta(GPT, config)) == 6_738_415_616
    values = config.to_dict()
    values["attention"]["n_kv_heads"] = 8  # were it grouped, as is often said
    grouped = on_meta(GPT, type(config).from_dict(values))
    assert parameter_count(grouped) == 6_738_415_616 - 32 * 2 * 4096 * 3072


# --- arithmetic ---------------------------------------------------------------------------------


def spec(**changes: object) -> StackSpec:
    values: dict = {
        "d_model": 12,
        "n_layers": 3,
        "attention": AttentionSpec(n_heads=6, n_kv_heads=2, d_head=4),
        "feed_forward": FeedForwardSpec(d_ff=20),
        "norm": NormSpec(),
        "position": Sinusoidal(),
    }
    return StackSpec(**(values | changes))


@settings(deadline=None, max_examples=20)
@given(
    length=st.integers(1, 9),
    kv_heads=st.sampled_from([1, 2, 3, 6]),
    d_head=st.integers(1, 5),
    gated=st.booleans(),
)
def test_the_closed_form_of_a_layer_is_what_is_counted(
    length: int, kv_heads: int, d_head: int, gated: bool
) -> None:
    layer_spec = spec(
        attention=AttentionSpec(n_heads=6, n_kv_heads=kv_heads, d_head=d_head),
        feed_forward=FeedForwardSpec(d_ff=20, gated=gated),
    )
    counted = forward_flops(EncoderLayer(layer_spec), torch.zeros(2, length, 12))
    assert counted == 2 * length * layer_flops_per_token(layer_spec, context=length).total


@pytest.mark.parametrize(("kind", "layer"), [("rnn", nn.RNN), ("gru", nn.GRU), ("lstm", nn.LSTM)])
def test_a_recurrent_layer_costs_what_the_formula_says(kind: str, layer: type[nn.RNNBase]) -> None:
    counted = forward_flops(layer(16, 16, batch_first=True), torch.zeros(2, 7, 16))
    assert counted == 2 * 7 * mixing_flops_per_token(kind, d_model=16, length=7)


@pytest.mark.parametrize("length", [1, 5, 40])
def test_attention_costs_8dd_plus_4nd(length: int) -> None:
    class SelfAttention(MultiHeadAttention):
        def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
            return super().forward(x, x, x)

    model = SelfAttention(16, AttentionSpec(n_heads=4))
    counted = forward_flops(model, torch.zeros(3, length, 16))
    assert counted == 3 * length * (8 * 16**2 + 4 * length * 16)
    assert counted == 3 * length * mixing_flops_per_token("attention", d_model=16, length=length)


@pytest.mark.parametrize(("kind", "expected"), [("rnn", None), ("gru", 512), ("lstm", 1024)])
def test_attention_crosses_the_recurrent_layers(kind: str, expected: int | None) -> None:
    assert crossing_length(kind, d_model=512) == expected
    n = expected or 1
    attention = mixing_flops_per_token("attention", d_model=512, length=n)
    recurrent = mixing_flops_per_token(kind, d_model=512, length=n)
    assert attention == recurrent if expected else attention > recurrent


@pytest.mark.usefixtures("as_a_user")
def test_an_unknown_mixer_is_named() -> None:
    with pytest.raises(ValueError, match="got 'convolution'"):
        mixing_flops_per_token("convolution", d_model=4, length=4)


def test_forward_and_training_of_an_encoder_decoder() -> None:
    model = on_meta(Transformer, transformer_base())
    source, target = torch.zeros(2, 7, dtype=torch.long), torch.zeros(2, 5, dtype=torch.long)
    d = 512
    encoder = 14 * layer_flops_per_token(model.config.encoder, context=7).total
    decoder = 10 * layer_flops_per_token(model.config.decoder, context=5).total
    cross = 10 * (4 * d**2 + 4 * 7 * d) + 14 * 4 * d**2
    output = 10 * 2 * d * 37_000
    assert forward_flops(model, source, target) == 6 * (encoder + decoder + cross) + output
    assert training_flops(model, source, target) == 3 * forward_flops(model, source, target)


def test_the_rule_of_thumb_is_near_for_a_short_context() -> None:
    model = on_meta(GPT, gpt2())
    tokens = torch.zeros(1, 128, dtype=torch.long)
    counted = training_flops(model, tokens)
    positions = 1024 * 768  # looked up, never multiplied
    estimate = estimated_training_flops(parameter_count(model) - positions, 128)
    assert estimate == 6 * 123_653_376 * 128
    assert 1 < counted / estimate < 1.03


def test_counting_touches_no_number_of_a_real_model() -> None:
    model = GPT(tiny_gpt(50)).train()
    before = {n: p.clone() for n, p in model.named_parameters()}
    state = torch.get_rng_state()
    tokens = torch.zeros(2, 6, dtype=torch.long)
    assert run_on_meta(model, tokens).device.type == "meta"
    assert training_flops(model, tokens) == 3 * forward_flops(model, tokens)
    assert activation_bytes(model, tokens) > 0
    assert torch.equal(state, torch.get_rng_state())
    for name, parameter in model.named_parameters():
        assert parameter.device.type == "cpu"
        assert parameter.grad is None
        assert torch.equal(parameter, before[name])


def test_outputs_of_other_libraries_are_differentiated_too() -> None:
    class Two(nn.Linear):
        def forward(self, x: Tensor) -> dict[str, object]:  # type: ignore[override]
            return {"a": super().forward(x), "b": (super().forward(x), x, "text")}

    x = torch.zeros(3, 4)
    assert forward_flops(Two(4, 5), x) == 2 * (2 * 3 * 4 * 5)
    assert training_flops(Two(4, 5), x) == 2 * (2 * 2 * 3 * 4 * 5)  # x needs no gradient


# --- memory -------------------------------------------------------------------------------------


def test_cache_bytes_are_those_of_the_cache() -> None:
    model = on_meta(GPT, llama_3_1_8b())
    stack = model.config.stack
    cache = model.new_cache(2, 100)
    assert kv_cache_bytes(stack, batch_size=2, length=100, dtype=torch.float32) == cache.nbytes()
    # 128 KiB a token in 16 bits; a multi-head model of this size needs four times as much.
    assert kv_cache_bytes(stack, batch_size=1, length=1) == 128 * 1024
    assert kv_cache_bytes(llama_7b().stack, batch_size=1, length=1) == 512 * 1024


def test_activations_of_two_layers_by_hand() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    # The first layer keeps its input, ReLU its output, which is the second layer's input.
    x = torch.zeros(10, 4)
    assert activation_bytes(model, x) == 4 * (10 * 4 + 10 * 8)
    assert activation_bytes(model.half(), x.half()) == 2 * (10 * 4 + 10 * 8)


def test_activations_grow_with_the_square_only_where_weights_are_kept() -> None:
    class Attend(nn.Module):
        def __init__(self, function: object, **options: object) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(8))
            self.function, self.options = function, options

        def forward(self, x: Tensor) -> Tensor:
            q = x * self.weight
            return self.function(q, q, q, **self.options)  # type: ignore[operator]

    def growth(module: nn.Module) -> float:
        small, large = (activation_bytes(module, torch.zeros(1, n, 8)) for n in (512, 1024))
        return large / small

    assert growth(Attend(scaled_dot_product_attention, fused=False)) > 3.9
    assert growth(Attend(tiled_attention, tile_size=128)) == 2


def test_training_memory_of_adam() -> None:
    model = nn.Linear(4, 8, bias=False)
    memory = training_memory(model, torch.zeros(10, 4))
    assert (memory.parameters, memory.gradients, memory.optimizer) == (128, 128, 256)
    assert memory.activations == 10 * 4 * 4
    assert memory.total == 128 + 128 + 256 + 160


def test_intensity_of_a_product() -> None:
    square = matmul_cost(4096, 4096, 4096)
    assert square == Cost(2 * 4096**3, 3 * 4096**2 * 2)
    assert square.intensity == pytest.approx(4096 / 3)
    one_row = matmul_cost(1, 4096, 4096)
    assert one_row.intensity == pytest.approx(1, abs=1e-3)
    # 1,000 FLOPs a byte can be served: the first waits for arithmetic, the second for memory.
    rates = {"flops_per_second": 1e15, "bytes_per_second": 1e12}
    assert square.seconds(**rates) == square.flops / 1e15
    assert one_row.seconds(**rates) == one_row.bytes / 1e12


def test_decoding_reads_weights_once_for_the_batch_and_the_cache_for_each_row() -> None:
    stack = llama_7b().stack
    layers = parameter_count(on_meta(GPT, llama_7b())) - 2 * 32_000 * 4096 - (2 * 32 + 1) * 4096
    alone = decoding_cost(stack, batch_size=1, length=1000)
    cache = kv_cache_bytes(stack, batch_size=1, length=1000)
    assert alone.bytes == 2 * layers + cache
    assert alone.flops == 2 * layers + 4 * 1000 * 4096 * 32
    many = decoding_cost(stack, batch_size=16, length=1000)
    assert many.flops == 16 * alone.flops
    assert many.bytes == 2 * layers + 16 * cache
    assert alone.intensity < 1.1 < many.intensity < 16
