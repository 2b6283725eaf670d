"""The README's small programs run and do what they promise."""

import io
import tokenize
from pathlib import Path

import pytest

from companion.gallery import gpt, translator


def test_the_gpt_learns_the_poems_by_heart() -> None:
    model, alphabet = gpt.train()
    assert [gpt.recite(model, alphabet, poem[0]) for poem in gpt.POEMS] == gpt.POEMS


def test_untrained_it_does_not() -> None:
    model, alphabet = gpt.train(steps=1)
    assert gpt.recite(model, alphabet, "床") != gpt.POEMS[0]


def test_the_translator_learns_the_phrase_book() -> None:
    model = translator.train()
    assert {zh: translator.translate(model, zh) for zh in translator.PHRASES} == translator.PHRASES


def test_a_character_that_no_phrase_holds_is_an_error() -> None:
    with pytest.raises(ValueError, match="not in list"):
        translator.encode(["龘"])


@pytest.mark.parametrize("module", [gpt, translator])
def test_about_sixty_lines_of_code(module) -> None:
    text = Path(module.__file__).read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    layout = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}
    code = {
        token.start[0]
        for token in tokens
        if token.type not in layout and not token.string.startswith('"""')
    }
    assert len(code) <= 62
