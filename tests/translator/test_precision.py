"""Matrix products in bfloat16 where the settings ask for it; weights, loss and optimiser never."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from companion.transformer import Transformer
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Trainer

MakeModel = Callable[..., Transformer]


@pytest.mark.parametrize(
    ("precision", "dtype"),
    [("auto", torch.float32), ("float32", torch.float32), ("bfloat16", torch.bfloat16)],
)
def test_products_are_of_the_precision_that_is_asked_for(
    make_model: MakeModel,
    tokenizer: Tokenizer,
    pairs: list[tuple[str, str]],
    precision: str,
    dtype: torch.dtype,
) -> None:
    model = make_model(0)
    seen: list[torch.dtype] = []

    def watch(module: torch.nn.Module, inputs: object, output: Tensor) -> None:  # noqa: ARG001
        seen.append(output.dtype)

    model.encoder.layers[0].feed_forward.up_proj.register_forward_hook(watch)
    settings = TrainingSettings(steps=3, max_tokens=40, precision=precision)
    trainer = Trainer(model, BatchStream(encode_pairs(tokenizer, pairs), max_tokens=40), settings)
    losses = [trainer.update().loss for _ in range(3)]
    assert set(seen) == {dtype}
    assert all(weight.dtype == torch.float32 for weight in model.parameters())
    tensors, _ = trainer.state()
    moments = [t for n, t in tensors.items() if n.endswith("exp_avg")]
    assert {t.dtype for t in moments} == {torch.float32}
    assert all(loss > 0 for loss in losses)


@pytest.mark.usefixtures("as_a_user")
def test_an_unknown_precision_is_named() -> None:
    with pytest.raises(ValueError, match="precision must be one of auto, float32, bfloat16, got"):
        TrainingSettings(steps=1, max_tokens=40, precision="float16")
