"""Post-norm against pre-norm: depth, with and without warm-up.

    cd book && python -m experiments.norm_position

The chapter on residuals and normalisation plots what this writes. Small language models on the
English half of the course's grammar, Xavier initialisation, Adam without clipping. Between runs of
one seed only three things differ: where the norm stands, how many layers there are, and whether
the learning rate is warmed up. The loss of a model that knows nothing but how frequent each word
is stands beside the results.
"""

import time
from itertools import product

import torch
from course import experiments
from course.english_words import PAD, EnglishWords, english_words
from torch import Tensor, nn

from companion.config import AttentionSpec, FeedForwardSpec, NormSpec
from companion.gpt import GPT, GPTConfig
from companion.objectives import causal_shift
from companion.positions import Learned

SEEDS = [0, 1, 2]
DEPTHS = [2, 6, 12]
POSITIONS = ("post", "pre")
WARM_UPS = {"with warm-up": 60, "without": 0}
D_MODEL, N_HEADS, MAX_LEN = 48, 4, 20
STEPS, BATCH, PEAK = 200, 32, 3e-3
TRAIN_SENTENCES, HELD_OUT = 8_000, 500


def model_of(depth: int, position: str, vocab_size: int) -> GPT:
    """A language model of ``depth`` layers with its norms before or behind the sub-layers."""
    return GPT(
        GPTConfig(
            vocab_size=vocab_size,
            d_model=D_MODEL,
            n_layers=depth,
            attention=AttentionSpec(n_heads=N_HEADS),
            feed_forward=FeedForwardSpec(d_ff=4 * D_MODEL),
            norm=NormSpec(position=position),
            position=Learned(MAX_LEN),
            pad_id=PAD,
            initialization="xavier",
        )
    )


def loss_of(model: GPT, rows: Tensor) -> Tensor:
    """Mean cross-entropy per word, in nats."""
    inputs, labels = causal_shift(rows, pad_id=PAD)
    return nn.functional.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())


def rate_at(step: int, *, warm_up: int, steps: int) -> float:
    """Share of the peak learning rate: up in ``warm_up`` steps, then straight down to zero."""
    rising = (step + 1) / warm_up if warm_up else 1.0
    return min(rising, (steps - step) / (steps - warm_up))


def train(
    model: GPT, text: EnglishWords, *, seed: int, warm_up: int, steps: int = STEPS
) -> list[float]:
    """Train in place; return the loss of every step."""
    optimizer = torch.optim.Adam(model.parameters(), lr=PEAK, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: rate_at(step, warm_up=warm_up, steps=steps)
    )
    generator = torch.Generator().manual_seed(seed)
    losses = []
    for _ in range(steps):
        loss = loss_of(model, text.batch(BATCH, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return losses


def frequencies_loss(text: EnglishWords) -> float:
    """Held-out loss of always predicting the training text's word frequencies."""
    _, seen = causal_shift(text.train, pad_id=PAD)
    _, asked = causal_shift(text.held_out, pad_id=PAD)
    counts = torch.bincount(seen[seen >= 0], minlength=len(text.words)).double() + 1
    return -(counts / counts.sum()).log()[asked[asked >= 0]].mean().item()


def main() -> None:
    started = time.process_time()
    torch.set_num_threads(1)
    text = english_words(train_size=TRAIN_SENTENCES, held_out_size=HELD_OUT, max_len=MAX_LEN)
    runs = []
    for depth, position, (name, warm_up), seed in product(
        DEPTHS, POSITIONS, WARM_UPS.items(), SEEDS
    ):
        torch.manual_seed(seed)
        model = model_of(depth, position, len(text.words))
        curve = train(model, text, seed=seed, warm_up=warm_up)
        with torch.no_grad():
            loss = loss_of(model, text.held_out).item()
        runs.append(
            {"depth": depth, "position": position, "warm_up": name, "seed": seed, "loss": loss}
        )
        runs[-1]["curve"] = [round(value, 4) for value in curve[::10]]
        print(
            depth,
            position,
            name,
            seed,
            f"{loss:.3f} {time.process_time() - started:.0f} s",
            flush=True,
        )
    experiments.save(
        __file__,
        configuration={
            "d_model": D_MODEL,
            "n_heads": N_HEADS,
            "depths": DEPTHS,
            "warm_up_steps": WARM_UPS,
            "steps": STEPS,
            "batch": BATCH,
            "peak_learning_rate": PEAK,
            "initialization": "xavier",
            "train_sentences": len(text.train),
            "held_out_sentences": len(text.held_out),
            "vocabulary": len(text.words),
        },
        seeds=SEEDS,
        results={"word_frequencies_loss": frequencies_loss(text), "runs": runs},
        seconds=time.process_time() - started,
    )


if __name__ == "__main__":
    main()
