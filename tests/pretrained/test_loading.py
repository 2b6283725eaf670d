"""Folders that load, and folders that do not: each failure in one sentence that names the fault."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from parity import make
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import GPT2Config, PreTrainedModel

from companion.config import AttentionSpec, tiny_translator
from companion.gpt import GPT
from companion.positions import Learned
from companion.presets import tiny_gpt
from companion.pretrained import PretrainedError, load_pretrained, save_pretrained
from companion.pretrained.loader import fill
from companion.relative_positions import T5Buckets
from companion.rotary import Rotary
from companion.rotary_scaling import YaRN
from companion.transformer import Transformer

CONFIG = GPT2Config(
    vocab_size=31,
    n_positions=16,
    n_embd=12,
    n_layer=2,
    n_head=3,
    bos_token_id=1,
    eos_token_id=2,
)
LAST = "transformer.ln_f.bias"
TOKENS = torch.tensor([[4, 5, 6, 7]])


@pytest.fixture
def theirs() -> PreTrainedModel:
    return make(CONFIG)


@pytest.fixture
def folder(theirs: PreTrainedModel, tmp_path: Path) -> Path:
    theirs.save_pretrained(tmp_path)
    return tmp_path


def edit(folder: Path, change: object) -> None:
    """Rewrite the folder's tensors as ``change`` makes them."""
    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path)


def agrees(folder: Path, theirs: PreTrainedModel) -> None:
    with torch.no_grad():
        torch.testing.assert_close(load_pretrained(folder)(TOKENS), theirs(TOKENS).logits)


# --- what loads -------------------------------------------------------------------------------


def test_a_folder_by_path_and_by_text(folder: Path, theirs: PreTrainedModel) -> None:
    agrees(folder, theirs)
    assert isinstance(load_pretrained(str(folder)), GPT)


def test_shards(theirs: PreTrainedModel, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path, max_shard_size="10KB")
    assert len(list(tmp_path.glob("model-*.safetensors"))) > 1
    agrees(tmp_path, theirs)


@pytest.mark.parametrize("prefix", ["_orig_mod.", "module.", "module._orig_mod."])
def test_names_that_wrappers_left_behind(
    folder: Path, theirs: PreTrainedModel, prefix: str
) -> None:
    edit(folder, lambda tensors: {prefix + name: tensor for name, tensor in tensors.items()})
    agrees(folder, theirs)


def test_masks_stored_as_buffers_are_no_weights(folder: Path, theirs: PreTrainedModel) -> None:
    masks = {f"h.{i}.attn.bias": torch.ones(1, 1, 16, 16).bool() for i in range(2)}
    masks |= {f"transformer.h.{i}.attn.masked_bias": torch.tensor(-1e4) for i in range(2)}
    edit(folder, lambda tensors: tensors | masks)
    agrees(folder, theirs)


def test_a_tied_head_may_be_stored_twice_if_both_agree(
    folder: Path, theirs: PreTrainedModel
) -> None:
    table = "transformer.wte.weight"
    edit(folder, lambda tensors: tensors | {"lm_head.weight": tensors[table].clone()})
    agrees(folder, theirs)
    edit(folder, lambda tensors: {n: t for n, t in tensors.items() if n != table})
    agrees(folder, theirs)
    edit(folder, lambda tensors: tensors | {table: tensors["lm_head.weight"] + 1})
    with pytest.raises(PretrainedError, match=r"ties lm_head.weight to transformer.wte.weight"):
        load_pretrained(folder)


def test_the_dtype_is_the_files_unless_another_is_asked_for(
    theirs: PreTrainedModel, tmp_path: Path
) -> None:
    theirs.bfloat16().save_pretrained(tmp_path)
    for asked, expected in ((None, torch.bfloat16), (torch.float64, torch.float64)):
        model = load_pretrained(tmp_path, dtype=asked)
        assert {parameter.dtype for parameter in model.parameters()} == {expected}
        assert not model.training
        assert all(parameter.requires_grad for parameter in model.parameters())


def test_loading_draws_no_random_numbers_and_leaves_nothing_on_meta(folder: Path) -> None:
    before = torch.get_rng_state()
    model = load_pretrained(folder)
    assert torch.equal(before, torch.get_rng_state())
    assert {tensor.device.type for tensor in model.state_dict().values()} == {"cpu"}


# --- what does not ----------------------------------------------------------------------------


def test_every_missing_and_unexpected_tensor_is_named(folder: Path) -> None:
    def change(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        tensors["transformer.h.1.surprise"] = tensors.pop("transformer.h.0.ln_1.bias")
        tensors["extra"] = tensors.pop("transformer.wpe.weight")
        return tensors

    edit(folder, change)
    with pytest.raises(PretrainedError) as caught:
        load_pretrained(folder)
    assert str(caught.value).endswith(
        "do not fit a GPT of this size: missing h.0.ln_1.bias, wpe.weight; "
        "unexpected extra, h.1.surprise"
    )


def test_one_tensor_too_many_or_too_few_is_enough(folder: Path) -> None:
    edit(folder, lambda tensors: tensors | {"extra": torch.zeros(1)})
    with pytest.raises(PretrainedError, match=r"missing none; unexpected extra$"):
        load_pretrained(folder)
    edit(folder, lambda tensors: {n: t for n, t in tensors.items() if n not in ("extra", LAST)})
    with pytest.raises(PretrainedError, match=r"missing ln_f\.bias; unexpected none$"):
        load_pretrained(folder)


def test_wrong_shapes_are_named(folder: Path) -> None:
    def change(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        return tensors | {"transformer.wpe.weight": torch.zeros(15, 12)}

    edit(folder, change)
    with pytest.raises(
        PretrainedError,
        match=r"embedding.positions.table.weight has shape \(15, 12\), expected \(16, 12\)",
    ):
        load_pretrained(folder)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.pth", "last.ckpt"])
def test_pickles_are_refused_and_never_read(folder: Path, name: str) -> None:
    (folder / "model.safetensors").rename(folder / name)
    with pytest.raises(PretrainedError, match=f"as {name}, which is a pickle: .* refused"):
        load_pretrained(folder)


def test_a_folder_without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(PretrainedError, match=r"holds no weights: neither model.safetensors nor"):
        load_pretrained(folder)


def test_a_missing_shard_is_named(theirs: PreTrainedModel, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path, max_shard_size="10KB")
    shard = sorted(tmp_path.glob("model-*.safetensors"))[1]
    kept = load_file(shard)
    shard.unlink()
    with pytest.raises(
        PretrainedError, match=f"is incomplete: .* names {shard.name}, which is not"
    ):
        load_pretrained(tmp_path)
    lost, _ = kept.popitem()
    save_file(kept | {"other": torch.zeros(1)}, shard)
    with pytest.raises(PretrainedError, match=f"tensors that no shard holds: {lost}"):
        load_pretrained(tmp_path)


def test_damaged_files(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(PretrainedError, match=r"model.safetensors is damaged or no safetensors"):
        load_pretrained(folder)
    (folder / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(PretrainedError, match=r"config.json is damaged"):
        load_pretrained(folder)
    (folder / "config.json").write_text("[]", encoding="utf-8")
    with pytest.raises(PretrainedError, match="should hold a JSON object, not a list"):
        load_pretrained(folder)
    (folder / "config.json").unlink()
    with pytest.raises(PretrainedError, match=r"holds no config.json"):
        load_pretrained(folder)


def test_an_unknown_family_is_named_with_those_known(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "rwkv"}', encoding="utf-8")
    with pytest.raises(PretrainedError, match=r"model_type 'rwkv'; known are .*gpt2, .*llama"):
        load_pretrained(folder)


# --- the Hub, without a network ---------------------------------------------------------------


def test_no_folder_and_no_name_of_a_repository(tmp_path: Path) -> None:
    for source in (tmp_path / "absent", str(tmp_path / "absent"), "./absent", "a/b/c"):
        with pytest.raises(PretrainedError, match="there is no folder"):
            load_pretrained(source)


def test_without_huggingface_hub_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(PretrainedError, match=r"'owner/name' here, .* pip install huggingface_hub"):
        load_pretrained("owner/name")


def test_a_download_is_asked_for_no_pickles(
    folder: Path, theirs: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def download(repo_id: str, *, allow_patterns: list[str]) -> str:
        asked.append((repo_id, allow_patterns))
        return str(folder)

    hub = SimpleNamespace(snapshot_download=download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    with torch.no_grad():
        torch.testing.assert_close(load_pretrained("gpt2")(TOKENS), theirs(TOKENS).logits)
    [(repo_id, patterns)] = asked
    assert repo_id == "gpt2"
    assert all(pattern.endswith((".json", ".safetensors")) for pattern in patterns)


def test_being_offline_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def download(repo_id: str, *, allow_patterns: list[str]) -> str:
        raise ConnectionError(f"no route for {repo_id}\nand {len(allow_patterns)} more lines")

    hub = SimpleNamespace(snapshot_download=download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    with pytest.raises(PretrainedError) as caught:
        load_pretrained("owner/name")
    assert "\n" not in str(caught.value)
    assert "is this machine online, and the name right?): no route for owner/name" in str(
        caught.value
    )


def test_the_real_package_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(PretrainedError, match="Hugging Face Hub could not give it either"):
        load_pretrained("owner/name")


# --- our own format ---------------------------------------------------------------------------


def owned() -> dict[str, nn.Module]:
    """Models that differ in everything that could go missing on the way."""
    rotary = Rotary(base=500.0, layout="interleaved", scaling=YaRN(4.0, 8, attention_factor=1.2))
    grouped = AttentionSpec(n_heads=4, n_kv_heads=2)
    return {
        "gpt-tied": GPT(tiny_gpt(31)),
        "gpt-untied": GPT(
            tiny_gpt(31, tie_output=False, position=rotary, attention=grouped, pad_id=0)
        ),
        "translator-shared": Transformer(tiny_translator(31)),
        "translator-apart": Transformer(
            tiny_translator(31, share_embeddings=False, tie_output=False, position=T5Buckets())
        ),
    }


@pytest.fixture(params=["gpt-tied", "gpt-untied", "translator-shared", "translator-apart"])
def model(request: pytest.FixtureRequest) -> nn.Module:
    return owned()[request.param].eval()


def run(model: nn.Module) -> Tensor:
    return model(TOKENS) if isinstance(model, GPT) else model(TOKENS, TOKENS)


def test_what_is_saved_is_loaded(model: nn.Module, tmp_path: Path) -> None:
    save_pretrained(model, tmp_path / "new" / "folder")
    loaded = load_pretrained(tmp_path / "new" / "folder")
    assert type(loaded) is type(model)
    assert loaded.config == model.config
    assert torch.equal(run(loaded), run(model))
    assert sorted(p.name for p in (tmp_path / "new" / "folder").iterdir()) == [
        "config.json",
        "model.safetensors",
    ]


def test_tied_weights_are_stored_once_and_stay_tied(tmp_path: Path) -> None:
    model = owned()["translator-shared"]
    save_pretrained(model, tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    assert [name for name in stored if "tokens" in name] == ["encoder.embedding.tokens.weight"]
    for loaded in (load_pretrained(tmp_path), load_pretrained(tmp_path).to(torch.float64)):
        one, two = loaded.encoder.embedding.tokens, loaded.decoder.embedding.tokens
        assert one.weight is two.weight
        assert sum(p.numel() for p in loaded.parameters()) == sum(
            p.numel() for p in model.parameters()
        )
    save_pretrained(loaded, tmp_path / "again")
    assert load_file(tmp_path / "again" / "model.safetensors").keys() == stored.keys()


def test_a_parameter_that_two_modules_hold_is_put_into_both() -> None:
    with torch.device("meta"):
        pair = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
        pair[1].weight = pair[0].weight
        pair.register_buffer("count", torch.zeros(1))
    biases = {"0.bias": torch.zeros(2), "1.bias": torch.ones(2)}
    fill(pair, {"1.weight": torch.eye(2), "count": torch.ones(1)} | biases)
    assert pair[0].weight is pair[1].weight
    assert torch.equal(pair[0].weight, torch.eye(2))
    assert torch.equal(pair.count, torch.ones(1))
    assert [n for n, _ in pair.named_parameters()] == ["0.weight", "0.bias", "1.bias"]


def test_gpt2s_tied_head_stays_tied_after_load_move_and_save(folder: Path, tmp_path: Path) -> None:
    model = load_pretrained(folder).to(torch.float64)
    assert "output.weight" not in model.state_dict()
    save_pretrained(model, tmp_path / "own")
    again = load_pretrained(tmp_path / "own")
    with torch.no_grad():
        again.embedding.tokens.weight.mul_(2)
        hidden = torch.ones(1, 1, 12).double()
        expected = hidden @ again.embedding.tokens.weight.T
    torch.testing.assert_close(again.logits(hidden), expected)


def test_a_training_step_after_loading_moves_tied_weights_together(tmp_path: Path) -> None:
    save_pretrained(owned()["translator-shared"], tmp_path)
    model = load_pretrained(tmp_path).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model).square().mean().backward()
    optimizer.step()
    one, two = model.encoder.embedding.tokens, model.decoder.embedding.tokens
    assert one.weight.data_ptr() == two.weight.data_ptr()


def test_a_compiled_model_is_saved_under_plain_names(tmp_path: Path) -> None:
    model = owned()["gpt-tied"].eval()
    save_pretrained(torch.compile(model, backend="eager"), tmp_path)
    assert not [n for n in load_file(tmp_path / "model.safetensors") if "_orig_mod" in n]
    assert torch.equal(run(load_pretrained(tmp_path)), run(model))


def test_saving_over_a_model_leaves_the_old_one_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = owned()["gpt-tied"].eval()
    save_pretrained(model, tmp_path)
    before = run(model)

    def disk_full(_tensors: dict[str, Tensor], path: Path, **_: object) -> None:
        path.write_bytes(b"half of it")
        raise OSError("No space left on device")

    monkeypatch.setattr("companion.pretrained.own_format.save_file", disk_full)
    with pytest.raises(OSError, match="No space left"):
        save_pretrained(owned()["gpt-untied"], tmp_path)
    assert torch.equal(run(load_pretrained(tmp_path)), before)
    assert not list(tmp_path.glob(".*.tmp"))


def test_other_classes_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(PretrainedError, match=r"cannot save a Linear; models are .*GPT"):
        save_pretrained(nn.Linear(2, 2), tmp_path)


def test_other_versions_and_models_are_named(tmp_path: Path) -> None:
    save_pretrained(GPT(tiny_gpt(31, position=Learned(8))), tmp_path)
    path = tmp_path / "config.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    for changes, message in (
        ({"format_version": 2}, "format_version 2, this version of the package reads 1"),
        ({"model": "Mamba"}, r"describes a 'Mamba'; known are .*GPT"),
        ({"config": values["config"] | {"colour": 3}}, "GPTConfig has no colour"),
        ({"config": {"vocab_size": 3}}, "cannot build the model"),
    ):
        path.write_text(json.dumps(values | changes), encoding="utf-8")
        with pytest.raises(PretrainedError, match=message):
            load_pretrained(tmp_path)
