"""The simplest sign, for people who build their own: whole pages of lines after a form feed.

    0C  line  0D 0A  line  0D 0A

The form feed clears the display and goes to its start; each line is cut to the columns of
the display and has no blanks at its end. Nothing else is ever sent.
"""

from __future__ import annotations

from collections.abc import Callable

from hw.scoreboard.charset import ASCII, CHARSETS, Charset, respelled, to_ascii
from hw.scoreboard.serial_sign import SECOND_NS, Page, ShownLines, SignFrame

CLEAR = b"\x0c"
END = b"\r\n"


class PlainScoreboard:
    """Encodes pages and hands the bytes to `write`."""

    def __init__(self, write: Callable[[bytes], object], columns: int = 20) -> None:
        self.columns = columns
        self._write = write
        self._open = True

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        spelled = tuple(respelled(line, language, ASCII, self.columns) for line in lines)
        self._write(encode(spelled, self.columns))

    def close(self) -> None:
        if self._open:
            self._open = False
            self._write(CLEAR)


def encode(lines: tuple[str, ...], columns: int) -> bytes:
    """The bytes that show these lines."""
    text = "".join(f"{to_ascii(line)[:columns].rstrip()}\r\n" for line in lines)
    return CLEAR + text.encode("ascii")


class TextSign:
    """Sends each page whole."""

    rows = 2
    baud = 9600
    bits = 8
    parity = "N"
    set_up_every_ns = 300 * SECOND_NS
    filler = b""

    def __init__(self, columns: int = 20, charset: Charset = ASCII) -> None:
        self.columns = columns
        self.charset = charset
        self._shown = ShownLines(self.rows, columns, charset)
        self._last = b""

    def start(self) -> list[SignFrame]:
        self._last = b""
        return [SignFrame(CLEAR)]

    def change(self, page: Page) -> list[SignFrame]:
        data = self._whole(page)
        if data == self._last:
            return []
        self._last = data
        return [SignFrame(data)]

    def repaint(self, page: Page) -> list[SignFrame]:
        self._last = self._whole(page)
        return [SignFrame(self._last)]

    def blank(self) -> bytes:
        self._last = b""
        return CLEAR

    def _whole(self, page: Page) -> bytes:
        self._shown.forget()
        return CLEAR + b"".join(b"".join(cells) + END for _, cells in self._shown.write(page))


def text_sign(columns: int, charset: str) -> TextSign:
    """The encoder for plain text."""
    return TextSign(columns, CHARSETS[charset])
