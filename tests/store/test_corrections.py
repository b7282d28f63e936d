"""What speaks against a correction of players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.store.result_rows import against_correcting, against_merging
from firmware_host.store.store_reader import StoreReader, reading
from tests.store.shelves import open_store

ANNA, BEN, WILHELMINA = 1, 2, 3


@pytest.fixture
def book(club: Path) -> Iterator[StoreReader]:
    with reading(str(club)) as book:
        yield book


def test_who_has_played_against_each_other_is_not_the_same_person(book: StoreReader) -> None:
    words = "they have played against each other in match 1, so they are two people"
    assert against_merging(book, ANNA, BEN) == against_merging(book, BEN, ANNA) == words
    assert against_merging(book, ANNA, WILHELMINA) == ""


def test_a_match_that_is_gone_speaks_against_nothing(path: Path) -> None:
    connection = open_store(str(path))
    connection.execute("INSERT INTO sat VALUES (7, 1, 1, 1), (7, 1, 2, 2)")
    assert against_merging(StoreReader(connection), ANNA, BEN) == ""
    connection.close()


def test_a_seat_that_played_can_be_corrected(book: StoreReader) -> None:
    assert against_correcting(book, 1, 4) == ""


def test_a_match_or_a_seat_that_is_not_there_can_not(book: StoreReader) -> None:
    assert against_correcting(book, 4, 1).startswith("there is no match 4;")
    assert against_correcting(book, 1, 5) == "nobody sat at seat 5 in match 1; seats that played: 1, 2, 3, 4"


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("running", "match 1 is not over: "),
        ("abandoned", "nobody sat at seat 2 in match 1; seats that played: none"),
    ],
)
def test_a_match_without_a_result_can_not(path: Path, state: str, why: str) -> None:
    connection = open_store(str(path))
    row = "(7, 1, '', '2026-11-18', '', 'dice', ?)"
    connection.execute(
        f"INSERT INTO matches (session, number, begun, day, event, game, state) VALUES {row}", (state,)
    )
    assert against_correcting(StoreReader(connection), 1, 2).startswith(why)
    connection.close()
