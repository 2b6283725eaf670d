"""Right answers that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("where")
def shift(target, bos_id, eos_id, pad_id):
    longer = F.pad(target, (0, 1), value=pad_id)
    place = torch.arange(longer.size(1))
    length = (target != pad_id).sum(1)[:, None]
    return F.pad(target, (1, 0), value=bos_id), torch.where(place == length, eos_id, longer)


@variants.function("assignment")
def shift(target, bos_id, eos_id, pad_id):
    batch, time = target.shape
    decoder_input = target.new_full((batch, time + 1), pad_id)
    labels = decoder_input.clone()
    decoder_input[:, 0] = bos_id
    decoder_input[:, 1:] = target
    labels[:, :-1] = target
    labels[torch.arange(batch), target.ne(pad_id).sum(-1)] = eos_id
    return decoder_input, labels


@variants.function("sentence-by-sentence")
def shift(y, start, end, pad):
    rows = [row[row != pad] for row in y]
    width = y.size(1) + 1
    read = [F.pad(row, (1, width - 1 - len(row)), value=pad) for row in rows]
    wanted = [F.pad(row, (0, width - len(row)), value=pad) for row in rows]
    for row, inputs, labels in zip(rows, read, wanted, strict=True):
        inputs[0], labels[len(row)] = start, end
    return torch.stack(read), torch.stack(wanted)


@variants.function("whole-sentence-first")
def shift(target, bos_id, eos_id, pad_id):
    width = target.size(1) + 2
    rows = [[bos_id, *(w for w in row if w != pad_id), eos_id] for row in target.tolist()]
    rows.append([pad_id] * width)  # so that padding reaches the full width
    whole = pad_sequence([torch.tensor(r) for r in rows], batch_first=True, padding_value=pad_id)
    whole = whole[:-1]
    read = whole[:, :-1].masked_fill(whole[:, :-1] == eos_id, pad_id)
    return [read, whole[:, 1:]]


@variants.function("first-padding")
def shift(target, bos_id, eos_id, pad_id):
    padded = torch.cat((target, torch.full_like(target[:, :1], pad_id)), dim=1)
    is_padding = padded == pad_id
    first = is_padding & (is_padding.cumsum(1) == 1)
    labels = padded.masked_fill(first, eos_id)
    decoder_input = padded.roll(1, dims=1)
    decoder_input[:, 0] = bos_id
    return decoder_input, labels
