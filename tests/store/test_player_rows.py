"""Players in the store: named, seated, corrected, merged, and deleted without a trace."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.store import result_rows, schema
from firmware_host.store.open_file import Row
from firmware_host.store.raw_file import log_path
from firmware_host.store.result_rows import against_correcting, against_merging
from firmware_host.store.results import Sitting
from firmware_host.store.schema import connect
from firmware_host.store.store_reader import StoreReader, reading
from tests.store.shelves import execute, logged, open_store, secured, writing

MATCH = (
    "INSERT INTO matches (session, number, begun, day, event, game, state) "
    "VALUES (?, ?, '', '2026-11-18', '', 'dice', 'running')"
)


@pytest.fixture
def store(path: Path) -> Iterator[sqlite3.Connection]:
    """A store with two matches; the second one is match 2 of the store."""
    connection = open_store(str(path))
    connection.executemany(MATCH, [(77, 1), (88, 1)])
    yield connection
    connection.close()


def put(store: sqlite3.Connection, *rows: list[Row]) -> StoreReader:
    for statement, values in (row for each in rows for row in each):
        store.execute(statement, values)
    return StoreReader(store)


def test_players_are_known_by_their_numbers(store: sqlite3.Connection) -> None:
    assert StoreReader(store).next_player == 1
    book = put(store, result_rows.player(1, "Anna"), result_rows.player(2, "Ben"))
    assert book.players() == {1: "Anna", 2: "Ben"} and book.next_player == 3


def test_a_number_is_not_given_again(store: sqlite3.Connection) -> None:
    book = put(store, result_rows.player(1, "Anna"), result_rows.player(2, "Ben"), result_rows.deleted(2))
    assert book.players() == {1: "Anna"} and book.next_player == 3


def test_those_who_sit_there_now_take_the_place_of_all_before(store: sqlite3.Connection) -> None:
    put(store, result_rows.seats_now({1: 5, 3: 6}))
    assert put(store, result_rows.seats_now({3: 7})).named_seats() == {3: 7}


def test_the_seats_of_a_match_can_be_written_again(store: sqlite3.Connection) -> None:
    put(store, result_rows.seats_of_match(77, 1, {1: 5, 2: 6}), result_rows.seats_of_match(88, 1, {1: 9}))
    book = put(store, result_rows.seats_of_match(77, 1, {2: 5}))
    assert book.sittings() == [Sitting(77, 1, 2, 5), Sitting(88, 1, 1, 9)]


def test_who_sat_there_can_be_corrected_by_the_number_of_the_match(store: sqlite3.Connection) -> None:
    put(store, result_rows.seats_of_match(88, 1, {1: 5, 2: 6}))
    assert put(store, result_rows.corrected(2, 1, 7)).sittings() == [
        Sitting(88, 1, 1, 7),
        Sitting(88, 1, 2, 6),
    ]
    assert put(store, result_rows.corrected(2, 2, None)).sittings() == [Sitting(88, 1, 1, 7)]
    assert put(store, result_rows.corrected(1, 4, 7)).sittings()[0] == Sitting(77, 1, 4, 7)


def test_a_match_that_is_not_there_can_not_be_corrected(store: sqlite3.Connection) -> None:
    put(store, result_rows.seats_of_match(88, 1, {1: 5}))
    book = put(store, result_rows.corrected(3, 1, 7), result_rows.corrected(3, 1, None))
    assert book.sittings() == [Sitting(88, 1, 1, 5)]


def test_two_become_one(store: sqlite3.Connection) -> None:
    book = put(
        store,
        result_rows.player(1, "Anna"),
        result_rows.player(2, "Ana"),
        result_rows.seats_of_match(77, 1, {1: 1}),
        result_rows.seats_of_match(88, 1, {2: 2}),
        result_rows.seats_now({4: 2}),
        result_rows.merged(2, 1),
    )
    assert book.players() == {1: "Anna"} and book.named_seats() == {4: 1}
    assert book.sittings() == [Sitting(77, 1, 1, 1), Sitting(88, 1, 2, 1)]


def test_names_that_make_no_sense_are_left_out(path: Path, store: sqlite3.Connection) -> None:
    put(store, result_rows.player(1, "Anna"))
    store.execute("INSERT INTO players VALUES (2, 'Be\x1bn'), (3, x'ff')")
    store.execute("INSERT INTO named_seats VALUES (1, 1), (2, 'x')")
    store.execute("INSERT INTO sat VALUES (77, 0, 1, 1), (77, 1, 1, 1)")
    book = StoreReader(store, tolerant=True)
    assert book.players() == {1: "Anna"} and book.named_seats() == {1: 1}
    assert book.sittings() == [Sitting(77, 1, 1, 1)]
    assert [words.split(":")[0] for words in book.losses] == [
        "the name of player 2",
        "the name of player 3",
        "who sits at 2",
        "who sat at 1",
    ]


# -- on the disk


def traces(path: Path, name: str) -> list[str]:
    """The files in which the name can be found, whatever SQLite says."""
    return [each.name for each in path.parent.iterdir() if name.encode() in each.read_bytes()]


@pytest.mark.parametrize(
    "gone", [result_rows.deleted(40), result_rows.merged(40, 41), result_rows.renamed(40, "Eva")]
)
def test_a_name_that_is_gone_is_gone_from_the_disk_while_the_table_plays(path: Path, gone: list[Row]) -> None:
    with writing(path) as (writer, _):
        for number in range(1, 90):  # so many that they need several pages
            writer.put(result_rows.player(number, f"Wilhelmina {number:03}"))
        writer.put(result_rows.seats_now({1: 40}))
        secured(writer)
        assert traces(path, "Wilhelmina 040")
        writer.put(gone)
        secured(writer)
        assert traces(path, "Wilhelmina 040") == []
        assert Path(log_path(str(path))).exists() and traces(path, "Wilhelmina 039")


def test_names_are_deleted_safely_wherever_sqlite_was_built(path: Path) -> None:
    connection = connect(str(path))
    assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)
    connection.close()


# -- from a store of the first version


def test_a_store_from_before_there_were_players_gets_them(path: Path) -> None:
    execute(path, f"{schema.MIGRATIONS[0]}; PRAGMA user_version = 1; {schema._STAMP}")
    execute(path, "INSERT INTO log (at, kind, text) VALUES ('', 'test', 'before')")
    with reading(str(path)) as book:
        assert [text for _, _, text in book.log()] == ["before"], "it is read before that, too"
    open_store(str(path)).close()
    assert logged(path) == ["before"]
    with reading(str(path)) as book:
        assert (book.players(), book.next_player, book.named_seats(), book.sittings()) == ({}, 1, {}, [])


# -- what speaks against a correction

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
