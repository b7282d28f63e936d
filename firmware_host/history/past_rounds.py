"""Rounds of a store: their stories, their photo finishes, and what is known of them in plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from firmware_host.history.contests import contests
from firmware_host.history.finish import Finish, finish_id, finish_of
from firmware_host.history.round_account import StoredRound, is_last
from firmware_host.history.story import Story, tell_story
from firmware_host.store.rows import RoundRow
from firmware_host.store.store_reader import EVERY, StoreReader


def story_of(book: StoreReader, row: RoundRow) -> Story | None:
    """What was decided in a round; None if that is not kept any more."""
    decided = book.numbered(row.session_log, book.before(row), row.last_effect)
    return tell_story([(n, each.t_ns, each.effect) for n, each in decided])


def finishes_of(book: StoreReader, row: RoundRow, story: Story) -> tuple[Finish, ...]:
    """The photo finishes of a round. Who arrived first is known as long as the inputs are kept."""
    found = contests(story.verdicts)
    if not found:
        return ()
    from_ns, to_ns = (min(each.hull.earliest_ns for each in found), story.last_ns)
    arrivals = book.arrivals(row.session_log, from_ns, to_ns)
    return tuple(
        finish_of(contest, row.session_log, arrivals, row.number, story.start_ns) for contest in found
    )


def stored_round(book: StoreReader, n: int, with_finishes: bool = False) -> StoredRound:
    """The round with that number, with what was decided in it."""
    row = book.round(n)
    story = story_of(book, row)
    matches = {(match.session_log, match.number): match.n for match in book.matches()}
    return StoredRound(
        row,
        next((number for number, id in book.session_logs().items() if id == row.session_log), None),
        matches.get((row.session_log, row.match)),
        story,
        book.has_inputs(row.session_log),
        is_last(book, row),
        damaged=bool(book.losses),
        finishes=finishes_of(book, row, story) if with_finishes and story is not None else (),
    )


def stored_finish(book: StoreReader, session_log: int, n: int) -> Finish | None:
    """The photo finish of the contest that this verdict has won; None if there is none."""
    rows = (row for row in book.rounds(EVERY) if row.session_log == session_log and row.holds(n))
    row = next(rows, None)
    story = None if row is None else story_of(book, row)
    if row is None or story is None:
        return None
    found = finishes_of(book, row, story)
    return next((each for each in found if each.id == finish_id(session_log, n)), None)


def last_finishes(book: StoreReader, most: int, rounds: int = 20) -> tuple[Finish, ...]:
    """The last contests of the last rounds, oldest first; what can't be read is left out."""
    found: list[Finish] = []
    for row in book.rounds(rounds):
        story = story_of(book, row)
        if story is not None:
            found = [*finishes_of(book, row, story), *found]
        if len(found) >= most:
            break
    return tuple(found[-most:])


def list_record(book: StoreReader, most: int) -> list[dict[str, Any]]:
    """The last rounds, the last one first."""
    return [row_record(book, row) for row in book.rounds(most)]


def row_record(book: StoreReader, row: RoundRow) -> dict[str, Any]:
    """What is known of a round without its decisions."""
    record = asdict(row)
    id = record.pop("session_log")
    number = next((n for n, each in book.session_logs().items() if each == id), None)
    reason, seats = record.pop("void_reason"), list(record.pop("void_seats"))
    voided = None if reason is None else {"reason": reason, "seats": seats}
    return record | {"round": row.n, "chapter": number, "voided": voided}
