"""Reading a store: what was played is found again, and what can't be read says why."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.model.effects import Judged, MatchEnded, PhaseEntered, RoundScored, RoundStarted, TieBroken
from firmware_host.model.errors import DamagedRecord
from firmware_host.model.states import Phase
from firmware_host.store.schema import VERSION, connect, migrate
from firmware_host.store.store_reader import NoStore, NotWritten, reading
from hw.ports import Condition
from tests.store.parties import evening
from tests.store.shelves import conditions, events, execute, open_folder, open_store, without_rights, writing


def test_rounds_are_listed_the_newest_first(club: Path) -> None:
    with reading(str(club)) as book:
        rounds = book.rounds()
        assert [row.n for row in rounds] == sorted((row.n for row in rounds), reverse=True)
        assert [row.game for row in rounds] == ["cards", "dice", "dice", "dice", "dice"]
        assert [row.n for row in book.rounds(2)] == [row.n for row in rounds[:2]]
        assert {row.day for row in book.rounds(day="2026-11-17")} == {"2026-11-17"}
        assert {row.game for row in book.rounds(event="Club evening")} == {"dice"}
        assert book.rounds(day="2026-11-17", event="another") == []


def test_a_round_is_found_by_its_number(club: Path) -> None:
    with reading(str(club)) as book:
        row = book.rounds()[1]
        assert book.round(row.n) == row
        with pytest.raises(NotWritten, match="no round 99"):
            book.round(99)


def test_the_effects_of_a_round_are_between_its_ends(club: Path) -> None:
    with reading(str(club)) as book:
        for row in book.rounds():
            decisions = book.decisions(row.session, row.first_effect, row.last_effect)
            first, last = decisions[0].effect, decisions[-1].effect
            assert isinstance(first, RoundStarted) and isinstance(last, RoundScored)
            assert (last.scores, last.totals, last.finisher) == (row.scores, row.totals, row.finisher)
            assert first.number == last.number == row.number


def test_what_belongs_to_a_round_begins_after_the_one_before(club: Path) -> None:
    with reading(str(club)) as book:
        second, first = book.rounds(event="Club evening")[:2]
        assert first.last_effect is not None
        assert book.before(second) == first.last_effect + 1
        assert book.before(first) == 0


def test_matches_are_listed_the_oldest_first(club: Path) -> None:
    with reading(str(club)) as book:
        matches = book.matches()
        assert [match.day for match in matches] == ["2026-11-17", "2026-11-18", "2026-11-18"]
        assert [match.state for match in matches] == ["finished"] * 3
        assert [match.game for match in book.matches(day="2026-11-18")] == ["dice", "cards"]
        assert [match.n for match in book.matches(event="Club evening")] == [1, 2]
        for match in matches:
            last = max(row.number for row in book.rounds() if row.session == match.session)
            totals = [
                row.totals for row in book.rounds() if (row.session, row.number) == (match.session, last)
            ]
            assert totals == [match.totals]


def test_sessions_are_counted_and_read(club: Path) -> None:
    with reading(str(club)) as book:
        numbers = book.session_ids()
        assert list(numbers) == sorted(numbers) == [1, 2, 3]
        assert all(book.has_inputs(id) for id in numbers.values()) and not book.has_inputs(5)
        last = book.last_session()
        assert last is not None and last.id == numbers[max(numbers)] and last.head.table.game.name == "cards"
        assert last.last_ns >= last.decisions[-1].t_ns > last.head.t_ns
        assert last == book.session_log(last.id)
        with pytest.raises(NotWritten, match="no session 5"):
            book.session_log(5)


def test_digests_stand_with_the_phases(club: Path) -> None:
    with reading(str(club)) as book:
        session_log = book.last_session()
    assert session_log is not None
    for decision in session_log.decisions:
        assert (decision.shown is not None) == isinstance(decision.effect, PhaseEntered)
    digests = [decision.shown for decision in session_log.decisions if decision.shown]
    assert len(set(digests)) == len(digests) > 5


def test_kinds_of_effects_are_found_everywhere(club: Path) -> None:
    with reading(str(club)) as book:
        found = list(book.decided((MatchEnded, TieBroken)))
        assert [(session_log, n) for session_log, n, _, _ in found] == [
            (session_log, n)
            for session_log in book.session_ids().values()
            for n, decision in enumerate(book.decisions(session_log))
            if isinstance(decision.effect, MatchEnded | TieBroken)
        ]
        assert sum(isinstance(effect, MatchEnded) for *_, effect in found) == 3
        assert sum(isinstance(effect, TieBroken) for *_, effect in found) > 0


def test_an_empty_store_has_nothing(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.secure()
        assert writer.settle(10)
    with reading(str(path)) as book:
        assert book.last_session() is None and book.session_ids() == {}
        assert book.rounds() == [] and book.matches() == [] and book.audits() == [] and book.log() == []
        assert book.games == 0 and book.choices() == {}


def test_the_log_and_the_choices(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 20))
        writer.put([("INSERT INTO choices VALUES (?, ?)", ("language", "fr"))])
    with reading(str(path)) as book:
        assert [text for _, _, text in book.log(3)] == ["17", "18", "19"]
        assert book.log(1) == [("2026-11-18T20:00:00", "test", "19")]
        assert book.choices() == {"language": "fr"}


def test_a_match_that_is_under_way_can_be_read(path: Path) -> None:
    with evening(path, "dice4", 6, rounds=1, wrong=False) as people:
        people.go_on(lambda: any(isinstance(effect, Judged) for _, effect in people.effects))
        assert people.writer.settle(10)
        with reading(str(path)) as book:
            (row,) = book.rounds()
            assert (row.state, row.last_effect, row.scores) == ("running", None, ())
            assert [match.state for match in book.matches()] == ["running"]
            session_log = book.last_session()
        assert session_log is not None and len(session_log.decisions) == people.playing.journal.effects
        assert people.playing.shell.referee.session.phase is Phase.PLAY
        people.play()


# -- what can't be read


def made(path: Path, change: str) -> None:
    open_store(str(path)).close()
    execute(path, change)


KEEPS_ASIDE = "the daemon keeps it aside when it starts"
NOT_READ: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing": (lambda path: None, "there is no store yet; it is made by the first"),
    "a text": (lambda path: path.write_bytes(b"dice and cards " * 1000), "file is not a database"),
    "a newer one": (
        lambda path: made(path, f"PRAGMA user_version = {VERSION + 1}"),
        f"its version is {VERSION + 1}, and this program reads",
    ),
    "one without a version": (
        lambda path: made(path, "PRAGMA user_version = 0"),
        f"can't be read: its tables have lost their version; {KEEPS_ASIDE}",
    ),
    "an empty file": (Path.touch, "there is nothing in it yet; `ligretto-table run` makes a store of it"),
    "another program's": (
        lambda path: execute(path, "CREATE TABLE log (id INTEGER, msg TEXT)"),
        "is no store: it belongs to another program",
    ),
}


@pytest.mark.parametrize("kind", NOT_READ)
def test_what_can_not_be_read_says_why(path: Path, kind: str) -> None:
    make, why = NOT_READ[kind]
    make(path)
    with pytest.raises(NoStore, match=why), reading(str(path)):
        pass


def test_a_store_that_was_emptied_is_damaged_if_its_log_is_still_there(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    connection = connect(str(path))
    migrate(connection)
    copy.touch()
    shutil.copy(f"{path}-wal", f"{copy}-wal")
    connection.close()
    words = f"can't be read: its beginning is missing; {KEEPS_ASIDE}"
    with pytest.raises(NoStore, match=words), reading(str(copy)):
        pass


def test_a_damaged_file_says_so_while_it_is_read(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 3000))
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 3)
        file.write(b"\xff" * 50_000)
    with reading(str(path)) as book:
        assert 0 < len(book.log(10_000)) < 3000
        assert all(words.startswith("the table log, or a part of it: ") for words in book.losses)
        assert len(book.losses) > 0


def test_a_session_on_a_page_that_can_not_be_read_is_damaged(club: Path) -> None:
    with reading(str(club)) as book:
        [*_, last] = book.session_ids().values()
    with closing(sqlite3.connect(club)) as connection:
        [[page]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sessions'")
        [[size]] = connection.execute("PRAGMA page_size")
    with club.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 8)
    with reading(str(club)) as book:
        with pytest.raises(DamagedRecord, match="the table sessions"):
            book.head(last)
        assert book.losses


def test_names_of_tables_that_are_no_text_are_damage(club: Path, path: Path) -> None:
    data = club.read_bytes()
    path.write_bytes(data.replace(b"tablesessions", b"tables\xffssions"))
    with pytest.raises(NoStore, match="can't be read: "), reading(str(path)):
        pass


def test_somebody_who_may_only_read_can_read() -> None:
    """While the table is played at, and after it was switched off."""
    with open_folder() as folder:
        path = folder / "table.db"
        with writing(path) as (writer, told):
            writer.put(events(0, 10))
            assert writer.settle(10)
            with without_rights(folder), reading(str(path)) as book:
                assert len(book.log()) == 10
            writer.put(events(10, 10))
            assert writer.settle(10)
            assert Condition.LOST not in conditions(told)
        with without_rights(folder), reading(str(path)) as book:
            assert len(book.log()) == 20
        assert [each.name for each in folder.iterdir()] == ["table.db"]


def test_all_that_is_read_is_of_one_moment(path: Path) -> None:
    """A session is read in several steps, and the table plays on in between."""
    with writing(path) as (writer, _):
        writer.put(events(0, 3))
        assert writer.settle(10)
        with reading(str(path)) as book:
            assert len(book.log()) == 3
            writer.put([*events(3, 3), ("INSERT INTO choices VALUES ('language', 'fr')", ())])
            assert writer.settle(10)
            assert len(book.log()) == 3 and book.choices() == {}
        with reading(str(path)) as book:
            assert len(book.log()) == 6 and book.choices() == {"language": "fr"}
