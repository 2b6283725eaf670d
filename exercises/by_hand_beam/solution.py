"""By hand: one step of beam search, and the choice at the end.

Replace every None by a number; logarithms and quotients rounded to two decimals (the last one may
be off by a little), rows and words counted from 0. Line by line: as soon as one line is right, the
next is looked at. From the folder that holds `exercises`:

    python -m exercises check by_hand_beam
"""

# Two beams are alive. What each has collected so far, as log-probability:
SO_FAR = [-0.4, -1.3]

# The log-probabilities of the next word, one row a beam, one column a word of the vocabulary:
NEXT = [
    [-0.9, -0.7, -2.3],
    [-0.3, -2.5, -1.8],
]

# 1. The total of every continuation: row = the beam it continues, column = the word.
# solution:
totals = [
    [-1.3, -1.1, -2.7],
    [-1.6, -3.8, -3.1],
]
# stub:
# totals = [
#     [None, None, None],
#     [None, None, None],
# ]
# end

# 2. The two best continuations, the better one first, each as [beam, word].
# solution:
best = [[0, 1], [0, 0]]
# stub:
# best = [[None, None], [None, None]]
# end

# 3. For each of the two new beams: which row of the key-value cache has to become its row?
# solution:
cache_rows = [0, 0]
# stub:
# cache_rows = [None, None]
# end

# Some steps later two sentences are finished. Their log-probabilities and lengths in words:
FINISHED = [-2.4, -2.8]
LENGTHS = [4, 8]
ALPHA = 0.6

# 4. Their length penalties: ((5 + length) / 6) to the power of alpha.
# solution:
penalties = [1.28, 1.59]
# stub:
# penalties = [None, None]
# end

# 5. Their final scores: log-probability divided by penalty.
# solution:
final = [-1.88, -1.76]
# stub:
# final = [None, None]
# end

# 6. Which of the two is returned, 0 or 1?
# solution:
winner = 1
# stub:
# winner = None
# end
