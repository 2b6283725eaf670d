"""A model that knows six sentences translates them, shows how, and refuses what it must."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from companion.capture import Capture
from companion.generation import Generation, Hypothesis
from companion.translator import translator as translator_module
from companion.translator.decoding import Decoding
from companion.translator.translator import InputTooLongError, Translation, Translator


@pytest.fixture(scope="module")
def translator(trained: Path) -> Translator:
    return Translator.load(trained, device="cpu")


def test_it_translates_what_it_was_trained_on(
    translator: Translator, pairs: list[tuple[str, str]]
) -> None:
    sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
    assert translator.translate(sources) == targets
    assert translator.translate(sources, beam_size=3) == targets


def test_order_and_blank_texts_are_kept(translator: Translator) -> None:
    texts = ["", "好久不见", "   ", "你好", "\t\n", "我看书"]
    assert translator.translate(texts) == ["", "long time no see", "", "hello", "", "I read a book"]
    assert translator.translate([]) == []
    assert translator.translations([""]) == [Translation("", 0.0, True)]


def test_together_equals_one_by_one(translator: Translator) -> None:
    texts = ["好", "不", "书书书", "好久不见", "x", "我不看书", "他不"] * 3
    assert translator.translate(texts) == [translator.translate([text])[0] for text in texts]


def test_what_a_beam_agrees_on_does_not_depend_on_the_batch(translator: Translator) -> None:
    texts = ["好", "不", "书书书", "好久不见", "x", "我不看书", "他不"]
    decoding = {"beam_size": 4, "consensus": 1.0}
    together = translator.translate(texts, **decoding)
    assert together == [translator.translate([text], **decoding)[0] for text in texts]
    assert together[3] == "long time no see"


def test_the_beams_hypotheses_agree_on_one_of_them(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those the most probable are heard, as many as the beam is wide."""
    scores = {"hello": -1.0, "a book": -1.1, "the book": -1.2, "he": -9.0}
    ids = {text: translator.tokenizer.encode(text) for text in scores}
    ended = [Hypothesis(ids[text], score) for text, score in reversed(scores.items())]
    found = Generation([ids["hello"]], [-1.0], [True], [ended])
    asked = []

    def search(session: object, **options: object) -> Generation:  # noqa: ARG001
        asked.append(options)
        return replace(found, sequences=list(found.sequences), scores=list(found.scores))

    monkeypatch.setattr(translator_module, "beam_search", search)
    assert translator.translate(["我看书"], beam_size=3) == ["hello"]
    [agreed] = translator.translations(["我看书"], Decoding(3, 0.6, 1.0))
    assert agreed == Translation("the book", -1.2, True)
    assert asked[0]["limits"] == [translator.limit]
    heard = []
    monkeypatch.setattr(
        translator_module, "most_agreed", lambda texts, *_: heard.append(texts) or 0
    )
    translator.translate(["我看书"], beam_size=3, consensus=1.0)
    assert heard == [["hello", "a book", "the book"]]


def test_unknown_text_gets_an_answer(translator: Translator) -> None:
    for text in ("😀", "Ünïcödé", "\x00", "<eos>", "\ud800", "鱼"):
        (result,) = translator.translations([text])
        assert isinstance(result.text, str)
        result.text.encode("utf-8")


def test_what_people_type_is_tidied(translator: Translator) -> None:
    assert translator.translate([" 好久 不见。 "]) == ["long time no see"]


def test_an_over_long_text_is_refused_and_never_cut(translator: Translator) -> None:
    assert translator.limit == 40
    translator.translate(["好" * 40])
    with pytest.raises(InputTooLongError, match=r"text 2 has 41 tokens, .* reads at most 40"):
        translator.translate(["好", "好" * 41])


def test_streaming_reads_no_further_than_it_must(translator: Translator) -> None:
    read = 0

    def texts() -> Iterator[str]:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield "好久不见"

    stream = translator.stream(texts(), at_once=4)
    assert [next(stream).text for _ in range(6)] == ["long time no see"] * 6
    assert read == 8


class CountedText(str):
    """A text that knows how many of its kind are alive."""

    alive = 0

    def __init__(self, _: str) -> None:
        CountedText.alive += 1

    def __del__(self) -> None:
        CountedText.alive -= 1


def test_streaming_needs_no_more_memory_for_more_texts(translator: Translator) -> None:
    def translations_alive() -> int:
        gc.collect()  # what waits for the collector is not held
        return sum(type(thing) is Translation for thing in gc.get_objects())

    before = translations_alive()
    stream = translator.stream((CountedText("好久") for _ in range(512)), at_once=32)
    for done, _ in enumerate(stream, start=1):
        assert CountedText.alive <= 2 * 32
        if done % 256 == 0:
            assert translations_alive() <= before + 2 * 32
    assert done == 512


def test_streaming_keeps_the_order_of_texts_of_all_lengths(translator: Translator) -> None:
    texts = ["我看书" if n % 3 else "好久不见" * (n % 2) for n in range(50)]
    expected = {"我看书": "I read a book", "好久不见": "long time no see", "": ""}
    found = translator.stream(texts, at_once=7)
    assert [result.text for result in found] == [expected[text] for text in texts]


def test_streaming_gives_what_stands_before_a_text_that_is_too_long(
    translator: Translator,
) -> None:
    stream = translator.stream(["你好", "", "我看书", "好" * 41, "你好"], at_once=2)
    assert [next(stream).text for _ in range(3)] == ["hello", "", "I read a book"]
    with pytest.raises(InputTooLongError, match="text 4 has 41 tokens"):
        next(stream)


def test_output_that_meets_the_limit_is_reported(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translator, "limit", 2)
    (cut,) = translator.translations(["你"])
    monkeypatch.undo()
    (whole,) = translator.translations(["好久不见"])
    assert whole.finished
    assert whole.score < 0
    assert cut.finished == (len(translator.tokenizer.encode(cut.text)) < 2)


def test_steps_tell_how_greedy_decoding_went(translator: Translator) -> None:
    steps = list(translator.steps("好久不见"))
    assert [step.prefix for step in steps] == [
        "",
        "long",
        "long time",
        "long time no",
        "long time no see",
    ]
    assert [step.chosen for step in steps] == ["long", "time", "no", "see", "<eos>"]
    for step in steps:
        shares = [share for _, share in step.candidates]
        assert len(shares) == 3
        assert shares == sorted(shares, reverse=True)
        assert 0.5 < shares[0] <= 1
        assert sum(shares) <= 1 + 1e-6
    assert list(translator.steps("  ")) == []


def test_steps_show_the_probabilities_of_the_model(translator: Translator) -> None:
    step = list(translator.steps("好久不见"))[1]
    tokenizer = translator.tokenizer
    source = torch.tensor([tokenizer.encode("好久不见")])
    target = torch.tensor([[tokenizer.bos_id, *tokenizer.encode("long")]])
    with torch.no_grad():
        shares = translator.model(source, target)[0, -1].softmax(-1)
    (time,) = tokenizer.encode("time")
    assert step.candidates[0][1] == pytest.approx(shares[time].item(), abs=1e-5)


def test_cross_attention_has_labels_and_rows_that_sum_to_one(translator: Translator) -> None:
    found = translator.cross_attention("好久不见")
    assert found.source == ["好", "久", "不", "见"]
    assert found.target == ["long", "time", "no", "see", "<eos>"]
    assert found.weights.shape == (2, 2, 5, 4)
    torch.testing.assert_close(found.weights.sum(-1), torch.ones(2, 2, 5))


def test_the_row_of_a_token_is_the_query_that_predicts_it(translator: Translator) -> None:
    found = translator.cross_attention("好久不见")
    tokenizer, capture = translator.tokenizer, Capture()
    source = torch.tensor([tokenizer.encode("好久不见")])
    before_time = torch.tensor([[tokenizer.bos_id, *tokenizer.encode("long")]])
    with torch.no_grad():
        translator.model(source, before_time, capture=capture)
    expected = capture["decoder.layers.1.cross_attention.weights"][0, :, -1]
    torch.testing.assert_close(found.weights[1, :, found.target.index("time")], expected)


def test_cross_attention_of_a_given_translation(translator: Translator) -> None:
    found = translator.cross_attention("好久不见", "long see")
    assert found.target == ["long", "see", "<eos>"]
    with pytest.raises(ValueError, match="blank"):
        translator.cross_attention(" ")


def test_hidden_states_can_be_captured(translator: Translator) -> None:
    capture = translator.capture(translator.encode("好久不见"), [])
    assert capture["encoder.layers.0.output"].shape == (1, 4, 16)
    assert capture["decoder.layers.1.output"].shape == (1, 1, 16)


def test_it_loads_in_evaluation_mode_on_the_device_asked_for(trained: Path) -> None:
    loaded = Translator.load(trained, device="cpu")
    assert loaded.device == torch.device("cpu")
    assert not loaded.model.training
    with pytest.raises(ValueError, match="unknown device"):
        Translator.load(trained, device="tpu")
