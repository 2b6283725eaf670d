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
scores = [
    [None, None, None],
    [None, None, None],
    [None, None, None],
]

# 2. Scaled: the scores divided by √d_k.
scaled = [
    [None, None, None],
    [None, None, None],
    [None, None, None],
]

# 3. Weights: e to the power of every scaled score, divided by the sum of its row.
weights = [
    [None, None, None],
    [None, None, None],
    [None, None, None],
]

# 4. Output: row i is the sum of the values, each times the weight that query i gives it.
output = [
    [None, None],
    [None, None],
    [None, None],
]
