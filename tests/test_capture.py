import pytest
import torch

from companion.capture import Capture, at, save
from companion.transformer import Transformer


def test_views_share_one_storage() -> None:
    capture = Capture()
    capture.at("a").at("b").save("x", torch.ones(2))
    assert list(capture) == ["a.b.x"]
    assert list(capture.at("a")) == ["b.x"]
    assert torch.equal(capture.at("a")["b.x"], capture["a.b.x"])
    assert len(capture) == 1
    assert len(capture.at("c")) == 0


def test_an_unknown_name_lists_what_is_there() -> None:
    capture = Capture()
    with pytest.raises(KeyError, match="was it passed to the forward"):
        capture["x"]
    capture.save("y", torch.ones(1))
    with pytest.raises(KeyError, match="this capture holds y"):
        capture["x"]


def test_detached_unless_asked_otherwise() -> None:
    x = torch.ones(1, requires_grad=True) * 2
    for detach in (True, False):
        capture = Capture(detach=detach)
        capture.save("x", x)
        assert capture["x"].requires_grad is not detach


def test_nothing_to_capture_is_nothing_to_do() -> None:
    assert at(None, "a") is None
    save(None, "a", torch.ones(1))


def test_a_whole_model_is_captured_and_computes_the_same(tiny_model: Transformer) -> None:
    source, target = torch.randint(1, 19, (2, 5)), torch.randint(1, 19, (2, 4))
    capture = Capture()
    logits = tiny_model(source, target, capture=capture)
    torch.testing.assert_close(logits, tiny_model(source, target))
    for layer in range(2):
        assert capture[f"encoder.layers.{layer}.self_attention.weights"].shape == (2, 3, 5, 5)
    for layer in range(3):
        assert capture[f"decoder.layers.{layer}.self_attention.weights"].shape == (2, 3, 4, 4)
        assert capture[f"decoder.layers.{layer}.cross_attention.weights"].shape == (2, 3, 4, 5)
    assert "decoder.output: (2, 4, 12)" in repr(capture)
