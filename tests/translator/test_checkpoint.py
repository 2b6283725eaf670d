"""A checkpoint gives back the same model, or says in one line why it cannot."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from companion.transformer import Transformer
from companion.translator.checkpoint import (
    CONFIG,
    TOKENIZER,
    WEIGHTS,
    CheckpointError,
    load_checkpoint,
    load_tensors,
    save_checkpoint,
    save_tensors,
    unique_weights,
)
from companion.translator.tokenizer import Tokenizer

MakeModel = Callable[..., Transformer]


@pytest.fixture
def folder(tmp_path: Path, make_model: MakeModel, tokenizer: Tokenizer) -> Path:
    save_checkpoint(tmp_path / "run", make_model(), tokenizer, {"step": 7, "说明": "好"})
    return tmp_path / "run"


def test_the_loaded_model_computes_the_same(
    folder: Path, make_model: MakeModel, tokenizer: Tokenizer
) -> None:
    loaded = load_checkpoint(folder)
    source, target = torch.tensor([[260, 261, 0]]), torch.tensor([[1, 262]])
    torch.testing.assert_close(
        loaded.model(source, target), make_model().eval()(source, target), rtol=0, atol=0
    )
    assert not loaded.model.training
    assert loaded.tokenizer.tokens == tokenizer.tokens
    assert loaded.facts == {"step": 7, "说明": "好"}


def test_tied_weights_are_stored_once_and_stay_tied(folder: Path) -> None:
    tensors, _ = load_tensors(folder / WEIGHTS)
    assert sum(name.endswith("tokens.weight") for name in tensors) == 1
    model = load_checkpoint(folder).model.to(torch.float64)
    encoder, decoder = model.encoder.embedding.tokens, model.decoder.embedding.tokens
    assert encoder.weight.data_ptr() == decoder.weight.data_ptr()


def test_untied_weights_are_all_stored(
    tmp_path: Path, make_model: MakeModel, tokenizer: Tokenizer
) -> None:
    config = replace(make_model().config, share_embeddings=False, tie_output=False)
    torch.manual_seed(1)
    model = Transformer(config).eval()
    save_checkpoint(tmp_path, model, tokenizer, {})
    loaded = load_checkpoint(tmp_path).model
    source, target = torch.tensor([[260, 261]]), torch.tensor([[1, 262]])
    assert torch.equal(loaded(source, target), model(source, target))
    assert unique_weights(loaded).keys() == model.state_dict().keys()


def test_half_precision_files_load_as_float32(
    tmp_path: Path, make_model: MakeModel, tokenizer: Tokenizer
) -> None:
    model = make_model()
    save_checkpoint(tmp_path, model, tokenizer, {}, dtype=torch.float16)
    tensors, _ = load_tensors(tmp_path / WEIGHTS)
    assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}
    loaded = load_checkpoint(tmp_path).model
    for ours, theirs in zip(loaded.parameters(), model.parameters(), strict=True):
        assert ours.dtype == torch.float32
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-6)


def test_other_weights_can_stand_in(
    tmp_path: Path, make_model: MakeModel, tokenizer: Tokenizer
) -> None:
    average = {name: torch.zeros_like(w) for name, w in unique_weights(make_model()).items()}
    save_checkpoint(tmp_path, make_model(), tokenizer, {}, weights=average)
    assert all((weight == 0).all() for weight in load_checkpoint(tmp_path).model.parameters())


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(CheckpointError, match=rf"incomplete: .*{name} is missing") as failure:
        load_checkpoint(folder)
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_a_cut_file_is_named(folder: Path, name: str, keep: float) -> None:
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: int(keep * len(content))])
    with pytest.raises(CheckpointError, match=name) as failure:
        load_checkpoint(folder)
    assert "\n" not in str(failure.value)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"no checkpoint folder at .*nowhere"):
        load_checkpoint(tmp_path / "nowhere")


def test_files_of_different_models_do_not_mix(
    folder: Path, make_model: MakeModel, tokenizer: Tokenizer
) -> None:
    other = Tokenizer.train(["abc"] * 5, vocab_size=270)
    other.save(folder / TOKENIZER)
    with pytest.raises(CheckpointError, match="belong to different models"):
        load_checkpoint(folder)
    tokenizer.save(folder / TOKENIZER)
    weights = unique_weights(make_model())
    some_name = next(iter(weights))
    save_tensors(folder / WEIGHTS, weights | {some_name: torch.zeros(1)}, {})
    with pytest.raises(CheckpointError, match=r"has shape \(1,\)"):
        load_checkpoint(folder)
    save_tensors(folder / WEIGHTS, {"other": torch.zeros(1)}, {})
    with pytest.raises(CheckpointError, match=r"missing .* not expected"):
        load_checkpoint(folder)


def test_foreign_safetensors_are_refused(folder: Path) -> None:
    from safetensors.torch import save_file

    save_file({"x": torch.zeros(1)}, folder / WEIGHTS)
    with pytest.raises(CheckpointError, match="no entry 'facts'"):
        load_checkpoint(folder)


def test_a_config_of_another_format_is_refused(folder: Path) -> None:
    (folder / CONFIG).write_text('{"format": 99, "model": {}}', encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"config\.json.*format 99"):
        load_checkpoint(folder)
