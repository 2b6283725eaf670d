"""The English half of the course's grammar as rows of word numbers: a language to model.

Small enough that a language model learns something of it in a few seconds on one core.
"""

from collections import Counter
from typing import NamedTuple

import torch
from torch import Tensor

from companion.translator.grammar import generate_corpus

PAD, START, UNKNOWN = 0, 1, 2


class EnglishWords(NamedTuple):
    """Words by number, and sentences as rows: a start, the words, an end (the same), padding."""

    words: list[str]
    train: Tensor
    held_out: Tensor

    def batch(self, size: int, generator: torch.Generator) -> Tensor:
        """Training sentences drawn at random, cut to the longest of them."""
        rows = self.train[torch.randint(len(self.train), (size,), generator=generator)]
        return rows[:, : int((rows != PAD).sum(dim=1).max())]


def english_words(*, train_size: int, held_out_size: int, max_len: int) -> EnglishWords:
    """Sentences of the grammar; a word that training meets once only is unknown."""
    corpus = generate_corpus(
        seed=0, train_size=train_size, dev_size=held_out_size, test_size=1, case_size=1
    )
    train = [pair.target_words for pair in corpus.train]
    counts = Counter(word for words in train for word in words)
    words = ["<pad>", "<s>", "<unk>", *sorted(w for w, n in counts.items() if n > 1)]
    number = {word: i for i, word in enumerate(words)}

    def rows(texts: list[tuple[str, ...]]) -> Tensor:
        table = torch.full((len(texts), max_len), PAD)
        for row, text in zip(table, texts, strict=True):
            ids = [START, *(number.get(word, UNKNOWN) for word in text), START][:max_len]
            row[: len(ids)] = torch.tensor(ids)
        return table

    return EnglishWords(words, rows(train), rows([pair.target_words for pair in corpus.dev]))
