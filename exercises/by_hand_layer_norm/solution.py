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
# solution:
mean = [2, 1]
# stub:
# mean = [None, None]
# end

# 2. Centred: x minus the mean of its position.
# solution:
centred = [
    [2, -2, -4, 4],
    [-1, -1, -1, 3],
]
# stub:
# centred = [
#     [None, None, None, None],
#     [None, None, None, None],
# ]
# end

# 3. The variance of each position, as the layer norm takes it.
# solution:
variance = [10, 3]
# stub:
# variance = [None, None]
# end

# 4. Normalised: centred, divided by the root of variance and eps.
# solution:
normalised = [
    [0.50, -0.50, -1.00, 1.00],
    [-0.33, -0.33, -0.33, 1.00],
]
# stub:
# normalised = [
#     [None, None, None, None],
#     [None, None, None, None],
# ]
# end

# 5. Output: with the weight and the bias of each feature.
# solution:
output = [
    [1.00, 0.50, 1.50, -0.50],
    [-0.67, 0.67, 0.83, -0.50],
]
# stub:
# output = [
#     [None, None, None, None],
#     [None, None, None, None],
# ]
# end
