"""The command line does what its help says, and says in one line what it cannot do."""

import functools
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.translator import command_line, corpora, grammar, scoring, tuning
from companion.translator.corpora import Sentence
from companion.translator.decoding import Decoding
from companion.translator.recipes import Recipe
from companion.translator.runs import Run
from companion.translator.training import Report


@functools.cache
def generated(**options: int) -> grammar.Corpus:
    return grammar.corpus.generate_corpus(**options)


@pytest.fixture(autouse=True)
def each_corpus_is_generated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checked shape by shape the grammar takes long, and a command may ask for it four times."""
    for module in (grammar, scoring):
        monkeypatch.setattr(module, "generate_corpus", generated)


def companion(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(command_line.main, [str(a) for a in arguments], input=stdin)


def process(*arguments: object, stdin: bytes = b"", **environment: str) -> tuple[int, str, str]:
    """A real process, in a locale that knows no Chinese."""
    done = subprocess.run(
        [sys.executable, "-m", "companion.translator", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "", **environment},
    )
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def refused(result: Result, *words: str) -> None:
    """One clear line on stderr, exit code 2, no result on stdout."""
    assert result.exit_code == 2, result.output
    assert result.stdout in ("", "Preparing the corpus and the vocabulary ...\n")
    assert len(result.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in result.stderr


def test_sentences_as_arguments(trained: Path) -> None:
    result = companion("translate", "好久不见", "", "我看书", "--checkpoint", trained)
    assert result.exit_code == 0, result.output
    assert result.stdout == "long time no see\n\nI read a book\n"
    assert result.stderr == ""


def test_lines_of_a_file_and_of_standard_input(trained: Path, tmp_path: Path) -> None:
    text = "\ufeff好久不见\r\n\n  \n我看书\n你好"
    expected = "long time no see\n\n\nI read a book\nhello\n"
    (tmp_path / "zh.txt").write_bytes(text.encode())
    for result in (
        companion("translate", "--checkpoint", trained, "--file", tmp_path / "zh.txt"),
        companion("translate", "--checkpoint", trained, stdin=text.encode()),
        companion("translate", "--checkpoint", trained, "--file", "-", stdin=text.encode()),
    ):
        assert result.exit_code == 0, result.output
        assert result.stdout == expected


def test_a_byte_order_mark_is_skipped_and_nothing_else() -> None:
    lines = command_line._stripped(["\ufeff好\n", "\ufeff久 \n", "\n", "不"])
    assert list(lines) == ["好", "\ufeff久 ", "", "不"]


def test_a_beam_translates_too(trained: Path) -> None:
    result = companion("translate", "好久不见", "--beam", 3, "--checkpoint", trained)
    assert result.stdout == "long time no see\n"


def test_one_line_a_sentence_whatever_it_holds(trained: Path) -> None:
    result = companion("translate", "好久\n不见", "😀\u2028", "--checkpoint", trained)
    assert len(result.stdout.splitlines()) == 2


def test_a_real_process_speaks_utf8_in_any_locale(trained: Path) -> None:
    code, out, err = process(
        "translate", "--checkpoint", trained, stdin="好久不见\n\n你好\n".encode() + b"\xff\xfe\n"
    )
    assert (code, err) == (0, "")
    assert out.splitlines()[:3] == ["long time no see", "", "hello"]
    assert len(out.splitlines()) == 4


def test_translating_loads_nothing_heavy(trained: Path) -> None:
    program = (
        "import sys; from companion.translator.command_line import main\n"
        f"main(['translate', '你好', '--checkpoint', {str(trained)!r}], standalone_mode=False)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "companion.translator.translator" in loaded
    for name in ("training", "runs", "recipes", "evaluation", "baselines", "grammar", "demo"):
        assert f"companion.translator.{name}" not in loaded
    assert not {"matplotlib", "sacrebleu", "tensorboard", "rich"} & loaded


def test_a_reader_that_leaves_early_is_no_error(trained: Path) -> None:
    arguments = [sys.executable, "-m", "companion.translator", "translate"]
    with subprocess.Popen(
        [*arguments, "--checkpoint", str(trained)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        running.stdin.write("你好\n".encode() * 600)
        running.stdin.close()
        assert running.stderr.read() == b""
        assert running.wait() == 1


def test_show_steps(trained: Path) -> None:
    result = companion("translate", "好久不见", "--show-steps", "--checkpoint", trained)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "好久不见" in lines[0]
    rows = [line for line in lines if line.startswith("│")]
    assert len(rows) == 5
    for row, prefix, chosen in zip(
        rows,
        ["", "long", "long time", "long time no", "long time no see"],
        ["long", "time", "no", "see", "<eos>"],
        strict=True,
    ):
        cells = [cell.strip() for cell in row.strip("│").split("│")]
        assert cells[1] == prefix
        assert cells[2].startswith(f"{chosen}  0.")
        assert len(cells) == 5
    assert lines[-1] == "long time no see"


def test_show_steps_of_an_empty_line_is_an_empty_line(trained: Path) -> None:
    result = companion("translate", "", "--show-steps", "--checkpoint", trained)
    assert result.stdout == "\n"


def test_attention_is_drawn(trained: Path, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    result = companion("translate", "好久不见", "--attention", picture, "--checkpoint", trained)
    assert result.exit_code == 0, result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert result.stdout == "long time no see\n"


def test_attention_into_a_format_that_is_none(trained: Path) -> None:
    result = companion("translate", "好", "--attention", "map.txt", "--checkpoint", trained)
    refused(result, "map.txt", ".png, .svg, .pdf")


def test_over_long_input_names_line_and_limit(trained: Path) -> None:
    text = "你好\n" + "好" * 41 + "\n你好\n"
    result = companion("translate", "--checkpoint", trained, stdin=text)
    assert result.exit_code == 2
    assert result.stdout == "hello\n"
    assert result.stderr == (
        "Error: text 2 has 41 tokens, but this model reads at most 40: split it into sentences\n"
    )


def test_output_that_was_cut_is_told(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.translator.translator import Translator

    load = Translator.load

    def short(*args: object, **options: object) -> Translator:
        translator = load(*args, **options)
        translator.limit = 2
        return translator

    monkeypatch.setattr(Translator, "load", short)
    result = companion("translate", "好久", "--checkpoint", trained)
    assert result.exit_code == 0
    assert "warning: the translation of text 1 does not come to an end" in result.stderr


def test_missing_and_damaged_checkpoints(trained: Path, tmp_path: Path) -> None:
    refused(companion("translate", "好", "--checkpoint", tmp_path / "x"), "no checkpoint folder")
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "config.json").write_bytes((trained / "config.json").read_bytes())
    for command in ("translate", "info", "evaluate"):
        arguments = [command, "--checkpoint", tmp_path / "half"]
        refused(companion(*arguments, stdin="好"), "tokenizer.json is missing")


def test_missing_files_and_unusable_devices(trained: Path, tmp_path: Path) -> None:
    checkpoint = ("--checkpoint", trained)
    refused(companion("translate", "--file", tmp_path / "no.txt", *checkpoint), "no.txt")
    import torch

    if not torch.backends.mps.is_available():
        refused(companion("translate", "好", "--device", "mps", *checkpoint), "'mps'", "auto")


@pytest.mark.parametrize(
    "arguments",
    [
        ("好", "--file", "x.txt"),
        ("好", "--show-steps", "--beam", "2"),
        ("好", "不", "--attention", "x.png"),
        ("--attention", "x.png"),
        ("好", "--beam", "0"),
    ],
)
def test_options_that_do_not_go_together(arguments: tuple[str, ...]) -> None:
    result = companion("translate", *arguments)
    assert result.exit_code == 2
    assert "Error" in result.stderr


def test_info(trained: Path) -> None:
    import torch

    result = companion("info", "--checkpoint", trained, "--json")
    facts = json.loads(result.stdout)
    assert facts["torch"] == torch.__version__
    assert facts["longest input"] == 40
    assert facts["vocabulary"] == len(
        json.loads((trained / "tokenizer.json").read_text(encoding="utf-8"))["tokens"]
    )
    assert facts["training"]["corpus"] == {"name": "tiny"}
    shown = companion("info", "--checkpoint", trained).stdout
    for value in (facts["torch"], str(facts["parameters"]), "tiny"):
        assert value in shown


@pytest.mark.usefixtures("tiny_recipe")
def test_evaluate(trained: Path) -> None:
    result = companion("evaluate", "--checkpoint", trained, "--json")
    assert result.exit_code == 0, result.output
    scores = json.loads(result.stdout)
    ours = scores["ordinary"]["this model"]
    assert ours["exact"]["total"] == 3
    assert ours["by_construction"]["plain"] == {"right": 1, "total": 1, "percent": 100.0}
    assert ours["bleu"]["signature"].startswith("nrefs:var")
    assert set(scores["ordinary"]) == {
        "this model",
        "nearest neighbour",
        "word-by-word dictionary",
    }
    assert set(scores["hard"]["this model"]["by_case"]) == {"deeper"}
    shown = companion("evaluate", "--checkpoint", trained).stdout
    for words in (
        "on test sentences of tiny",
        "expression",
        "deeper",
        "nearest neighbour",
        "BLEU",
        "nrefs:var",
    ):
        assert words in shown
    limited = companion(
        "evaluate", "--checkpoint", trained, "--limit", 1, "--no-baselines", "--json"
    )
    assert json.loads(limited.stdout)["ordinary"]["this model"]["exact"]["total"] == 1


def test_evaluate_without_a_known_corpus(trained: Path, tiny_recipe: Recipe) -> None:
    from companion.translator import corpora

    other = corpora.load_corpus(tiny_recipe.corpus)._replace(train=[("好", "good")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(corpora._LOADERS, "tiny", lambda: other)
        refused(companion("evaluate", "--checkpoint", trained), "another version of its corpus")


def test_train_resume_and_what_is_refused(tiny_recipe: Recipe, tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = companion("train", "--out", out, "--device", "cpu", "--steps", 3)
    assert result.exit_code == 0, result.output
    assert "update 3/3" in result.stdout
    assert f"companion translate --checkpoint {out}" in result.stdout
    assert Run(out).facts()["settings"]["steps"] == 3
    refused(companion("train", "--out", out), "holds a training already", "--resume")
    again = companion("train", "--out", out, "--resume", "--device", "cpu")
    assert again.exit_code == 0, again.output
    assert Run(out).facts()["step"] == 3
    refused(companion("train", "--out", tmp_path / "none", "--resume"), "no training to resume")
    assert companion("train", "--out", out, "--resume", "--steps", 9).exit_code == 2
    (tmp_path / "file").write_text("", encoding="utf-8")
    refused(companion("train", "--out", tmp_path / "file" / "run"), "cannot write")
    assert tiny_recipe.settings.steps == 4


def press_ctrl_c_at(step: int, patch: pytest.MonkeyPatch) -> None:
    from companion.translator.training import Trainer

    update = Trainer.update

    def interrupted(trainer: Trainer) -> Report:
        report = update(trainer)
        if report.step == step:
            signal.raise_signal(signal.SIGINT)
        return report

    patch.setattr(Trainer, "update", interrupted)


@pytest.mark.usefixtures("tiny_recipe")
@pytest.mark.parametrize("command", ["train", "demo"])
def test_ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "my run"
    with monkeypatch.context() as patch:
        press_ctrl_c_at(3, patch)
        result = companion(command, "--out", out, "--device", "cpu")
    assert result.exit_code == 130
    assert "Stopped after update 3 of 4" in result.stderr
    go_on = shlex.split(result.stderr.strip().splitlines()[-1])
    assert go_on[0] == "companion"
    assert Run(out).facts()["step"] == 3
    finished = companion(*go_on[1:])
    assert finished.exit_code == 0, finished.output
    assert Run(out).facts()["step"] == 4


@pytest.mark.usefixtures("tiny_recipe")
def test_demo_trains_measures_and_translates_step_by_step(tmp_path: Path) -> None:
    result = companion("demo", "--out", tmp_path / "run", "--device", "cpu")
    assert result.exit_code == 0, result.output
    for words in (
        "update 4/4",
        "sentences never seen in training",
        "BLEU",
        "most probable next",
        "source     我看书",
        "reference  I read a book | I am reading a book",
    ):
        assert words in result.stdout
    again = companion("demo", "--out", tmp_path / "run", "--device", "cpu")
    assert again.exit_code == 0, again.output
    assert "trained already" in again.stdout
    assert "update" not in again.stdout


@pytest.mark.usefixtures("tiny_recipe")
def test_export_writes_a_measured_model_with_its_card(tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "model"
    companion("train", "--out", run, "--device", "cpu")
    result = companion("export", run, out)
    assert result.exit_code == 0, result.output
    assert (out / "model.safetensors").stat().st_size < (run / "model.safetensors").stat().st_size
    facts = json.loads(companion("info", "--checkpoint", out, "--json").stdout)["training"]
    scores = facts["scores"]["this model"]
    measured = json.loads(companion("evaluate", "--checkpoint", out, "--json").stdout)
    ours = measured["ordinary"]["this model"]
    assert scores["exact_match"] == ours["exact"]["percent"]
    assert scores["bleu"] == ours["bleu"]["score"]
    card = (out / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert f"| this model | {ours['exact']['percent']:.1f}% |" in card
    for words in ("## Licence", "## Limits", "companion train --recipe demo", "| deeper | 1 |"):
        assert words in card


@pytest.mark.usefixtures("tiny_recipe")
def test_export_chooses_the_decoding_on_the_development_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "CANDIDATES", (Decoding(1), Decoding(2)))
    known = [Sentence("我看书", ("I read a book",), "")]
    tiny = corpora._LOADERS["tiny"]
    monkeypatch.setitem(corpora._LOADERS, "tiny", lambda: tiny()._replace(dev=known))
    run, out = tmp_path / "run", tmp_path / "model"
    companion("train", "--out", run, "--device", "cpu")
    result = companion("export", run, out, "--tune", "--peer", run)
    assert result.exit_code == 0, result.output
    record = json.loads((out / "training.json").read_text(encoding="utf-8"))
    best = max(record["decoding"], key=lambda row: row["bleu"])  # the first of equal ones
    facts = json.loads(companion("info", "--checkpoint", out, "--json").stdout)["training"]
    assert facts["decoding"] == {name: best[name] for name in ("beam_size", "alpha", "consensus")}
    assert record["steps"] == facts["step"]
    course = {name: record[name] for name in ("steps", "curve", "held_out")}
    course["greedy_bleu"] = record["decoding"][0]["bleu"]
    assert record["peers"] == {"Transformer (demo)": course}

    again = companion("export", out, tmp_path / "again", "--tune")
    assert again.exit_code == 2
    assert "there is no log of a training in" in again.stderr
    both = companion("export", run, out, "--tune", "--beam", 4)
    assert both.exit_code == 2
    assert "--tune chooses --beam, --alpha and --consensus" in both.stderr


@pytest.mark.usefixtures("tiny_recipe")
def test_peers_that_are_not_at_hand_come_from_the_record(trained: Path, tmp_path: Path) -> None:
    out, peer = tmp_path / "model", tmp_path / "peer"
    companion("train", "--peer", "torch", "--out", peer, "--device", "cpu")
    exported = companion("export", trained, out, "--peer", peer, "--beam", 2, "--consensus", 0.5)
    assert exported.exit_code == 0, exported.output
    again = companion("export", out, out, "--peer", peer)  # measures anew; the decoding stays
    assert again.exit_code == 0, again.output
    scores = json.loads(companion("evaluate", "--checkpoint", out, "--json").stdout)
    assert scores["decoding"] == {"beam_size": 2, "alpha": 0.6, "consensus": 0.5}
    assert scores["systems"]["nn.Transformer"]["recorded"] is True
    assert scores["systems"]["nn.Transformer"]["updates"] == 4
    assert scores["systems"]["this model"]["recorded"] is False
    live = companion("evaluate", "--checkpoint", out, "--peer", peer, "--json")
    live_scores = json.loads(live.stdout)
    assert live_scores["systems"]["nn.Transformer"]["recorded"] is False
    assert live_scores["ordinary"]["nn.Transformer"] == scores["ordinary"]["nn.Transformer"]
    shown = companion("evaluate", "--checkpoint", out).stdout
    assert "nn.Transformer (recorded)" in shown
    assert "beam search with 2 hypotheses, length penalty 0.6, consensus at 0.5" in shown
    fewer = companion("evaluate", "--checkpoint", out, "--limit", 1, "--json")
    assert "nn.Transformer" not in json.loads(fewer.stdout)["ordinary"]


def test_what_cannot_be_scored(trained: Path, tiny_recipe: Recipe, tmp_path: Path) -> None:
    assert tiny_recipe.corpus == {"name": "tiny"}
    checkpoint = ("evaluate", "--checkpoint", trained)
    refused(companion(*checkpoint, "--corpus", "grammar"), "trained on the corpus 'tiny'")
    refused(companion(*checkpoint, "--alignment"), "'tiny' has no gold alignment")
    refused(companion(*checkpoint, "--peer", tmp_path / "none"), "no checkpoint folder")
    assert companion("evaluate", "--corpus", "hsk", "--dev").exit_code == 2


def test_a_models_own_decoding_is_the_default(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.translator.checkpoint import load_checkpoint, save_checkpoint
    from companion.translator.translator import Translator

    model, tokenizer, facts = load_checkpoint(trained)
    tuned = facts | {"decoding": {"beam_size": 5, "alpha": 0.9}}
    save_checkpoint(tmp_path / "tuned", model, tokenizer, tuned)
    asked: list[tuple[float, ...]] = []
    stream = Translator.stream

    def noting(self: Translator, texts: object, decoding: Decoding, **options: object) -> object:
        asked.append(tuple(decoding))
        return stream(self, texts, decoding, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Translator, "stream", noting)
    command = ("translate", "好久不见", "--checkpoint", tmp_path / "tuned")
    picture = ("--attention", tmp_path / "a.png")
    agreed = ("--consensus", 0.5)
    for more in ((), ("--beam", 2), ("--alpha", 0.1), agreed, ("--beam", 1), picture):
        assert companion(*command, *more).stdout == "long time no see\n"
    assert asked[:4] == [(5, 0.9, 0.0), (2, 0.9, 0.0), (5, 0.1, 0.0), (5, 0.9, 0.5)]
    assert asked[4:] == [(1, 0.9, 0.0), (1, 0.9, 0.0)]


def test_help_and_version() -> None:
    assert companion("--version").exit_code == 0
    text = companion("--help").stdout
    for command in ("translate", "train", "evaluate", "info", "export", "demo"):
        assert command in text
        assert companion(command, "--help").exit_code == 0
