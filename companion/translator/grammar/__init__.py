"""A synchronous grammar that writes Chinese sentences together with their English translations.

`generate_corpus` samples from it. The default corpus has about 60,000 pairs over some 640 Chinese
words and 74 constructions; every pair carries its derivation (construction, lexicon entries, gold
word alignment, depth), and the splits hold out unseen sentences and nine kinds of new combination.
The grammar is pure Python, uses nothing but the standard library, and gives the same corpus for
the same seed on every system.

English here is all lower case but names and `I`, with no full stop at the end; questions keep
their question mark. So 好久不见 is exactly `long time no see`. Chinese marks neither articles nor
number nor most tenses; the rules by which English gets them are in `noun_phrases` and `clauses`.

Ways in: the lexicon is data (`nouns`, `verbs`, `adjectives`, `people`, `places`, `time_words`,
`expressions`); each construction is a small function with a row in `table`; `cases` says what is
held out. `python -m companion.translator.grammar --sample 20 --seed 3` prints pairs to read.
"""

from companion.translator.grammar.cases import CASES
from companion.translator.grammar.corpus import Corpus, generate_corpus
from companion.translator.grammar.listing import constructions, dictionary, word_types
from companion.translator.grammar.pair import Pair

__all__ = [
    "CASES",
    "Corpus",
    "Pair",
    "constructions",
    "dictionary",
    "generate_corpus",
    "word_types",
]
