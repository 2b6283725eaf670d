"""Published weights in the course's own parts.

>>> from companion.pretrained import load_pretrained
>>> model = load_pretrained("folder/with/config.json")  # doctest: +SKIP

One module a family maps Hugging Face's names to ours, line by line: reading it is the quickest way
to see that two implementations are the same model.

Taught in the chapter on model families.
"""

from companion.pretrained.errors import PretrainedError
from companion.pretrained.loader import load_pretrained
from companion.pretrained.own_format import save_pretrained

__all__ = ["PretrainedError", "load_pretrained", "save_pretrained"]
