"""Position schemes trained on short texts and read out on texts eight times as long.

    cd book && python -m experiments.extrapolation

The chapter on positions plots what this writes. A small GPT reads the English half of the course's
grammar as one running text, 64 words at a time. Between two runs of one seed only the position
scheme differs. Afterwards every model predicts the *same* words eight times: at positions 1 to 64,
at positions 65 to 128, and so on up to 512, so a difference is one of position and not of text. The
rotary model is then stretched by each scaling scheme, as it is and after a few steps of training on
long texts.
"""

import copy
import time
from collections import Counter

import torch
from course import experiments
from torch import Tensor, nn

from companion.config import AttentionSpec, FeedForwardSpec
from companion.gpt import GPT, GPTConfig
from companion.positions import Learned, NoPositions, PositionSpec, Sinusoidal
from companion.relative_positions import ALiBi, T5Buckets
from companion.rotary import Rotary
from companion.rotary_scaling import Interpolation, Llama3Scaling, NTKAware, YaRN
from companion.translator.grammar import generate_corpus

SEEDS = [0, 1, 2]
TRAINED, FACTOR, WORDS_COMPARED = 64, 8, 64 * 64
TESTED = TRAINED * FACTOR
D_MODEL, N_HEADS, N_LAYERS = 64, 4, 2
STEPS, BATCH, PEAK, WARM_UP = 200, 32, 4e-3, 20
LONG_STEPS, LONG_RATE = 20, 1e-3
SCHEMES: dict[str, PositionSpec] = {
    "none": NoPositions(),
    "sinusoidal": Sinusoidal(),
    # Long enough for the test; only the first 64 rows are ever trained.
    "learned": Learned(TESTED),
    "T5 buckets": T5Buckets(),
    "RoPE": Rotary(),
    "ALiBi": ALiBi(),
}
STRETCHED: dict[str, PositionSpec] = {
    "RoPE": Rotary(),
    "interpolation": Rotary(scaling=Interpolation(FACTOR)),
    "NTK-aware": Rotary(scaling=NTKAware(FACTOR)),
    "YaRN": Rotary(scaling=YaRN(FACTOR, original_max_seq_len=TRAINED)),
    "Llama 3": Rotary(scaling=Llama3Scaling(FACTOR, original_max_seq_len=TRAINED)),
}
TRAINED_ON = ("RoPE", "interpolation", "YaRN")


def text() -> tuple[int, Tensor, Tensor]:
    """Size of the vocabulary, and running text as word numbers: for training and held out."""
    corpus = generate_corpus(seed=0, train_size=12_000, dev_size=1_000, test_size=100, case_size=10)
    train, dev = (
        [word for pair in part for word in (*pair.target_words, "<s>")]
        for part in (corpus.train, corpus.dev)
    )
    counts = Counter(train)
    number = {w: i for i, w in enumerate(["<unk>", *sorted(w for w, n in counts.items() if n > 1)])}
    train, dev = (torch.tensor([number.get(w, 0) for w in part]) for part in (train, dev))
    return len(number), train, dev


def windows(words: Tensor, starts: Tensor, length: int) -> Tensor:
    """Rows of ``length`` + 1 words: what is read and, one place on, what is to be predicted."""
    return words[starts[:, None] + torch.arange(length + 1)]


def losses_of(model: GPT, rows: Tensor) -> Tensor:
    """Cross-entropy of every word, in nats: (row, position)."""
    logits = model(rows[:, :-1])
    return nn.functional.cross_entropy(logits.transpose(1, 2), rows[:, 1:], reduction="none")


def steps(model: GPT, words: Tensor, *, length: int, batch: int, n: int, rate, seed: int) -> None:
    """``n`` steps of AdamW at the learning rate ``rate(step)``, in place."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.0, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    places = torch.Generator().manual_seed(seed)
    for _ in range(n):
        starts = torch.randint(len(words) - length, (batch,), generator=places)
        loss = losses_of(model, windows(words, starts, length)).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()


def train(position: PositionSpec, vocab_size: int, words: Tensor, seed: int) -> GPT:
    """One run on texts of 64 words: warm-up, then a straight line down to zero."""
    torch.manual_seed(seed)
    model = GPT(
        GPTConfig(
            vocab_size=vocab_size,
            d_model=D_MODEL,
            n_layers=N_LAYERS,
            attention=AttentionSpec(n_heads=N_HEADS),
            feed_forward=FeedForwardSpec(d_ff=4 * D_MODEL),
            position=position,
            scale_embeddings=True,
            initialization="xavier",
        )
    )

    def rate(step: int) -> float:
        return PEAK * min((step + 1) / WARM_UP, (STEPS - step) / (STEPS - WARM_UP))

    steps(model, words, length=TRAINED, batch=BATCH, n=STEPS, rate=rate, seed=seed)
    return model


@torch.no_grad()
def by_position(model: GPT, words: Tensor) -> list[float]:
    """Mean loss at positions 1-64, 65-128, …: over the same words each time.

    Windows start every 64 words, so each stretch of 64 words stands once at every stretch of
    positions, but for those at the two ends, which are left out.
    """
    n_stretches = WORDS_COMPARED // TRAINED
    starts = TRAINED * torch.arange(n_stretches + FACTOR - 1)
    losses = losses_of(model, windows(words, starts, TESTED)).unflatten(1, (FACTOR, TRAINED))
    # Window w holds, at stretch j of its positions, the stretch w + j of the text.
    chosen = [losses[FACTOR - 1 - j :][:n_stretches, j].mean() for j in range(FACTOR)]
    return [round(loss.item(), 4) for loss in chosen]


def stretch(model: GPT, position: PositionSpec) -> GPT:
    """The same weights with other frequencies."""
    stretched = copy.deepcopy(model)
    stretched.embedding.positions = position.build(D_MODEL, N_HEADS, D_MODEL // N_HEADS)
    return stretched


def main() -> None:
    started = time.perf_counter()
    torch.set_num_threads(1)
    vocab_size, words, held_out = text()
    results: dict[str, dict[str, list]] = {"trained short": {}, "stretched": {}, "then long": {}}

    def record(group: str, name: str, model: GPT) -> None:
        results[group].setdefault(name, []).append(by_position(model, held_out))
        print(
            group,
            name,
            results[group][name][-1],
            f"{time.perf_counter() - started:.0f} s",
            flush=True,
        )

    for seed in SEEDS:
        for name, position in SCHEMES.items():
            model = train(position, vocab_size, words, seed)
            record("trained short", name, model)
            if name != "RoPE":
                continue
            for how, spec in STRETCHED.items():
                stretched = stretch(model, spec)
                record("stretched", how, stretched)
                if how in TRAINED_ON:
                    steps(
                        stretched,
                        words,
                        length=TESTED,
                        batch=BATCH // FACTOR,
                        n=LONG_STEPS,
                        rate=lambda _: LONG_RATE,
                        seed=seed,
                    )
                    record("then long", how, stretched)
    experiments.save(
        __file__,
        configuration={
            "trained_length": TRAINED,
            "tested_length": TESTED,
            "words_compared": WORDS_COMPARED,
            "d_model": D_MODEL,
            "n_heads": N_HEADS,
            "n_layers": N_LAYERS,
            "steps": STEPS,
            "batch": BATCH,
            "peak_learning_rate": PEAK,
            "warm_up": WARM_UP,
            "long_steps": LONG_STEPS,
            "long_learning_rate": LONG_RATE,
            "training_words": len(words),
            "vocabulary": vocab_size,
        },
        seeds=SEEDS,
        results=results,
        seconds=time.perf_counter() - started,
    )


if __name__ == "__main__":
    main()
