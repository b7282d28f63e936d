"""An Alpha sign: its memory and what it shows.

It is as strict as a real one, and never answers. Files that have no place in its memory are not
written. What does not fit in a TEXT file is refused; a STRING file that is written past its
place is empty afterwards. A layout that is written without clearing the memory first is kept
but never shown. After it was cleared, and after every frame, it ignores its line for a while.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

# The frames that an Alpha sign finds among the bytes on its line.
#
# A frame is SOH, the type and address of those it is for, and one or more commands, each
# between STX and ETX with a checksum behind, or without one up to the next; EOT ends it.
# Silence of a second ends it too. A new SOH begins from scratch, wherever it comes.


SOH, STX, ETX, EOT = 0x01, 0x02, 0x03, 0x04
SILENCE_NS = 1_000_000_000
MOST_IN_FRAME = 4096


class Heard(NamedTuple):
    """One command, its frame and when that began. `sound`: its checksum is right, or it has none."""

    to: bytes
    command: bytes
    sound: bool
    frame: int
    since_ns: int


class FrameParser:
    """Bytes in, commands out. The line has seven bits; whatever else comes with them is cut off."""

    def __init__(self) -> None:
        self._frame: bytearray | None = None  # what followed SOH; None: waiting for one
        self._frames = 0
        self._since_ns = 0
        self._last_ns = 0

    def feed(self, data: bytes, now_ns: int) -> Iterator[Heard]:
        """The commands that are complete with these bytes."""
        if now_ns - self._last_ns > SILENCE_NS:
            self._frame = None
        self._last_ns = now_ns
        for code in data:
            code &= 0x7F
            if code == SOH:
                self._frame = bytearray()
                self._frames += 1
                self._since_ns = now_ns
            elif self._frame is not None and code == EOT:
                frame, self._frame = bytes(self._frame), None
                yield from self._commands(frame)
            elif self._frame is not None:
                self._frame.append(code)
                if len(self._frame) > MOST_IN_FRAME:
                    self._frame = None

    def reset(self) -> None:
        """Forget what has begun."""
        self._frame = None

    def _commands(self, frame: bytes) -> Iterator[Heard]:
        to, *bodies = frame.split(bytes([STX]))
        for body in bodies:
            command, end, checksum = body.partition(bytes([ETX]))
            sound = not end or checksum == b"%04X" % _sum(command)
            yield Heard(to, command, sound, self._frames, self._since_ns)


def _sum(command: bytes) -> int:
    """Everything from STX to ETX, both included."""
    return (STX + sum(command) + ETX) & 0xFFFF


LOOK, CALL, COLOUR, LETTER = 0x1B, 0x10, 0x1C, 0x08
NEW_LINE, NEW_PAGE = 0x0D, 0x0C
PARAMETERS = {0x05: 1, 0x06: 1, 0x07: 1, 0x0B: 1, 0x14: 1, 0x1A: 1, 0x1D: 2, 0x1E: 1, 0x1F: 14}
"""Codes that change how letters look, or put in what is not kept here, and how much follows them."""

COLOUR_NAMES = {"1": "red", "2": "green", "3": "amber"}
HALF_SPACE, BLOCK = 0x7E, 0x7F
LETTERS = dict(enumerate(bytes(range(0x80, 0xA9)).decode("cp437"), start=0x20)) | {
    0x49: "°", 0x4A: "¡", 0x5A: "Á", 0x5F: "Í",
}  # fmt: skip
NONE = "\0"
UNKNOWN = "?"
"""What a sign shows for a letter that it does not have."""


class RenderedText(NamedTuple):
    """The lines, the colour that each begins in ("" for the sign's own), and how they come up."""

    lines: tuple[str, ...]
    colours: tuple[str, ...]
    position: str
    mode: str


class _Pen:
    """What has been written so far."""

    def __init__(self) -> None:
        self.lines = [""]
        self.colours = [""]
        self.colour = ""

    def write(self, letter: str) -> None:
        """A letter, or nothing."""
        if not self.lines[-1]:
            self.colours[-1] = self.colour
        self.lines[-1] += letter

    def new_line(self) -> None:
        self.lines.append("")
        self.colours.append(self.colour)


def render(text: bytes, strings: Mapping[bytes, bytes]) -> RenderedText:
    """What stands on the sign for a TEXT file; `strings` are the STRING files it may call."""
    position, mode = "", ""
    if text[:1] == bytes([LOOK]):
        position, mode, text = text[1:2].decode("ascii"), text[2:3].decode("ascii"), text[3:]
    pen = _Pen()
    _write(pen, text, strings)
    return RenderedText(tuple(pen.lines), tuple(pen.colours), position, mode)


def _write(pen: _Pen, text: bytes, strings: Mapping[bytes, bytes] | None) -> None:
    """Colours outlast the STRING they are set in; a STRING can call no other one (then: None)."""
    codes = iter(text)
    for code in codes:
        if code == COLOUR:
            pen.colour = COLOUR_NAMES.get(_next(codes), "other")
        elif code == LETTER:
            letter = _next(codes)
            pen.write(LETTERS.get(ord(letter), UNKNOWN) if letter != NONE else "")
        elif code == CALL and strings is not None:
            _write(pen, strings.get(_next(codes).encode("ascii"), b""), None)
        elif code in (NEW_LINE, NEW_PAGE):
            pen.new_line()
        elif code == LOOK:
            _next(codes), _next(codes)
            pen.new_line()
        elif code in PARAMETERS:
            for _ in range(PARAMETERS[code]):
                _next(codes)
        elif code == HALF_SPACE:
            pen.write(" ")
        elif code >= 0x20:
            pen.write("█" if code == BLOCK else chr(code))


def _next(codes: Iterator[int]) -> str:
    """The parameter that follows, if one does."""
    return chr(next(codes, ord(NONE)))


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
