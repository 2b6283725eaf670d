"""Language models with equal parameters and different feed-forward networks.

    cd book && python -m experiments.feed_forward_variants

The chapter on feed-forward networks plots what this writes. A small GPT reads the English half of
the course's grammar, word by word. Between two runs of one seed only the feed-forward network
differs: same sentences, same order, same learning rate. Afterwards the hidden units of the ReLU
model are asked which words excite them most, and so are those of an untrained one.
"""

import time
from collections import Counter
from itertools import product

import torch
from course import experiments
from course.english_words import PAD, START, EnglishWords, english_words
from torch import Tensor, nn

from companion.accounting import parameter_count
from companion.config import AttentionSpec, FeedForwardSpec
from companion.feed_forward import gated_width
from companion.gpt import GPT, GPTConfig
from companion.objectives import causal_shift
from companion.positions import Learned

SEEDS = [0, 1, 2]
D_MODEL, N_HEADS, MAX_LEN = 96, 4, 24
STEPS, BATCH, PEAK, WARM_UP = 300, 64, 3e-3, 40
TRAIN_SENTENCES, HELD_OUT = 16_000, 1_000
N_STRONGEST = 10
INITIALISATIONS = ("xavier", "gpt2")  # gpt2: 0.02 everywhere, five times smaller at this width
VARIANTS = {
    "ReLU": FeedForwardSpec(d_ff=4 * D_MODEL, activation="relu", bias=False),
    "GELU": FeedForwardSpec(d_ff=4 * D_MODEL, activation="gelu", bias=False),
    "SwiGLU": FeedForwardSpec(d_ff=gated_width(D_MODEL), activation="silu", gated=True, bias=False),
    "attention only": None,
}


class Nothing(nn.Module):
    """In place of a sub-layer: adds nothing to the residual stream."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x)


def model_of(spec: FeedForwardSpec | None, vocab_size: int, initialisation: str) -> GPT:
    """Two whole layers, or six of attention alone: 2 · 12 d² = 6 · 4 d² parameters."""
    model = GPT(
        GPTConfig(
            vocab_size=vocab_size,
            d_model=D_MODEL,
            n_layers=2 if spec else 6,
            attention=AttentionSpec(n_heads=N_HEADS, bias=False),
            feed_forward=spec or FeedForwardSpec(d_ff=1),
            position=Learned(MAX_LEN),
            pad_id=PAD,
            initialization=initialisation,
        )
    )
    for layer in model.layers:
        if spec is None:
            layer.feed_forward, layer.residual_2.norm = Nothing(), nn.Identity()
    return model


def loss_of(model: GPT, rows: Tensor) -> Tensor:
    """Mean cross-entropy per word, in nats."""
    inputs, labels = causal_shift(rows, pad_id=PAD)  # nothing is asked of padding
    return nn.functional.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())


def train(model: GPT, text: EnglishWords, seed: int, *, steps: int = STEPS) -> GPT:
    """One run: warm-up, then a straight line down to zero."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARM_UP, (steps - step) / (steps - WARM_UP))
    )
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        loss = loss_of(model, text.batch(BATCH, generator))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    return model.eval()


@torch.no_grad()
def excited_by_one_word(model: GPT, words: list[str], rows: Tensor) -> dict:
    """For each layer: the share of units whose strongest positions all hold one and the same word.

    And for the units whose strongest positions hold one word, some of these words.
    """
    inputs = rows[:, :-1]
    real = (inputs != PAD) & (inputs != START)
    found: dict[str, list] = {"share": [], "examples": []}
    for layer in model.layers:
        values: list[Tensor] = []
        hook = layer.feed_forward.up_proj.register_forward_hook(
            lambda _m, _i, out, values=values: values.append(out)
        )
        model(inputs)
        hook.remove()
        strongest = values[0][real].topk(N_STRONGEST, dim=0).indices
        seen = inputs[real][strongest]  # (N_STRONGEST, d_ff): the words there
        pure = (seen == seen[0]).all(dim=0)
        found["share"].append(pure.float().mean().item())
        counts = Counter(words[i] for i in seen[0][pure].tolist())
        found["examples"].append([word for word, _ in counts.most_common(8)])
    return found


def main() -> None:
    started = time.perf_counter()
    torch.set_num_threads(1)
    text = english_words(train_size=TRAIN_SENTENCES, held_out_size=HELD_OUT, max_len=MAX_LEN)
    losses: dict[str, dict[str, list[float]]] = {way: {} for way in INITIALISATIONS}
    parameters, units = {}, {"trained": [], "untrained": []}
    for way, name, seed in product(INITIALISATIONS, VARIANTS, SEEDS):
        torch.manual_seed(seed)
        model = model_of(VARIANTS[name], len(text.words), way).eval()
        looked_into = (way, name) == ("xavier", "ReLU")
        if looked_into:
            units["untrained"].append(excited_by_one_word(model, text.words, text.held_out))
        train(model, text, seed)
        if looked_into:
            units["trained"].append(excited_by_one_word(model, text.words, text.held_out))
        with torch.no_grad():
            losses[way].setdefault(name, []).append(loss_of(model, text.held_out).item())
        parameters[name] = parameter_count(model.layers)
        print(way, name, seed, losses[way][name][-1], flush=True)
    experiments.save(
        __file__,
        configuration={
            "d_model": D_MODEL,
            "n_heads": N_HEADS,
            "layers": {"attention only": 6, "others": 2},
            "steps": STEPS,
            "batch": BATCH,
            "peak_learning_rate": PEAK,
            "warm_up": WARM_UP,
            "train_sentences": len(text.train),
            "held_out_sentences": len(text.held_out),
            "vocabulary": len(text.words),
            "strongest": N_STRONGEST,
        },
        seeds=SEEDS,
        results={"parameters_in_layers": parameters, "held_out_loss": losses, "units": units},
        seconds=time.perf_counter() - started,
    )


if __name__ == "__main__":
    main()
