"""Keys and values of the tokens decoded so far.

Decoding one token at a time would compute the keys and values of the whole prefix again at every
step. The cache keeps them. It is an object of its own, passed in and written in place: modules hold
no decoding state, and one model can serve many caches.

Columns are shared by the whole batch; which of them hold real tokens of a row is kept in ``valid``,
and positions are counted over those only. So left- and right-padded prompts decode exactly as the
single sentences do.

Taught in the chapter on the decoder.
"""

import dataclasses
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from companion._checks import check_positive
from companion.masks import causal_mask, positions_from_mask

New = Float[Tensor, "batch kv_heads new d_head"]
All = Float[Tensor, "batch kv_heads all d_head"]


class CacheFullError(ValueError):
    """More tokens were fed than the cache was allocated for."""


class KVCache:
    """Preallocated keys and values for every layer.

    Args:
        n_layers, n_kv_heads, d_head: the model's sizes.
        batch_size: number of rows.
        max_len: number of columns, prompt included.

    Attributes:
        length: number of columns filled.
        valid: ``(batch, max_len)``, True where a column holds a real token of the row.

    Raises:
        ValueError: if a size is below 1.
    """

    def __init__(
        self,
        *,
        n_layers: int,
        batch_size: int,
        n_kv_heads: int,
        max_len: int,
        d_head: int,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str | None = None,
    ) -> None:
        sizes = {"n_layers": n_layers, "batch_size": batch_size, "n_kv_heads": n_kv_heads}
        for name, size in (sizes | {"max_len": max_len, "d_head": d_head}).items():
            check_positive(name, size)
        shape = (batch_size, n_kv_heads, max_len, d_head)
        self.max_len = max_len
        self.length = 0
        self.valid = torch.zeros(batch_size, max_len, dtype=torch.bool, device=device)
        self._new = 0  # columns that the current forward fills
        self._keys = [torch.empty(shape, dtype=dtype, device=device) for _ in range(n_layers)]
        self._values = [torch.empty(shape, dtype=dtype, device=device) for _ in range(n_layers)]
        self._memory = [_Memory() for _ in range(n_layers)]

    @property
    def batch_size(self) -> int:
        """Number of rows."""
        return self.valid.shape[0]

    def extend(self, valid: Bool[Tensor, "batch new"]) -> None:
        """Claim the next columns; every layer then writes its keys and values there.

        Raises:
            CacheFullError: if there is no room for them.
            ValueError: if the number of rows is not the cache's.
        """
        rows, new = valid.shape
        if rows != self.batch_size:
            raise ValueError(f"the cache holds {self.batch_size} rows, the input has {rows}")
        if self.length + new > self.max_len:
            raise CacheFullError(
                f"the cache has room for max_len={self.max_len} tokens and holds {self.length}; "
                f"{new} more do not fit: allocate a larger one"
            )
        self.valid[:, self.length : self.length + new] = valid
        self.length += new
        self._new = new

    def mask(self) -> Bool[Tensor, "batch 1 new length"]:
        """The new columns look at real tokens, causally."""
        causal = causal_mask(self._new, self.length, device=self.valid.device)
        return causal & self.valid[:, None, None, : self.length]

    def positions(self) -> Int[Tensor, "batch length"]:
        """Position of every filled column, counted over each row's real tokens."""
        return positions_from_mask(self.valid[:, : self.length])

    def layer(self, index: int) -> "LayerCache":
        """The stores of one layer."""
        return LayerCache(own=_Own(self, index), memory=self._memory[index])

    def rewind(self, length: int) -> None:
        """Forget all columns from ``length`` on.

        Raises:
            ValueError: if the cache is not that long.
        """
        if not 0 <= length <= self.length:
            raise ValueError(f"cannot rewind to {length}: the cache holds {self.length} columns")
        self.valid[:, length:] = False
        self.length = length

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Row *i* becomes what row ``rows[i]`` was; rows may be repeated or dropped."""
        self.valid = self.valid[rows]
        for store in (self._keys, self._values):
            for index, old in enumerate(store):
                new = old if len(rows) == len(old) else old.new_empty(len(rows), *old.shape[1:])
                # Only the filled columns move; indexing copies them before they are overwritten.
                new[:, :, : self.length] = old[rows, :, : self.length]
                store[index] = new
        for memory in self._memory:
            memory.reorder(rows)

    def nbytes(self) -> int:
        """Bytes allocated for keys and values of the decoder's own tokens."""
        return sum(t.numel() * t.element_size() for t in (*self._keys, *self._values))


@dataclass(frozen=True)
class LayerCache:
    """What one layer reads and writes."""

    own: "_Own"
    memory: "_Memory"


@dataclass(frozen=True)
class _Own:
    """Keys and values of the layer's own tokens: they grow with every call."""

    cache: KVCache
    index: int

    def read(self) -> None:
        return None

    def write(self, key: New, value: New) -> tuple[All, All]:
        cache = self.cache
        stored_key, stored_value = cache._keys[self.index], cache._values[self.index]
        columns = slice(cache.length - cache._new, cache.length)
        stored_key[:, :, columns], stored_value[:, :, columns] = key, value
        return stored_key[:, :, : cache.length], stored_value[:, :, : cache.length]


@dataclass
class _Memory:
    """Keys and values of the encoder's output: projected once, read ever after."""

    stored: tuple[Tensor, Tensor] | None = dataclasses.field(default=None)

    def read(self) -> tuple[Tensor, Tensor] | None:
        return self.stored

    def write(self, key: All, value: All) -> tuple[All, All]:
        self.stored = (key, value)
        return self.stored

    def reorder(self, rows: Tensor) -> None:
        if self.stored is not None:
            self.stored = (self.stored[0][rows], self.stored[1][rows])
