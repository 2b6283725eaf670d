"""The decoders that the learner's test is tried on; trusted code, run in the child."""

import torch

from exercises.engine.isolated.testing import run_test

VOCAB, WIDTH, LONGEST = 11, 8, 12
WEIGHTS = torch.Generator().manual_seed(5)
WORDS = torch.randn(VOCAB, WIDTH, generator=WEIGHTS)
PLACES = torch.randn(LONGEST, WIDTH, generator=WEIGHTS)
OUT = torch.randn(WIDTH, VOCAB, generator=WEIGHTS) / 4  # scores of about 1: rounding is 1e-6
MIX = torch.randn(WIDTH, WIDTH, generator=WEIGHTS) / WIDTH**0.5
FAINT = 1e-2


def embedded(tokens):
    return WORDS[tokens] + PLACES[: tokens.size(1)]


def attend(hidden, mask):
    scores = (hidden @ MIX @ hidden.mT / WIDTH**0.5).masked_fill(~mask, float("-inf"))
    return hidden + scores.softmax(-1) @ hidden


def looks_back(time, further=0):
    return torch.ones(time, time, dtype=torch.bool).tril(further)


# --- right ones


def attention(tokens):
    return attend(embedded(tokens), looks_back(tokens.size(1))) @ OUT


def two_layers(tokens):
    mask = looks_back(tokens.size(1))
    return attend(attend(embedded(tokens), mask), mask) @ OUT


def recurrent(tokens):
    state, states = torch.zeros(tokens.size(0), WIDTH), []
    for column in tokens.T:
        state = torch.tanh(state @ MIX + WORDS[column])
        states.append(state)
    return torch.stack(states, dim=1) @ OUT


def newest_word_only(tokens):
    return WORDS[tokens] @ OUT


def average_by_subtraction(tokens):
    words = WORDS[tokens]
    later = words.flip(1).cumsum(1).flip(1) - words
    counts = torch.arange(1, tokens.size(1) + 1)[:, None]
    return (words.sum(1, keepdim=True) - later) / counts @ OUT


# --- wrong ones


def no_mask(tokens):
    time = tokens.size(1)
    return attend(embedded(tokens), torch.ones(time, time, dtype=torch.bool)) @ OUT


def sees_the_next(tokens):
    return attend(embedded(tokens), looks_back(tokens.size(1), 1)) @ OUT


def last_word_leaks(tokens):
    mask = looks_back(tokens.size(1))
    mask[:, -1] = True
    return attend(embedded(tokens), mask) @ OUT


def looks_ahead_only(tokens):
    return attend(embedded(tokens), looks_back(tokens.size(1)).T) @ OUT


def second_layer_leaks(tokens):
    mask = looks_back(tokens.size(1))
    return attend(attend(embedded(tokens), mask), mask | looks_back(tokens.size(1), 1)) @ OUT


def leaks_beyond_eight(tokens):
    mask = looks_back(tokens.size(1))
    mask[8:] = True
    return attend(embedded(tokens), mask) @ OUT


def normalised_over_time(tokens):
    hidden = embedded(tokens)
    spread = hidden.std(dim=1, correction=0, keepdim=True) + 0.1
    return (
        attend((hidden - hidden.mean(1, keepdim=True)) / spread, looks_back(tokens.size(1))) @ OUT
    )


def knows_the_length(tokens):
    return attention(tokens) + tokens.size(1) / LONGEST * OUT[0]


def positions_from_the_end(tokens):
    hidden = WORDS[tokens] + PLACES[: tokens.size(1)].flip(0)
    return attend(hidden, looks_back(tokens.size(1))) @ OUT


def faint_leak(tokens):
    return attention(tokens) + FAINT * WORDS[tokens].mean(1, keepdim=True) @ OUT


def normalised_over_the_batch(tokens):
    hidden = embedded(tokens)
    return attend(hidden - hidden.mean(0, keepdim=True), looks_back(tokens.size(1))) @ OUT


def first_row_for_all(tokens):
    scores = attention(tokens)
    return scores + 0.5 * (scores[:1] - scores)


def dropout_left_on(tokens):
    kept = torch.rand(*tokens.shape, WIDTH) > 0.1
    return attend(embedded(tokens) * kept, looks_back(tokens.size(1))) @ OUT


def writes_into_tokens(tokens):
    scores = attention(tokens)
    tokens[:, 1:] = tokens[:, :-1].clone()
    return scores


def on_all(namespace, case, arguments):
    return run_test(namespace, case["function"], globals(), arguments)
