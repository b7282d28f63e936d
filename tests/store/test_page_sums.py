"""The checksums of the pages: they follow what we write ourselves, and show what others write."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.store.open_file import PageSums
from firmware_host.store.raw_file import PAGE


@pytest.fixture
def sums(path: Path) -> PageSums:
    path.write_bytes(b"".join(bytes([number]) * PAGE for number in range(4)))
    return PageSums(str(path))


def written(path: Path, page: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(data)


@pytest.mark.parametrize("page", range(1, 6))
def test_a_page_that_was_changed_is_seen(path: Path, sums: PageSums, page: int) -> None:
    assert sums.still_fit()
    written(path, page, b"another")
    assert not sums.still_fit()
    sums.renew({page: page_of(path, page)}, path.stat().st_size // PAGE + (page == 5))
    assert sums.still_fit()


def page_of(path: Path, number: int) -> bytes:
    return path.read_bytes()[(number - 1) * PAGE : number * PAGE]


def test_only_our_own_pages_are_renewed(path: Path, sums: PageSums) -> None:
    written(path, 2, b"ours")
    written(path, 3, b"theirs")
    sums.renew({2: page_of(path, 2)}, 4)
    assert not sums.still_fit()
    written(path, 2, bytes([9]))
    assert not sums.still_fit()


def test_it_follows_a_file_that_becomes_shorter(path: Path, sums: PageSums) -> None:
    written(path, 1, b"another")
    with path.open("r+b") as file:
        file.truncate(2 * PAGE)
    assert not sums.still_fit()
    sums.renew({1: page_of(path, 1), 4: b"cut off"}, 2)
    assert sums.still_fit()
