"""What must be true of an evening when it is over, whatever has happened in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from firmware_host.effects import RoundScored
from firmware_host.errors import DamagedRecord
from firmware_host.runtime.chapters import first_difference, replay
from firmware_host.simulation.world.ground import ShownPage
from firmware_host.store.audits import Audits
from firmware_host.store.book import Book, Chapter, reading
from firmware_host.store.copies import opened_to_read
from tests.crash.pages import first_untold, told
from tests.crash.plans import MatchPlan

COLUMNS = 20


@dataclass(frozen=True, slots=True)
class Found:
    """What the store has, and what is wrong with it."""

    chapters: int
    verdicts: int
    faults: list[str]


def look_into(store: Path, plan: MatchPlan, pages: list[ShownPage], *, damaged: bool) -> Found:
    """Check the store against the plan and against what was shown.

    Of a store that was damaged the last match must be right; what was before may be gone.
    """
    with reading(str(store)) as book:
        chapters, faults = _chapters(book, store)
        faults += [fault for chapter in chapters[-1 if damaged else 0 :] for fault in _replayed(chapter)]
        faults += _match_rows(book, plan, damaged)
        faults += [] if damaged else list(book.losses)
    decisions = [decision for chapter in chapters for decision in chapter.decisions]
    texts = told(decisions, COLUMNS, by_pads=plan.game == "cards")
    if not damaged:
        untold = first_untold(pages, texts)
        faults += [untold] if untold else []
        scored = Counter(
            decision.effect.number for decision in decisions if isinstance(decision.effect, RoundScored)
        )
        if scored != Counter(range(1, len(plan.rounds) + 1)):
            faults.append(f"rounds were scored so often: {dict(scored)}")
    return Found(len(chapters), len(texts), faults)


def _chapters(book: Book, store: Path) -> tuple[list[Chapter], list[str]]:
    """All chapters that can be read, and why the others can't."""
    chapters, faults = [], []
    for id in chapter_ids(store):
        try:
            chapters.append(book.chapter(id))
        except DamagedRecord as error:
            faults.append(str(error))
    return chapters, faults


def chapter_ids(store: Path) -> list[int]:
    """All chapters of a store, the oldest first."""
    with opened_to_read(str(store)) as connection:
        return [id for (id,) in connection.execute("SELECT id FROM chapters ORDER BY n")]


def _replayed(chapter: Chapter) -> list[str]:
    """Whether the inputs of a chapter come to what was decided in it."""
    lived = replay(chapter, Audits(str), str).journal.lived
    difference = first_difference(chapter.decisions, lived)
    return [f"chapter {chapter.id} replays otherwise: {difference}"] if difference else []


def _match_rows(book: Book, plan: MatchPlan, damaged: bool) -> list[str]:
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
    rounds = [each for each in reversed(book.rounds(1000)) if each.chapter == last.chapter]
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
