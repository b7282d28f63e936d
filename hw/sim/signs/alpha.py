"""An Alpha sign: its memory and what it shows.

It is as strict as a real one, and never answers. Files that have no place in its memory are not
written. What does not fit in a TEXT file is refused; a STRING file that is written past its
place is empty afterwards. A layout that is written without clearing the memory first is kept
but never shown. After it was cleared, and after every frame, it ignores its line for a while.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hw.sim.signs.alpha_frames import FrameParser, Heard
from hw.sim.signs.alpha_text import RenderedText, render

PRIORITY, DEFAULT_TEXT = b"0", b"A"
NOT_FOR_STRINGS = b"0?"
MOST_IN_PRIORITY = MOST_IN_STRING = 125
DEFAULT_SIZE = 4096
ROTATE = "a"
GAP_NS = 100_000_000
RESET_NS = 1_000_000_000
_PLACE = re.compile(rb"([\x20-\x7e])([ABD])([UL])([0-9A-F]{4})([0-9A-F]{4})")
_RUN_SEQUENCE = re.compile(rb"E\.[TSD][UL](.*)", re.DOTALL)


class MemoryFile(NamedTuple):
    """What the memory has for one file."""

    kind: bytes
    size: int


class AlphaModel:
    """`errors` counts the commands whose checksum was wrong; `blinks` how often a TEXT made it go dark."""

    def __init__(
        self,
        rows: int = 2,
        columns: int = 20,
        *,
        kind: bytes = b"^",
        address: bytes = b"01",
        keeps_memory: bool = True,
        gap_ns: int = GAP_NS,
        reset_ns: int = RESET_NS,
    ) -> None:
        self._rows, self._columns = rows, columns
        self._kinds, self._addresses = (b"Z", b"!", kind), (b"00", address)
        self._keeps_memory = keeps_memory
        self._gap_ns, self._reset_ns = gap_ns, reset_ns
        self._parser = FrameParser()
        self._frame = 0  # the last one that was heard
        self._deaf_until_ns = 0
        self._powered = True
        self.errors = 0
        self.blinks = 0
        self.priority: bytes | None = None
        self._clear()

    # -- what a person sees

    @property
    def rendered(self) -> RenderedText:
        """What it shows in full, and how."""
        texts = [self.texts[label] for label in self.run_sequence if self.texts.get(label)]
        if self.priority is not None:
            texts = [self.priority]
        if not texts or not self._powered or not self._shows:
            return RenderedText((), (), "", "")
        return render(texts[0], self.strings)

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads: what does not fit in a row is not seen, unless it runs past."""
        rendered = self.rendered
        if self._rows == 1 and rendered.mode == ROTATE:
            return (" ".join(rendered.lines).rstrip(),)
        rows = (*rendered.lines, *[""] * self._rows)[: self._rows]
        return tuple(row[: self._columns].rstrip() for row in rows)

    # -- its end of the line

    def opened(self, now_ns: int) -> None:
        self._powered = True
        self._parser.reset()
        self._deaf_until_ns = now_ns + self._reset_ns
        if not self._keeps_memory:
            self._clear()
            self.priority = None

    def closed(self, now_ns: int) -> None:
        self._powered = False

    def received(self, data: bytes, now_ns: int) -> None:
        if not self._powered:
            return
        for heard in self._parser.feed(data, now_ns):
            if self._is_for_me(heard.to) and self._hears(heard):
                self._frame = heard.frame
                self._deaf_until_ns = now_ns + self._gap_ns
                self._obey(heard, now_ns)

    def step(self, now_ns: int) -> int | None:
        return None

    def take_outgoing(self) -> bytes:
        return b""

    def _hears(self, heard: Heard) -> bool:
        return heard.frame == self._frame or heard.since_ns >= self._deaf_until_ns

    def _is_for_me(self, to: bytes) -> bool:
        return to[:1] in self._kinds and to[1:] in self._addresses

    # -- commands

    def _obey(self, heard: Heard, now_ns: int) -> None:
        command = heard.command
        if not heard.sound:
            self.errors += 1
        elif command == b"E$":
            self._clear()
            self._deaf_until_ns = now_ns + self._reset_ns
        elif command.startswith(b"E$"):
            self._lay_out(command[2:])
        elif command == b"E,":
            self._deaf_until_ns = now_ns + self._reset_ns
        elif command.startswith(b"E."):
            self._set_run_sequence(command)
        elif command.startswith(b"A"):
            self._write_text(command[1:2], command[2:])
        elif command.startswith(b"G"):
            self._write_string(command[1:2], command[2:])

    def _clear(self) -> None:
        self.places: dict[bytes, MemoryFile] | None = None
        self.texts: dict[bytes, bytes] = {}
        self.strings: dict[bytes, bytes] = {}
        self.run_sequence: tuple[bytes, ...] = (DEFAULT_TEXT,)
        self._shows = True

    def _lay_out(self, table: bytes) -> None:
        """A new table of files takes the place of the old one and empties them all."""
        entries = [_PLACE.fullmatch(table[start : start + 11]) for start in range(0, len(table), 11)]
        places: dict[bytes, MemoryFile] = {}
        for entry in entries:
            if entry is None:
                return
            label, kind, lock, size = entry.group(1, 2, 3, 4)
            if kind == b"B" and (label in NOT_FOR_STRINGS or lock != b"L"):
                return
            places[label] = MemoryFile(kind, int(size, 16))
        shows = self._shows and self.places is None
        self._clear()
        self.places = places
        self._shows = shows
        self.run_sequence = tuple(label for label, place in places.items() if place.kind == b"A")

    def _set_run_sequence(self, command: bytes) -> None:
        match = _RUN_SEQUENCE.fullmatch(command)
        if match is not None:
            self.run_sequence = tuple(bytes([label]) for label in match[1])

    def _write_text(self, label: bytes, text: bytes) -> None:
        if label == PRIORITY:
            if len(text) <= MOST_IN_PRIORITY:
                self.priority = text or None
        elif len(text) <= self._size(label, b"A"):
            self.texts[label] = text
            self.blinks += 1

    def _write_string(self, label: bytes, text: bytes) -> None:
        size = min(self._size(label, b"B"), MOST_IN_STRING)
        if size >= 0:
            self.strings[label] = text if len(text) <= size else b""

    def _size(self, label: bytes, kind: bytes) -> int:
        """How much a file of that kind may hold; -1 if it has no place."""
        if self.places is None:
            return DEFAULT_SIZE if (label, kind) == (DEFAULT_TEXT, b"A") else -1
        place = self.places.get(label)
        return place.size if place is not None and place.kind == kind else -1


def alpha_model(columns: int) -> AlphaModel:
    """One with two rows."""
    return AlphaModel(2, columns)


def betabrite_model(columns: int) -> AlphaModel:
    """One with a single row."""
    return AlphaModel(1, columns)
