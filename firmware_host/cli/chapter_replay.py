"""A chapter of the store lived through once more, and compared with what was decided and shown then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import click

from firmware_host import __version__
from firmware_host.cli.telling import tell_line
from firmware_host.config.files import Unreadable
from firmware_host.durations import format_seconds
from firmware_host.errors import BadSettings, DamagedRecord, TableError
from firmware_host.runtime.chapters import first_difference, replay
from firmware_host.runtime.input_files import read_start
from firmware_host.store.audits import Audits
from firmware_host.store.book import Book, Chapter, Decision, NotWritten, reading

IDENTICAL, DIFFERENT = 0, 1
_MAGIC = b"SQLite format 3\0"


class NotKept(TableError):
    """What came in and was decided in a chapter is not kept any more."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which chapter: by its number, by one of its rounds, or the last one."""

    chapter: int | None = None
    round: int | None = None


def is_store(path: Path) -> bool:
    """Whether this file is a store and no text."""
    try:
        return read_start(path, len(_MAGIC)) == _MAGIC
    except Unreadable:
        return False


def replay_chapter(path: str, chosen: Chosen, say: Callable[[Decision], None] | None) -> int:
    """Live through a chapter again and tell whether it came to the same; the exit code."""
    with reading(path) as book:
        number, chapter = _chapter(book, chosen)
    if not chapter.decisions:  # it began with one
        raise NotKept(
            f"{path}: chapter {number}: what was decided in it is not kept any more, so nothing can be "
            "compared; `keep-rounds` in [store] says for how long it is"
        )
    playing = replay(chapter, Audits(_now_text), _now_text)
    lived = playing.journal.lived
    if say is not None:
        for decision in lived[: len(chapter.decisions)]:
            say(decision)
    difference = first_difference(chapter.decisions, lived)
    versions = f"; it was written by {chapter.head.version}, and this is {__version__}"
    other = versions if chapter.head.version != __version__ else ""
    if difference:
        click.echo(f"{path}: chapter {number}: {difference}{other}", err=True)
        return DIFFERENT
    digests = sum(decision.shown is not None for decision in chapter.decisions)
    click.echo(
        f"{path}: chapter {number}: identical: {len(chapter.decisions)} decisions from "
        f"{len(chapter.entries)} inputs, {digests} digests of frames and pages"
    )
    return IDENTICAL


def tell_decision(decision: Decision) -> None:
    """One line for a decision."""
    click.echo(f"{format_seconds(decision.t_ns):>18}  {tell_line(decision.effect)}")
    if decision.shown is not None:
        click.echo(f"{'':>18}  shown by then: {decision.shown}")


def _chapter(book: Book, chosen: Chosen) -> tuple[int, Chapter]:
    numbers = book.chapters()
    if not numbers:
        for words in book.losses:
            raise DamagedRecord(words)
        raise NotWritten("the store is empty: nothing was played yet")
    number = chosen.chapter
    if chosen.round is not None:
        of_round = book.round(chosen.round).chapter
        number = next((n for n, id in numbers.items() if id == of_round), None)
        if number is None:
            raise DamagedRecord(f"the store does not say any more which chapter round {chosen.round} was in")
    if number is None:
        number = max(numbers)
    if number not in numbers:
        raise BadSettings([f"the store has no chapter {number}; the last one is {max(numbers)}"])
    return number, book.chapter(numbers[number])


def _now_text() -> str:
    return datetime.now().isoformat(timespec="seconds")
