"""The README's links lead somewhere and its code runs."""

import re
from pathlib import Path

import pytest

from companion.translator.recorded import read_record
from companion.translator.scoring import MODEL
from companion.translator.translator import shipped_folder

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINKS = [link for link in re.findall(r"\]\(([^)\s]+)\)", README) if "://" not in link]


@pytest.mark.parametrize("link", LINKS)
def test_links_within_the_repository_lead_somewhere(link: str) -> None:
    assert (ROOT / link.partition("#")[0]).exists()


def test_every_module_is_in_the_table() -> None:
    modules = {p.stem for p in (ROOT / "companion").glob("[a-z]*.py")}
    inner = {  # found through the module that uses them
        "activations",
        "config",
        "encoder_presets",
        "ngram",
        "recurrent_decoder",
        "rotary_scaling",
        "stack",
    }
    named = set(re.findall(r"^\| \[`(\w+)`\]", README, flags=re.MULTILINE))
    assert modules - named == inner


def test_the_first_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = next(c for c in re.findall(r"```python\n(.+?)```", README, re.S) if "Capture()" in c)
    # The same lines at a size that a test can afford.
    code = code.replace("transformer_base(vocab_size=37_000)", "tiny_translator(vocab_size=99)")
    code = code.replace("transformer_base", "tiny_translator").replace("37_000", "99")
    code += "\nprint(tuple(logits.shape))"
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == "(2, 5, 99)\n"


def test_the_make_targets_it_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`?make ([a-z-]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_scores_are_those_that_were_recorded() -> None:
    tests = read_record(shipped_folder("tatoeba"))
    bleu = {
        (test, name): f"{result.bleu.score:.1f}"
        for test, scores in tests.items()
        for name, result in scores.ordinary.items()
    }
    text = " ".join(README.split())
    for words in (
        f"it reaches **{bleu['tatoeba', MODEL]} BLEU**",
        f"retrieval reaches {bleu['tatoeba', 'nearest neighbour']};",
        f"from elsewhere {bleu['hsk', MODEL]} (retrieval {bleu['hsk', 'nearest neighbour']})",
        f"it stood at {bleu['tatoeba', 'Transformer (tatoeba)']};",
        f"as many updates reach {bleu['tatoeba', 'LSTM with attention']},",
        f"a third of our learning rate) {bleu['tatoeba', 'nn.Transformer']},",
    ):
        assert words in text, words
    about = tests["tatoeba"].systems[MODEL]
    assert f"{about.parameters / 1e6:.1f} million parameters" in text
    assert f"{about.processor_minutes:.0f} minutes of processor time in all" in text
