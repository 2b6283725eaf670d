"""One graph: torch.compile without breaks, and torch.export, of the encoder-decoder.

In a process of its own: here the shape checks of the test run would be traced with the model.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SETUP = """
import torch
from companion import *
from companion.config import AttentionSpec, FeedForwardSpec, NormSpec

def build(position, norm="pre"):
    torch.manual_seed(0)
    torch.compiler.reset()
    return Transformer(TransformerConfig(
        source_vocab_size=19, target_vocab_size=19, d_model=12, n_encoder_layers=1,
        n_decoder_layers=1, attention=AttentionSpec(n_heads=3),
        feed_forward=FeedForwardSpec(d_ff=20),
        norm=NormSpec(position=norm), position=position, dropout=0.0)).eval()

source, target = torch.randint(1, 19, (2, 5)), torch.randint(1, 19, (2, 4))
source[1, 3:] = 0

def same(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)

schemes = [Sinusoidal(), Learned(max_seq_len=16), Rotary(), ALiBi(), T5Buckets()]
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SETUP + code],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent.parent,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_model_is_one_graph_forward_and_backward() -> None:
    output = run("""
for scheme in schemes:
    model = build(scheme)
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    grads = []
    for forward in (model, compiled):
        model.zero_grad()
        logits = forward(source, target)
        same(logits, model(source, target))
        logits.logsumexp(-1).mean().backward()
        grads.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
    for plain, traced in zip(*grads, strict=True):
        torch.testing.assert_close(plain, traced, rtol=1e-3, atol=1e-5)
    print(scheme.kind)
""")
    assert output.split() == ["sinusoidal", "learned", "rotary", "alibi", "t5_buckets"]


def test_encoder_and_decoder_are_one_graph_each() -> None:
    output = run("""
model = build(Sinusoidal(), norm="post")
memory = model.encode(source)
encode = torch.compile(model.encoder, fullgraph=True, backend="aot_eager")
same(encode(source).hidden, memory.hidden)
decode = torch.compile(model.decoder, fullgraph=True, backend="aot_eager")
same(decode(target, memory), model.decoder(target, memory))
print("both")
""")
    assert output == "both\n"


def test_the_model_exports() -> None:
    output = run("""
for scheme in schemes:
    model = build(scheme)
    exported = torch.export.export(model, (source, target)).module()
    same(exported(source, target), model(source, target))
    print(scheme.kind)
""")
    assert len(output.split()) == 5


@pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("c++") is None, reason="inductor needs a C++ compiler"
)
def test_inductor_compiles_it() -> None:
    output = run("""
model = build(Sinusoidal())
with torch.no_grad():
    same(torch.compile(model, fullgraph=True)(source, target), model(source, target))
print("compiled")
""")
    assert output == "compiled\n"
