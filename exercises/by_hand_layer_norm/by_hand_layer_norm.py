"""By hand: a layer norm over two positions with four features.

Replace every None by a number, rounded to two decimals (the last one may be off by a little). eps
is very large here, so that you see where it stands; the roots come out even. Line by line: as soon
as one line is right, the next is looked at. From the folder that holds `exercises`:

    python -m exercises check by_hand_layer_norm
"""

# One row a position.
X = [[4, 0, -2, 6], [0, 0, 0, 4]]
EPS = 6
WEIGHT = [2, 1, -1, 0.5]
BIAS = [0, 1, 0.5, -1]

# 1. The mean of each position.
mean = [None, None]

# 2. Centred: x minus the mean of its position.
centred = [
    [None, None, None, None],
    [None, None, None, None],
]

# 3. The variance of each position, as the layer norm takes it.
variance = [None, None]

# 4. Normalised: centred, divided by the root of variance and eps.
normalised = [
    [None, None, None, None],
    [None, None, None, None],
]

# 5. Output: with the weight and the bias of each feature.
output = [
    [None, None, None, None],
    [None, None, None, None],
]
