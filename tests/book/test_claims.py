"""The claims ledger: every row computed again, every link and citation there."""

import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
ROLE = re.compile(r"\{(ref|doc|numref)\}`(?:[^`<]*<)?([^`<>]+)>?`(?:, \*([^*].*?)\*(?=,|$))?")


def _load() -> ModuleType:
    sys.path.insert(0, str(BOOK))
    try:
        import claims
    finally:
        sys.path.remove(str(BOOK))
    return claims


claims = _load()
ROWS = {row.name: row for topic in claims.LEDGER for row in topic.claims}

# What must come out, in closed form or as published: so that the ledger and the package cannot be
# wrong together.
D, D_FF = 512, 2048
ENCODER_LAYER = 4 * (D * D + D) + (2 * D * D_FF + D_FF + D) + 2 * 2 * D
DECODER_LAYER = ENCODER_LAYER + 4 * (D * D + D) + 2 * D
LAYERS = 6 * (ENCODER_LAYER + DECODER_LAYER)
EXPECTED: dict[str, dict[str, float]] = {
    "the_root": {},
    "order": {},
    "own_position": {},
    "explanation": {},
    "pronoun": {},
    "one_or_many": {"parameters": 4 * (D * D + D), "wider": 4 / 3},
    "minus_a_billion": {},
    "true_means": {},
    "docstring": {},
    "causal_rows": {"third": 1 / 3, "fourth": 1 / 4, "gap": 0.287682},
    "chatglm": {"first": 0.5},
    "small_embeddings": {"word": 0.01 * D**0.5, "position": 0.5**0.5},
    "sinusoid_table": {
        **{"sin_1": 0.09983342, "sin_2": 0.19866933, "sin_3": 0.29552021},
        **{"cos_1": 0.99500417, "cos_2": 0.98006658, "cos_3": 0.95533649},
    },
    "one_product": {},
    "bottleneck": {"narrow": 768, "wide": 3072},
    "llama_width": {"exact": 32768 / 3, "width": 11_008},
    "layer_norm": {
        **{"right": 0.75 / 0.18751**0.5, "unbiased": 0.75 / 0.50001},
        **{"inside": 0.75e-3 / (0.1875e-6 + 1e-5) ** 0.5},
        **{"outside": 0.75e-3 / (0.1875e-6**0.5 + 1e-5)},
    },
    "covariate_shift": {},
    "original_norm": {},
    "cheaper": {"gru": D, "lstm": 2 * D},
    "convolution": {"contiguous": 125, "dilated": 4},
    "quadratic": {"crossing": 6 * 768, "share": 1024 / (1024 + 6 * 768)},
    "six_nd": {"share": 6 * 124_439_808 * 1024 / (3 * 291_648_307_200)},
    "base_model": {
        **{"one": 37_000 * D + LAYERS, "three": 3 * 37_000 * D + LAYERS},
        **{"needed": (65_000_000 - LAYERS) // D},
    },
    "cross_attention": {
        **{"encoder": ENCODER_LAYER, "decoder": DECODER_LAYER},
        **{"printed_encoder": 18.88666, "printed_decoder": 20.45952, "printed": 85.42618},
        **{"total": 90_218_496},
    },
    "mainly_embedding": {
        **{"untied": 3 * 30_000 * D / 90_218_496, "tied": 30_000 * D / 59_498_496},
        **{"gpt2": 50_257 * 768 / 124_439_808, "xl": 50_257 * 1600 / 1_557_611_200},
        **{"llama": 2 * 32_000 * 4096 / 6_738_415_616},
        **{"llama_3": 2 * 128_256 * 4096 / 8_030_261_248},
    },
    "gpt2_small": {"tied": 124_439_808, "untied": 163_037_184},
    "bert": {"encoder": 109_482_240, "heads": 110_106_428},
    "llama_heads": {
        "published": 6_738_415_616,
        "grouped": 6_738_415_616 - 32 * 2 * 4096 * (4096 - 1024),
    },
    "recurrent": {
        **{"attention": 4 * (D * D + D), "lstm": 8 * (D * D + D), "layer": ENCODER_LAYER},
        **{"small": 44_952_064, "large": 175_399_936, "base": 63_082_496},
    },
    "shapes": {"vocabulary": 50_257},
    "sub_layers": {"layers": 32, "sub_layers": 64},
    "label_smoothing": {"perplexity": 1 / (0.9 + 0.1 / 37_000)},
    "undisclosed": {},
}
TRAINED = {  # rows that no arithmetic settles, and the experiment that does
    "extrapolation": "extrapolation",
    "warm_up": "norm_position",
    "memory": "attention_memory",
}


@pytest.fixture(scope="module")
def page() -> str:
    return (BOOK / "claims.md").read_text(encoding="utf-8")


def test_the_ledger_has_every_claim():
    assert set(ROWS) == {*EXPECTED, *TRAINED}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_what_is_computed(name: str, page: str):
    row = ROWS[name]
    if not row.computable:
        pytest.skip(f"{row.needs} is not installed: pip install --no-deps {row.needs}")
    if name in EXPECTED:
        drawn = name == "small_embeddings"  # from a random table
        assert claims.numbers(row) == pytest.approx(EXPECTED[name], rel=0.02 if drawn else 1e-5)
    assert claims.row(row) in page, "run `make notebooks`"


def test_a_number_that_is_no_longer_true_does_not_stand_on_the_page(page: str):
    from dataclasses import replace

    changed = replace(ROWS["gpt2_small"], compute=lambda: {"tied": 117_000_000, "untied": 1})
    assert claims.row(changed) not in page


def test_a_row_whose_text_and_function_differ_is_refused():
    from dataclasses import replace

    for values in ({}, {"first": 0.5, "more": 1}):
        changed = replace(ROWS["chatglm"], compute=lambda values=values: values)
        with pytest.raises(ValueError, match="chatglm: text and function differ"):
            changed.text()


@pytest.mark.parametrize(("name", "experiment"), TRAINED.items())
def test_a_row_on_a_training_fails_when_the_record_says_otherwise(
    name: str, experiment: str, monkeypatch: pytest.MonkeyPatch
):
    record = json.loads((BOOK / "experiments" / f"{experiment}.json").read_text(encoding="utf-8"))
    results = record["results"]
    if name == "extrapolation":  # sinusoids as good outside as inside
        results["trained short"]["sinusoidal"] = results["trained short"]["ALiBi"]
    elif name == "warm_up":  # post-norm and pre-norm change places
        for run in results["runs"]:
            run["position"] = {"pre": "post", "post": "pre"}[run["position"]]
    else:
        measured = results["forward_and_backward"]
        measured["tiled"] = measured["written out"]
    module = sys.modules[ROWS[name].compute.__module__]
    monkeypatch.setattr(module.experiments, "load", lambda _: record)
    with pytest.raises(AssertionError):
        claims.numbers(ROWS[name])


def roles(where: str) -> list[tuple[str, str, str | None]]:
    """Role, target and heading of each link."""
    return [(role, target, heading or None) for role, target, heading in ROLE.findall(where)]


def source_of(document: str) -> Path:
    source = BOOK / "source" / f"{document}.md"
    return source if source.is_file() else BOOK / f"{document}.md"


def labels() -> tuple[set[str], set[str]]:
    """Labels of sections and of figures, over the whole book."""
    texts = [p.read_text(encoding="utf-8") for p in [*BOOK.glob("*.md"), *BOOK.glob("source/*.md")]]
    sections = {label for text in texts for label in re.findall(r"^\(([\w-]+)\)=$", text, re.M)}
    figures = {
        label for text in texts for label in re.findall(r"^    name: (fig-\S+)$", text, re.M)
    }
    return sections, figures


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.name)
def test_a_row_leads_to_a_section_that_exists(row):
    sections, figures = labels()
    found = roles(row.where)
    assert found
    assert len(found) == len(re.findall(r"\{\w+\}`", row.where)), "a link of another form"
    for role, target, heading in found:
        if role == "ref":
            assert target in sections
        elif role == "numref":
            assert target in figures
        else:
            text = source_of(target).read_text(encoding="utf-8").replace("*", "")
            assert heading, "a link to a whole chapter is no link to a section"
            assert re.search(rf"^#+ {re.escape(heading.replace('*', ''))}$", text, re.M)


def test_a_link_that_shows_a_section_s_title_shows_no_formula():
    """Sphinx puts a title into a link as it was typed, dollar signs left out."""
    headings = dict(
        found
        for path in [*BOOK.glob("*.md"), *BOOK.glob("source/*.md")]
        for found in re.findall(r"^\(([\w-]+)\)=\n#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    )
    shown = {
        label: headings.get(label, "")
        for row in ROWS.values()
        for label in re.findall(r"\{ref\}`([^`<>]+)`", row.where)
    }
    assert {label: title for label, title in shown.items() if "$" in title} == {}


def test_what_is_cited_is_in_the_bibliography():
    bibliography = (BOOK / "references.bib").read_text(encoding="utf-8")
    known = set(re.findall(r"^@\w+\{([^,]+),", bibliography, re.M))
    cited = {
        row.name: {
            key
            for keys in re.findall(r"\{cite:[pt]\}`([^`]+)`", row.holds)
            for key in keys.split(",")
        }
        for row in ROWS.values()
    }
    assert {name: keys - known for name, keys in cited.items() if keys - known} == {}
    assert all(cited[row.name] for row in ROWS.values() if row.shown.startswith("cited"))
