"""The book's migration table, row by row: their argument, ours, same numbers."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from companion.attention import MultiHeadAttention, scaled_dot_product_attention
from companion.capture import Capture
from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, TransformerConfig
from companion.masks import (
    causal_mask,
    from_additive,
    from_hugging_face,
    from_torch_mha,
    to_torch_mha,
)
from companion.positions import NoPositions
from companion.transformer import Transformer

D, HEADS = 12, 3


@pytest.fixture
def pair() -> tuple[nn.MultiheadAttention, MultiHeadAttention]:
    """Theirs, and ours with its weights: in_proj holds q, k and v, one below another."""
    theirs = nn.MultiheadAttention(D, HEADS, batch_first=True, dtype=torch.float64)
    ours = MultiHeadAttention(D, AttentionSpec(n_heads=HEADS)).double()
    nn.init.normal_(theirs.in_proj_bias)
    for name, weight, bias in zip(
        ("q_proj", "k_proj", "v_proj"),
        theirs.in_proj_weight.chunk(3),
        theirs.in_proj_bias.chunk(3),
        strict=True,
    ):
        getattr(ours, name).load_state_dict({"weight": weight, "bias": bias})
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())
    return theirs, ours


def x(time: int = 5) -> torch.Tensor:
    return torch.randn(2, time, D, dtype=torch.float64)


class TestMultiheadAttention:
    def test_plain(self, pair) -> None:
        theirs, ours = pair
        q, m = x(4), x(6)
        torch.testing.assert_close(ours(q, m, m), theirs(q, m, m, need_weights=False)[0])

    def test_attn_mask_bool_is_inverted(self, pair) -> None:
        theirs, ours = pair
        q, hidden = x(), torch.rand(5, 5) > 0.5
        hidden.fill_diagonal_(False)
        torch.testing.assert_close(
            ours(q, q, q, mask=from_torch_mha(hidden)), theirs(q, q, q, attn_mask=hidden)[0]
        )

    def test_attn_mask_float_is_additive(self, pair) -> None:
        theirs, ours = pair
        q = x()
        additive = nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64)
        torch.testing.assert_close(
            ours(q, q, q, mask=from_additive(additive)), theirs(q, q, q, attn_mask=additive)[0]
        )
        bias = torch.randn(5, 5, dtype=torch.float64)
        torch.testing.assert_close(ours(q, q, q, bias=bias), theirs(q, q, q, attn_mask=bias)[0])

    def test_key_padding_mask(self, pair) -> None:
        theirs, ours = pair
        q, padding = x(), torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
        mask = from_torch_mha(padding)[:, None, None, :]
        torch.testing.assert_close(
            ours(q, q, q, mask=mask), theirs(q, q, q, key_padding_mask=padding)[0]
        )

    def test_need_weights_is_a_capture(self, pair) -> None:
        theirs, ours = pair
        q, capture = x(), Capture()
        ours(q, q, q, capture=capture)
        _, weights = theirs(q, q, q, need_weights=True, average_attn_weights=False)
        torch.testing.assert_close(capture["weights"], weights)
        _, averaged = theirs(q, q, q, need_weights=True)
        torch.testing.assert_close(capture["weights"].mean(dim=1), averaged)

    def test_batch_first_is_the_only_layout(self, pair) -> None:
        theirs, ours = pair
        q = x()
        theirs.batch_first = False
        first = theirs(*(q.transpose(0, 1),) * 3, need_weights=False)[0].transpose(0, 1)
        torch.testing.assert_close(ours(q, q, q), first)

    def test_a_row_with_nothing_to_see_gives_zeros_where_theirs_gives_nan(self, pair) -> None:
        theirs, ours = pair
        q, hidden = x(), torch.zeros(5, 5, dtype=torch.bool)
        hidden[2] = True
        output = ours(q, q, q, mask=from_torch_mha(hidden))
        torch.testing.assert_close(output[:, 2], ours.out_proj.bias.expand(2, D))
        assert theirs(q, q, q, attn_mask=hidden)[0][:, 2].isnan().all()


class TestScaledDotProduct:
    def test_same_polarity(self) -> None:
        q = torch.randn(2, 3, 5, 4, dtype=torch.float64)
        mask = torch.rand(5, 5) > 0.4
        mask.fill_diagonal_(True)
        torch.testing.assert_close(
            scaled_dot_product_attention(q, q, q, mask=mask, fused=False),
            F.scaled_dot_product_attention(q, q, q, attn_mask=mask),
        )

    def test_is_causal_is_aligned_elsewhere_when_lengths_differ(self) -> None:
        q, k = torch.randn(1, 1, 2, 4), torch.randn(1, 1, 5, 4)
        ours = scaled_dot_product_attention(q, k, k, mask=causal_mask(2, 5), fused=False)
        top_left = F.scaled_dot_product_attention(q, k, k, is_causal=True)
        torch.testing.assert_close(top_left[:, :, 0], k[:, :, 0])  # the first query sees one key
        assert not torch.allclose(ours, top_left)
        square = F.scaled_dot_product_attention(k, k, k, is_causal=True)
        torch.testing.assert_close(
            scaled_dot_product_attention(k, k, k, mask=causal_mask(5)), square
        )

    def test_enable_gqa_is_n_kv_heads(self) -> None:
        q, k = torch.randn(2, 6, 5, 4), torch.randn(2, 2, 5, 4)
        grouped = F.scaled_dot_product_attention(q, k, k, enable_gqa=True)
        wide = k.repeat_interleave(3, dim=1)
        torch.testing.assert_close(scaled_dot_product_attention(q, wide, wide), grouped)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_nn_transformer(norm_first: bool, activation: str) -> None:
    """Sizes, activation, layer_norm_eps and norm_first, argument by argument.

    nn.Transformer ends both stacks on a norm also with norm_first=False; the paper has none there,
    so it is taken off before comparing.
    """
    theirs = nn.Transformer(
        d_model=D,
        nhead=HEADS,
        num_encoder_layers=2,
        num_decoder_layers=2,
        dim_feedforward=20,
        dropout=0.0,
        activation=activation,
        batch_first=True,
        norm_first=norm_first,
        layer_norm_eps=1e-4,
        dtype=torch.float64,
    )
    if not norm_first:
        theirs.encoder.norm = theirs.decoder.norm = None
    config = TransformerConfig(
        source_vocab_size=9,
        target_vocab_size=9,
        d_model=D,
        n_encoder_layers=2,
        n_decoder_layers=2,
        attention=AttentionSpec(n_heads=HEADS),
        feed_forward=FeedForwardSpec(d_ff=20, activation=activation),
        norm=NormSpec(position="pre" if norm_first else "post", eps=1e-4),
        position=NoPositions(),
        dropout=0.0,
        scale_embeddings=False,
    )
    ours = Transformer(config).double()
    for stack, other in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        for layer, copied in zip(stack.layers, other.layers, strict=True):
            copy_layer(layer, copied)
        if norm_first:
            stack.norm.load_state_dict(other.norm.state_dict())
    source, target = torch.randint(1, 9, (2, 5)), torch.randint(1, 9, (2, 4))
    source[1, 3:] = 0
    table = ours.encoder.embedding.tokens
    memory = theirs.encoder(table(source), src_key_padding_mask=source == 0)
    hidden = theirs.decoder(
        table(target),
        memory,
        tgt_mask=to_torch_mha(causal_mask(4)),
        memory_key_padding_mask=source == 0,
    )
    capture = Capture()
    ours(source, target, capture=capture)
    real = source != 0
    torch.testing.assert_close(capture["encoder.output"][real], memory[real])
    torch.testing.assert_close(capture["decoder.output"], hidden)


def copy_layer(ours: nn.Module, theirs: nn.Module) -> None:
    """Weights of an nn.Transformer layer into one of ours."""
    attentions = [(ours.self_attention, theirs.self_attn)]
    norms = [ours.residual_1.norm, ours.residual_2.norm]
    if hasattr(theirs, "multihead_attn"):
        attentions.append((ours.cross_attention, theirs.multihead_attn))
        norms.append(ours.residual_3.norm)
    for own, other in attentions:
        parts = zip(other.in_proj_weight.chunk(3), other.in_proj_bias.chunk(3), strict=True)
        for projection, (weight, bias) in zip(
            (own.q_proj, own.k_proj, own.v_proj), parts, strict=True
        ):
            projection.load_state_dict({"weight": weight, "bias": bias})
        own.out_proj.load_state_dict(other.out_proj.state_dict())
    ours.feed_forward.up_proj.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.down_proj.load_state_dict(theirs.linear2.state_dict())
    for index, norm in enumerate(norms, start=1):
        norm.load_state_dict(getattr(theirs, f"norm{index}").state_dict())


def test_hugging_face_attention_mask() -> None:
    ones = torch.tensor([[1, 1, 0], [0, 1, 1]])
    assert from_hugging_face(ones).shape == (2, 1, 1, 3)
    assert from_hugging_face(ones)[0, 0, 0].tolist() == [True, True, False]
