"""T5, BART and Marian from our parts are Hugging Face's, layer by layer and token by token."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import torch
from parity import error, hold, make, norms_in_full_precision
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import (
    AutoModelForSeq2SeqLM,
    BartConfig,
    MarianConfig,
    PreTrainedConfig,
    PreTrainedModel,
    T5Config,
)

from companion.capture import Capture
from companion.generation import beam_search, greedy
from companion.pretrained import PretrainedError, load_pretrained, save_pretrained
from companion.transformer import Transformer

VOCAB = 97
T5 = {
    "vocab_size": VOCAB,
    "d_model": 48,
    "d_kv": 10,
    "d_ff": 80,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "num_heads": 6,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 12,
    "decoder_start_token_id": 0,
}
BART = {
    "vocab_size": VOCAB,
    "d_model": 48,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 6,
    "decoder_attention_heads": 6,
    "encoder_ffn_dim": 80,
    "decoder_ffn_dim": 80,
    "max_position_embeddings": 64,
}
MARIAN = BART | {"pad_token_id": 96, "decoder_start_token_id": 96, "eos_token_id": 0}

CONFIGS: dict[str, PreTrainedConfig] = {
    "t5": T5Config(**T5),
    "t5-gated": T5Config(**T5, feed_forward_proj="gated-gelu", layer_norm_epsilon=1e-3),
    "t5-silu": T5Config(**T5, feed_forward_proj="gated-silu"),
    "bart": BartConfig(**BART),
    "bart-scaled": BartConfig(**BART, scale_embedding=True, activation_function="relu"),
    "marian": MarianConfig(**MARIAN, scale_embedding=True, activation_function="swish"),
    "marian-unscaled": MarianConfig(**MARIAN),
    "marian-two-tables": MarianConfig(
        **MARIAN, share_encoder_decoder_embeddings=False, decoder_vocab_size=VOCAB
    ),
}


@pytest.fixture(params=list(CONFIGS))
def config(request: pytest.FixtureRequest) -> PreTrainedConfig:
    return CONFIGS[request.param]


def build(config: PreTrainedConfig, seed: int = 0) -> PreTrainedModel:
    torch.manual_seed(seed)
    model = make(config, AutoModelForSeq2SeqLM)
    if hasattr(model, "final_logits_bias"):
        model.final_logits_bias.normal_()
    if config.model_type == "marian":
        for stack in (model.model.encoder, model.model.decoder):
            stack.embed_positions.weight.data = stack.embed_positions.create_weight()
    return model


def load(model: PreTrainedModel, folder: Path, dtype: torch.dtype = torch.float32) -> Transformer:
    model.save_pretrained(folder)
    loaded = load_pretrained(folder, dtype=dtype)
    assert isinstance(loaded, Transformer)
    return loaded


def source(pad_id: int) -> tuple[Tensor, Tensor]:
    valid = torch.arange(11) < torch.tensor([11, 8, 4])[:, None]
    return torch.randint(3, VOCAB - 1, (3, 11)).masked_fill(~valid, pad_id), valid


def errors(theirs: PreTrainedModel, ours: Transformer) -> dict[str, float]:
    """Of every layer of both stacks, and of the logits on both attention paths."""
    tokens, valid = source(theirs.config.pad_token_id)
    start = torch.full((3, 1), theirs.config.decoder_start_token_id)
    target = torch.cat([start, torch.randint(3, VOCAB - 1, (3, 8))], dim=1)
    capture = Capture()
    with torch.no_grad():
        expected = theirs(
            tokens,
            attention_mask=valid.long(),
            decoder_input_ids=target,
            output_hidden_states=True,
        )
        logits = {
            "logits": ours(tokens, target),
            "captured logits": ours(tokens, target, capture=capture),
        }
    found = {name: error(value, expected.logits) for name, value in logits.items()}
    real = {"encoder": valid, "decoder": torch.ones_like(target, dtype=torch.bool)}
    post = ours.config.norm.position == "post"
    for stack, n_layers in (
        ("encoder", ours.config.n_encoder_layers),
        ("decoder", ours.config.n_decoder_layers),
    ):
        # Of a pre-norm stack's last layer Hugging Face gives what stands behind the norm.
        last = f"layers.{n_layers - 1}.output" if post else "output"
        names = ["embedding", *(f"layers.{i}.output" for i in range(n_layers - 1)), last]
        states = getattr(expected, f"{stack}_hidden_states")
        for name, hidden in zip(names, states, strict=True):
            mine = capture[f"{stack}.{name}"]
            found[f"{stack}.{name}"] = error(mine[real[stack]], hidden[real[stack]])
    return found


def test_float32(config: PreTrainedConfig, tmp_path: Path, case: str) -> None:
    theirs = build(config)
    hold(case, torch.float32, errors(theirs, load(theirs, tmp_path)))


def test_float64(config: PreTrainedConfig, tmp_path: Path, case: str) -> None:
    theirs = build(config).double()
    ours = load(theirs, tmp_path, torch.float64)
    if config.model_type == "marian":
        # Its sinusoids are a float32 table; ours are computed, in float32 too.
        for stack in (theirs.model.encoder, theirs.model.decoder):
            positions = torch.arange(64)[None]
            ours_table = ours.encoder.embedding.positions.embed(
                torch.zeros(1, 64, 48, dtype=torch.float64), positions
            )[0]
            table = stack.embed_positions.weight
            torch.testing.assert_close(table.data, ours_table, rtol=0, atol=5e-6)
            table.data = ours_table
    t5 = config.model_type == "t5"
    with norms_in_full_precision(theirs) if t5 else nullcontext():
        found = errors(theirs, ours)
    hold(case, torch.float64, found)


def calmer(model: PreTrainedModel) -> None:
    """Post-norm models at random say one token for ever: let the last token count for more."""
    if model.config.model_type == "t5":
        return
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() > 1 and parameter.requires_grad:  # sinusoids have no gradient
                parameter.mul_(4.0 if "shared" in name or "embed_tokens" in name else 0.4)
        model.final_logits_bias.mul_(0.2)
        model.model.decoder.layers[-1].final_layer_norm.weight.normal_()


def continuation(model: Transformer, tokens: Tensor, config: PreTrainedConfig) -> list[list[int]]:
    session = model.start(
        tokens,
        bos_id=config.decoder_start_token_id,
        max_new_tokens=20,
        suppress=(config.eos_token_id,),
    )
    return greedy(session, eos_id=VOCAB).sequences


def test_twenty_greedy_tokens_with_the_cache(config: PreTrainedConfig, tmp_path: Path) -> None:
    if config.model_type == "t5":  # the installed Hugging Face's cache counts encoder layers
        config = T5Config(**config.to_diff_dict() | {"num_layers": 3})
    for seed in range(20):
        theirs = build(config, seed)
        calmer(theirs)
        ours = load(theirs, tmp_path / str(seed))
        tokens, valid = source(config.pad_token_id)
        found = continuation(ours, tokens, config)
        if len({token for row in found for token in row}) > 5:
            break
    else:
        pytest.fail("every model is stuck on a few tokens: nothing is compared")
    expected = theirs.generate(
        tokens,
        attention_mask=valid.long(),
        max_new_tokens=20,
        do_sample=False,
        num_beams=1,
        suppress_tokens=[config.pad_token_id, config.eos_token_id],
        eos_token_id=VOCAB,
        forced_eos_token_id=None,
    )
    assert found == expected[:, 1:].tolist()


def test_beam_search_drives_them_too(config: PreTrainedConfig, tmp_path: Path) -> None:
    ours = load(build(config), tmp_path)
    tokens, _ = source(config.pad_token_id)
    start = {"bos_id": config.decoder_start_token_id, "max_new_tokens": 5, "suppress": ()}
    eos = config.eos_token_id
    batch = beam_search(ours.start(tokens, **start), eos_id=eos, beam_size=3)
    alone = beam_search(ours.start(tokens[2:, :4], **start), eos_id=eos, beam_size=3)
    assert batch.sequences[2] == alone.sequences[0]


def test_barts_end_token_starts_it_and_can_still_be_generated(tmp_path: Path) -> None:
    theirs = build(CONFIGS["bart"])
    theirs.final_logits_bias[:, 2] += 1000
    ours = load(theirs, tmp_path)
    tokens, _ = source(1)
    session = ours.start(tokens, bos_id=2, max_new_tokens=5, suppress=())
    found = greedy(session, eos_id=2)
    assert found.sequences == [[], [], []]
    assert all(found.finished)
    blocked = greedy(ours.start(tokens, bos_id=2, max_new_tokens=5), eos_id=2)
    assert not any(blocked.finished)


def rewrite(folder: Path, config: dict[str, Any] | None = None, **tensors: Tensor | None) -> None:
    """Change values of the configuration and tensors of the file; None drops one."""
    path = folder / "config.json"
    values = json.loads(path.read_text(encoding="utf-8")) | (config or {})
    path.write_text(json.dumps(values), encoding="utf-8")
    if tensors:
        file = folder / "model.safetensors"
        changed = load_file(file) | {n.replace("__", "."): t for n, t in tensors.items()}
        save_file({n: t for n, t in changed.items() if t is not None}, file)


def test_t5_1_1_as_it_was_published(tmp_path: Path) -> None:
    """An output matrix of its own, no scaling; the installed Hugging Face ties it all the same."""
    theirs = build(T5Config(**T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False))
    theirs.save_pretrained(tmp_path)
    matrix = torch.randn(VOCAB, 48)
    config = {"tie_word_embeddings": False, "scale_decoder_outputs": None}
    path = tmp_path / "config.json"
    values = json.loads(path.read_text(encoding="utf-8")) | config
    del values["scale_decoder_outputs"]
    path.write_text(json.dumps(values), encoding="utf-8")
    rewrite(tmp_path, lm_head__weight=matrix)
    ours = load_pretrained(tmp_path)
    assert not ours.config.scale_output
    theirs.lm_head.weight = torch.nn.Parameter(matrix)
    assert not theirs.config.scale_decoder_outputs
    found = errors(theirs, ours)
    assert max(found.values()) < 1e-5, found


def test_t5_1_0_as_it_was_published(tmp_path: Path) -> None:
    """Tied, with the table under all its names, and a bias that was never used."""
    theirs = build(CONFIGS["t5"])
    theirs.save_pretrained(tmp_path)
    table = theirs.shared.weight.detach()
    rewrite(
        tmp_path,
        encoder__embed_tokens__weight=table.clone(),
        decoder__embed_tokens__weight=table.clone(),
        lm_head__weight=table.clone(),
        decoder__block__0__layer__1__EncDecAttention__relative_attention_bias__weight=torch.ones(
            8, 6
        ),
    )
    path = tmp_path / "config.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    for name in ("scale_decoder_outputs", "tie_word_embeddings", "num_decoder_layers"):
        values.pop(name, None)
    path.write_text(json.dumps(values | {"num_decoder_layers": 3}), encoding="utf-8")
    ours = load_pretrained(tmp_path)
    assert ours.config.scale_output
    assert ours.config.tie_output
    assert max(errors(theirs, ours).values()) < 1e-5


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("t5", {"feed_forward_proj": "dense-gelu"}, "feed_forward_proj='dense-gelu'"),
        ("t5", {"feed_forward_proj": "mish"}, "no activation 'mish'"),
        ("bart", {"normalize_before": True}, "normalize_before=True is not supported"),
        ("bart", {"tie_word_embeddings": False}, "tie_word_embeddings=False is not supported"),
        ("bart", {"decoder_ffn_dim": 90}, "encoder_ffn_dim and decoder_ffn_dim differ"),
        ("marian", {"normalize_embedding": True}, "normalize_embedding=True is not supported"),
    ],
)
def test_settings_that_our_parts_lack_are_named(
    name: str, changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    build(CONFIGS[name]).save_pretrained(tmp_path)
    rewrite(tmp_path, changes)
    with pytest.raises(PretrainedError, match=message):
        load_pretrained(tmp_path)


def test_our_own_format(config: PreTrainedConfig, tmp_path: Path) -> None:
    model = load(build(config), tmp_path / "theirs")
    save_pretrained(model, tmp_path / "ours")
    again = load_pretrained(tmp_path / "ours")
    assert again.config == model.config
    tokens, _ = source(config.pad_token_id)
    target = torch.full((3, 1), config.decoder_start_token_id)
    with torch.no_grad():
        assert torch.equal(again(tokens, target), model(tokens, target))


def test_a_start_that_is_padding_is_seen_and_padding_behind_it_is_not(tmp_path: Path) -> None:
    ours = load(build(CONFIGS["t5"]), tmp_path, torch.float64)
    tokens, _ = source(0)
    target = torch.tensor([[0, 5, 6], [0, 5, 0], [0, 7, 8]])
    whole = ours(tokens, target)
    short = ours(tokens[1:2], target[1:2, :2])
    torch.testing.assert_close(whole[1:2, :2], short, rtol=0, atol=1e-12)
    capture = Capture()
    ours(tokens, target, capture=capture)
    weights = capture["decoder.layers.0.self_attention.weights"]
    assert (weights[:, :, 0, 0] == 1).all()
    assert (weights[:, :, 1, 0] > 0).all()
    assert (weights[1, :, 2, 2] == 0).all()


def test_t5_1_1_as_the_installed_hugging_face_saves_it(tmp_path: Path) -> None:
    """Tied, and not scaled all the same: the file says so."""
    theirs = build(T5Config(**T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False))
    ours = load(theirs, tmp_path)
    assert (ours.config.tie_output, ours.config.scale_output) == (True, False)
    assert max(errors(theirs, ours).values()) < 1e-5


@pytest.mark.parametrize("name", ["bart", "marian-two-tables"])
def test_a_table_stored_under_all_its_names(name: str, tmp_path: Path) -> None:
    theirs = build(CONFIGS[name])
    theirs.save_pretrained(tmp_path)
    rewrite(tmp_path, lm_head__weight=theirs.lm_head.weight.detach().clone())
    assert max(errors(theirs, load_pretrained(tmp_path)).values()) < 1e-5
