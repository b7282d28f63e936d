"""The registry: which tag belongs to which card or face of a die, and its file.

The file is a CSV that can be read and edited by hand: a header, then one line for each tag with
its number as readers report it (4, 7 or 10 bytes in hex) and what it stands for.

    uid,tag
    04a1b2c3,card 3 red 7          # everything behind a hash is a comment
    04a1b2c4d5e6f7,die 5 face 2
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from firmware_host.model.errors import BadSettings, MalformedText, fault_messages
from firmware_host.model.places import (
    CARD_NUMBERS,
    DICE,
    FACES,
    Card,
    Colour,
    DieFace,
    Stranger,
    Tag,
    format_tag,
    parse_tag,
)
from firmware_host.model.plain_text import shortened

Enrolled = Card | DieFace
"""What a tag can stand for."""

HEADER = "uid,tag"
_UID = re.compile(r"(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})")
_UID_FORM = "4, 7 or 10 bytes in hex, as in 04a1b2c3"
_CARD_MARK, _DIE_MARK = 0xCA, 0xD1


class Registry(Mapping[str, Enrolled]):
    """What each tag stands for, by its number in lower-case hex digits; it is immutable."""

    __slots__ = ("_tags", "_uids")

    def __init__(self, tags: Mapping[str, Enrolled]) -> None:
        self._tags = dict(tags)
        for uid in self._tags:
            if not _UID.fullmatch(uid):
                raise ValueError(f"'{shortened(uid)}' is no number of a tag: {_UID_FORM}, small letters")
        self._uids = {tag: bytes.fromhex(uid) for uid, tag in self._tags.items()}
        if len(self._uids) < len(self._tags):
            raise ValueError("two tags stand for the same card or face")

    @classmethod
    def for_cards(cls, seats: int) -> Registry:
        """A registry for simulated card tables, with numbers that `simulated_uid` makes up."""
        owners = range(1, seats + 1)
        cards = [Card(*each) for each in product(owners, Colour, range(1, CARD_NUMBERS + 1))]
        return cls({simulated_uid(card).hex(): card for card in cards})

    @classmethod
    def for_dice(cls) -> Registry:
        """A registry for simulated dice tables, with numbers that `simulated_uid` makes up."""
        faces = [DieFace(die, face) for die in range(1, DICE + 1) for face in range(1, FACES + 1)]
        return cls({simulated_uid(face).hex(): face for face in faces})

    def of(self, uid: bytes) -> Tag:
        """What a tag stands for; a Stranger if it is not enrolled."""
        text = uid.hex()
        return self._tags.get(text, Stranger(text))

    def uid_of(self, tag: Tag) -> bytes:
        """The number of the tag of this item; KeyError if it has none."""
        return bytes.fromhex(tag.uid) if isinstance(tag, Stranger) else self._uids[tag]

    def __getitem__(self, uid: str) -> Enrolled:
        return self._tags[uid]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)

    def __repr__(self) -> str:
        return f"<Registry of {len(self)} tags>"


def simulated_uid(tag: Enrolled) -> bytes:
    """The number of a simulated tag: four bytes that encode what it stands for.

    A card's is CA, then its seat, colour and number; that of a die's face is D1, 00, die and face.
    """
    if isinstance(tag, Card):
        return bytes((_CARD_MARK, tag.seat, tag.colour, tag.number))
    return bytes((_DIE_MARK, 0, tag.die, tag.face))


def format_registry(registry: Registry) -> str:
    """The text of a registry: cards by seat, colour and number, then dice."""
    entries = sorted(registry.items(), key=lambda entry: (isinstance(entry[1], DieFace), *entry[1]))
    return "".join(f"{line}\n" for line in (HEADER, *(f"{uid},{format_tag(tag)}" for uid, tag in entries)))


def parse_registry(text: str, name: str) -> Registry:
    """The registry that a text describes; BadSettings has a line for each fault in it."""
    registry, faults = examine_registry(text, name)
    if faults:
        raise BadSettings(faults)
    return registry


def examine_registry(text: str, name: str) -> tuple[Registry, list[str]]:
    """The valid entries of a text, and a line for each fault in it."""
    reader = _RegistryReader(name)
    reader.read(text)
    return Registry(reader.tags), reader.faults


class _RegistryReader:
    """Reads the lines of a file, and keeps a message for each that can't be right."""

    def __init__(self, name: str) -> None:
        self.tags: dict[str, Enrolled] = {}
        self._faults: list[tuple[int, str]] = []
        self._name = name
        self._line_of_uid: dict[str, int] = {}
        self._first_of_tag: dict[Enrolled, tuple[str, int]] = {}

    @property
    def faults(self) -> list[str]:
        """The faults in the order of their lines; only the first of many."""
        return fault_messages(self._name, self._faults)

    def read(self, text: str) -> None:
        headed = False
        for line, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
            entry = raw.partition("#")[0].strip()
            if not entry:
                continue
            if headed:
                self._read_entry(line, entry)
            else:
                self._read_header(line, entry)
                headed = True
        if not headed:
            self._fault(1, f"the header is missing; allowed: {HEADER}")

    def _read_header(self, line: int, entry: str) -> None:
        cells = [cell.strip() for cell in entry.split(",")]
        if cells != HEADER.split(","):
            self._fault(line, f"the header is '{shortened(entry)}'; allowed: {HEADER}")
        if _UID.fullmatch(cells[0].lower()):  # the header is missing, and this is the first entry
            self._read_entry(line, entry)

    def _read_entry(self, line: int, entry: str) -> None:
        cell, comma, words = entry.partition(",")
        if not comma:
            self._fault(line, f"'{shortened(entry)}' is no entry; it looks like '04a1b2c3,card 3 red 7'")
            return
        uid = cell.strip().lower()
        good = self._check_uid(line, uid)
        tag = self._tag(line, words)
        if tag is None:
            return
        first = self._first_of_tag.setdefault(tag, (uid, line))
        if first[0] != uid:
            self._fault(line, f"'{format_tag(tag)}' has a tag in line {first[1]} already; allowed: one each")
        elif good:
            self.tags[uid] = tag

    def _check_uid(self, line: int, uid: str) -> bool:
        if not _UID.fullmatch(uid):
            self._fault(line, f"uid is '{shortened(uid)}'; allowed: {_UID_FORM}")
            return False
        first = self._line_of_uid.setdefault(uid, line)
        if first != line:
            self._fault(line, f"uid {uid} is in line {first} already; allowed: each tag once")
        return first == line

    def _tag(self, line: int, words: str) -> Enrolled | None:
        try:
            tag = parse_tag(words.split())
        except MalformedText as error:
            self._fault(line, str(error))
            return None
        if isinstance(tag, Stranger):
            self._fault(line, f"'{format_tag(tag)}' can't be enrolled; allowed: a card or the face of a die")
            return None
        return tag

    def _fault(self, line: int, message: str) -> None:
        self._faults.append((line, message))
