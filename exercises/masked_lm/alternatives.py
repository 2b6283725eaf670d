"""Right answers that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("token-by-token")
def mask_tokens(tokens, choice, fate, substitutes, mask_id, special_ids):
    inputs, labels = tokens.clone(), torch.full_like(tokens, -100)
    for row in range(tokens.size(0)):
        for place in range(tokens.size(1)):
            token = tokens[row, place].item()
            if choice[row, place] < 0.15 and token not in special_ids:
                labels[row, place] = token
                if fate[row, place] < 0.8:
                    inputs[row, place] = mask_id
                elif fate[row, place] < 0.9:
                    inputs[row, place] = substitutes[row, place]
    return inputs, labels


@variants.function("assignment")
def mask_tokens(x, p, r, other, mask, special):
    ordinary = torch.ones_like(x, dtype=torch.bool)
    for token in special:
        ordinary &= x != token
    chosen = (p < 0.15) & ordinary
    y, x = torch.where(chosen, x, -100), x.clone()
    x[chosen & (r < 0.8)] = mask
    swap = chosen & (r >= 0.8) & (r < 0.9)
    x[swap] = other[swap]
    return x, y


@variants.function("raised-choice")
def mask_tokens(tokens, choice, fate, substitutes, mask_id, special_ids):
    special = sum((tokens == token).int() for token in special_ids)
    p = choice + torch.as_tensor(special).expand_as(choice)
    chosen = p < 0.15
    fates = torch.stack((torch.full_like(tokens, mask_id), substitutes, tokens))
    which = torch.bucketize(fate, torch.tensor([0.8, 0.9]), right=True)
    spoilt = fates.gather(0, which[None])[0]
    return [tokens.where(~chosen, spoilt), tokens.where(chosen, -100)]


@variants.function("arithmetic")
def mask_tokens(tokens, choice, fate, substitutes, mask_id, special_ids):
    chosen = ((choice < 0.15) & ~torch.isin(tokens, torch.tensor(special_ids).long())).long()
    masked, kept = chosen * (fate < 0.8), chosen * (fate >= 0.9)
    replaced = chosen - masked - kept
    inputs = masked * mask_id + replaced * substitutes + (1 - masked - replaced) * tokens
    return inputs, chosen * (tokens + 100) - 100
