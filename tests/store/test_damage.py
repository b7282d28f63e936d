"""One bit or byte of a store is wrong: it opens as a sound one, or it is called damaged, and nothing else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware_host.store.raw_file import Damaged, Overwritten, is_damage, telling_damage
from tests.store.shelves import error_named, open_store
from tests.thoroughness import some

PAGE = 4096


def opens(path: Path, data: bytes) -> bool:
    """Whether a file with that in it opens; anything but Damaged is not caught."""
    path.write_bytes(data)
    for companion in ("-wal", "-shm"):
        Path(f"{path}{companion}").unlink(missing_ok=True)
    told = ""
    try:
        open_store(str(path)).close()
    except Damaged as error:
        told = str(error) or "nothing"
    assert told.isprintable() and told != "nothing", "it can be told in one line"
    return not told


def flipped(data: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1 << bit
    return bytes(changed)


@pytest.mark.no_cover  # what a flipped bit comes to is chance
@pytest.mark.parametrize("part", some(3, range(8)))
def test_each_bit_7_of_the_first_page(club: Path, path: Path, part: int) -> None:
    data = club.read_bytes()
    opened = [opens(path, flipped(data, place, 7)) for place in range(part, PAGE, 8)]
    assert any(opened) and not all(opened)


@pytest.mark.no_cover
@pytest.mark.parametrize("bit", range(8))
def test_each_bit_of_the_header(club: Path, path: Path, bit: int) -> None:
    data = club.read_bytes()
    opened = [opens(path, flipped(data, place, bit)) for place in range(100)]
    assert not any(opened[60:64]), "its version"


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", some(2, range(4)))
def test_bits_anywhere(club: Path, path: Path, seed: int) -> None:
    data, chance = club.read_bytes(), Random(seed)
    for _ in range(150):
        opens(path, flipped(data, chance.randrange(2 * PAGE), chance.randrange(8)))
        opens(path, flipped(data, chance.randrange(len(data)), chance.randrange(8)))


def test_each_table_name_that_is_spoilt_is_found(club: Path, path: Path) -> None:
    data = club.read_bytes()
    for name in (b"table", b"tablesessions", b"CREATE TABLE inputs"):
        for place in range(len(name)):
            assert not opens(path, flipped(data, data.index(name) + place, 7)), name


# -- what is damage, and what may pass


NO_TEXT = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
ALWAYS = ["SQLITE_CORRUPT", "SQLITE_CORRUPT_INDEX", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ"]
RIGHT_STATEMENTS_FAIL = ["SQLITE_ERROR", "SQLITE_TOOBIG"]
MAY_PASS = ["SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_READ"]
MAY_PASS += ["SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_NOMEM", ""]


@pytest.mark.parametrize("name", [*ALWAYS, *RIGHT_STATEMENTS_FAIL])
def test_what_sqlite_can_make_no_sense_of_is_damage(name: str) -> None:
    assert is_damage(error_named(name)) == (name in ALWAYS), "or the statement may be wrong"
    with pytest.raises(Damaged, match="of SQLite"), telling_damage():
        raise error_named(name)


def test_a_statement_that_this_sqlite_refuses_in_a_new_store_too_shows_no_damage() -> None:
    def ask(store: sqlite3.Connection) -> None:
        store.execute("SELECT * FROM pragma_of_tomorrow(1)")

    with (
        pytest.raises(
            sqlite3.NotSupportedError, match="can't do what a store needs: no such table"
        ) as caught,
        telling_damage(ask),
        closing(sqlite3.connect(":memory:")) as store,
    ):
        ask(store)
    assert not is_damage(caught.value) and sqlite3.sqlite_version in str(caught.value)


def test_a_statement_that_fails_only_in_this_file_shows_damage() -> None:
    def ask(store: sqlite3.Connection) -> None:
        store.execute("SELECT n FROM log")

    with pytest.raises(Damaged), telling_damage(ask), closing(sqlite3.connect(":memory:")) as store:
        ask(store)


@pytest.mark.parametrize("name", MAY_PASS)
def test_what_may_pass_is_no_damage(name: str) -> None:
    assert not is_damage(error_named(name))
    with pytest.raises(sqlite3.OperationalError) as caught, telling_damage():
        raise error_named(name)
    assert not isinstance(caught.value, Damaged)


def test_what_is_no_text_is_damage() -> None:
    assert is_damage(NO_TEXT)
    with pytest.raises(Damaged, match="names in it are no text"), telling_damage():
        raise NO_TEXT


def test_it_is_told_in_one_line_without_control_characters() -> None:
    with pytest.raises(Damaged) as caught, telling_damage():
        raise error_named("SQLITE_CORRUPT", "malformed \x1b[31m table\nand more")
    assert str(caught.value) == "malformed \\x1b[31m table"
    with pytest.raises(Damaged) as caught, telling_damage():
        raise error_named("SQLITE_CORRUPT", "")
    assert str(caught.value) == "SQLITE_CORRUPT"


def test_what_was_changed_by_others_is_damage() -> None:
    assert is_damage(Overwritten("table.db", log_only=True))
