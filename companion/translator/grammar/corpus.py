"""The corpus: sampling with a seed, and splits in which no source stands twice."""

import random
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from companion.translator.grammar import cases
from companion.translator.grammar.construction import Construction
from companion.translator.grammar.derivation import Derivation
from companion.translator.grammar.embedding import nested_report
from companion.translator.grammar.expressions import EXPRESSIONS, LONG_TIME, expression
from companion.translator.grammar.nouns import RARE
from companion.translator.grammar.pair import Pair, make_pair
from companion.translator.grammar.table import BY_NAME, CONSTRUCTIONS, UNTESTED, sentence
from companion.translator.grammar.verbs import IDIOMS

DEEPER = Construction("nested_report", sentence(lambda d: nested_report(d, 2)), 0.0, "")
DEEPEST = Construction("nested_report", sentence(lambda d: nested_report(d, 3)), 0.0, "")
# Tries for each sentence asked for, before we call a request impossible.
PATIENCE = 400


@dataclass(frozen=True)
class Corpus:
    """The splits. No source string stands in two of them.

    `train` repeats each fixed expression many times (好久不见 most of all) and nothing else.
    `cases` maps the name of a held-out case to its pairs.
    """

    train: list[Pair]
    dev: list[Pair]
    test: list[Pair]
    cases: dict[str, list[Pair]]
    seed: int


class _Sampler:
    """Draws pairs, keeps them distinct, and checks that no source gets two translations."""

    def __init__(self, seed: int) -> None:
        self.generator = random.Random(seed)
        self.targets: dict[str, str] = {}
        self.bounds: list[float] = []
        total = 0.0
        for construction in CONSTRUCTIONS:
            total += construction.weight
            self.bounds.append(total)

    def below(self, bound: int) -> int:
        return int(self.generator.random() * bound)

    def construction(self) -> Construction:
        """A construction, by weight."""
        return CONSTRUCTIONS[bisect_right(self.bounds, self.generator.random() * self.bounds[-1])]

    def draw(self, construction: Construction, wanted: Mapping[str, str] | None = None) -> Pair:
        return make_pair(construction, Derivation(self.generator, wanted=wanted))

    def is_new(self, pair: Pair) -> bool:
        """Register the pair; False when its source was there already, or a word is used twice.

        Raises ValueError when the source was there with another translation: that is an error of
        the grammar, because then nobody could know which of the two is meant.
        """
        if len(set(pair.atoms)) != len(pair.atoms):
            return False
        known = self.targets.get(pair.source)
        if known is None:
            self.targets[pair.source] = pair.target
            return True
        if known != pair.target:
            raise ValueError(
                f"the grammar translates {pair.source!r} both as {known!r} and as {pair.target!r}"
            )
        return False

    def shuffled(self, pairs: list[Pair]) -> list[Pair]:
        """The pairs in random order (Fisher and Yates)."""
        result = list(pairs)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result


def generate_corpus(
    seed: int = 0,
    *,
    train_size: int = 60_000,
    dev_size: int = 1_000,
    test_size: int = 2_000,
    case_size: int = 200,
) -> Corpus:
    """Sample a corpus; the same seed and sizes give the same corpus on every system.

    Args:
        seed: of every random choice.
        train_size: distinct training pairs (the repetitions of fixed expressions come on top).
        dev_size: pairs for choosing settings, spread evenly over the constructions.
        test_size: unseen sentences, spread evenly over the constructions; no fixed expressions.
        case_size: pairs of each held-out case, fewer where the grammar has fewer.

    Raises:
        ValueError: for sizes that are not positive, or more sentences than the grammar has.
    """
    for name, size in (("train_size", train_size), ("test_size", test_size)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, not {size}")
    sampler = _Sampler(seed)
    fixed = _expressions(sampler, train_size)
    held: dict[str, list[Pair]] = {name: [] for name in cases.CASES}
    rare = _one_shots(sampler, held, case_size)
    ordinary = _ordinary(sampler, train_size + dev_size + test_size - len(rare))
    test, dev, train = _split(sampler, ordinary, test_size, dev_size)
    train = sampler.shuffled([*train, *rare, *fixed])
    _fill(sampler, held, case_size)
    held["synonyms"] = _synonyms(sampler, train, case_size)
    return Corpus(train, dev, test, held, seed)


def _expressions(sampler: _Sampler, train_size: int) -> list[Pair]:
    """The fixed expressions, each as often as a word is met; 好久不见 four times as often."""
    pairs = []
    for zh, en in EXPRESSIONS:
        row = BY_NAME["fixed"]
        whole = replace(row, build=partial(expression, zh=zh, en=en))
        pair = sampler.draw(whole)
        sampler.is_new(pair)
        share = 500 if pair.source == LONG_TIME else 2_000
        pairs.extend([pair] * max(3, train_size // share))
    return pairs


def _one_shots(sampler: _Sampler, held: dict[str, list[Pair]], size: int) -> list[Pair]:
    """Exactly as many training pairs of each one-shot word as it is allowed; the rest held out."""
    train = []
    for noun in RARE:
        name = f"one_shot_{noun.exposures}"
        share = size // sum(other.exposures == noun.exposures for other in RARE)
        found: list[Pair] = []
        for _ in range(PATIENCE * (share + noun.exposures)):
            pair = sampler.draw(sampler.construction(), {noun.key: ""})
            if cases.held_out(pair) == (name,) and sampler.is_new(pair):
                found.append(pair)
                if len(found) == share + noun.exposures:
                    break
        train.extend(found[: noun.exposures])
        held[name].extend(found[noun.exposures :])
    return train


def _ordinary(sampler: _Sampler, size: int) -> list[Pair]:
    """Distinct pairs that no case holds out."""
    pairs: list[Pair] = []
    for _ in range(PATIENCE * size):
        construction = sampler.construction()
        if construction.name == "fixed":
            continue
        pair = sampler.draw(construction)
        if not cases.held_out(pair) and sampler.is_new(pair):
            pairs.append(pair)
            if len(pairs) == size:
                return pairs
    raise ValueError(f"the grammar has fewer than {size} distinct sentences: ask for fewer")


def _split(
    sampler: _Sampler, pairs: list[Pair], test_size: int, dev_size: int
) -> tuple[list[Pair], list[Pair], list[Pair]]:
    """Test and development pairs, evenly over the constructions; the rest is for training."""
    groups: dict[str, list[Pair]] = {row.name: [] for row in CONSTRUCTIONS}
    for pair in pairs:
        groups[pair.construction].append(pair)
    tested = {
        name: sampler.shuffled(group)
        for name, group in groups.items()
        if name not in UNTESTED and group
    }
    test = _take_evenly(tested, test_size)
    dev = _take_evenly(tested, dev_size)
    chosen = {pair.source for pair in (*test, *dev)}
    train = [pair for pair in pairs if pair.source not in chosen]
    return sampler.shuffled(test), sampler.shuffled(dev), train


def _take_evenly(groups: dict[str, list[Pair]], size: int) -> list[Pair]:
    """Take `size` pairs out of the groups, by turns, leaving at least three quarters of each."""
    taken: list[Pair] = []
    floors = {name: len(group) * 3 // 4 for name, group in groups.items()}
    while len(taken) < size:
        before = len(taken)
        for name, group in groups.items():
            if len(group) > floors[name] and len(taken) < size:
                taken.append(group.pop())
        if len(taken) == before:
            raise ValueError(
                f"{size} held-out sentences are too many beside so few: ask for a larger train_size"
            )
    return taken


def _fill(sampler: _Sampler, held: dict[str, list[Pair]], size: int) -> None:
    """Draw the pairs of every case but the one-shot words and the synonyms."""
    share = -(-size // len(cases.COMPOUNDS))
    for atom, name in cases.COMPOUNDS:
        row = BY_NAME.get(name, BY_NAME["relative_object"])
        held["atom_construction"] += _collect(sampler, "atom_construction", share, {atom: ""}, row)
    for noun in cases.SUBJECTS_ONLY:
        held["role_swap"] += _collect(
            sampler,
            "role_swap",
            size // len(cases.SUBJECTS_ONLY),
            {noun: "object"},
            None,
            partial(_has_role, role=(noun, "object")),
        )
    for row in (DEEPER, DEEPER, DEEPEST):
        held["deeper"] += _collect(sampler, "deeper", size // 3, {}, row)
    for time in cases.NEVER_IN_FRONT:
        held["moved_time"] += _collect(
            sampler,
            "moved_time",
            size // len(cases.NEVER_IN_FRONT),
            {time: "time"},
            BY_NAME["time_front"],
        )
    for idiom in IDIOMS:
        held["exceptions"] += _idioms(sampler, idiom.key, size // len(IDIOMS))


def _has_role(pair: Pair, role: tuple[str, str]) -> bool:
    return role in pair.roles


def _collect(
    sampler: _Sampler,
    name: str,
    size: int,
    wanted: Mapping[str, str],
    row: Construction | None,
    accept: Callable[[Pair], bool] = bool,
) -> list[Pair]:
    """Up to `size` new pairs that the case `name`, and no other, holds out."""
    found: list[Pair] = []
    for _ in range(PATIENCE * size):
        if len(found) == size:
            break
        pair = sampler.draw(row or sampler.construction(), wanted)
        if cases.held_out(pair) == (name,) and accept(pair) and sampler.is_new(pair):
            found.append(pair)
    return found


def _idioms(sampler: _Sampler, key: str, size: int) -> list[Pair]:
    """Sentences with an idiom where training never has one, with their literal readings."""
    found: list[Pair] = []
    for _ in range(PATIENCE * size):
        if len(found) == size:
            break
        row = sampler.construction()
        state = sampler.generator.getstate()
        pair = sampler.draw(row, {key: ""})
        if cases.held_out(pair) == ("exceptions",) and sampler.is_new(pair):
            after = sampler.generator.getstate()
            sampler.generator.setstate(state)
            literal = make_pair(row, Derivation(sampler.generator, wanted={key: ""}, literal=True))
            sampler.generator.setstate(after)
            found.append(replace(pair, literal=literal.target))
    return found


def _synonyms(sampler: _Sampler, train: list[Pair], size: int) -> list[Pair]:
    """Training sentences with a word exchanged for its synonym, which is not shown there."""
    twins = {word: synonym for synonym, word in cases.SYNONYMS.items()}
    share = -(-size // len(twins))
    found: dict[str, list[Pair]] = {word: [] for word in twins}
    for pair in train:
        word = next((word for word in twins if word in pair.source_words), None)
        if word is None or len(found[word]) == share:
            continue
        swapped = _exchange(pair, word, twins[word])
        if cases.held_out(swapped) == ("synonyms",) and sampler.is_new(swapped):
            found[word].append(swapped)
    return [pair for word in twins for pair in found[word]]


def _exchange(pair: Pair, word: str, synonym: str) -> Pair:
    """The pair with a Chinese word replaced; the English stays."""
    source_words = tuple(synonym if text == word else text for text in pair.source_words)
    return replace(
        pair,
        source="".join(source_words),
        source_words=source_words,
        atoms=tuple(synonym if atom == word else atom for atom in pair.atoms),
        roles=tuple((synonym if atom == word else atom, role) for atom, role in pair.roles),
    )
