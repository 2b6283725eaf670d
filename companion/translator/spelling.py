"""From what people type to what the corpus spells. Lossy on purpose, and only at the front door.

The tokenizer itself keeps every difference (see `companion.translator.tokenizer.normalise`); here a
model is spared differences that it never learned and that do not matter.
"""

import re
from collections.abc import Callable

from companion.translator.tokenizer import normalise

_HAN = r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
_SPACE_INSIDE = re.compile(rf"(?<={_HAN})[ \u3000]+(?={_HAN})")
_WIDE = {"?": "？", "!": "！", ",": "，", ";": "；", ":": "："}
_END = re.compile(r"[\s。.！!]+\Z")


def tidy(text: str, knows: Callable[[str], bool]) -> str:
    """A Chinese text as the corpus would spell it; other texts only lose outer white space.

    White space at the ends and between two Han characters goes. Half-width `? ! , ; :` become
    full-width, and a final full stop or exclamation mark goes, each only where `knows` says that
    the model's vocabulary has (has not) the full-width mark.

    >>> tidy(" 你好 吗? ", lambda mark: mark in "？")
    '你好吗？'
    """
    text = normalise(text).strip()
    if not re.search(_HAN, text):
        return text
    text = _SPACE_INSIDE.sub("", text)
    text = "".join(_WIDE[c] if c in _WIDE and knows(_WIDE[c]) else c for c in text)
    return text if knows("。") else _END.sub("", text)
