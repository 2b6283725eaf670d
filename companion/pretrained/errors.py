"""The one error of this package."""


class PretrainedError(ValueError):
    """Weights are missing, incomplete, damaged, or of a kind that is not known.

    The message says which, and what can be done.
    """
