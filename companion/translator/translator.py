"""A trained model as something that translates: text in, text out, and a look inside."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from companion.capture import Capture
from companion.generation import Generation, Hypothesis, beam_search, greedy, stream
from companion.transformer import Transformer
from companion.translator.architectures import Model
from companion.translator.batching import pad
from companion.translator.checkpoint import load_checkpoint
from companion.translator.consensus import most_agreed
from companion.translator.decoding import GREEDY, Decoding
from companion.translator.devices import choose_device
from companion.translator.errors import UserError
from companion.translator.spelling import tidy
from companion.translator.tokenizer import Tokenizer

# The default first.
SHIPPED = ("tatoeba", "grammar")
# For position schemes without an end: longer sentences than any corpus of ours holds.
_DEFAULT_LIMIT = 256
# New tokens there is room for: so many times the source's, and a few. No true translation of our
# corpora comes near it; it bounds what a model costs that repeats itself.
_ROOM, _ROOM_AT_LEAST = 4, 32
# Rows (sentences times beams) that are decoded at once: bounds the memory of the KV cache.
_ROWS_AT_ONCE = 256


def shipped_folder(name: str | None = None) -> Path:
    """Where a model that comes with the package is; without a name, the default one.

    `tatoeba` has learned real sentences, `grammar` the small world that the chapters look into.
    Raises UserError for another name.
    """
    models = Path(__file__).parent / "models"
    if name is None:
        return next(models / known for known in SHIPPED if (models / known).exists())
    if name not in SHIPPED:
        raise UserError(f"no model {name!r} ships with the package: {', '.join(SHIPPED)} do")
    return models / name


class InputTooLongError(UserError, ValueError):
    """A text has more tokens than the model can read. `index`: which of the texts it was."""

    def __init__(self, index: int, tokens: int, limit: int) -> None:
        super().__init__(
            f"text {index + 1} has {tokens} tokens, but this model reads at most {limit}: "
            "split it into sentences"
        )
        self.index, self.tokens, self.limit = index, tokens, limit


class NoAttentionError(UserError, TypeError):
    """This kind of model does not show its attention."""


class Translation(NamedTuple):
    """What became of one text."""

    text: str
    score: float
    """Log-probability; with a beam, divided by the length penalty. 0 for an empty text."""
    finished: bool
    """False: there was no end token within the room for the output, and it stops there."""


class DecodingStep(NamedTuple):
    """One step of greedy decoding, for people."""

    prefix: str
    """The text decoded before this step."""
    candidates: list[tuple[str, float]]
    """The most probable next tokens (as readable pieces) with their probabilities, best first."""

    @property
    def chosen(self) -> str:
        """The piece that greedy decoding takes."""
        return self.candidates[0][0]


class Alignment(NamedTuple):
    """Where the decoder looked: cross-attention of one translation."""

    source: list[str]
    """Readable source pieces, one a key."""
    target: list[str]
    """Readable target pieces up to `<eos>`, one a query: the token that the query predicts."""
    weights: Float[Tensor, "layers heads target source"]


class Translator:
    """A model and its tokenizer, ready to use.

    >>> translator = Translator.shipped("grammar")  # the small model of the chapters
    >>> translator.translate(["好久不见", ""])
    ['long time no see', '']
    """

    def __init__(
        self, model: Model, tokenizer: Tokenizer, facts: dict[str, Any] | None = None
    ) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.facts = facts or {}
        self.limit = model.config.max_seq_len or _DEFAULT_LIMIT

    @classmethod
    def load(cls, folder: str | Path | None = None, *, device: str = "auto") -> "Translator":
        """From a checkpoint folder; without one, the default model that ships with the package.

        Raises CheckpointError for a folder that cannot be read, UnusableDeviceError.
        """
        target = choose_device(device)
        return cls(*load_checkpoint(folder or shipped_folder(), device=target))

    @classmethod
    def shipped(cls, name: str, *, device: str = "auto") -> "Translator":
        """One of the models that come with the package: `tatoeba` or `grammar`.

        Raises UserError for another name, UnusableDeviceError.
        """
        return cls.load(shipped_folder(name), device=device)

    @property
    def device(self) -> torch.device:
        """Where the model computes."""
        return next(self.model.parameters()).device

    def translate(
        self,
        texts: Sequence[str],
        *,
        beam_size: int = 1,
        alpha: float = 0.6,
        consensus: float = 0.0,
    ) -> list[str]:
        """The translations of `texts`, in their order. A blank text has a blank translation.

        Args:
            beam_size: 1 decodes greedily; more keeps so many hypotheses.
            alpha: strength of the beam's length penalty.
            consensus: with a beam, temperature at which its hypotheses agree on one of them; see
                `companion.translator.consensus`. 0 takes the most probable one.

        Raises InputTooLongError; no text is ever cut.
        """
        decoding = Decoding(beam_size, alpha, consensus)
        return [translation.text for translation in self.translations(texts, decoding)]

    def translations(self, texts: Sequence[str], decoding: Decoding = GREEDY) -> list[Translation]:
        """Like `translate`, with score and whether the model came to an end by itself."""
        sources = [self.encode(text, index) for index, text in enumerate(texts)]
        results = [Translation("", 0.0, True)] * len(texts)
        # Like lengths together: little padding, and rows that end at about the same time.
        order = sorted((i for i, s in enumerate(sources) if s), key=lambda i: len(sources[i]))
        size = max(_ROWS_AT_ONCE // decoding.beam_size, 1)
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            found = self._decode([sources[i] for i in rows], decoding)
            decoded = zip(found.sequences, found.scores, found.finished, strict=True)
            for index, (ids, score, finished) in zip(rows, decoded, strict=True):
                results[index] = Translation(self.tokenizer.decode(ids), score, finished)
        return results

    def stream(
        self,
        texts: Iterable[str],
        decoding: Decoding = GREEDY,
        *,
        at_once: int = 256,
    ) -> Iterator[Translation]:
        """Translate any number of texts in order, holding no more than `at_once` of them.

        Raises InputTooLongError, whose `index` counts from the first text of the stream.
        """
        iterator = iter(texts)
        done = 0
        while chunk := list(islice(iterator, at_once)):
            try:
                yield from self.translations(chunk, decoding)
            except InputTooLongError as error:
                # What stands before the long text is not lost.
                good = chunk[: error.index]
                yield from self.translations(good, decoding)
                raise InputTooLongError(done + error.index, error.tokens, error.limit) from None
            done += len(chunk)

    def encode(self, text: str, index: int = 0) -> list[int]:
        """Source ids of a text, tidied as the corpus spells it. Raises InputTooLongError."""
        ids = self.tokenizer.encode(tidy(text, self._knows))
        if len(ids) > self.limit:
            raise InputTooLongError(index, len(ids), self.limit)
        return ids

    def _knows(self, mark: str) -> bool:
        return len(self.tokenizer.encode(mark)) == 1

    def steps(self, text: str, *, candidates: int = 3) -> Iterator[DecodingStep]:
        """Greedy decoding in slow motion, to the end token. Nothing for a blank text."""
        source = self.encode(text)
        if not source:
            return
        session = self._start([source])
        ids: list[int] = []
        for step in stream(session, eos_id=self.tokenizer.eos_id):
            probabilities, best = step.log_probs[0].exp().topk(candidates)
            pieces = self.tokenizer.pieces(best.tolist())
            yield DecodingStep(
                self.tokenizer.decode(ids), list(zip(pieces, probabilities.tolist(), strict=True))
            )
            ids.append(int(step.tokens[0]))

    def cross_attention(self, text: str, translation: str | None = None) -> Alignment:
        """Cross-attention weights while writing `translation` (by default: what greedy writes).

        The row of a target token is the query that predicts it, one position earlier in the
        decoder's input. Raises ValueError for a blank text, InputTooLongError.
        """
        source = self.encode(text)
        if not source:
            raise ValueError("a blank text has no attention to show")
        if translation is None:
            target = self._decode([source], GREEDY).sequences[0]
        else:
            target = self.tokenizer.encode(translation)
        weights = self.capture(source, target)
        names = [name for name in weights if name.endswith("cross_attention.weights")]
        layers = [weights[name][0] for name in names]
        labels = self.tokenizer.pieces([*target, self.tokenizer.eos_id])
        return Alignment(self.tokenizer.pieces(source), labels, torch.stack(layers).cpu())

    def capture(self, source: Sequence[int], target: Sequence[int]) -> Capture:
        """Everything that one teacher-forced forward records, by dotted name.

        Raises NoAttentionError for `nn.Transformer` and recurrent networks.
        """
        if not isinstance(self.model, Transformer):
            kind = type(self.model).__name__
            raise NoAttentionError(f"a {kind} does not show its attention; our Transformer does")
        capture = Capture()
        decoder_input = [self.tokenizer.bos_id, *target]
        with torch.no_grad():
            self.model(
                pad([source]).to(self.device), pad([decoder_input]).to(self.device), capture=capture
            )
        return capture

    def _start(self, sources: list[list[int]]) -> Any:
        return self.model.start(
            pad(sources).to(self.device),
            bos_id=self.tokenizer.bos_id,
            max_new_tokens=max(self._room(source) for source in sources),
        )

    def _room(self, source: Sequence[int]) -> int:
        return min(self.limit, _ROOM * len(source) + _ROOM_AT_LEAST)

    def _decode(self, sources: list[list[int]], decoding: Decoding) -> Generation:
        session, eos_id = self._start(sources), self.tokenizer.eos_id
        # A text's room must not depend on what else is in its batch.
        rooms = list(map(self._room, sources))
        beam_size, alpha, consensus = decoding
        if beam_size == 1:
            found = greedy(session, eos_id=eos_id)
            for row, (ids, room) in enumerate(zip(found.sequences, rooms, strict=True)):
                if len(ids) > room:
                    found.sequences[row], found.finished[row] = ids[:room], False
            return found
        found = beam_search(session, eos_id=eos_id, beam_size=beam_size, alpha=alpha, limits=rooms)
        if consensus:
            for row, ended in enumerate(found.ended):
                if ended:
                    chosen = self._agreed(ended, beam_size, consensus)
                    found.sequences[row], found.scores[row] = chosen
        return found

    def _agreed(self, ended: list[Hypothesis], number: int, temperature: float) -> Hypothesis:
        """What the `number` most probable hypotheses agree on."""
        best = sorted(ended, key=lambda hypothesis: -hypothesis.score)[:number]
        texts = [self.tokenizer.decode(hypothesis.sequence) for hypothesis in best]
        return best[most_agreed(texts, [hypothesis.score for hypothesis in best], temperature)]
