"""An n-gram language model: the baseline that counts.

    P(w | history) depends on the last n-1 tokens only

with add-k smoothing, or interpolated Kneser-Ney: discount every count, give what was taken to the
model of the next lower order, and count there in how many *different* contexts a token appears
("Francisco" is frequent, but follows one word only).

Taught in the chapter on language models. Sources: Jurafsky and Martin (2024), chapter 3; Kneser and
Ney (1995); Chen and Goodman (1999), equations 18-22.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion._checks import check_positive

BOS, EOS, UNK = "<s>", "</s>", "<unk>"
Context = tuple[str, ...]


@dataclass(frozen=True)
class AddK:
    """(c(h w) + k) / (c(h) + k·V); k = 1 is Laplace's rule.

    Raises:
        ValueError: unless ``k`` is above 0 (at 0 an unseen n-gram makes perplexity infinite).
    """

    k: float = 1.0

    def __post_init__(self) -> None:
        if not self.k > 0:
            raise ValueError(
                f"k must be above 0, got {self.k}: unseen n-grams would have no chance"
            )


@dataclass(frozen=True)
class KneserNey:
    """Interpolated Kneser-Ney with one discount.

    Args:
        discount: taken from every count; None estimates n₁ / (n₁ + 2·n₂) for each order, from the
            numbers of n-grams seen once and twice (0.75 if there are none).

    Raises:
        ValueError: if the discount is outside (0, 1).
    """

    discount: float | None = None

    def __post_init__(self) -> None:
        if self.discount is not None and not 0 < self.discount < 1:
            raise ValueError(f"discount must lie in (0, 1), got {self.discount}")


class _Counts:
    """What follows each context of one length, and how often."""

    def __init__(self) -> None:
        self.following: dict[Context, Counter[str]] = defaultdict(Counter)

    def add(self, gram: Context) -> None:
        self.following[gram[:-1]][gram[-1]] += 1

    def discount(self) -> float:
        """Source: Ney et al. (1994); Chen and Goodman (1999), equation 20."""
        sizes = Counter(n for after in self.following.values() for n in after.values())
        # Too little text for an estimate (1 would leave nothing of a count, 0 take nothing away).
        return sizes[1] / (sizes[1] + 2 * sizes[2]) if sizes[1] and sizes[2] else 0.75


class NGram:
    """Trained on sentences, each a sequence of tokens.

    A token that did not occur in training is ``<unk>``, which has a probability of its own; a
    sentence ends with ``</s>``.

    Args:
        sentences: training data.
        order: n; 1 looks at no history, 2 at one token.
        smoothing: :class:`AddK` or :class:`KneserNey`.

    Attributes:
        vocabulary: everything that can come next, sorted.

    Raises:
        ValueError: if ``order`` is below 1 or there is no sentence.
    """

    def __init__(
        self,
        sentences: Iterable[Sequence[str]],
        *,
        order: int = 3,
        smoothing: AddK | KneserNey = KneserNey(),
    ) -> None:
        check_positive("order", order)
        self.order, self.smoothing = order, smoothing
        corpus = [tuple(sentence) for sentence in sentences]
        if not corpus:
            raise ValueError("there is no sentence to count")
        self._known = {token for sentence in corpus for token in sentence}
        self.vocabulary = sorted({*self._known, EOS, UNK})
        self._levels = self._count(corpus)
        fixed = smoothing.discount if isinstance(smoothing, KneserNey) else None
        self._discounts = [level.discount() if fixed is None else fixed for level in self._levels]

    def _count(self, sentences: list[Context]) -> list[_Counts]:
        """Counts for contexts of 0 … n-1 tokens; below the top, Kneser-Ney's distinct contexts."""
        levels = [_Counts() for _ in range(self.order)]
        grams: list[list[Context]] = [[] for _ in range(self.order)]
        for sentence in sentences:
            padded = (*[BOS] * (self.order - 1), *sentence, EOS)
            for end in range(self.order, len(padded) + 1):
                for length in range(1, self.order + 1):
                    grams[length - 1].append(padded[end - length : end])
        for length, level in enumerate(levels, start=1):
            seen = grams[length - 1]
            if isinstance(self.smoothing, KneserNey) and length < self.order:
                # One count for every distinct n-gram that is one longer, whatever its frequency.
                seen = [gram[1:] for gram in set(grams[length])]
            for gram in seen:
                level.add(gram)
        return levels

    def probability(self, token: str, history: Sequence[str] = ()) -> float:
        """P(token | history); a short history is taken as the beginning of a sentence."""
        known = [t if t in self._known else UNK for t in history]
        context = (*[BOS] * (self.order - 1), *known)[len(known) :]
        token = token if token in self._known or token == EOS else UNK
        return self._probability(token, context)

    def _probability(self, token: str, context: Context) -> float:
        level = len(context)
        after = self._levels[level].following.get(context, Counter())
        total, size = after.total(), len(self.vocabulary)
        if isinstance(self.smoothing, AddK):
            k = self.smoothing.k
            return (after[token] + k) / (total + k * size)
        lower = self._probability(token, context[1:]) if level else 1 / size
        if not total:
            return lower
        discount = self._discounts[level]
        kept = max(after[token] - discount, 0.0)
        return (kept + discount * len(after) * lower) / total

    def distribution(self, history: Sequence[str] = ()) -> dict[str, float]:
        """Probability of everything that can come next."""
        return {token: self.probability(token, history) for token in self.vocabulary}

    def log_probability(self, sentence: Sequence[str]) -> float:
        """Natural logarithm of the probability of the sentence and its end."""
        tokens = [*sentence, EOS]
        return sum(math.log(self.probability(t, tokens[:i])) for i, t in enumerate(tokens))

    def perplexity(self, sentences: Iterable[Sequence[str]]) -> float:
        """exp of the mean negative log-probability a token, end tokens counted.

        Raises:
            ValueError: if there is no sentence.
        """
        total, tokens = 0.0, 0
        for sentence in sentences:
            total += self.log_probability(sentence)
            tokens += len(sentence) + 1
        if not tokens:
            raise ValueError("there is no sentence to score")
        return math.exp(-total / tokens)

    def sample(self, *, seed: int, max_new_tokens: int = 50) -> list[str]:
        """A random sentence, without its end token; cut after ``max_new_tokens``."""
        check_positive("max_new_tokens", max_new_tokens)
        rng = random.Random(seed)
        sentence: list[str] = []
        while len(sentence) < max_new_tokens:
            tokens, weights = zip(*self.distribution(sentence).items(), strict=True)
            token = rng.choices(tokens, weights)[0]
            if token == EOS:
                break
            sentence.append(token)
        return sentence
