"""The plainest sign, for people who build their own: whole pages of lines after a form feed.

    0C  line  0D 0A  line  0D 0A

The form feed clears the display and goes to its start; each line is cut to the columns of
the display and has no blanks at its end. Nothing else is ever sent.
"""

from __future__ import annotations

from hw.scoreboard.charset import ASCII, Charset
from hw.scoreboard.plain import CLEAR
from hw.scoreboard.sign import SECOND_NS, Frame, Page, Slate

END = b"\r\n"


class TextSign:
    """Sends each page whole."""

    rows = 2
    baud = 9600
    bits = 8
    parity = "N"
    anew_ns = 300 * SECOND_NS
    filler = b""

    def __init__(self, columns: int = 20, charset: Charset = ASCII) -> None:
        self.columns = columns
        self.charset = charset
        self._slate = Slate(self.rows, columns, charset)
        self._last = b""

    def start(self) -> list[Frame]:
        self._last = b""
        return [Frame(CLEAR)]

    def change(self, page: Page) -> list[Frame]:
        data = self._whole(page)
        if data == self._last:
            return []
        self._last = data
        return [Frame(data)]

    def repaint(self, page: Page) -> list[Frame]:
        self._last = self._whole(page)
        return [Frame(self._last)]

    def blank(self) -> bytes:
        self._last = b""
        return CLEAR

    def _whole(self, page: Page) -> bytes:
        self._slate.forget()
        return CLEAR + b"".join(b"".join(cells) + END for _, cells in self._slate.write(page))
