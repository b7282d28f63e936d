"""Alpha and BetaBrite signs: files in the sign's memory, written by frames with a checksum.

One TEXT file sets how the page looks: its position, its mode, its colours. For each line it
calls a STRING file. Writing a TEXT again makes the sign go dark for a moment; writing a STRING
does not. So a page only writes STRINGs, and only the ones that differ.

A file needs a place in the sign's memory before it is written. The memory is laid out at the
start. It is cleared first, since some signs show nothing from a layout that was written over
another one. The sign resets then, and ignores its line for a while. It needs a pause after
every frame; what comes too early is lost, and the sign reports nothing.

The line carries seven bits: letters beyond ASCII go as 08 and a code from 20 up.
"""

from __future__ import annotations

from collections.abc import Sequence

from hw.scoreboard.charset import Cells, Charset
from hw.scoreboard.serial_sign import SECOND_NS, Page, ShownLines, SignFrame

WAKE = b"\x00" * 5
SOH, STX, ETX, EOT = b"\x01", b"\x02", b"\x03", b"\x04"
EVERYONE = b"Z00"
WRITE_TEXT, WRITE_STRING, WRITE_SPECIAL = b"A", b"G", b"E"
LAYOUT = WRITE_SPECIAL + b"$"
RUN_IN_ORDER = WRITE_SPECIAL + b".SU"
LOOK, CALL, COLOUR, NEW_LINE = b"\x1b", b"\x10", b"\x1c", b"\r"
MIDDLE, FILL = b" ", b"0"
ROTATE, HOLD = b"a", b"b"
TEXT, PRIORITY = b"A", b"0"
STRINGS = (b"a", b"b")
TEXT_SIZE = 0x40
MOST_IN_STRING = 125
"""A STRING that is longer than this, or than its place, is empty afterwards."""
GAP = b"   "
"""Between the lines of a page when both scroll in one row."""

PAUSE_NS = 300_000_000
CLEARED_NS = 2 * SECOND_NS

COLOURS = {"red": b"1", "green": b"2", "amber": b"3"}

_LIKE_PC437 = bytes(range(0x80, 0xA9)).decode("cp437")
_OTHERS = {"°": 0x49, "¡": 0x4A, "Á": 0x5A, "Í": 0x5F}
ALPHA = Charset(
    "alpha",
    codes={letter: b"\x08" + bytes([code]) for code, letter in enumerate(_LIKE_PC437, start=0x20)}
    | {letter: b"\x08" + bytes([code]) for letter, code in _OTHERS.items()},
    instead={"~": "-"},  # there it is a space of half a column
)


def frame(command: bytes, to: bytes = EVERYONE) -> bytes:
    """One command as it goes over the line; `to` is a sign's type and its address."""
    body = STX + command + ETX
    return WAKE + SOH + to + body + b"%04X" % (sum(body) & 0xFFFF) + EOT


class AlphaSign:
    """`tall` signs have a row for each line; on the others the lines scroll, one behind the other.

    `colours` has the colour of each line; without it the sign uses its own.
    """

    rows = 2
    baud = 9600
    bits = 7
    parity = "E"
    charset = ALPHA
    set_up_every_ns = (
        1800 * SECOND_NS
    )  # it can be seen, and the sign's memory outlasts a short cut of its power
    filler = b"\x00"

    def __init__(
        self,
        columns: int = 20,
        *,
        tall: bool = True,
        colours: Sequence[str] = (),
        pause_ns: int = PAUSE_NS,
        cleared_ns: int = CLEARED_NS,
    ) -> None:
        self.columns = columns
        self._tall = tall
        self._colours = [COLOURS[name] for name in colours]
        self._pause_ns = pause_ns
        self._cleared_ns = cleared_ns
        self._shown = ShownLines(self.rows, columns, ALPHA)

    def start(self) -> list[SignFrame]:
        self._shown.forget()
        return [
            SignFrame(frame(LAYOUT), self._cleared_ns),
            self._frame(LAYOUT + self._layout()),
            self._frame(WRITE_TEXT + PRIORITY),  # without a text: removes a text that has priority
            self._frame(WRITE_TEXT + TEXT + self._text()),
            self._frame(RUN_IN_ORDER + TEXT),
        ]

    def change(self, page: Page) -> list[SignFrame]:
        return [
            self._frame(WRITE_STRING + STRINGS[row] + _string(cells))
            for row, cells in self._shown.write(page)
        ]

    def repaint(self, page: Page) -> list[SignFrame]:
        self._shown.forget()
        return self.change(page)

    def blank(self) -> bytes:
        # Only a TEXT empties all lines in one frame; the next start sets the sign up again.
        self._shown.forget()
        return frame(WRITE_TEXT + TEXT + LOOK + self._look() + b" ")

    def _frame(self, command: bytes) -> SignFrame:
        return SignFrame(frame(command), self._pause_ns)

    def _layout(self) -> bytes:
        """A place for each file: label, kind, whether the remote control may write it, size, times."""
        size = min(2 * self.columns, MOST_IN_STRING)
        strings = b"".join(label + b"BL%04X0000" % size for label in STRINGS)
        return TEXT + b"AU%04XFF00" % TEXT_SIZE + strings

    def _text(self) -> bytes:
        # A colour in a STRING would go on after it; so colours are set here, before each call.
        calls = [self._colour(row) + CALL + label for row, label in enumerate(STRINGS)]
        return LOOK + self._look() + (NEW_LINE if self._tall else GAP).join(calls)

    def _look(self) -> bytes:
        return FILL + HOLD if self._tall else MIDDLE + ROTATE

    def _colour(self, row: int) -> bytes:
        return COLOUR + self._colours[row] if row < len(self._colours) else b""


def _string(cells: Cells) -> bytes:
    """What fits in a STRING file; a blank for an empty line, so that there always is something."""
    data = b""
    for cell in cells:
        if len(data) + len(cell) > MOST_IN_STRING:
            break
        data += cell
    return data or b" "


def alpha_sign(columns: int, charset: str) -> AlphaSign:
    """The encoder for a sign with two rows; there is one charset."""
    return AlphaSign(columns)


def betabrite_sign(columns: int, charset: str) -> AlphaSign:
    """The encoder for a sign with one row; there is one charset."""
    return AlphaSign(columns, tall=False)
