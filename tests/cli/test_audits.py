"""`audits`: what was used how often, what needs a look, and the log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.stores import ask
from tests.store.shelves import execute, writing


def rows(store: Path) -> dict[tuple[str, str], dict[str, Any]]:
    found = json.loads(ask("audits", store, "--json").stdout)["audits"]
    return {(row["kind"], row["name"]): row for row in found}


@pytest.fixture
def store(club: Path, tmp_path: Path) -> Path:
    """A copy that may be spoilt; the table of its last session plays cards."""
    path = tmp_path / "table.db"
    path.write_bytes(club.read_bytes())
    return path


def after(store: Path, games: int) -> None:
    """So many games have been played, and every part was used in the last of them."""
    for seat in (1, 2, 3, 4):  # not everybody has called stop
        execute(store, f"INSERT OR IGNORE INTO audits VALUES ('call', 'call {seat}', 1, 'then', 1)")
    execute(store, f"UPDATE audits SET count = {games} WHERE (kind, name) = ('table', 'matches')")
    execute(store, f"UPDATE audits SET game = {games}")


def test_every_part_of_the_table_is_told(club: Path) -> None:
    told = ask("audits", club, "--all").stdout
    assert told.startswith("3 games played to the end\n")
    for name in ("seat 1", "call 2", "red 3", "pad 4", "matches", "rounds"):
        assert f"\n  {name} " in told
    assert all(len(line) <= 80 for line in told.splitlines())
    assert rows(club)["table", "rounds"]["count"] == 5


def test_the_kinds_come_in_their_order_and_seats_by_number(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    counted = [("slot", "red 1"), *(("button", f"seat {n}") for n in (10, 9, 1)), ("table", "restarts")]
    counted += [("fault", "left lost"), ("noise", "red 1")]
    with writing(path) as (writer, _):
        for kind, name in counted:
            writer.put([("INSERT INTO audits VALUES (?, ?, 1, 'then', 0)", (kind, name))])
    names = [line[:24].strip() for line in ask("audits", path, "--all").stdout.splitlines()[1:] if line]
    assert names == [
        *("faults", "left lost", "disturbances on wires", "red 1", "the table", "restarts"),
        *("buttons", "seat 1", "seat 9", "seat 10", "slots", "red 1"),
    ]


def test_a_number_that_is_too_long_to_be_one_is_a_word(store: Path) -> None:
    execute(store, "UPDATE audits SET name = 'seat ' || printf('%05000d', 9) WHERE name = 'seat 1'")
    told = ask("audits", store, "--json")
    assert told.exit_code == 0
    names = [row["name"] for row in json.loads(told.stdout)["audits"] if row["kind"] == "button"]
    assert [name[:8] for name in names] == ["seat 000", "seat 1", "seat 2", "seat 3", "seat 4"]


def test_what_is_wrong_comes_first_and_the_rest_on_request(store: Path) -> None:
    execute(store, "DELETE FROM audits WHERE kind = 'noise'")  # of a die that a sleeve knocked off
    told = ask("audits", store).stdout
    assert [line.split()[0] for line in told.splitlines() if "games since" in line] == ["the"]
    assert re.search(r"\n\nno part needs a look; --all shows all \d+ parts\n$", told)
    after(store, 20)
    execute(store, "UPDATE audits SET game = 14 WHERE name = 'seat 3' AND kind = 'button'")
    execute(store, "INSERT INTO audits VALUES ('fault', 'left lost', 1, 'then', 20)")
    told = ask("audits", store).stdout
    headings = [line[:24].strip() for line in told.splitlines() if "games since" in line]
    assert headings == ["parts that need a look", "faults", "the table"]
    assert re.search(r"\n--all shows the other \d+ parts\n$", told)
    assert told.count("  idle\n") == 1
    more = ask("audits", store, "--all").stdout
    assert more.startswith(told[: told.index("\nidle: ")]) and "\nbuttons  " in more and "--all" not in more


def test_in_a_narrow_terminal_each_part_has_two_lines(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    after(store, 20)
    execute(
        store, "UPDATE audits SET game = 14, count = 7, last = '2026-11-18T20:01:26' WHERE name = 'seat 3'"
    )
    monkeypatch.setenv("COLUMNS", "40")
    told = ask("audits", store).stdout
    assert max(map(len, told.splitlines())) <= 40
    assert "\n  seat 3                        7  idle\n    2026-11-18 20:01:26, 6 games since\n" in told
    monkeypatch.setenv("COLUMNS", "200")
    assert "2026-11-18 20:01:26            6  idle\n" in ask("audits", store).stdout


def test_long_events_are_wrapped_in_a_terminal_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.db"
    with writing(path) as (writer, _):
        row = ("2026-11-18T20:00:00", "service", "so many words " * 9)
        writer.put([("INSERT INTO log (at, kind, text) VALUES (?, ?, ?)", row)])
    assert len(ask("audits", path, "--log", "1").stdout.splitlines()) == 1
    for columns in (40, 80):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = ask("audits", path, "--log", "1").stdout.splitlines()
        assert len(lines) > 1 and max(map(len, lines)) <= columns


def test_a_part_that_was_not_used_for_long_is_marked(store: Path) -> None:
    after(store, 20)
    execute(store, "UPDATE audits SET game = 14 WHERE name = 'seat 3' AND kind = 'button'")
    found = rows(store)
    assert [key for key, row in found.items() if row["idle"]] == [("button", "seat 3")]
    assert found["button", "seat 3"]["games_since"] == 6
    told = ask("audits", store).stdout
    (line,) = [line for line in told.splitlines() if line.endswith("  idle")]
    assert line.split()[:2] == ["seat", "3"]
    assert "\nidle: not used in more than 5 games while others like it were; look at it\n" in told


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("UPDATE audits SET game = 15 WHERE name = 'seat 3'", id="five games are not long"),
        # a table that plays cards for weeks needs no look at its slots
        pytest.param("UPDATE audits SET game = 1 WHERE kind = 'slot'", id="nobody used any of them"),
        pytest.param("INSERT INTO audits VALUES ('reader', 'pile 7', 1, 'then', 1)", id="a pile"),
        pytest.param("INSERT INTO audits VALUES ('fault', 'left lost', 1, 'then', 1)", id="what happened"),
    ],
)
def test_what_may_be_idle_is_not_marked(store: Path, change: str) -> None:
    after(store, 20)
    execute(store, change)
    assert not any(row["idle"] for row in rows(store).values())
    assert "idle" not in ask("audits", store).stdout


def test_a_part_that_was_never_used_at_all_is_marked(store: Path) -> None:
    after(store, 6)
    execute(store, "DELETE FROM audits WHERE name IN ('pad 2', 'call 1')")
    found = rows(store)
    assert [key for key, row in found.items() if row["idle"]] == [("call", "call 1"), ("reader", "pad 2")]
    assert found["reader", "pad 2"]["count"] == 0 and "never" in ask("audits", store).stdout


def test_the_parts_of_a_table_of_dice_with_readers(tmp_path: Path) -> None:
    from tests.store.parties import add_match

    path = add_match(tmp_path / "t.db", "dice4-rfid", 1, wrong=False)
    found = rows(path)
    assert {name for kind, name in found if kind == "reader"} >= {"red 1", "blue 6", "pad 1"}
    assert {name for kind, name in found if kind == "slot"} >= {"red 1", "blue 6"}
    assert not {name for kind, name in found if kind == "call"}


def test_an_empty_store(tmp_path: Path) -> None:
    with writing(tmp_path / "table.db") as (writer, _):
        writer.secure()
        assert writer.settle(10)
    assert ask("audits", tmp_path / "table.db").stdout == "0 games played to the end\n"
    assert json.loads(ask("audits", tmp_path / "table.db", "--json").stdout) == {"games": 0, "audits": []}


def test_the_last_events_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with writing(path) as (writer, _):
        for n in range(9):
            row = (f"2026-11-18T20:00:0{n}", "service", f"number {n}")
            writer.put([("INSERT INTO log (at, kind, text) VALUES (?, ?, ?)", row)])
    assert ask("audits", path, "--log", "2").stdout.splitlines() == [
        "2026-11-18 20:00:07  service   number 7",
        "2026-11-18 20:00:08  service   number 8",
    ]
    assert len(ask("audits", path, "--log", "99").stdout.splitlines()) == 9
    assert json.loads(ask("audits", path, "--log", "1", "--json").stdout) == [
        {"at": "2026-11-18T20:00:08", "kind": "service", "text": "number 8"}
    ]
