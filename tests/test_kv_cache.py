import pytest
import torch

from companion.kv_cache import CacheFullError, KVCache


def cache(batch: int = 2, max_len: int = 6) -> KVCache:
    return KVCache(n_layers=2, batch_size=batch, n_kv_heads=3, max_len=max_len, d_head=4)


def feed(store: KVCache, new: int, valid: torch.Tensor | None = None) -> list[torch.Tensor]:
    """Two layers' worth of random keys; returns what was written."""
    rows = store.batch_size
    store.extend(torch.ones(rows, new, dtype=torch.bool) if valid is None else valid)
    written = []
    for layer in range(2):
        k = torch.randn(rows, 3, new, 4)
        store.layer(layer).own.write(k, -k)
        written.append(k)
    return written


def test_what_is_written_is_read_back_in_order() -> None:
    store = cache()
    first, second = feed(store, 3), feed(store, 2)
    store.extend(torch.ones(2, 1, dtype=torch.bool))
    k = torch.randn(2, 3, 1, 4)
    for layer in range(2):
        keys, values = store.layer(layer).own.write(k, -k)
        assert torch.equal(keys, torch.cat([first[layer], second[layer], k], dim=2))
        assert torch.equal(values, -keys)
    assert store.length == 6


def test_keys_are_written_in_place() -> None:
    store = cache()
    before = store._keys[0].data_ptr()
    feed(store, 3)
    feed(store, 1)
    assert store._keys[0].data_ptr() == before
    assert store.nbytes() == 2 * 2 * (2 * 3 * 6 * 4) * 4


def test_the_mask_is_causal_and_hides_padding() -> None:
    store = cache()
    feed(store, 3, torch.tensor([[False, True, True], [True, True, True]]))
    assert store.mask()[0, 0].int().tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 1]]
    feed(store, 2, torch.tensor([[True, True], [True, False]]))
    assert store.mask()[0, 0].int().tolist() == [[0, 1, 1, 1, 0], [0, 1, 1, 1, 1]]
    assert store.mask()[1, 0].int().tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 0]]
    assert store.positions().tolist() == [[0, 0, 1, 2, 3], [0, 1, 2, 3, 3]]


def test_rewinding_forgets() -> None:
    store = cache()
    feed(store, 5)
    kept = store._keys[0][:, :, :2].clone()
    store.rewind(2)
    assert store.length == 2
    assert not store.valid[:, 2:].any()
    feed(store, 4)
    assert torch.equal(store._keys[0][:, :, :2], kept)
    with pytest.raises(ValueError, match="cannot rewind to 7"):
        store.rewind(7)


@pytest.mark.parametrize("rows", [[1, 0], [1, 1], [0], [1, 0, 1]])
def test_reordering_moves_whole_rows(rows: list[int]) -> None:
    store = cache()
    written = feed(store, 4, torch.tensor([[True] * 4, [False, True, True, True]]))
    memory = torch.randn(2, 3, 5, 4)
    store.layer(1).memory.write(memory, -memory)
    index = torch.tensor(rows)
    store.reorder(index)
    assert store.batch_size == len(rows)
    assert store.positions().tolist() == [[[0, 1, 2, 3], [0, 0, 1, 2]][r] for r in rows]
    for layer in range(2):
        assert torch.equal(store._keys[layer][:, :, :4], written[layer][index])
    stored = store.layer(1).memory.read()
    assert stored is not None
    assert torch.equal(stored[0], memory[index])
    feed(store, 2)  # there is still room behind


def test_the_memory_is_written_once_and_then_read() -> None:
    store = cache()
    assert store.layer(0).memory.read() is None
    k = torch.randn(2, 3, 5, 4)
    store.layer(0).memory.write(k, -k)
    stored = store.layer(0).memory.read()
    assert stored is not None
    assert stored[0] is k
    assert store.layer(1).memory.read() is None


@pytest.mark.usefixtures("as_a_user")
def test_a_full_or_mismatched_cache_is_named() -> None:
    store = cache()
    feed(store, 5)
    with pytest.raises(CacheFullError, match=r"max_len=6 tokens and holds 5; 2 more do not fit"):
        feed(store, 2)
    assert store.length == 5
    with pytest.raises(ValueError, match="holds 2 rows, the input has 3"):
        store.extend(torch.ones(3, 1, dtype=torch.bool))
    with pytest.raises(ValueError, match="max_len must be at least 1, got 0"):
        cache(max_len=0)
