"""The store as the daemon has it: looked into at the start, then written, and tidied up."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.games.games import DICE_GAME, Table
from firmware_host.model.effects import PhaseEntered, format_effect
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.profile.table import StoreConfig, TableConfig
from firmware_host.run.daemon_store import DaemonStore
from firmware_host.run.table_files import load_profile
from firmware_host.store.head import Head, format_head
from firmware_host.store.open_file import Row
from firmware_host.store.schema import VERSION
from firmware_host.store.store_reader import reading
from hw.ports import Condition, Health
from tests.store.shelves import execute, open_folder, open_store, wait_for, without_rights

WRITTEN_S = 20
NOW = "2026-11-18T20:00:00"
STAMP = "2026-11-18T20-00-00"
HEAD = format_head(
    Head(
        version="1",
        begun=NOW,
        event="",
        table=Table(game=DICE_GAME),
        settings=Settings(),
        columns=20,
        seed=1,
        t_ns=0,
    )
)
ATTRACTING = format_effect(PhaseEntered(Phase.ATTRACT, 0))


def now_text() -> str:
    return NOW


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def told() -> list[Health]:
    return []


Open = Callable[..., DaemonStore]


@pytest.fixture
def remember(file: Path, told: list[Health]) -> Iterator[Open]:
    """Opens the store, and closes the one before."""
    opened: list[DaemonStore] = []

    def open_again(keep_rounds: int = 200, sync: str = "rounds", path: Path = file) -> DaemonStore:
        for each in opened:
            each.close()
        config = StoreConfig(file=str(path), keep_rounds=keep_rounds, sync=sync)
        memory = DaemonStore(config, told.append, now_text)
        opened[:] = [memory]
        return memory

    yield open_again
    for each in opened:
        each.close()


def written(memory: DaemonStore) -> None:
    assert memory.writer.settle(WRITTEN_S)


# -- at the start


def test_a_store_that_was_never_there_is_made_with_its_folder(remember: Open, tmp_path: Path) -> None:
    path = tmp_path / "lib" / "ligretto" / "table.db"
    memory = remember(path=path)
    assert (memory.was.session_log, memory.was.choices, memory.was.games) == (None, {}, 0)
    memory.note("start", "for the first time")
    written(memory)
    with reading(str(path)) as book:
        assert book.log() == [(NOW, "start", "for the first time")]


def test_what_was_chosen_and_played_is_known_at_the_next_start(remember: Open) -> None:
    memory = remember()
    memory.choose("language", "de")
    memory.choose("seats", "1,2,4")
    memory.choose("brightness", "3")
    memory.choose("brightness", "4")
    chosen = {"language": "de", "seats": "1,2,4", "brightness": "4"}
    assert memory.was.choices == chosen
    memory.writer.put([("INSERT INTO audits VALUES ('table', 'matches', 7, ?, 7)", (NOW,))])
    for n in (5, 3, 9):
        memory.writer.begin_session(session_log(n))
    was = remember().was
    assert (was.choices, was.games) == (chosen, 7)
    assert was.session_log is not None and was.session_log.id == 9


def test_a_session_that_can_not_be_read_is_left_alone(
    remember: Open, caplog: pytest.LogCaptureFixture, told: list[Health]
) -> None:
    memory = remember()
    memory.choose("language", "de")
    memory.writer.begin_session([*session_log(1), ("UPDATE sessions SET head = '{}'", ())])
    with caplog.at_level(logging.ERROR):
        again = remember()
    assert again.was.session_log is None and again.was.choices == {"language": "de"}
    assert "the last session can't be read: session 1: the head of a session can't be read" in caplog.text
    assert told == []


def test_a_broken_file_is_kept_aside_and_a_new_one_begins(
    remember: Open, file: Path, told: list[Health], caplog: pytest.LogCaptureFixture
) -> None:
    open_store(str(file)).close()
    torn = file.read_bytes()[:5000]
    file.write_bytes(torn)
    with caplog.at_level(logging.ERROR):
        memory = remember()
    aside = file.with_name(f"table.db.broken-{STAMP}")
    assert aside.read_bytes() == torn
    assert f"kept as {aside}, a new file begins" in caplog.text
    assert [(each.name, each.condition) for each in told] == [("store", Condition.DEGRADED)]
    assert str(aside) in told[0].seen
    memory.note("start", "anew")
    written(memory)
    with reading(str(file)) as book:
        said, anew = [text for _, _, text in book.log()]
    assert f"the table starts without its last session: the file was broken and is kept as {aside}" == said
    assert anew == "anew"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (f"CREATE TABLE more (n); PRAGMA user_version = {VERSION + 1}", "or name another file in [store]"),
        ("PRAGMA application_id = 7", "name another file in [store]"),
    ],
)
def test_a_file_of_a_newer_or_another_program_is_left_as_it_is(
    remember: Open, file: Path, told: list[Health], caplog: pytest.LogCaptureFixture, script: str, said: str
) -> None:
    if "more" in script:
        open_store(str(file)).close()
    execute(file, script)
    before = file.read_bytes()
    with caplog.at_level(logging.ERROR):
        memory = remember()
    assert memory.was.session_log is None and caplog.messages[0].endswith(said)
    memory.note("start", "in vain")
    wait_for(lambda: bool(told))
    assert told[0].condition is Condition.LOST
    memory.close()
    assert file.read_bytes() == before and [each.name for each in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(("blocked", "why"), [("lib", "can't be made"), ("lib/table.db", "can't be written")])
def test_a_place_that_can_not_be_had_does_not_keep_the_table_from_playing(
    remember: Open,
    tmp_path: Path,
    told: list[Health],
    caplog: pytest.LogCaptureFixture,
    blocked: str,
    why: str,
) -> None:
    if blocked == "lib":
        (tmp_path / "lib").write_text("a file, and no folder")
    else:
        (tmp_path / blocked).mkdir(parents=True)
    with caplog.at_level(logging.ERROR):
        memory = remember(path=tmp_path / "lib" / "table.db")
    assert why in caplog.text
    memory.note("start", "in vain")
    assert not memory.writer.settle(5)
    wait_for(lambda: bool(told))
    assert [(each.name, each.condition) for each in told] == [("store", Condition.LOST)]
    assert not memory.writer.stuck


def test_a_store_that_can_be_had_later_is_written_from_then_on(
    remember: Open, tmp_path: Path, told: list[Health]
) -> None:
    blocked = tmp_path / "lib"
    blocked.write_text("in the way")
    memory = remember(path=blocked / "table.db")
    memory.note("start", "told in good time")
    assert not memory.writer.settle(5)
    blocked.unlink()
    blocked.mkdir()
    wait_for(lambda: memory.writer.settle(0.0))
    with reading(str(blocked / "table.db")) as book:
        assert [text for _, _, text in book.log()] == ["told in good time"]
    assert told[-1].condition is Condition.OK


# -- tidying up


def session_log(id: int, *rounds: int, tidy: bool = False) -> list[Row]:
    """The rows of a session in which these attempts were played; it has an input and an effect."""
    rows: list[Row] = [
        ("INSERT INTO sessions (id, begun, head) VALUES (?, ?, ?)", (id, NOW, HEAD)),
        ("INSERT INTO inputs VALUES (?, 0, 0, 0, '0.0 lost 1 1s')", (id,)),
        ("INSERT INTO effects VALUES (?, 0, 0, ?, '')", (id, ATTRACTING)),
    ]
    if rounds:
        rows.append(
            (
                "INSERT INTO matches (session, number, begun, day, event, game, state) "
                "VALUES (?, 1, ?, ?, '', 'dice', 'running')",
                (id, NOW, NOW[:10]),
            )
        )
    rows += [
        (
            "INSERT INTO rounds (session, match, attempt, number, begun, state, first_effect) "
            "VALUES (?, 1, ?, ?, ?, 'scored', 0)",
            (id, attempt, attempt, NOW),
        )
        for attempt in rounds
    ]
    return rows


def kept(memory: DaemonStore, file: Path, *session_logs: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Which sessions have inputs and effects when these have been played: (id, attempts...)."""
    for id, *rounds in session_logs:
        memory.writer.begin_session(session_log(id, *rounds), memory.tidying)
        written(memory)
    memory.close()
    connection = sqlite3.connect(file)
    found = [
        [id for (id,) in connection.execute(f"SELECT DISTINCT session FROM {table} ORDER BY session")]
        for table in ("inputs", "effects")
    ]
    named = [id for (id,) in connection.execute("SELECT id FROM sessions ORDER BY n")]
    connection.close()
    assert named == [id for id, *rounds in session_logs if rounds or id == session_logs[-1][0]]
    return found[0], found[1]


PLAYED = ((1, 1, 2), (2, 1), (3, 1, 2, 3), (4, 1))


@pytest.mark.parametrize(
    ("keep", "played", "ids"),
    [
        (200, PLAYED, [1, 2, 3, 4]),
        (6, PLAYED, [1, 2, 3, 4]),
        (5, PLAYED, [2, 3, 4]),
        (4, PLAYED, [3, 4]),
        (2, PLAYED, [3, 4]),
        (1, PLAYED, [4]),
        (0, PLAYED, [4]),
        # The present session is kept; of others in which nothing was played a loose wire may make many.
        (0, ((1, 1), (2,), (3,)), [3]),
        (1, ((1, 1), (2,), (3,)), [1, 3]),
        (0, ((1,), (2,), (3,)), [3]),
        (200, ((1,), (2,), (3,)), [3]),
        (2, ((1, 1), (2,), (3, 1), (4,), (5, 1), (6,)), [3, 5, 6]),
    ],
)
def test_so_many_rounds_are_kept_with_the_whole_session_that_they_are_in(
    remember: Open, file: Path, keep: int, played: tuple[tuple[int, ...], ...], ids: list[int]
) -> None:
    assert kept(remember(keep), file, *played) == (ids, ids)


def test_results_are_kept_for_ever(remember: Open, file: Path) -> None:
    kept(remember(1), file, *PLAYED)
    with reading(str(file)) as book:
        assert len(book.rounds(100)) == 7 and len(book.matches()) == 4


def test_what_is_let_go_goes_back_to_the_disk(remember: Open, file: Path) -> None:
    memory = remember(1)
    long: list[Row] = [
        ("INSERT INTO inputs VALUES (1, ?, 0, 0, ?)", (n, f"0.0 device left lost ({'x' * 900})"))
        for n in range(1, 2000)
    ]
    memory.writer.begin_session([*session_log(1, 1), *long], memory.tidying)
    written(memory)
    memory.writer.secure()
    written(memory)
    for id in (2, 3):
        memory.writer.begin_session(session_log(id, 1), memory.tidying)
        written(memory)
    memory.close()
    assert file.stat().st_size < 500_000


def test_old_lines_of_the_log_are_let_go(remember: Open, file: Path) -> None:
    memory = remember()
    memory.writer.put(
        [("INSERT INTO log (at, kind, text) VALUES (?, 'x', ?)", (NOW, str(n))) for n in range(20_100)]
    )
    written(memory)
    memory.writer.begin_session(session_log(1), memory.tidying)
    written(memory)
    with reading(str(file)) as book:
        lines = book.log(30_000)
    assert (len(lines), lines[0][2], lines[-1][2]) == (20_000, "100", "20099")


# -- choices and the configuration


def configured_as(file: Path, **values: object) -> TableConfig:
    profile = load_profile("dice4")
    plain = TableConfig(file="table.toml", profiles={"dice": profile}, game="dice", settings=Settings())
    return replace(plain, store=StoreConfig(file=str(file)), **values)  # type: ignore[arg-type]


def test_what_was_chosen_stands_until_the_configuration_says_something_else(
    remember: Open, file: Path
) -> None:
    memory = remember()
    memory.reconcile(configured_as(file))
    memory.choose("brightness", "3")
    memory.choose("handicap", "0,1")
    again = remember()
    again.reconcile(configured_as(file))
    assert again.was.choices["brightness"] == "3"
    again.reconcile(configured_as(file, brightness=12))
    assert "brightness" not in again.was.choices
    assert again.was.choices["handicap"] == "0,1"
    last = remember()
    assert "brightness" not in last.was.choices
    assert last.was.choices["handicap"] == "0,1"


def test_a_store_of_somebody_else_is_told_with_what_to_do(
    told: list[Health], caplog: pytest.LogCaptureFixture
) -> None:
    with open_folder() as folder:
        path = str(folder / "table.db")
        open_store(path).close()
        with without_rights(folder), caplog.at_level(logging.ERROR):
            DaemonStore(StoreConfig(file=path), told.append, now_text).close()
    (said,) = [text for text in caplog.messages if text.startswith(f"{path} can't be written: ")]
    whose = f"; {folder} belongs to " if os.geteuid() == 0 else f"may write to {folder}: chmod u+w {folder}"
    assert whose in said and said.endswith("name another one in [store] file")


def test_a_file_that_is_begun_anew_has_the_choices_and_says_why(
    remember: Open, file: Path, told: list[Health]
) -> None:
    memory = remember()
    memory.choose("language", "de")
    memory.note("start", "before")
    assert memory.writer.settle(20)
    file.unlink()
    memory.writer.secure()
    wait_for(lambda: bool(told))
    memory.note("start", "afterwards")
    wait_for(lambda: memory.writer.settle(0.0))
    memory.close()
    with reading(str(file)) as book:
        assert book.choices()["language"] == "de"
        texts = [text for _, _, text in book.log()]
    assert texts[-1] == "afterwards" and any("removed" in text for text in texts)
