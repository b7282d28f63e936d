"""What is enrolled, what is missing, and what does not belong to the table, in a few lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from firmware_host.config.tags import Enrolled
from firmware_host.places import Card, Colour, DieFace
from firmware_host.show.lines import seat_ranges

ALL, NONE = "all", "-"

Row = tuple[str, ...]


def overview(items: Sequence[Enrolled], told: Collection[Enrolled], *, skip_empty: bool = False) -> list[str]:
    """A table of seats and dice: which of the items are among `told`.

    `skip_empty` leaves out seats and dice of which there is none.
    """
    cards = [item for item in items if isinstance(item, Card)]
    faces = [item for item in items if isinstance(item, DieFace)]
    sheets = []
    if cards:
        sheets.append([("", *(colour.word for colour in Colour)), *_card_rows(cards, told)])
    if faces:
        sheets.append([("", "faces"), *_die_rows(faces, told)])
    lines = []
    for head, *rows in sheets:
        shown = [row for row in rows if not skip_empty or any(cell != NONE for cell in row[1:])]
        if shown:
            lines += _aligned([head, *shown])
    return lines


def strangers(
    items: Collection[Enrolled], tags: Mapping[str, Enrolled], lines: Mapping[str, int]
) -> list[str]:
    """What the table does not need, by seat, die or game; each begins with the lines in which it stands."""
    kinds = {type(item) for item in items}
    found: dict[str, list[int]] = {}
    for uid, item in tags.items():
        if item in items:
            continue
        if type(item) not in kinds:
            what = "cards" if isinstance(item, Card) else "dice"
            why = f"tags of {what}, which are not played with at this table"
        else:  # cards: who plays with dice needs all dice that there are
            why = f"tags of seat {item[0]}, which this table does not have"
        found.setdefault(why, []).append(lines[uid])
    return [f"{seat_ranges(where).replace(' ', ',')}: {why}" for why, where in found.items()]


def _card_rows(cards: Iterable[Card], told: Collection[Enrolled]) -> list[Row]:
    rows = []
    for seat, of_seat in groupby(cards, lambda card: card.seat):
        own = list(of_seat)
        cells = [_cell([card for card in own if card.colour is colour], told) for colour in Colour]
        rows.append((f"seat {seat}", *cells))
    return rows


def _die_rows(faces: Iterable[DieFace], told: Collection[Enrolled]) -> list[Row]:
    """A row for each die; neighbours of which the same is to be told share one."""
    rows: list[Row] = []
    cells = [(die, _cell(list(own), told)) for die, own in groupby(faces, lambda face: face.die)]
    for cell, alike in groupby(cells, lambda each: each[1]):
        dice = [die for die, _ in alike]
        rows.append((f"{'die' if len(dice) == 1 else 'dice'} {seat_ranges(dice)}", cell))
    return rows


def _cell(items: Sequence[Enrolled], told: Collection[Enrolled]) -> str:
    numbers = [item[-1] for item in items if item in told]
    if not numbers:
        return NONE
    return ALL if len(numbers) == len(items) else seat_ranges(numbers)


def _aligned(rows: Sequence[Row]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
