"""`players`: standings, and what is corrected in them, with and without a running table."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.feed_client import FeedReader
from firmware_host.store.store_reader import reading
from tests.cli.commands import run
from tests.cli.stores import ask
from tests.lab.cli.test_run_simulated import Run, folder, start
from tests.store.shelves import wait_for

__all__ = ["folder", "start"]


@pytest.fixture
def store(club: Path, tmp_path: Path) -> Path:
    """A copy that may be changed."""
    path = tmp_path / "own" / "table.db"
    path.parent.mkdir()
    path.write_bytes(club.read_bytes())
    return path


def change(store: Path, *words: str) -> str:
    result = run("players", "--store", str(store), *words)
    assert result.exit_code == 0, result.output
    return result.output


def refused(store: Path, *words: str) -> str:
    before = record(store)
    result = run("players", "--store", str(store), *words)
    assert result.exit_code == 2
    assert record(store) == before
    return result.stderr.removeprefix("ligretto-table: ").rstrip()


def record(store: Path, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ask("players", store, "--json", *options).stdout)
    return found


def sat(store: Path) -> list[tuple[int, int, str]]:
    found = record(store)
    names = {each["player"]: each["name"] for each in found["players"]}
    return [(each["match"], each["seat"], names[each["player"]]) for each in found["matches"]]


# -- the list


def test_the_standings_are_by_game_best_first(club: Path) -> None:
    lines = ask("players", club).stdout.splitlines()
    assert [line for line in lines if line.endswith("all time")] == ["cards, all time", "dice, all time"]
    dice = lines[lines.index("dice, all time") + 1 :]
    assert dice[0].split() == ["no", "name", "matches", "won", "rounds", "ended", "points", "best"]
    rows = [line.split() for line in dice[1:3]]
    assert {row[1] for row in rows} == {"Anna", "Ben"} and [row[2] for row in rows] == ["2", "2"]
    assert int(rows[0][3]) >= int(rows[1][3])
    assert lines[-1] == "without a match to the end: 3: Wilhelmina"
    assert all(len(line) <= 80 for line in lines)


def test_a_day_and_an_event_have_their_own(club: Path) -> None:
    assert "dice, 2026-11-17" in ask("players", club, "--day", "2026-11-17").stdout
    told = ask("players", club, "--event", "Club evening").stdout
    assert told.startswith("dice, event 'Club evening'\n") and "cards" not in told and "without" not in told
    assert (
        "no player has played a match to the end, 2020-01-01"
        in ask("players", club, "--day", "2020-01-01").stdout
    )


def test_programs_get_all_of_it(club: Path) -> None:
    found = record(club)
    assert found["players"][2] == {"player": 3, "name": "Wilhelmina"}
    assert {each["scope"] for each in found["standings"]} == {"day", "event", "all"}
    assert {each["scope"] for each in record(club, "--day", "2026-11-17")["standings"]} == {"day"}
    assert len(found["matches"]) == 5 and found["seats"] == {}


def test_a_narrow_terminal_has_less_in_a_line(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = ask("players", club).stdout.splitlines()
    assert "   1  Anna:" in "\n".join(lines) and all(len(line) <= 42 for line in lines)


# -- corrections in a store that no table uses


def test_a_player_gets_another_name(store: Path) -> None:
    assert change(store, "rename", "anna", "Anna Maria") == "done\n"
    change(store, "rename", "2", "Benno")
    assert sat(store)[:2] == [(1, 1, "Anna Maria"), (1, 2, "Benno")]


def test_two_become_one(store: Path) -> None:
    change(store, "correct", "1", "4", "Ana")
    change(store, "correct", "1", "1")
    change(store, "merge", "Ana", "Anna")
    assert sat(store) == [(1, 2, "Ben"), (1, 4, "Anna"), (2, 1, "Ben"), (2, 3, "Anna"), (3, 4, "Anna")]


def test_a_result_is_corrected(store: Path) -> None:
    change(store, "correct", "3", "1", "Wilhelmina")
    change(store, "correct", "3", "4")
    change(store, "correct", "3", "2", "2")
    assert sat(store)[4:] == [(3, 1, "Wilhelmina"), (3, 2, "Ben")]


def test_a_player_who_is_deleted_leaves_no_trace(store: Path) -> None:
    assert b"Anna" in store.read_bytes()
    change(store, "delete", "Anna")
    assert sat(store) == [(1, 2, "Ben"), (2, 1, "Ben")]
    assert not any(b"Anna" in each.read_bytes() for each in store.parent.iterdir())
    with reading(str(store)) as book:
        assert len(book.matches()) == 3 and book.next_player == 4


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("rename", "Zoe", "Eva"), "there is no player 'Zoe'; ligretto-table players lists them"),
        (("rename", "Anna", "ben"), "ben is player 2; if both are the same, merge them"),
        (("rename", "Anna", "7"), "a name is more than a number"),
        (("merge", "Anna", "Ben"), "they have played against each other in match 1, so they are two people"),
        (("merge", "Anna", "9"), "there is no player '9'; ligretto-table players lists them"),
        (("delete", "4"), "there is no player '4'; ligretto-table players lists them"),
        (
            ("correct", "9", "1", "Eva"),
            "there is no match 9; ligretto-table export --what matches lists them",
        ),
        (("correct", "1", "7", "Eva"), "nobody sat at seat 7 in match 1; seats that played: 1, 2, 3, 4"),
        (("correct", "1", "1", "E\x1bva"), "a name has only letters and signs that can be seen"),
        (("--json", "delete", "Anna"), "--day, --event and --json are for the list of players"),
    ],
)
def test_what_can_not_be_is_said(store: Path, words: tuple[str, ...], why: str) -> None:
    assert refused(store, *words) == why


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.db"
    result = run("players", "--store", str(path), "delete", "Anna")
    assert result.exit_code == 2 and "there is no store yet" in result.stderr and not path.exists()


# -- with a table that runs


def test_a_whole_evening_with_names(start: Callable[..., Run], folder: Path) -> None:
    """Names are given while people play, survive a kill, count in the standings, and are deleted."""
    (folder.parent / "table.toml").write_text('wiring = "dice4"\nrounds = 2\nhandicap = [3, 3, 3, 3]\n')
    played = ("--config", "table.toml", "--speed", "20")
    table = start(*played)
    table.until(lambda _: table.page["phase"] == "play")
    for seat, name in ((1, "Anna"), (2, "Ben Müller"), (3, "Wilhelmina")):
        assert run("tell", "name", str(seat), name).exit_code == 0
    taken = run("tell", "name", "4", "anna")
    assert taken.exit_code == 1 and "Anna sits at seat 1" in taken.stderr
    feed = FeedReader(folder / "feed.sock")
    next(each for each in feed if each["is"] == "snapshot")
    assert [feed.state["seats"][seat].get("name") for seat in "1234"] == [
        "Anna",
        "Ben Müller",
        "Wilhelmina",
        None,
    ]
    feed.close()
    table.process.kill()
    table.process.wait()

    table = start(*played)
    table.until(lambda _: table.page["pid"] == table.process.pid and table.page["phase"] == "play")
    told = run("tell", "names")
    assert (
        told.stdout
        == "done\nseat 1: Anna (player 1)\nseat 2: Ben Müller (player 2)\nseat 3: Wilhelmina (player 3)\n"
    )
    assert run("tell", "set", "player-names", "off").exit_code == 0
    feed = FeedReader(folder / "feed.sock")
    next(each for each in feed if each["is"] == "snapshot")
    assert not any("name" in seat for seat in feed.state["seats"].values())
    assert feed.state["table"]["names_hidden"] is True
    feed.close()
    table.until(lambda _: json.loads(run("players", "--json").stdout)["standings"])
    found = json.loads(run("players", "--json").stdout)
    assert {each["player"] for each in found["standings"]} == {1, 2, 3}
    assert [each["matches"] for each in found["standings"] if each["scope"] == "all"] == [1, 1, 1]
    match = found["matches"][0]["match"]

    assert run("players", "correct", str(match), "4", "Dora").stdout == "done\n"
    assert run("players", "rename", "Ben Müller", "Benno").stdout == "done\n"
    assert run("players", "delete", "Wilhelmina").stdout == "done\n"
    store = folder / "simulated.db"
    wait_for(lambda: not any(b"Wilhelmina" in each.read_bytes() for each in store_files(folder)))
    with reading(str(store)) as book:
        assert book.players() == {1: "Anna", 2: "Benno", 4: "Dora"}
    assert table.end(signal.SIGTERM) == 0
    assert not any(name in table.said for name in ("Anna", "Ben", "Wilhelmina", "Dora"))
    assert "told: name 1 …" in table.said
    with reading(str(store)) as book:
        assert not any("Anna" in text for _, _, text in book.log())


def store_files(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if each.name.startswith("simulated.db")]
