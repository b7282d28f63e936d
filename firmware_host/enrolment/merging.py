"""Two tags files as one, and what makes them differ."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.config.tags import Registry
from firmware_host.enrolment.book import Book
from firmware_host.errors import BadSettings
from firmware_host.tag_text import format_tag


class Difference(NamedTuple):
    """How many cards and faces have a tag, another tag or no tag now, and how many are as they were."""

    added: int
    changed: int
    removed: int
    same: int

    def __str__(self) -> str:
        return f"{self.added} new, {self.changed} changed, {self.removed} gone, {self.same} as before"


def merged(book: Book, other: Book) -> Book:
    """The book with the other's tags added; BadSettings names every line that contradicts it."""
    faults = []
    for uid, item in other.registry.items():
        where = f"{other.name}:{other.line_of(uid)}"
        known, taken = book.registry.get(uid), book.uid_of(item)
        if known is not None and known != item:
            theirs = f"'{format_tag(known)}' in {book.name}:{book.line_of(uid)}"
            faults.append(f"{where}: {uid} is '{format_tag(item)}' here, but {theirs}")
        elif taken is not None and taken != uid:
            theirs = f"{taken} in {book.name}:{book.line_of(taken)}"
            faults.append(f"{where}: '{format_tag(item)}' is {uid} here, but {theirs}")
    if faults:
        raise BadSettings(faults)
    for uid, item in other.registry.items():
        book = book.with_tag(uid, item)
    return book


def difference(before: Registry, after: Registry) -> Difference:
    """What has changed for the cards and faces."""
    old = {item: uid for uid, item in before.items()}
    new = {item: uid for uid, item in after.items()}
    both = old.keys() & new.keys()
    changed = sum(old[item] != new[item] for item in both)
    return Difference(len(new) - len(both), changed, len(old) - len(both), len(both) - changed)
