"""The harness sees what it is there to see: each thing that could be lost, taken away on purpose."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.lab.surface import ShownPage
from tests.crash.evening import Blow, Evening, Failed, How, Rig
from tests.crash.evidence import look_into
from tests.crash.people import first_untold
from tests.crash.plans import MatchPlan, plan_match


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    """A match that was played to its end without any blow."""
    rig = Rig(tmp_path_factory.mktemp("evening"), plan_match("dice", 3), 1)
    try:
        Evening(rig, []).play()
        assert rig.end() == 0
        yield rig
    finally:
        rig.close()


@pytest.fixture
def store(played: Rig, tmp_path: Path) -> Path:
    """Its store, to be tampered with."""
    return Path(shutil.copy(played.store, tmp_path / "table.db"))


def change(store: Path, statement: str) -> None:
    connection = sqlite3.connect(store)
    with connection:
        assert connection.execute(statement).rowcount > 0
    connection.close()


def faults(store: Path, rig: Rig, plan: MatchPlan | None = None) -> list[str]:
    return look_into(store, plan or rig.plan, rig.surface.display.history, damaged=False).faults


def test_a_match_that_nobody_disturbs_is_right(played: Rig, store: Path) -> None:
    assert faults(store, played) == []
    diary = played.people.diary
    assert diary.complaints == [] and diary.begun == 1 and diary.over
    rivals = sum(bool(play.rival) for each in played.plan.rounds for play in each.plays)
    assert diary.rivals == rivals > 0
    assert played.starts == 1 and played.is_dark


def test_a_verdict_that_is_not_written(played: Rig, store: Path) -> None:
    number = "(SELECT min(n) FROM effects WHERE text LIKE '%accepted%')"
    change(store, f"DELETE FROM effects WHERE n = {number}")
    found = faults(store, played)
    assert any("is not in the journal" in fault for fault in found)
    assert any(fault.startswith("decision ") and "is missing" in fault for fault in found)


def test_an_input_that_is_not_written(played: Rig, store: Path) -> None:
    change(store, "DELETE FROM inputs WHERE n = (SELECT max(n) / 2 FROM inputs)")
    found = faults(store, played)
    assert any(fault.startswith("input ") and "is missing" in fault for fault in found)


def test_a_round_that_is_written_twice(played: Rig, store: Path) -> None:
    columns = (
        "session, match, number, begun, ended, state, first_effect, last_effect, finisher, seats, leftovers"
    )
    change(
        store,
        f"INSERT INTO rounds ({columns}, scores, totals, attempt) "
        f"SELECT {columns}, scores, totals, 9 FROM rounds WHERE number = 1",
    )
    assert any(fault.startswith("rounds are") for fault in faults(store, played))


def test_other_standings_than_those_that_were_planned(played: Rig, store: Path) -> None:
    first, *others = played.plan.rounds
    other = replace(played.plan, rounds=(replace(first, scores=(9, 9, 9, 9)), *others))
    found = faults(store, played, other)
    assert any(fault.startswith("the match ended") for fault in found)
    assert any(fault.startswith("rounds are") for fault in found)


def test_a_match_that_is_not_finished(played: Rig, store: Path) -> None:
    change(store, "UPDATE matches SET state = 'running'")
    assert faults(store, played) == ["no match is finished: ['running']"]


def page(t_s: float, first: str, daemon: int = 1) -> ShownPage:
    return ShownPage(int(t_s * 1e9), daemon, (first, "1:2 2:3"))


def test_verdicts_in_the_wrong_order() -> None:
    pages = [page(1, "1 counts red 1"), page(9, "2 counts red 2")]
    assert first_untold(pages, ["1 counts red 1", "2 counts red 2"]) is None
    assert first_untold(pages, ["2 counts red 2", "1 counts red 1"]) is not None


def test_a_verdict_may_come_back_for_a_moment_but_not_later() -> None:
    told = ["1 counts red 1", "2: not your card"]
    pages = [page(1, told[0]), page(1.5, told[1])]
    assert first_untold([*pages, page(2, told[0])], told) is None
    assert first_untold([*pages, page(8, told[0])], told) is not None
    assert first_untold([*pages, page(8, told[0], daemon=2)], told) is None


def test_a_daemon_that_ends_by_itself_is_noticed(tmp_path: Path) -> None:
    rig = Rig(tmp_path, plan_match("dice", 3), 1)
    try:
        evening = Evening(rig, [Blow(How.WAITING, messages=2000)])
        evening.on_message = lambda number: rig.send(9) if number == 40 else None
        with pytest.raises(Failed, match="the daemon ended with -9, after None"):
            evening.play()
    finally:
        rig.close()
