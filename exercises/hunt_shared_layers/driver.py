"""Looks at an encoder that the learner's class builds; trusted code, run in the child."""

import torch


def _build(namespace, arguments):
    return namespace["Encoder"](arguments["d_model"], arguments["d_ff"], arguments["n_layers"])


def count(namespace, _, arguments):
    """Numbers that an optimizer would train, and numbers in a checkpoint."""
    encoder = _build(namespace, arguments)
    trained = sum(parameter.numel() for parameter in encoder.parameters())
    saved = sum(tensor.numel() for tensor in encoder.state_dict().values())
    return torch.tensor([trained, saved])


def names(namespace, _, arguments):
    """Is every name that a checkpoint needs there?"""
    found = set(_build(namespace, arguments).state_dict())
    parts = [f"{p}.{k}" for p in ("norm", "up", "down") for k in ("weight", "bias")]
    layers = range(arguments["n_layers"])
    return torch.tensor([[f"layers.{i}.{part}" in found for part in parts] for i in layers])


def different_at_the_start(namespace, _, arguments):
    """Which layers differ from which, in their first weight matrix?"""
    layers = list(_build(namespace, arguments).layers)
    weights = [layer.up.weight for layer in layers]
    return torch.tensor([[not torch.equal(a, b) for b in weights] for a in weights])


def spread(namespace, _, arguments):
    """Spread of each layer's first weight matrix, divided by what nn.Linear draws."""
    layers = list(_build(namespace, arguments).layers)
    usual = (3 * arguments["d_model"]) ** -0.5
    return torch.stack([layer.up.weight.detach().std() / usual for layer in layers]).round()


def two_encoders_differ(namespace, _, arguments):
    """Do two encoders, built one after the other, start out differently?"""
    first, second = _build(namespace, arguments), _build(namespace, arguments)
    pairs = zip(first.layers, second.layers, strict=True)
    return torch.tensor([not torch.equal(a.up.weight, b.up.weight) for a, b in pairs])


def moved_by_one_step(namespace, _, arguments):
    """After one step of plain gradient descent: which layers moved, and apart from each other?"""
    encoder = _build(namespace, arguments)
    before = [layer.up.weight.detach().clone() for layer in encoder.layers]
    torch.manual_seed(1)
    loss = encoder(torch.randn(2, 3, arguments["d_model"])).pow(2).sum()
    loss.backward()
    torch.optim.SGD(encoder.parameters(), lr=0.1).step()
    after = [layer.up.weight.detach() for layer in encoder.layers]
    return torch.tensor([not torch.equal(a, b) for a, b in zip(before, after, strict=True)])
