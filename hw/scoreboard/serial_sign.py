"""A sign on a serial line as its driver needs it: pages in, bytes out.

A sign is a pure encoder. It only remembers what it last showed, so that it can leave out
what has not changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from hw.ports import Condition, Health
from hw.scoreboard.charset import Cells, Charset, respelled
from hw.work import nobody_to_wake

Page = tuple[str, ...]

SECOND_NS = 1_000_000_000


class SignFrame(NamedTuple):
    """Bytes that go out in one piece, and how long the sign needs a pause after them."""

    data: bytes
    rest_ns: int = 0


class SerialSign(Protocol):
    """One kind of display, and the settings of its serial line."""

    rows: int
    columns: int
    charset: Charset
    baud: int
    bits: int
    parity: str
    set_up_every_ns: int
    """How often to set it up from scratch, in case it has lost its settings unnoticed."""
    filler: bytes
    """A byte without meaning, to fill the time until the sign listens; empty if it always does."""

    def start(self) -> list[SignFrame]:
        """The frames that set it up from scratch; it is blank then."""

    def change(self, page: Page) -> list[SignFrame]:
        """The frames that show this page after the last one."""

    def repaint(self, page: Page) -> list[SignFrame]:
        """The frames for all of this page, whatever is shown now, without a flicker."""

    def blank(self) -> bytes:
        """The one frame that blanks it."""


class ShownLines:
    """The lines that a sign shows, as far as its encoder knows."""

    def __init__(self, rows: int, columns: int, charset: Charset) -> None:
        self._rows, self._columns, self._charset = rows, columns, charset
        self._lines: list[Cells | None] = [None] * rows

    def forget(self) -> None:
        """Forget the lines: what the sign shows is unknown."""
        self._lines = [None] * self._rows

    def write(self, page: Page) -> list[tuple[int, Cells]]:
        """Take over a page: the lines that differ, counted from 0, without blanks at their ends."""
        wanted = [self._cells(line) for line in (*page, *[""] * self._rows)[: self._rows]]
        changed = [(row, line) for row, line in enumerate(wanted) if line != self._lines[row]]
        self._lines = list(wanted)
        return changed

    def _cells(self, line: str) -> Cells:
        cells = self._charset.encode(line)[: self._columns]
        while cells and cells[-1] == b" ":
            cells = cells[:-1]
        return cells


def padded(cells: Cells, columns: int) -> bytes:
    """A line's bytes with blanks up to its end."""
    return b"".join(cells) + b" " * (columns - len(cells))


# A sign on a serial port: shows the newest page, without a queue of older ones.
#
# The loop may want another page every few milliseconds; a sign at 9600 baud needs fifty for
# one. So there is no queue of pages, only the page wanted now. A page under way is sent to its
# end, frame by frame, and then the page that is wanted by that time; pages in between are never
# sent. A frame is handed out when the one before it has left the line and the sign has had the
# pause it needs.
#
# A sign does not answer, so a short loss of its power goes unnoticed. Its page is sent again every
# now and then, and it is set up from scratch more rarely. It may also have missed the set-up when
# its port came up, because it got its power at the same time and was still starting. So it is set
# up once more soon after that.


REPAINT_NS = 30 * SECOND_NS
ONCE_MORE_NS = 15 * SECOND_NS


class SerialScoreboard:
    """A `Scoreboard` for the loop and a `Device` for the owner of its port."""

    def __init__(self, name: str, sign: SerialSign) -> None:
        self.name = name
        self.wake: Callable[[], None] = nobody_to_wake
        self._sign = sign
        self.health = Health(name, Condition.OK)
        """Always fine: a sign does not answer, so only its port can show a fault."""
        self._byte_ns = (1 + sign.bits + (sign.parity != "N") + 1) * SECOND_NS // sign.baud
        self._wanted: Page = ()
        self._shown: Page | None = None  # what the sign shows once the frames are out; None: unknown
        self._closed = False
        self._open = False
        self._now_ns = 0
        self._frames: deque[SignFrame] = deque()
        self._leaving: SignFrame | None = None  # handed out, and perhaps not all of it has been written
        self._ready_ns = 0  # when the sign takes the next frame
        self._repaint_ns = 0
        self._set_up_ns = 0
        self._fresh = False  # it has not been set up a second time yet

    # -- for the loop, from any thread

    @property
    def columns(self) -> int:
        return self._sign.columns

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Show these lines from now on, without waiting."""
        charset, columns = self._sign.charset, self._sign.columns
        page = tuple(respelled(line, language, charset, columns) for line in lines)
        if page != self._wanted:
            self._wanted = page
            self.wake()

    def close(self) -> None:
        """Blank the sign for good."""
        if not self._closed:
            self._closed = True
            self.wake()

    # -- for the port's owner

    def opened(self, now_ns: int) -> None:
        self._open = True
        self._frames.clear()
        self._leaving = None
        self._set_up_ns = now_ns
        self._fresh = True

    def closed(self, now_ns: int) -> None:
        self._open = False

    def received(self, data: bytes, now_ns: int) -> None:
        """Ignore what a sign sends."""

    def step(self, now_ns: int) -> int | None:
        self._now_ns = now_ns
        if not self._open:
            return None
        leaving = self._leaving
        if leaving is None and now_ns >= self._ready_ns:
            if not self._frames:
                self._plan(now_ns)
            leaving = self._frames[0] if self._frames else None  # it is taken right after this step
        if leaving is not None:
            return now_ns + self._takes_ns(leaving)
        return self._ready_ns if now_ns < self._ready_ns else min(self._repaint_ns, self._set_up_ns)

    def take_outgoing(self) -> bytes:
        if self._leaving is not None:  # a further call means that the last one is written
            self._ready_ns = self._now_ns + self._takes_ns(self._leaving)
            self._leaving = None
            return b""
        if not self._frames or self._now_ns < self._ready_ns:
            return b""
        self._leaving = self._frames.popleft()
        return self._leaving.data

    def rest(self) -> bytes:
        # The sign may still be busy with the last frame, and this can't wait any more.
        leaving = self._leaving
        busy_ns = max(0, self._ready_ns - self._now_ns) if leaving is None else leaving.rest_ns
        return self._sign.filler * -(-busy_ns // self._byte_ns) + self._sign.blank()

    # -- inside

    def _plan(self, now_ns: int) -> None:
        """Queue the frames that come next."""
        if now_ns >= self._set_up_ns:
            self._set_up_ns = now_ns + (ONCE_MORE_NS if self._fresh else self._sign.set_up_every_ns)
            self._fresh = False
            self._repaint_ns = now_ns + REPAINT_NS
            self._shown = None
            self._frames.extend(self._sign.start())
            return
        if now_ns >= self._repaint_ns:
            self._repaint_ns = now_ns + REPAINT_NS
            self._shown = None
        page = () if self._closed else self._wanted
        if self._shown is None:
            self._frames.extend(self._sign.repaint(page))
        elif page != self._shown:
            self._frames.extend(self._sign.change(page))
        self._shown = page

    def _takes_ns(self, frame: SignFrame) -> int:
        """How long until the sign is ready for the next frame."""
        return len(frame.data) * self._byte_ns + frame.rest_ns
