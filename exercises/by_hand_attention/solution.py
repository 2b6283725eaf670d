"""By hand: attention over three tokens with two features.

Pencil, paper and a pocket calculator. Replace every None by a number, rounded to two decimals (the
last one may be off by a little). Line by line: as soon as one line is right, the next is looked at.
From the folder that holds `exercises`:

    python -m exercises check by_hand_attention
"""

# One row a token. d_k = 2; nothing is masked.
QUERIES = [[1, 0], [0, 2], [1, 1]]
KEYS = [[2, 1], [0, 1], [1, -1]]
VALUES = [[1, 0], [0, 1], [-1, 1]]

# 1. Scores: row i, column j is the dot product of query i and key j.
# solution:
scores = [
    [2, 0, 1],
    [2, 2, -2],
    [3, 1, 0],
]
# stub:
# scores = [
#     [None, None, None],
#     [None, None, None],
#     [None, None, None],
# ]
# end

# 2. Scaled: the scores divided by √d_k.
# solution:
scaled = [
    [1.41, 0.00, 0.71],
    [1.41, 1.41, -1.41],
    [2.12, 0.71, 0.00],
]
# stub:
# scaled = [
#     [None, None, None],
#     [None, None, None],
#     [None, None, None],
# ]
# end

# 3. Weights: e to the power of every scaled score, divided by the sum of its row.
# solution:
weights = [
    [0.58, 0.14, 0.28],
    [0.49, 0.49, 0.03],
    [0.73, 0.18, 0.09],
]
# stub:
# weights = [
#     [None, None, None],
#     [None, None, None],
#     [None, None, None],
# ]
# end

# 4. Output: row i is the sum of the values, each times the weight that query i gives it.
# solution:
output = [
    [0.29, 0.42],
    [0.46, 0.51],
    [0.65, 0.27],
]
# stub:
# output = [
#     [None, None],
#     [None, None],
#     [None, None],
# ]
# end
