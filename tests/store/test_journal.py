"""What the journal has is what happened: lived through again it comes to the same, wherever it was cut."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware_host.model.effects import Judged
from firmware_host.model.events import Resume
from firmware_host.model.states import AwayReason, Phase
from firmware_host.model.times import S, exactly
from firmware_host.run.recorded_sessions import come_back, first_difference, replay, resume
from firmware_host.store.open_file import Row
from firmware_host.store.result_rows import Audits
from firmware_host.store.schema import connect, migrate
from firmware_host.store.store_reader import SessionLog, reading
from tests.store.parties import COARSE, Evening, add_match, evening
from tests.store.shelves import execute
from tests.thoroughness import some, tries

pytestmark = pytest.mark.no_cover  # what happens in a simulated match is chance

PROFILES = ["dice4", "cards4", "dice4-rfid", "cards2-piles"]
CUTS = tries(6, 12)


def now_text() -> str:
    return "2026-11-18T20:00:00"


def stored(path: Path) -> SessionLog:
    with reading(str(path)) as book:
        session_log = book.last_session()
    assert session_log is not None
    return session_log


def store_of(path: Path, rows: list[Row]) -> Path:
    """A store into which just these rows were written."""
    connection = connect(str(path))
    migrate(connection)
    connection.execute("BEGIN")
    for statement, values in rows:
        connection.execute(statement, values)
    connection.execute("COMMIT")
    connection.close()
    return path


def players_of(profile: str) -> int:
    return 2 if profile == "cards2-piles" else 4


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", some(1, [1, 2]))
def test_a_match_lived_through_again_comes_to_the_same(tmp_path: Path, profile: str, seed: int) -> None:
    with evening(tmp_path / "t.db", profile, seed, rounds=2, players=players_of(profile)) as people:
        people.play()
        session_log = stored(tmp_path / "t.db")
        again = replay(session_log, Audits(now_text), now_text)
        assert first_difference(session_log.decisions, again.journal.decisions) == ""
        assert len(again.journal.decisions) == len(session_log.decisions) > 50
        assert again.journal.shown.digest == people.playing.journal.shown.digest
        assert again.shell.referee.news.last_match == people.playing.shell.referee.news.last_match


def test_dead_heats_fall_to_the_same_seats_again(tmp_path: Path) -> None:
    path = add_match(tmp_path / "t.db", "dice4", 6, rounds=2, settings=COARSE)
    session_log = stored(path)
    assert any("TieBroken" in str(decision.effect) for decision in session_log.decisions)
    resume(session_log, Audits(now_text), now_text)


def test_a_session_of_an_earlier_version_goes_on_though_its_verdicts_name_no_rival(tmp_path: Path) -> None:
    path = add_match(tmp_path / "t.db", "dice4", 3, rounds=2, settings=COARSE)
    execute(path, "UPDATE effects SET text = json_remove(text, '$.rival_stamp')")
    session_log = stored(path)
    assert any(isinstance(each.effect, Judged) and each.effect.rival for each in session_log.decisions)
    resume(session_log, Audits(now_text), now_text)


@pytest.mark.parametrize("profile", PROFILES)
def test_wherever_it_is_cut_it_comes_to_what_was_known(tmp_path: Path, profile: str) -> None:
    with evening(tmp_path / "t.db", profile, 4, players=players_of(profile)) as people:
        people.play()
        rows = people.writer.rows
    chance = Random(f"cuts of {profile}")
    for cut in sorted(chance.sample(range(1, len(rows)), CUTS)):
        session_log = stored(store_of(tmp_path / f"{cut}.db", rows[:cut]))
        resumed = resume(session_log, Audits(now_text), now_text)
        assert len(resumed.journal.decisions) >= len(session_log.decisions)


def test_a_change_of_what_came_in_is_found(tmp_path: Path) -> None:
    """The comparison can fail: without half of the slaps it tells which decision is another one."""
    session_log = stored(add_match(tmp_path / "t.db", "dice4", 1))
    cut = session_log.entries[: len(session_log.entries) // 2]
    short = SessionLog(session_log.id, session_log.head, cut, session_log.decisions)
    again = replay(short, Audits(now_text), now_text)
    assert first_difference(session_log.decisions, again.journal.decisions).startswith("decision ")


def go_on_all_the_same(people: Evening) -> None:
    """Simulated people don't put things back; the operator lets the round go on as it is."""
    loop, shell = people.party.table.loop, people.playing.shell
    waited_ns = loop.now_ns + 20 * S
    people.go_on(lambda: shell.referee.session.phase is Phase.PLAY or loop.now_ns > waited_ns)
    if shell.referee.session.phase is Phase.PAUSED:
        shell.command(Resume(exactly(loop.now_ns)))


@pytest.mark.parametrize("profile", PROFILES)
def test_a_match_that_was_cut_goes_on_and_can_be_lived_through_as_a_whole(
    tmp_path: Path, profile: str
) -> None:
    """Twice the table is gone in the middle of a round; each time it comes back from the store."""
    chance = Random(f"cut {profile}")
    path = tmp_path / "t.db"
    with evening(path, profile, 5, rounds=2, players=players_of(profile)) as people:
        for _ in range(2):
            people.go_on(lambda: people.playing.shell.referee.session.phase is Phase.PLAY)
            steps = chance.randrange(200)
            for _ in range(steps):
                people.party.table.loop.step()
            people.playing.journal.flush()
            assert people.writer.settle(20)
            resumed = resume(stored(path), people.audits, now_text)
            people.seat(resumed)
            come_back(resumed.shell, people.party.table.loop, AwayReason.POWER)
            go_on_all_the_same(people)
        people.play()
        digest = people.playing.journal.shown.digest
    session_log = stored(path)
    again = resume(session_log, Audits(now_text), now_text)
    assert again.journal.shown.digest == digest
    told = [type(decision.effect).__name__ for decision in session_log.decisions]
    assert told.count("WasInterrupted") == 2 and told.count("MatchEnded") == 1
