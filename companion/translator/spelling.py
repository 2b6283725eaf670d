"""From what people type to what the corpus spells. Lossy on purpose, and only at the front door.

The tokenizer itself keeps every difference (see `companion.translator.tokenizer.normalise`); here a
model is spared differences that it never learned and that do not matter.
"""

import functools
import re
from collections.abc import Callable
from importlib import resources

from companion.translator.tokenizer import normalise

_HAN = r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
_SPACE_INSIDE = re.compile(rf"(?<={_HAN})[ \u3000]+(?={_HAN})")
_WIDE = {"?": "？", "!": "！", ",": "，", ";": "；", ":": "："}
_END = re.compile(r"[\s。.！!]+\Z")


def tidy(text: str, knows: Callable[[str], bool]) -> str:
    """A Chinese text as the corpus would spell it; other texts only lose outer white space.

    Traditional characters that the model does not know become simplified ones that it does. White
    space at the ends and between two Han characters goes. Half-width `? ! , ; :` become full-width,
    and a final full stop or exclamation mark goes, each only where `knows` says that the model's
    vocabulary has (has not) the full-width mark.

    >>> tidy(" 你好 吗? ", lambda mark: mark in "？")
    '你好吗？'
    """
    text = normalise(text).strip()
    if not re.search(_HAN, text):
        return text
    text = "".join(_simplified(c, knows) for c in _SPACE_INSIDE.sub("", text))
    text = "".join(_WIDE[c] if c in _WIDE and knows(_WIDE[c]) else c for c in text)
    return text if knows("。") else _END.sub("", text)


def _simplified(character: str, knows: Callable[[str], bool]) -> str:
    simple = _simplified_characters().get(character)
    return simple if simple and not knows(character) and knows(simple) else character


@functools.cache
def _simplified_characters() -> dict[str, str]:
    """Character by character, which is enough for reading; corpora are converted by phrase."""
    file = resources.files("companion.translator") / "simplified.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    return {line[0]: line[1] for line in lines if not line.startswith("#")}
