"""`python -m companion.translator.grammar`: read sentences, list the constructions."""

import argparse
import random
import sys

from companion.translator.grammar.corpus import generate_corpus
from companion.translator.grammar.derivation import Derivation
from companion.translator.grammar.listing import constructions, word_types
from companion.translator.grammar.pair import Pair, make_pair
from companion.translator.grammar.table import BY_NAME, CONSTRUCTIONS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m companion.translator.grammar")
    parser.add_argument("--sample", type=int, metavar="N", help="print N pairs, by weight")
    parser.add_argument("--each", type=int, metavar="N", help="print N pairs of each construction")
    parser.add_argument("--only", choices=sorted(BY_NAME), help="one construction only")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--words", action="store_true", help="show word boundaries and alignment")
    parser.add_argument("--counts", action="store_true", help="generate a corpus and count")
    return parser


def _show(pair: Pair, words: bool) -> None:
    print(f"{' '.join(pair.source_words) if words else pair.source}\t{pair.target}")
    if words:
        links = (f"{pair.source_words[i]}-{pair.target_words[j]}" for i, j in pair.alignment)
        print(f"\t{pair.construction}, depth {pair.depth}: {' '.join(links)}")


def _counts(seed: int) -> None:
    corpus = generate_corpus(seed)
    print(f"train {len(corpus.train)}, dev {len(corpus.dev)}, test {len(corpus.test)}")
    for name, pairs in corpus.cases.items():
        print(f"  {name}: {len(pairs)}")
    print(f"{len(word_types(corpus.train))} Chinese words, {len(CONSTRUCTIONS)} constructions")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    generator = random.Random(options.seed)
    rows = [BY_NAME[options.only]] if options.only else list(CONSTRUCTIONS)
    if options.counts:
        _counts(options.seed)
    elif options.each:
        for row in rows:
            print(f"# {row.name}: {row.shows}")
            for _ in range(options.each):
                _show(make_pair(row, Derivation(generator)), options.words)
    elif options.sample:
        weights = [row.weight for row in rows]
        for _ in range(options.sample):
            point, index = generator.random() * sum(weights), 0
            while point >= weights[index]:
                point -= weights[index]
                index += 1
            _show(make_pair(rows[index], Derivation(generator)), options.words)
    else:
        for listed in constructions(options.seed):
            print(f"{listed.name:18} {listed.shows}\n{'':18} {listed.source}  {listed.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
