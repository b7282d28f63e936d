"""The tags that are enrolled, those that are missing, and those of no use at this table, in a few lines."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from firmware_host.config.tags import Enrolled
from firmware_host.places import Card, Colour, DieFace
from firmware_host.show.lines import seat_ranges

ALL, NONE = "all", "-"


def overview(
    items: Sequence[Enrolled], shown: Collection[Enrolled], *, skip_empty: bool = False
) -> list[str]:
    """A table of seats and one of dice: which of the `items` that a table needs are among `shown`.

    `skip_empty` leaves out the rows without any.
    """
    lines = []
    for head, rows in (
        (("", *(colour.word for colour in Colour)), _card_rows(items, shown)),
        (("", "faces"), _die_rows(items, shown)),
    ):
        rows = [row for row in rows if not skip_empty or {*row[1:]} != {NONE}]
        if rows:
            lines += _aligned([head, *rows])
    return lines


def strangers(
    items: Collection[Enrolled], tags: Mapping[str, Enrolled], lines: Mapping[str, int]
) -> list[str]:
    """The tags that the table does not need, by seat or game; each text begins with their lines."""
    kinds = {type(item) for item in items}
    found: dict[str, list[int]] = {}
    for uid, item in tags.items():
        if item in items:
            continue
        if type(item) not in kinds:
            what = "cards" if isinstance(item, Card) else "dice"
            why = f"tags of {what}, which are not played with at this table"
        else:  # a card: a table that plays with dice needs all of them
            why = f"tags of seat {item[0]}, which this table does not have"
        found.setdefault(why, []).append(lines[uid])
    return [f"{seat_ranges(where).replace(' ', ',')}: {why}" for why, where in found.items()]


def _card_rows(items: Sequence[Enrolled], shown: Collection[Enrolled]) -> list[tuple[str, ...]]:
    """A row for each seat."""
    rows = []
    cards = (item for item in items if isinstance(item, Card))
    for seat, own in groupby(cards, lambda card: card.seat):
        sets = groupby(own, lambda card: card.colour)
        rows.append((f"seat {seat}", *(_cell(list(each), shown) for _, each in sets)))
    return rows


def _die_rows(items: Sequence[Enrolled], shown: Collection[Enrolled]) -> list[tuple[str, ...]]:
    """A row for each die; neighbours with the same cell share one."""
    faces = groupby((item for item in items if isinstance(item, DieFace)), lambda face: face.die)
    cells = [(die, _cell(list(own), shown)) for die, own in faces]
    rows: list[tuple[str, ...]] = []
    for cell, alike in groupby(cells, lambda each: each[1]):
        dice = [die for die, _ in alike]
        rows.append((f"{'die' if len(dice) == 1 else 'dice'} {seat_ranges(dice)}", cell))
    return rows


def _cell(items: Sequence[Enrolled], shown: Collection[Enrolled]) -> str:
    numbers = [item[-1] for item in items if item in shown]
    if not numbers:
        return NONE
    return ALL if len(numbers) == len(items) else seat_ranges(numbers)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
