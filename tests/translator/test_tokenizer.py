"""The tokenizer loses nothing, invents nothing, and shows readable pieces."""

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.translator.tokenizer import (
    BYTE_TOKENS,
    CONTROL_TOKENS,
    RESERVED,
    Tokenizer,
    normalise,
)

TEXTS = [
    "好久不见",
    "long time no see",
    "他不喜欢这本书。",
    "he doesn't like this book.",
    "the doctor's book is long",
    "不见 3 本书",
    "walking talking see see",
] * 3


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(TEXTS, vocab_size=420)


# Any code point at all, lone surrogates included, and strings rich in the awkward ones.
any_text = st.text(st.characters(codec=None, categories=None)) | st.text(
    st.sampled_from(" \n\t\r▁<>'’好久a3é?？\x00\ud800\udfff👨‍👩‍👧　〇")
)


@given(any_text)
@example("")
@example(" ")
@example("  long  time ")
@example("▁long▁time")
@example("<eos><pad><bos>")
@example("<0xE4><0xBD><0xA0>")
@example("NUL \x00 in between")
@example("👨‍👩‍👧‍👦 family, 🇨🇳 flag, 👍🏽 tone")
@example("half a character: \ud83d and \udc4d")
@example("e\u0301 is composed, ﹖ is kept")
@example("好久不见？好久不见?")
@example("\u2028\u0085\ufeff")
def test_decoding_gives_the_normalised_text_back(text: str) -> None:
    shared = _shared()
    ids = shared.encode(text)
    assert shared.decode(ids) == normalise(text)
    # Text never becomes a control token, whatever it spells.
    assert not set(ids) & {shared.pad_id, shared.bos_id, shared.eos_id}


_cache: list[Tokenizer] = []


def _shared() -> Tokenizer:
    if not _cache:
        _cache.append(Tokenizer.train(TEXTS, vocab_size=420))
    return _cache[0]


@given(any_text)
def test_normalise_is_idempotent_and_encodable(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    once.encode("utf-8")
    if not any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        assert once == unicodedata.normalize("NFC", text)


def test_a_surrogate_pair_is_one_character_and_half_of_it_is_replaced() -> None:
    assert normalise("a\ud83d") == "a\ufffd"
    assert normalise("\udc4db") == "\ufffdb"
    assert normalise("\ud83d\ud83d\udc4d") == "\ufffd👍"


def test_full_and_half_width_marks_stay_different(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("？") != tokenizer.encode("?")


def test_control_ids(tokenizer: Tokenizer) -> None:
    assert (tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id) == (0, 1, 2)
    assert tokenizer.tokens[:3] == CONTROL_TOKENS
    assert tokenizer.tokens[3 : len(RESERVED)] == BYTE_TOKENS
    assert tokenizer.decode([1, *tokenizer.encode("好久"), 2, 0, 0]) == "好久"


def test_a_corpus_that_spells_control_tokens_teaches_no_control_token() -> None:
    taught = Tokenizer.train(["<eos> <pad> <0xE4>"] * 50, vocab_size=600)
    for text in ("<eos>", " <eos>", "<0xE4>", "<pad><pad>"):
        assert not set(taught.encode(text)) & set(range(len(RESERVED)))


def test_pieces_are_readable(tokenizer: Tokenizer) -> None:
    assert tokenizer.pieces(tokenizer.encode("好久不见")) == ["好", "久", "不", "见"]
    assert tokenizer.pieces(tokenizer.encode("long time no see")) == ["long", "time", "no", "see"]
    assert tokenizer.pieces(tokenizer.encode("he doesn't")) == ["he", "doesn't"]
    assert tokenizer.pieces(tokenizer.encode("doctor's"))[-1] == "'s"
    assert tokenizer.pieces([0, 1, 2]) == ["<pad>", "<bos>", "<eos>"]
    assert tokenizer.pieces(tokenizer.encode("😀")) == ["<0xF0>", "<0x9F>", "<0x98>", "<0x80>"]
    assert tokenizer.pieces(tokenizer.encode("\n")) == ["<0x0A>"]


def test_a_piece_that_continues_a_word_is_marked(tokenizer: Tokenizer) -> None:
    unseen = tokenizer.pieces(tokenizer.encode("longtime"))
    assert unseen[0] == "long"
    assert all(piece.startswith("##") for piece in unseen[1:])


def test_a_word_is_the_same_token_at_the_start_and_inside(tokenizer: Tokenizer) -> None:
    (alone,) = tokenizer.encode("see")
    assert tokenizer.encode("long time no see")[-1] == alone


def test_han_characters_stay_single_unless_asked_otherwise() -> None:
    texts = ["好久不见"] * 20
    single = Tokenizer.train(texts, vocab_size=400)
    joined = Tokenizer.train(texts, vocab_size=400, han_as_characters=False)
    assert len(single.encode("好久不见")) == 4
    assert len(joined.encode("好久不见")) == 1
    assert joined.decode(joined.encode("见好久不见")) == "见好久不见"


def test_rare_characters_can_be_left_to_bytes() -> None:
    texts = ["好" * 9, "久" * 5, "罕"]
    small = Tokenizer.train(texts, vocab_size=400, max_characters=2)
    assert small.pieces(small.encode("罕")) == ["<0xE7>", "<0xBD>", "<0x95>"]
    assert small.decode(small.encode("好罕久")) == "好罕久"


def test_which_of_equally_rare_characters_are_kept_is_no_matter_of_chance() -> None:
    rare = [chr(0x4E00 + n) for n in range(40)]
    texts = ["好" * 9, *reversed(rare)]
    tokens = Tokenizer.train(texts, vocab_size=400, max_characters=11).tokens
    assert tokens[len(RESERVED) :] == (*rare[:10], "好")


def test_saving_and_loading_changes_nothing(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path / "tokenizer.json")
    loaded = Tokenizer.load(tmp_path / "tokenizer.json")
    assert loaded.tokens == tokenizer.tokens
    assert loaded.merges == tokenizer.merges
    text = "好久不见, long time no see <eos> 😀"
    assert loaded.encode(text) == tokenizer.encode(text)
    assert "好" in (tmp_path / "tokenizer.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"kind": "other", "version": 1}', "\x00"])
def test_loading_something_else_names_the_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"tokenizer\.json is not a tokenizer"):
        Tokenizer.load(path)


def test_a_truncated_or_forged_table_is_refused(tokenizer: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must start with"):
        Tokenizer(tokenizer.tokens[5:], [])
    with pytest.raises(ValueError, match="twice"):
        Tokenizer([*tokenizer.tokens, "x", "x"], [])
    with pytest.raises(ValueError, match="control token"):
        Tokenizer([*tokenizer.tokens, "<eo"], [("<eo", "s>")])
    path = tmp_path / "tokenizer.json"
    tokenizer.save(path)
    table = json.loads(path.read_text(encoding="utf-8"))
    del table["merges"]
    path.write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(ValueError, match="not a tokenizer"):
        Tokenizer.load(path)


def test_ids_outside_the_vocabulary_are_named(tokenizer: Tokenizer) -> None:
    for bad in (-1, tokenizer.vocab_size):
        with pytest.raises(ValueError, match=f"token id {bad} is outside"):
            tokenizer.decode([bad])
        with pytest.raises(ValueError, match=f"token id {bad} is outside"):
            tokenizer.pieces([bad])


def test_too_small_a_vocabulary_says_so() -> None:
    with pytest.raises(ValueError, match="vocab_size=100 is too small"):
        Tokenizer.train(TEXTS, vocab_size=100)


def test_broken_bytes_decode_to_the_replacement_character(tokenizer: Tokenizer) -> None:
    lead = tokenizer.tokens.index("<0xE4>")
    assert tokenizer.decode([lead]) == "\ufffd"


def test_training_is_deterministic_between_processes() -> None:
    texts = TEXTS + [str(i * 7919) + "word" * (i % 5) for i in range(500)]
    program = (
        "import json, sys; from companion.translator.tokenizer import Tokenizer\n"
        "t = Tokenizer.train(json.load(sys.stdin), vocab_size=500)\n"
        "print(json.dumps([t.tokens, t.merges]))"
    )
    there = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    here = Tokenizer.train(texts, vocab_size=500)
    assert json.loads(there.stdout) == json.loads(json.dumps([here.tokens, here.merges]))
