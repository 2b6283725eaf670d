"""Text to token ids and back, without loss: byte-pair encoding with a byte fallback.

The vocabulary is one table for both languages: three control tokens, the 256 bytes, every
character of the training texts, and the pieces that byte-pair encoding learned (Sennrich et al.,
2016, "Neural Machine Translation of Rare Words with Subword Units"). A character that training
never met is spelled by its UTF-8 bytes, so no text is ever "unknown".

Rules, in the order in which they apply:

1. `normalise`: Unicode NFC, and a lone surrogate (half a character, which UTF-8 cannot hold)
   becomes U+FFFD. Nothing else changes: NUL, spaces and line ends stay, and `？` and `?` remain two
   different characters. (What a person types is brought to the corpus' spelling one level higher,
   in `companion.translator.translator`, where it may be lossy.)
2. A space is put before a first letter or digit (and before a first space, so that the step can
   be undone). `time` then is the same piece ` time` at the start of a sentence as within it.
3. The text is cut into Han characters one by one, words with their leading space, digits one by
   one, and other characters one by one; byte-pair merges happen within such a part only.

Control tokens are not text. No sequence of characters encodes to `<pad>`, `<bos>` or `<eos>`: a
user's "<eos>" is five ordinary characters, because the model's table has no merge that leads there.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tokenizers

from companion._files import write_text

PAD, BOS, EOS = "<pad>", "<bos>", "<eos>"
CONTROL_TOKENS = (PAD, BOS, EOS)
BYTE_TOKENS = tuple(f"<0x{byte:02X}>" for byte in range(256))
RESERVED = (*CONTROL_TOKENS, *BYTE_TOKENS)
SMALLEST_VOCABULARY = len(RESERVED)

_KIND = "companion byte-fallback BPE"
_VERSION = 1
_LETTER = r"[[\p{L}\p{M}]&&\P{Han}]"
# `don't` stays one word; the other clitics ('s, 'll, 're) are parts of their own.
_WORD = rf" ?{_LETTER}+(?:['’][tT](?!{_LETTER}))?|['’]{_LETTER}+"
_OTHER = r" ?\p{N}| ?[^\s\p{L}\p{M}\p{N}]|\s+"


def normalise(text: str) -> str:
    """The form of `text` that encoding keeps: NFC, lone surrogates replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # UTF-16 is where surrogates mean something: two halves in a row are one character.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return unicodedata.normalize("NFC", text)


class Tokenizer:
    """A trained vocabulary: `encode`, `decode`, and `pieces` for showing tokens to people.

    `decode(encode(text)) == normalise(text)` holds for every Unicode string.
    """

    pad_id, bos_id, eos_id = 0, 1, 2

    def __init__(
        self,
        tokens: Sequence[str],
        merges: Sequence[tuple[str, str]],
        *,
        han_as_characters: bool = True,
    ) -> None:
        """Build from a table. Raises ValueError when the table is not one of ours."""
        if tuple(tokens[: len(RESERVED)]) != RESERVED:
            raise ValueError(
                f"a vocabulary must start with {', '.join(CONTROL_TOKENS)} and the 256 bytes; "
                f"this one starts with {list(tokens[:4])!r}"
            )
        if len(set(tokens)) != len(tokens):
            raise ValueError("a vocabulary must not name a token twice")
        for left, right in merges:
            if left + right in RESERVED:
                raise ValueError(f"the merge {left!r} + {right!r} would make text a control token")
        self.tokens = tuple(tokens)
        self.merges = tuple((left, right) for left, right in merges)
        self.han_as_characters = han_as_characters
        self._bytes = tuple(_spelling(index, token) for index, token in enumerate(self.tokens))
        self._bpe = _backend(self.tokens, self.merges, han_as_characters)

    @classmethod
    def train(
        cls,
        texts: Iterable[str],
        *,
        vocab_size: int = 8000,
        min_frequency: int = 2,
        max_characters: int | None = None,
        han_as_characters: bool = True,
    ) -> "Tokenizer":
        """Learn a vocabulary of at most `vocab_size` tokens; the same texts give the same table.

        `max_characters` bounds the alphabet: rarer characters are left to their bytes (of equally
        rare ones, those with the higher code points). Merges seen fewer than `min_frequency` times
        are not made, so a small corpus gives a smaller table.
        Raises ValueError when `vocab_size` leaves no room beside the reserved tokens.
        """
        if vocab_size < SMALLEST_VOCABULARY:
            raise ValueError(
                f"vocab_size={vocab_size} is too small: {SMALLEST_VOCABULARY} ids are taken by the "
                "control tokens and the bytes"
            )
        prepared: Iterable[str] = (_with_first_space(normalise(text)) for text in texts)
        trainer_options: dict[str, Any] = {}
        if max_characters is not None:
            prepared = list(prepared)
            # Named one by one: the library breaks ties at its limit anew in every process.
            alphabet = _most_frequent(prepared, max_characters)
            trainer_options = {"initial_alphabet": alphabet, "limit_alphabet": len(alphabet)}
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=vocab_size,
            min_frequency=min_frequency,
            special_tokens=list(RESERVED),
            show_progress=False,
            **trainer_options,
        )
        learner = tokenizers.Tokenizer(tokenizers.models.BPE())
        learner.pre_tokenizer = _pre_tokenizer(han_as_characters)
        learner.train_from_iterator(prepared, trainer)
        model = json.loads(learner.to_str())["model"]
        tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
        merges = [(left, right) for left, right in model["merges"]]
        return cls(tokens, merges, han_as_characters=han_as_characters)

    @property
    def vocab_size(self) -> int:
        """Number of ids; ids run from 0 to `vocab_size - 1`."""
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """Token ids of `text`, without control tokens. The empty string has none."""
        ids: list[int] = self._bpe.encode(_with_first_space(normalise(text))).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`; control tokens are left out, broken byte sequences become U+FFFD.

        Raises ValueError for an id outside the vocabulary.
        """
        text = b"".join(self._bytes[self._checked(index)] for index in ids).decode(
            "utf-8", "replace"
        )
        return text.removeprefix(" ")

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """One label a token: `long`, `##ing` (goes on a word), `好`, `␣`, `<0xF0>`, `<eos>`."""
        return [self._label(self._checked(index)) for index in ids]

    def save(self, path: str | Path) -> None:
        """Write the table as UTF-8 JSON, atomically."""
        table = {
            "kind": _KIND,
            "version": _VERSION,
            "han_as_characters": self.han_as_characters,
            "tokens": self.tokens,
            "merges": self.merges,
        }
        write_text(Path(path), json.dumps(table, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> "Tokenizer":
        """Read what `save` wrote. Raises OSError, or ValueError when it is something else."""
        try:
            table = json.loads(Path(path).read_text(encoding="utf-8"))
            if table["kind"] != _KIND or table["version"] != _VERSION:
                raise ValueError(f"kind {table['kind']!r}, version {table['version']!r}")
            merges = [(left, right) for left, right in table["merges"]]
            return cls(table["tokens"], merges, han_as_characters=table["han_as_characters"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is not a tokenizer of this version: {error}") from error

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self.tokens):
            raise ValueError(
                f"token id {index} is outside the vocabulary 0..{len(self.tokens) - 1}"
            )
        return index

    def _label(self, index: int) -> str:
        token = self.tokens[index]
        if index < len(RESERVED):
            return token
        if token.isspace():
            return "".join(
                "␣" if character == " " else ascii(character)[1:-1] for character in token
            )
        if token.startswith(" "):
            return token[1:]
        return f"##{token}" if token[0].isalpha() and not _is_han(token[0]) else token


def _most_frequent(texts: Iterable[str], limit: int) -> list[str]:
    counts = Counter(character for text in texts for character in text)
    return sorted(counts, key=lambda character: (-counts[character], character))[:limit]


def _spelling(index: int, token: str) -> bytes:
    if index < len(CONTROL_TOKENS):
        return b""
    if index < len(RESERVED):
        return bytes([index - len(CONTROL_TOKENS)])
    return token.encode("utf-8")


def _with_first_space(text: str) -> str:
    first = text[:1]
    return f" {text}" if first == " " or (first.isalnum() and not _is_han(first)) else text


def _is_han(character: str) -> bool:
    name = unicodedata.name(character, "")
    return name.startswith("CJK UNIFIED") or character in "々〇〻"


def _pre_tokenizer(han_as_characters: bool) -> tokenizers.pre_tokenizers.PreTokenizer:
    han = r"\p{Han}" if han_as_characters else r"\p{Han}+"
    return tokenizers.pre_tokenizers.Split(
        tokenizers.Regex(f"{han}|{_WORD}|{_OTHER}"), behavior="isolated"
    )


def _backend(
    tokens: Sequence[str], merges: Sequence[tuple[str, str]], han_as_characters: bool
) -> tokenizers.Tokenizer:
    # Built from the bare tables: tokens *added* to a Hugging Face tokenizer are looked for in the
    # text, and a user's "<eos>" would end the sentence.
    ids = {token: index for index, token in enumerate(tokens)}
    model = tokenizers.models.BPE(vocab=ids, merges=list(merges), byte_fallback=True)
    backend = tokenizers.Tokenizer(model)
    backend.pre_tokenizer = _pre_tokenizer(han_as_characters)
    return backend
