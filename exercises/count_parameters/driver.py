"""Builds the modules that are to be counted."""

from torch import nn


def built_module(namespace, _case, arguments):
    """A module of the given kind; see KINDS in spec.py for what it holds."""
    kind, vocab, width = arguments["kind"], arguments["vocab"], arguments["width"]
    table, output = nn.Embedding(vocab, width), nn.Linear(width, vocab, bias=False)
    if kind == "one layer":
        module = nn.Linear(width, vocab)
    elif kind == "nested":
        module = nn.Sequential(table, nn.Sequential(nn.Linear(width, width), nn.ReLU()), output)
    elif kind == "tied":
        output.weight = table.weight
        module = nn.Sequential(table, output)
    elif kind == "frozen":
        module = nn.Sequential(table.requires_grad_(False), output)
    else:
        module = nn.BatchNorm1d(width)
    return namespace["count_parameters"](module)
