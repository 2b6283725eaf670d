"""The peer computes what `nn.Transformer` computes, blind to padding and to the future."""

import pytest
import torch

from companion.generation import beam_search, greedy
from companion.positions import SequenceTooLongError
from companion.translator.torch_peer import TorchTransformer, TorchTransformerConfig

CONFIG = TorchTransformerConfig(
    vocab_size=13,
    d_model=12,
    n_heads=3,
    n_encoder_layers=2,
    n_decoder_layers=1,
    d_ff=20,
    max_seq_len=9,
)
SOURCE = torch.tensor([[5, 6, 7, 8], [9, 10, 0, 0]])
TARGET = torch.tensor([[1, 3, 4], [1, 5, 0]])


@pytest.fixture
def model() -> TorchTransformer:
    torch.manual_seed(0)
    return TorchTransformer(CONFIG).double().eval()


def test_padding_changes_nothing(model: TorchTransformer) -> None:
    with torch.no_grad():
        together = model(SOURCE, TARGET)
        alone = model(SOURCE[1:, :2], TARGET[1:, :2])
    torch.testing.assert_close(together[1:, :2], alone, rtol=0, atol=1e-12)


def test_the_future_changes_nothing(model: TorchTransformer) -> None:
    other = TARGET.clone()
    other[0, 2] = 9
    with torch.no_grad():
        difference = model(SOURCE, TARGET) - model(SOURCE, other)
    assert difference[0, :2].abs().max() < 1e-12
    assert difference[0, 2].abs().max() > 1e-6


def test_the_output_is_the_embedding_read_backward(model: TorchTransformer) -> None:
    memory, padding = model.encode(SOURCE)
    hidden = model.transformer.decoder(
        model._embed(TARGET),
        memory,
        tgt_mask=torch.ones(3, 3, dtype=torch.bool).triu(1),
        memory_key_padding_mask=padding,
    )
    torch.testing.assert_close(model(SOURCE, TARGET), hidden @ model.embedding.weight.T)


def test_decoding_repeats_what_one_pass_says(model: TorchTransformer) -> None:
    found = greedy(model.start(SOURCE, bos_id=1, max_new_tokens=5), eos_id=2)
    for row, sequence in enumerate(found.sequences):
        prefix = torch.tensor([[1, *sequence]])
        with torch.no_grad():
            logits = model(SOURCE[row : row + 1, : [4, 2][row]], prefix)[0]
        logits[:, [0, 1]] = float("-inf")
        assert logits.argmax(-1)[: len(sequence)].tolist() == sequence


def test_beams_are_kept_apart(model: TorchTransformer) -> None:
    both = beam_search(model.start(SOURCE, bos_id=1, max_new_tokens=5), eos_id=2, beam_size=3)
    alone = beam_search(
        model.start(SOURCE[1:, :2], bos_id=1, max_new_tokens=5), eos_id=2, beam_size=3
    )
    assert both.sequences[1] == alone.sequences[0]
    assert both.scores[1] == pytest.approx(alone.scores[0])


def test_too_long_a_sequence_is_refused(model: TorchTransformer) -> None:
    with pytest.raises(SequenceTooLongError, match="10 tokens are more than max_seq_len=9"):
        model(torch.full((1, 10), 5), TARGET[:1])


@pytest.mark.usefixtures("as_a_user")
def test_sizes_are_checked() -> None:
    with pytest.raises(ValueError, match="n_heads"):
        TorchTransformerConfig(**(CONFIG.to_dict() | {"n_heads": 0}))
    assert TorchTransformerConfig.from_dict(CONFIG.to_dict()) == CONFIG
