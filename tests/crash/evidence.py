"""What must be true of an evening when it is over, whatever has happened in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from firmware_host.lab.surface import ShownPage
from firmware_host.model.effects import RoundScored
from firmware_host.model.errors import DamagedRecord
from firmware_host.run.recorded_sessions import first_difference, replay
from firmware_host.store.raw_file import opened_to_read
from firmware_host.store.result_rows import Audits
from firmware_host.store.store_reader import SessionLog, StoreReader, reading
from tests.crash.people import first_untold, told
from tests.crash.plans import MatchPlan

COLUMNS = 20


@dataclass(frozen=True, slots=True)
class Found:
    """What the store has, and what is wrong with it."""

    session_logs: int
    verdicts: int
    faults: list[str]


def look_into(store: Path, plan: MatchPlan, pages: list[ShownPage], *, damaged: bool) -> Found:
    """Check the store against the plan and against what was shown.

    Of a store that was damaged the last match must be right; what was before may be gone.
    """
    with reading(str(store)) as book:
        session_logs, faults = _sessions(book, store)
        faults += [
            fault for session_log in session_logs[-1 if damaged else 0 :] for fault in _replayed(session_log)
        ]
        faults += _match_rows(book, plan, damaged)
        faults += [] if damaged else list(book.losses)
    decisions = [decision for session_log in session_logs for decision in session_log.decisions]
    texts = told(decisions, COLUMNS, by_pads=plan.game == "cards")
    if not damaged:
        untold = first_untold(pages, texts)
        faults += [untold] if untold else []
        scored = Counter(
            decision.effect.number for decision in decisions if isinstance(decision.effect, RoundScored)
        )
        if scored != Counter(range(1, len(plan.rounds) + 1)):
            faults.append(f"rounds were scored so often: {dict(scored)}")
    return Found(len(session_logs), len(texts), faults)


def _sessions(book: StoreReader, store: Path) -> tuple[list[SessionLog], list[str]]:
    """All sessions that can be read, and why the others can't."""
    session_logs, faults = [], []
    for id in session_ids(store):
        try:
            session_logs.append(book.session_log(id))
        except DamagedRecord as error:
            faults.append(str(error))
    return session_logs, faults


def session_ids(store: Path) -> list[int]:
    """All sessions of a store, the oldest first."""
    with opened_to_read(str(store)) as connection:
        return [id for (id,) in connection.execute("SELECT id FROM sessions ORDER BY n")]


def _replayed(session_log: SessionLog) -> list[str]:
    """Whether the inputs of a session come to what was decided in it."""
    lived = replay(session_log, Audits(str), str).journal.decisions
    difference = first_difference(session_log.decisions, lived)
    return [f"session {session_log.id} replays otherwise: {difference}"] if difference else []


def _match_rows(book: StoreReader, plan: MatchPlan, damaged: bool) -> list[str]:
    """Whether the last match is written as it was planned, with each of its rounds once."""
    faults = []
    matches = book.matches()
    finished = [match for match in matches if match.state == "finished"]
    if not finished:
        return [f"no match is finished: {[match.state for match in matches]}"]
    last = finished[-1]
    if (last.totals, last.winners) != (plan.totals, plan.winners):
        faults.append(
            f"the match ended {last.totals}, {last.winners} instead of {plan.totals}, {plan.winners}"
        )
    rounds = [each for each in reversed(book.rounds(1000)) if each.session == last.session]
    rounds = [each for each in rounds if each.match == last.number]
    scored = [(each.number, each.scores) for each in rounds if each.state == "scored"]
    wanted = [(number, each.scores) for number, each in enumerate(plan.rounds, start=1)]
    if scored != wanted:
        faults.append(f"rounds are {scored} instead of {wanted}")
    if not damaged:
        if len(matches) != 1 or len(rounds) != len(plan.rounds):
            states = [(each.attempt, each.number, each.state) for each in rounds]
            faults.append(f"{len(matches)} matches, and rounds {states}")
        if last.game != plan.game or len(last.seats) != len(plan.totals):
            faults.append(f"the match is of {last.game}, seats {last.seats}")
    return faults
