"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

REFUSE = """    if share_embeddings and source_vocab != target_vocab:
        raise ValueError(f"a shared table needs equal vocabularies: {source_vocab}, {target_vocab}")
"""
ATTENTION = "attention = 4 * (d_model * heads + bias * d_model)"
FORWARD = "feed_forward = 2 * d_model * d_ff + bias * (d_ff + d_model)"
NORM = "norm = 2 * d_model"
ENCODER = "encoder = n_encoder_layers * (attention + feed_forward + 2 * norm)"
DECODER = "decoder = n_decoder_layers * (2 * attention + feed_forward + 3 * norm)"
TABLES = "tables = source_vocab * d_model"
TARGET = "    if not share_embeddings:\n        tables += target_vocab * d_model\n"
OUTPUT = "output = 0 if tie_output else d_model * target_vocab"
FINAL = "final_norms = 2 * norm if pre_norm else 0"
COUNT = "return sum(parameter.numel() for parameter in module.parameters())"

# --- attention
variants.edit("three-projections", (ATTENTION, ATTENTION.replace("4", "3")))
variants.edit("once-for-each-head", (ATTENTION, ATTENTION.replace("4", "4 * n_heads")))
variants.edit(
    "one-head-only",
    (ATTENTION, ATTENTION.replace("heads +", "heads // n_heads +")),
)
variants.edit(
    "one-bias-for-four", (ATTENTION, "attention = 4 * d_model * d_model + bias * d_model")
)
variants.edit("three-biases", (ATTENTION, "attention = 4 * d_model * d_model + bias * 3 * d_model"))
variants.edit("attention-biases-forgotten", (ATTENTION, "attention = 4 * d_model * d_model"))

# --- feed-forward
variants.edit("one-matrix", (FORWARD, FORWARD.replace("2 *", "1 *")))
variants.edit("feed-forward-biases-forgotten", (FORWARD, "feed_forward = 2 * d_model * d_ff"))
variants.edit(
    "feed-forward-biases-equal", (FORWARD, FORWARD.replace("(d_ff + d_model)", "2 * d_model"))
)
variants.edit("d-ff-is-four-d-model", (FORWARD, "d_ff = 4 * d_model\n    " + FORWARD))

# --- biases and norms
variants.edit("biases-always", (REFUSE, REFUSE + "    bias = True\n"))
variants.edit("biases-never", (REFUSE, REFUSE + "    bias = False\n"))
variants.edit("norm-without-bias", (NORM, "norm = d_model"))
variants.edit("norm-bias-by-flag", (NORM, "norm = d_model + bias * d_model"))
variants.edit("norms-forgotten", (NORM, "norm = 0"))
variants.edit("norm-of-d-ff", (ENCODER, ENCODER.replace("2 * norm", "norm + 2 * d_ff")))
variants.edit("final-norms-forgotten", (FINAL, "final_norms = 0"))
variants.edit("final-norms-always", (FINAL, "final_norms = 2 * norm"))
variants.edit("one-final-norm", (FINAL, FINAL.replace("2 * norm", "norm")))

# --- layers
variants.edit("cross-attention-forgotten", (DECODER, DECODER.replace("2 * attention", "attention")))
variants.edit(
    "cross-attention-is-one-matrix",
    (DECODER, DECODER.replace("2 * attention", "attention + d_model * d_model")),
)
variants.edit("decoder-has-two-norms", (DECODER, DECODER.replace("3 *", "2 *")))
variants.edit(
    "layers-exchanged",
    (ENCODER, ENCODER.replace("encoder_layers", "decoder_layers")),
    (DECODER, DECODER.replace("decoder_layers", "encoder_layers")),
)
variants.edit(
    "one-layer-only",
    (ENCODER, ENCODER.replace("n_encoder_layers", "min(n_encoder_layers, 1)")),
    (DECODER, DECODER.replace("n_decoder_layers", "min(n_decoder_layers, 1)")),
)

# --- tables
variants.edit("sharing-ignored", (TARGET, "    tables += target_vocab * d_model\n"))
variants.edit("tying-ignored", (OUTPUT, "output = d_model * target_vocab"))
variants.edit(
    "tied-only-if-shared", (OUTPUT, OUTPUT.replace("tie_output", "tie_output and share_embeddings"))
)
variants.edit(
    "sharing-ties-the-output",
    (OUTPUT, OUTPUT.replace("tie_output", "tie_output or share_embeddings")),
)
variants.edit("output-forgotten", (OUTPUT, "output = 0"))
variants.edit("output-bias", (OUTPUT, OUTPUT + " + target_vocab"))
variants.edit("output-from-source", (OUTPUT, OUTPUT.replace("target_vocab", "source_vocab")))
variants.edit("source-table-twice", (TARGET, TARGET.replace("target_vocab", "source_vocab")))
variants.edit("positions-counted", (FINAL, FINAL + " + 512 * d_model"))
variants.edit("unequal-vocabularies-accepted", (REFUSE, ""))
variants.edit(
    "asserts", (REFUSE, "    assert not share_embeddings or source_vocab == target_vocab\n")
)

# --- count_parameters
variants.edit(
    "state-dict", (COUNT, "return sum(tensor.numel() for tensor in module.state_dict().values())")
)
variants.edit(
    "tied-counted-twice",
    (
        COUNT,
        "return sum(p.numel() for m in module.modules() for p in m.parameters(recurse=False))",
    ),
)
variants.edit(
    "buffers-too",
    (COUNT, COUNT + " + sum(\n        buffer.numel() for buffer in module.buffers()\n    )"),
)
variants.edit(
    "trainable-only",
    (COUNT, COUNT.replace("module.parameters()", "module.parameters() if parameter.requires_grad")),
)
variants.edit("number-of-tensors", (COUNT, "return len(list(module.parameters()))"))
variants.edit("own-only", (COUNT, COUNT.replace("parameters()", "parameters(recurse=False)")))
variants.edit(
    "weights-only",
    (COUNT, 'return sum(p.numel() for n, p in module.named_parameters() if n.endswith("weight"))'),
)
variants.edit("bytes", (COUNT, COUNT.replace("numel()", "nbytes")))
variants.edit("first-sizes", (COUNT, COUNT.replace("parameter.numel()", "len(parameter)")))
