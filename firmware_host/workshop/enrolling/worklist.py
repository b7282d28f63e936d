"""The cards and faces to be enrolled: which one comes next, and which tags they have.

An item is open as long as it has no tag and was not skipped. With `again` an item with a tag is open, too,
until it is kept. The next item is the first open one after the present one. After the last item the
search starts at the front, so an item that has lost its tag to another one is asked for again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, product

from firmware_host.model.errors import BadSettings
from firmware_host.model.places import CARD_NUMBERS, DICE, FACES, Card, Colour, DieFace, format_tag
from firmware_host.model.plain_text import shortened, whole_number
from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import HEADER, Enrolled, Registry, parse_registry
from firmware_host.show.pages import seat_ranges


class Worklist:
    """The items in their order, and the text of the registry in `text`."""

    def __init__(self, items: Sequence[Enrolled], text: RegistryText, *, again: bool = False) -> None:
        self.items = tuple(item for item in items if again or text.uid_of(item) is None)
        self.text = text
        self.asked: Enrolled | None = self.items[0] if self.items else None
        self._again = again
        self._went_back = False
        self._skipped: set[Enrolled] = set()
        self._kept: set[Enrolled] = set()
        self._history: list[Enrolled] = []  # kept or skipped

    @property
    def wanted(self) -> Enrolled:
        """The item that is asked for; there must be one."""
        assert self.asked is not None, "nothing is asked for after the end"
        return self.asked

    @property
    def number(self) -> int:
        """The number of the item that is asked for, counted from 1."""
        return self.items.index(self.wanted) + 1

    @property
    def left(self) -> int:
        """How many items have no tag."""
        return len(set(self.items) - set(self.text.registry.values()))

    @property
    def saved(self) -> bool:
        """Whether the item that is asked for has got its tag now."""
        return self.asked in self._kept

    def may_take_tag_of(self, other: Enrolled) -> bool:
        """Whether another item's tag may move to the one that is asked for.

        The tag of the item that was just kept may not: it may only have been left on the reader.
        """
        return self._went_back or (self._again and other not in self._kept)

    def keep(self, uid: str) -> None:
        """Let this tag stand for the item that is asked for."""
        before = self.text.registry.get(uid)
        self._kept = {item for item in self._kept if item != before} | {self.wanted}
        self.text = self.text.with_tag(uid, self.wanted)
        self._decide()

    def skip(self) -> Enrolled:
        """Skip the item that is asked for, and go on; gives the skipped item."""
        item = self.wanted
        self._skipped.add(item)
        self._decide()
        self.go_on()
        return item

    def go_on(self) -> None:
        """Ask for the next open item, if there is one."""
        ahead = (*self.items[self.number :], *self.items[: self.number])
        has_tag = set(self.text.registry.values())
        done = self._skipped | (self._kept if self._again else has_tag)
        self.asked = next((item for item in ahead if item not in done), None)

    def back(self) -> bool:
        """Ask again for the last item that was kept or skipped, if there was one."""
        if not self._history:
            return False
        self.asked = self._history.pop()
        self._skipped.discard(self.asked)
        self._kept.discard(self.asked)
        self._went_back = True
        return True

    def _decide(self) -> None:
        self._went_back = False
        self._history.append(self.wanted)


_FORMS: dict[str, type[Enrolled]] = {
    "cards": Card,
    "seat N": Card,
    "seat N COLOUR": Card,
    "seat N COLOUR N": Card,
    "card N COLOUR N": Card,
    "dice": DieFace,
    "die N": DieFace,
    "die N face N": DieFace,
}
_EXAMPLES = "it looks like 'seat 3', 'seat 3 red', 'card 3 red 7', 'die 5', 'die 5 face 2', 'cards' or 'dice'"
_COLOURS = {colour.word: colour for colour in Colour}


def needed(profiles: Iterable[Profile]) -> tuple[Enrolled, ...]:
    """All items that need a tag: sets of cards colour by colour from 1 to 10, dice face by face."""
    with_readers = [profile for profile in profiles if profile.readers]
    seats = max((profile.seats for profile in with_readers if profile.game == "cards"), default=0)
    dice = DICE if any(profile.game == "dice" for profile in with_readers) else 0
    cards = product(range(1, seats + 1), Colour, range(1, CARD_NUMBERS + 1))
    faces = product(range(1, dice + 1), range(1, FACES + 1))
    return (*(Card(*each) for each in cards), *(DieFace(*each) for each in faces))


def select(texts: Iterable[str], items: Sequence[Enrolled], none: str) -> tuple[Enrolled, ...]:
    """The items that the texts name, in the items' order; BadSettings names each text that is wrong.

    `none` says what is wrong with a text that names none of them.
    """
    selected: set[Enrolled] = set()
    faults = []
    for text in texts:
        start = _parsed(text)
        if not start:
            faults.append(f"'{shortened(text)}' names no cards and no dice; {_EXAMPLES}")
            continue
        found = {item for item in items if (type(item), *item)[: len(start)] == start}
        selected |= found
        if not found:
            faults.append(f"'{shortened(text)}': {none}")
    if faults:
        raise BadSettings(faults)
    return tuple(item for item in items if item in selected)


def _parsed(text: str) -> tuple[object, ...]:
    """The kind that a text names, and its colour and numbers; None if it names none."""
    form, values = [], []
    for word in text.lower().split():
        value = _COLOURS.get(word, whole_number(word))
        form.append(word if value is None else "COLOUR" if word in _COLOURS else "N")
        values += [] if value is None else [value]
    kind = _FORMS.get(" ".join(form))
    return () if kind is None else (kind, *values)


def extent(items: Iterable[Enrolled]) -> str:
    """All these items in a few words: `the cards of seats 1-4, dice 1-24`."""
    owners: dict[type[Enrolled], set[int]] = {Card: set(), DieFace: set()}
    for item in items:
        owners[type(item)].add(item[0])
    seats, dice = (seat_ranges(numbers).replace(" ", ", ") for numbers in owners.values())
    words = [f"the cards of seats {seats}"] if seats else []
    words += [f"dice {dice}"] if dice else []
    return ", ".join(words) or "nothing"


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


class RegistryText:
    """An immutable text and its registry; BadSettings has a line for each fault.

    An empty text stands for a file that does not exist yet.
    """

    __slots__ = ("_line_of", "_lines", "name", "registry")

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self._lines = (text if text.strip() else HEADER).removesuffix("\n").split("\n")
        self.registry: Registry = parse_registry(self.text, name)
        self._line_of = entry_lines(self.text)

    @property
    def text(self) -> str:
        """The whole file."""
        return "".join(f"{line}\n" for line in self._lines)

    def line_of(self, uid: str) -> int:
        """The line of a tag, counted from 1."""
        return self._line_of[uid]

    def uid_of(self, item: Enrolled) -> str | None:
        """The tag of this card or face, if it has one."""
        return next((uid for uid, each in self.registry.items() if each == item), None)

    def with_tag(self, uid: str, item: Enrolled) -> RegistryText:
        """The text in which this tag stands for this item, and both for no other."""
        known, old = self.registry.get(uid), self.uid_of(item)
        if known == item:
            return self
        if known is not None:
            return self.without([known]).with_tag(uid, item)
        entry, lines = f"{uid},{format_tag(item)}", list(self._lines)
        if old is not None:
            at = self._line_of[old] - 1
            lines[at] = entry + _comment(lines[at])
        else:
            before = [each for each, other in self.registry.items() if _order(other) < _order(item)]
            at = max(self._line_of[each] for each in ("uid", *before))  # the header begins with "uid"
            lines.insert(at, entry + ("\r" if lines[at - 1].endswith("\r") else ""))
        return self._with(lines)

    def without(self, items: Collection[Enrolled]) -> RegistryText:
        """The text without the tags of these items."""
        removed = {self._line_of[uid]: item for uid, item in self.registry.items() if item in items}
        lines = []
        for number, line in enumerate(self._lines, start=1):
            comment = _comment(line).lstrip()
            if number not in removed:
                lines.append(line)
            elif comment:
                lines.append(f"# {format_tag(removed[number])}: {comment.removeprefix('#').lstrip()}")
        return self._with(lines)

    def merged(self, other: RegistryText) -> RegistryText:
        """The text with the tags of the other one added; BadSettings names every line that contradicts it."""
        faults = []
        for uid, item in other.registry.items():
            where = f"{other.name}:{other.line_of(uid)}"
            known, taken = self.registry.get(uid), self.uid_of(item)
            if known not in (None, item):
                ours = f"'{format_tag(known)}' in {self.name}:{self.line_of(uid)}"
                faults.append(f"{where}: {uid} is '{format_tag(item)}' here, but {ours}")
            elif taken not in (None, uid):
                ours = f"{taken} in {self.name}:{self.line_of(taken)}"
                faults.append(f"{where}: '{format_tag(item)}' is {uid} here, but {ours}")
        if faults:
            raise BadSettings(faults)
        both = self
        for uid, item in other.registry.items():
            both = both.with_tag(uid, item)
        return both

    def _with(self, lines: Iterable[str]) -> RegistryText:
        return RegistryText("".join(f"{line}\n" for line in lines), self.name)


def entry_lines(text: str) -> dict[str, int]:
    """The line in which each tag of a text comes first, counted from 1; also that of the header, as `uid`."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if uid := line.partition("#")[0].partition(",")[0].strip().lower():
            lines.setdefault(uid, number)
    return lines


def changes(before: Registry, after: Registry) -> str:
    """How many cards and faces have got, changed, lost and kept their tag."""
    old = {item: uid for uid, item in before.items()}
    new = {item: uid for uid, item in after.items()}
    both = old.keys() & new.keys()
    same = sum(old[item] == new[item] for item in both)
    gone = len(old) - len(both)
    return f"{len(new) - len(both)} new, {len(both) - same} changed, {gone} gone, {same} as before"


def _order(item: Enrolled) -> tuple[bool | int, ...]:
    return isinstance(item, DieFace), *item


def _comment(line: str) -> str:
    """The text after an entry: spaces and a comment."""
    return line[len(line.partition("#")[0].rstrip()) :]
