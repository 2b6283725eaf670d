"""The learning rate of "Attention Is All You Need": first it rises, then it falls.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check warmup
"""


def learning_rate(step: int, d_model: int, warmup: int) -> float:
    """The rate for one update.

    Update number n, counted from 1, has the rate

        d_model^(-1/2) · min(n^(-1/2), n · warmup^(-3/2))

    so it rises in a straight line up to update number `warmup`, and then falls with √n.

    Args:
        step: how many updates have been made before: 0, 1, 2, …, as PyTorch's schedulers count.
            Update number n comes after n - 1 others.
        d_model: width of the model
        warmup: number of updates that the rise takes. With 0 or 1 there is none: the first update
            has the highest rate.

    Returns:
        a positive number

    Example: d_model = 4, warmup = 4
        steps 0, 1, 2, 3 give 1/16, 2/16, 3/16, 4/16; step 15 is the 16th update: 1/2 · 1/4 = 1/8
    """
    # solution:
    n = step + 1
    warmup = max(warmup, 1)
    return d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)
    # end
