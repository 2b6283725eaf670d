"""BERT and RoBERTa from our parts are Hugging Face's, layer by layer and head by head."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from parity import error, hold, make
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import BertConfig, PreTrainedConfig, PreTrainedModel, RobertaConfig

from companion.bert import Bert, BertForMaskedLM, BertForPreTraining, mean_pool
from companion.capture import Capture
from companion.pretrained import PretrainedError, load_pretrained, save_pretrained

VOCAB = 97
SIZES = {
    "vocab_size": VOCAB,
    "hidden_size": 48,
    "intermediate_size": 80,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_labels": 5,
}
BERT = BertConfig(**SIZES, max_position_embeddings=32)
ROBERTA = RobertaConfig(
    **SIZES, max_position_embeddings=34, pad_token_id=1, type_vocab_size=1, layer_norm_eps=1e-5
)
HEADS = [
    "BertModel",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "RobertaModel",
    "RobertaForMaskedLM",
    "RobertaForSequenceClassification",
    "RobertaForTokenClassification",
    "XLMRobertaForMaskedLM",
]


def tiny(name: str) -> PreTrainedModel:
    kind = getattr(transformers, name)
    config: PreTrainedConfig = BERT if name.startswith("Bert") else ROBERTA
    if name.startswith("XLM"):
        config = kind.config_class(**ROBERTA.to_diff_dict() | {"model_type": "xlm-roberta"})
    torch.manual_seed(0)
    return make(config, kind)


def inputs(pad_id: int) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, padded on the right, types and what is real."""
    valid = torch.arange(13) < torch.tensor([13, 9, 4])[:, None]
    tokens = torch.randint(2, VOCAB, (3, 13)).masked_fill(~valid, pad_id)
    return tokens, (torch.arange(13) > 5).long().expand(3, 13), valid


def errors(theirs: PreTrainedModel, ours: nn.Module) -> dict[str, float]:
    """Of every layer and of the head's answers, at real positions, on both attention paths."""
    tokens, types, valid = inputs(theirs.config.pad_token_id)
    if theirs.config.type_vocab_size == 1:
        types = torch.zeros_like(types)
    capture = Capture()
    with torch.no_grad():
        expected = theirs(
            tokens, attention_mask=valid.long(), token_type_ids=types, output_hidden_states=True
        )
        captured = ours(tokens, token_types=types, capture=capture)
        fused = ours(tokens, token_types=types, valid=valid)
    bert = ours if isinstance(ours, Bert) else ours.bert
    prefix = "" if isinstance(ours, Bert) else "bert."
    names = ["embedding", *(f"layers.{i}.output" for i in range(bert.config.n_layers))]
    found = {
        name: error(capture[prefix + name][valid], hidden[valid])
        for name, hidden in zip(names, expected.hidden_states, strict=True)
    }
    if isinstance(ours, Bert):
        answers = {"hidden": (fused, expected.last_hidden_state)}
        answers["pooled"] = (bert.pool(fused), expected.pooler_output)
    elif isinstance(ours, BertForPreTraining):
        answers = {"masked": (fused.masked, expected.prediction_logits)}
        answers["next"] = (fused.next_sentence, expected.seq_relationship_logits)
        captured = captured.masked
    else:
        answers = {"logits": (fused, expected.logits)}
    for name, (mine, other) in answers.items():
        whole = mine.shape[:2] != valid.shape
        found[name] = error(mine if whole else mine[valid], other if whole else other[valid])
    first = next(iter(answers.values()))[0]
    found["captured"] = error(captured, first)
    return found


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_every_layer_and_every_answer(name: str, dtype: torch.dtype, tmp_path: Path) -> None:
    theirs = tiny(name).to(dtype)
    theirs.save_pretrained(tmp_path)
    hold(name, dtype, errors(theirs, load_pretrained(tmp_path, dtype=dtype)))


@pytest.mark.parametrize("name", ["BertForSequenceClassification", "RobertaForMaskedLM"])
def test_left_padding_gives_what_the_text_alone_gives(name: str, tmp_path: Path) -> None:
    theirs = tiny(name).double()
    theirs.save_pretrained(tmp_path)
    ours = load_pretrained(tmp_path, dtype=torch.float64)
    tokens = torch.randint(2, VOCAB, (1, 5))
    padding = torch.full((1, 4), theirs.config.pad_token_id)
    with torch.no_grad():
        expected = theirs(tokens).logits
        found = ours(torch.cat([padding, tokens], dim=1))
    assert error(found[:, -5:] if found.dim() == 3 else found, expected) < 1e-9


def rewrite(folder: Path, change: Any) -> None:
    file = folder / "model.safetensors"
    save_file(change(load_file(file)), file, metadata={"format": "pt"})


def test_the_names_of_the_first_years(tmp_path: Path) -> None:
    """gamma and beta, position ids as a buffer, the table's copy for the output."""
    theirs = tiny("BertForMaskedLM")
    theirs.save_pretrained(tmp_path)

    def old(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        renamed = {
            re.sub(
                r"LayerNorm\.bias$",
                "LayerNorm.beta",
                re.sub(r"(LayerNorm)\.weight$", r"\1.gamma", n),
            ): t
            for n, t in tensors.items()
        }
        table = renamed["bert.embeddings.word_embeddings.weight"]
        return renamed | {
            "bert.embeddings.position_ids": torch.arange(32)[None],
            "cls.predictions.decoder.weight": table.clone(),
        }

    rewrite(tmp_path, old)
    assert max(errors(theirs, load_pretrained(tmp_path)).values()) < 1e-5


def test_an_encoder_leaves_the_heads_of_its_file(tmp_path: Path) -> None:
    theirs = tiny("BertForPreTraining")
    theirs.save_pretrained(tmp_path)
    values = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    for architecture, kind in (("BertModel", Bert), ("BertForMaskedLM", BertForMaskedLM)):
        text = json.dumps(values | {"architectures": [architecture]})
        (tmp_path / "config.json").write_text(text, encoding="utf-8")
        model = load_pretrained(tmp_path)
        assert type(model) is kind
    (tmp_path / "config.json").write_text(
        json.dumps({k: v for k, v in values.items() if k != "architectures"}), encoding="utf-8"
    )
    ours = load_pretrained(tmp_path)
    assert max(errors(theirs.bert, ours).values()) < 1e-5


def test_a_head_without_its_weights_is_named(tmp_path: Path) -> None:
    tiny("BertForMaskedLM").save_pretrained(tmp_path)
    values = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    text = json.dumps(values | {"architectures": ["BertForTokenClassification"]})
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(PretrainedError, match=r"missing classifier\.bias, classifier\.weight"):
        load_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("BertModel", {"is_decoder": True}, "is_decoder=True is not supported"),
        ("BertModel", {"position_embedding_type": "relative_key"}, "'relative_key' is not"),
        ("BertForMaskedLM", {"tie_word_embeddings": False}, "tie_word_embeddings=False"),
        ("BertModel", {"architectures": ["BertForMultipleChoice"]}, "'BertForMultipleChoice'"),
        ("RobertaForMaskedLM", {"hidden_act": "relu"}, "hidden_act='relu' is not supported"),
    ],
)
def test_settings_that_our_parts_lack_are_named(
    name: str, changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    tiny(name).save_pretrained(tmp_path)
    values = json.loads((tmp_path / "config.json").read_text(encoding="utf-8")) | changes
    (tmp_path / "config.json").write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(PretrainedError, match=message):
        load_pretrained(tmp_path)


@pytest.mark.parametrize("name", HEADS[:5])
def test_our_own_format(name: str, tmp_path: Path) -> None:
    tiny(name).save_pretrained(tmp_path / "theirs")
    model = load_pretrained(tmp_path / "theirs")
    save_pretrained(model, tmp_path / "ours")
    again = load_pretrained(tmp_path / "ours")
    assert type(again) is type(model)
    assert again.config == model.config
    for (name, a), (other, b) in zip(
        model.state_dict().items(), again.state_dict().items(), strict=True
    ):
        assert name == other
        assert torch.equal(a, b)


def test_mean_pooling_leaves_padding_out() -> None:
    hidden = torch.arange(24.0).view(2, 3, 4)
    valid = torch.tensor([[True, True, False], [False, False, False]])
    assert mean_pool(hidden, valid).tolist() == [[2.0, 3.0, 4.0, 5.0], [0.0] * 4]
