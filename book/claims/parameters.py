"""Claims about numbers of parameters: each is a model built without memory, and counted."""

from dataclasses import replace

from torch import nn

from claims.claim import Values, claim
from companion.accounting import on_meta, parameter_count
from companion.attention import MultiHeadAttention
from companion.bert import Bert, BertForPreTraining
from companion.config import AttentionSpec, TransformerConfig, transformer_base
from companion.encoder_presets import bert_base
from companion.gpt import GPT, GPTConfig
from companion.presets import gpt2, gpt2_xl, llama_3_1_8b, llama_7b
from companion.recurrent import RecurrentConfig, RecurrentSeq2Seq
from companion.transformer import Transformer


def _base(vocabulary: int, *, tables: int) -> TransformerConfig:
    """The original base model with one table of tokens, two, or three."""
    config = transformer_base(vocab_size=vocabulary)
    return replace(config, share_embeddings=tables < 3, tie_output=tables == 1)


def _size(config: TransformerConfig | GPTConfig) -> int:
    kind = Transformer if isinstance(config, TransformerConfig) else GPT
    return parameter_count(on_meta(kind, config))


@claim(
    "The base model has 65 million parameters",
    verdict="It depends",
    holds=r"""
    With a vocabulary of 37,000 it has <one:,> if source, target and output share one table, and
    <three:,> with a table each. Sixty-five million, as the paper's table has it, would take a
    vocabulary of <needed:,>. A count says which vocabulary, what is tied, and whether biases
    are in; otherwise it is no count.
    """,
    shown="counted",
    where="{ref}`parameters`, {ref}`tying`",
)
def base_model() -> Values:
    one = _base(37_000, tables=1)
    layers = _size(one) - 37_000 * one.d_model
    return {
        "one": _size(one),
        "three": _size(_base(37_000, tables=3)),
        "needed": (65_000_000 - layers) // one.d_model,
    }


@claim(
    "A decoder layer has one more $d^2$ than an encoder layer, for cross-attention",
    verdict="Wrong",
    holds=r"""
    Cross-attention is a whole attention, with four matrices of $d^2$. At $d = 512$ and
    $d_\text{ff} = 2048$, biases and norms included, an encoder layer has <encoder:,> parameters
    and a decoder layer <decoder:,>. The estimator of the Chinese study notes counts one; what
    its code prints is <printed_encoder:.1f> million for the encoder, <printed_decoder:.1f> for
    the decoder and <printed:.1f> in all, and not the 9.4, 12.6 and 68.1 that stand under it.
    The model that it means, with three tables of 30,000 tokens, has <total:,>.
    """,
    shown="the estimator run, the model counted",
    where="{ref}`parameters`",
)
def cross_attention() -> Values:
    config = _base(30_000, tables=3)
    model = on_meta(Transformer, config)
    encoder, decoder = (parameter_count(s.layers[0]) for s in (model.encoder, model.decoder))
    d, d_ff = config.d_model, config.feed_forward.d_ff
    norm = 2 * d
    assert decoder - encoder == parameter_count(model.decoder.layers[0].cross_attention) + norm
    assert decoder - encoder == 4 * (d * d + d) + norm

    layer = 4 * d * d + 2 * d * d_ff + 4 * d  # the estimator, as it stands in the notes
    printed_encoder, printed_decoder = 6 * layer, 6 * (layer + d * d)
    printed = 3 * 30_000 * d + printed_encoder + printed_decoder
    return {
        "encoder": encoder,
        "decoder": decoder,
        "printed_encoder": printed_encoder / 1e6,
        "printed_decoder": printed_decoder / 1e6,
        "printed": printed / 1e6,
        "total": parameter_count(model),
    }


@claim(
    "The parameters are mainly in the embedding and the output",
    verdict="It depends",
    holds=r"""
    Three tables of 30,000 tokens are <untied:.0%> of the base model; one table for all three is
    <tied:.0%>. The share falls as models get deeper and wider: <gpt2:.0%> in GPT-2 small,
    <xl:.0%> in GPT-2 XL, <llama:.0%> in LLaMA 7B. A large vocabulary raises it again, to
    <llama_3:.0%> in Llama 3.1 8B.
    """,
    shown="counted",
    where="{ref}`parameters`",
)
def mainly_embedding() -> Values:
    def share(config: GPTConfig) -> float:
        tables = 1 if config.tie_output else 2
        return tables * config.vocab_size * config.d_model / _size(config)

    return {
        "untied": 3 * 30_000 * 512 / _size(_base(30_000, tables=3)),
        "tied": 30_000 * 512 / _size(_base(30_000, tables=1)),
        "gpt2": share(gpt2()),
        "xl": share(gpt2_xl()),
        "llama": share(llama_7b()),
        "llama_3": share(llama_3_1_8b()),
    }


@claim(
    "GPT-2 small has 117 million parameters",
    verdict="Wrong",
    holds=r"""
    So says the paper {cite:p}`radford2019language`; the released weights have <tied:,>, and
    OpenAI corrected the figure. Were the output not tied to the table, there would be
    <untied:,>.
    """,
    shown="counted",
    where="{ref}`parameters`, {ref}`model-zoo`",
)
def gpt2_small() -> Values:
    return {"tied": _size(gpt2()), "untied": _size(replace(gpt2(), tie_output=False))}


@claim(
    "BERT-base has 110 million parameters",
    verdict="It depends",
    holds=r"""
    Encoder and pooler have <encoder:,>; with the two heads of its pre-training there are
    <heads:,>, and only these round to 110 million. Say which you mean.
    """,
    shown="counted",
    where="{ref}`parameters`, {ref}`model-zoo`",
)
def bert() -> Values:
    return {
        "encoder": parameter_count(on_meta(Bert, bert_base())),
        "heads": parameter_count(on_meta(BertForPreTraining, bert_base())),
    }


@claim(
    "The LLaMA series uses grouped-query attention",
    verdict="Wrong of the first",
    holds=r"""
    LLaMA is multi-head at every size {cite:p}`touvron2023llama`. The 7B model has <published:,>
    parameters, and with 8 key-value heads for its 32 it would have <grouped:,>. Llama 2 groups
    heads at 34B and 70B {cite:p}`touvron2023llama2`, Llama 3 at all sizes
    {cite:p}`grattafiori2024llama3`.
    """,
    shown="counted both ways",
    where="{ref}`parameters`, {ref}`grouped-queries`",
)
def llama_heads() -> Values:
    seven = llama_7b()
    grouped = replace(seven, attention=replace(seven.attention, n_kv_heads=8))
    assert seven.attention.kv_heads == seven.attention.n_heads == 32
    assert llama_3_1_8b().attention.kv_heads == 8
    return {"published": _size(seven), "grouped": _size(grouped)}


@claim(
    "LLaMA's feed-forward width is $\\tfrac83 d$",
    verdict="Nearly",
    holds=r"""
    $\tfrac83 \cdot 4096$ is <exact:,.2f>, and no matrix has that many columns. It is rounded up
    to the next multiple of 256: <width:,>.
    """,
    shown="computed",
    where="{ref}`gated-layers`",
)
def llama_width() -> Values:
    exact, step = 8 * 4096 / 3, 256
    width = -(-exact // step) * step
    assert width == llama_7b().feed_forward.d_ff
    return {"exact": exact, "width": int(width)}


@claim(
    "Transformers have more parameters than RNNs",
    verdict="It depends",
    holds=r"""
    On the sizes. At $d = 512$ self-attention has <attention:,> parameters, an LSTM layer
    <lstm:,>, a whole encoder layer <layer:,>. As translators with one vocabulary of 37,000: an
    LSTM with attention has <small:,> at the base model's width and depth and <large:,> at width
    1,024 with eight layers; the base model, <base:,>, lies between.
    """,
    shown="counted",
    where="{ref}`parameters`",
)
def recurrent() -> Values:
    def translator(width: int, n_layers: int) -> int:
        vocabularies = {"source_vocab_size": 37_000, "target_vocab_size": 37_000}
        config = RecurrentConfig(**vocabularies, d_model=width, n_layers=n_layers, cell="lstm")
        return parameter_count(on_meta(RecurrentSeq2Seq, config))

    base = _base(37_000, tables=1)
    small, large = translator(512, 6), translator(1024, 8)
    assert small < _size(base) < large
    return {
        "attention": parameter_count(on_meta(MultiHeadAttention, 512, AttentionSpec(n_heads=8))),
        "lstm": parameter_count(nn.LSTM(512, 512, device="meta")),
        "layer": parameter_count(on_meta(Transformer, base).encoder.layers[0]),
        "small": small,
        "large": large,
        "base": _size(base),
    }
