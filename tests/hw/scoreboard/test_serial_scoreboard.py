"""The driver of a sign: what it sends, when, and what it leaves out."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

from hw.scoreboard.alpha import AlphaSign
from hw.scoreboard.cursor_signs import cd5220_sign
from hw.scoreboard.serial_sign import ONCE_MORE_NS, REPAINT_NS, SerialScoreboard, SerialSign
from hw.scoreboard.text import TextSign, encode
from hw.serial_port import PortWork
from hw.work import OwnerThread

MS = 1_000_000
SECOND = 1_000_000_000
BYTE_NS = 10 * SECOND // 9600


class InstantOwner:
    """A port's owner that writes everything at once and keeps when what went out."""

    def __init__(self, sign: SerialSign) -> None:
        self.board = SerialScoreboard("scoreboard", sign)
        self.sent: list[tuple[int, bytes]] = []
        self.now_ns = 0
        self.board.opened(0)

    def step(self) -> int:
        """One step, and when the next one is wanted."""
        due_ns = self.board.step(self.now_ns)
        assert due_ns is not None
        while data := self.board.take_outgoing():
            self.sent.append((self.now_ns, data))
        return due_ns

    def run(self, until_ns: int) -> int:
        """Step whenever the board wants it; how many steps that took."""
        steps = 0
        while True:
            due_ns = self.step()
            steps += 1
            if due_ns > until_ns:
                self.now_ns = until_ns
                return steps
            self.now_ns = max(due_ns, self.now_ns + 1)

    def texts(self) -> list[bytes]:
        return [data for _, data in self.sent]


def test_it_sets_the_sign_up_and_paints_what_is_wanted() -> None:
    line = InstantOwner(TextSign())
    line.board.show(("Pause", ""))
    line.run(SECOND)
    assert line.texts() == [b"\x0c", encode(("Pause", ""), 20)]


def test_of_pages_that_come_too_fast_only_whole_ones_and_the_last_one_go_out() -> None:
    line = InstantOwner(TextSign())
    line.run(SECOND)
    line.sent.clear()
    pages = [(f"page {turn}", "x" * 20) for turn in range(1000)]
    for page in pages:  # one each millisecond
        line.board.show(page)
        line.step()
        line.run(line.now_ns + MS)
    line.run(line.now_ns + SECOND)
    whole = [encode(page, 20) for page in pages]
    places = [whole.index(data) for data in line.texts()]
    assert places == sorted(places)
    assert places[-1] == 999
    assert len(places) < 40


def test_nothing_is_handed_out_before_the_line_is_free_again() -> None:
    line = InstantOwner(cd5220_sign())
    for turn in range(200):
        line.board.show((str(turn), str(-turn)))
        line.step()
        line.run(line.now_ns + 3 * MS)
    for (start_ns, data), (next_ns, _) in pairwise(line.sent):
        assert next_ns >= start_ns + len(data) * BYTE_NS
    assert sum(len(data) for data in line.texts()) < 600 * MS // BYTE_NS + 64


def test_the_sign_has_its_rest_after_each_frame() -> None:
    sign = AlphaSign()
    line = InstantOwner(sign)
    line.board.show(("a", "b"))
    line.run(10 * SECOND)
    rests = [frame.rest_ns for frame in AlphaSign().start()]
    gaps = [next_ns - at_ns for (at_ns, _), (next_ns, _) in pairwise(line.sent)]
    assert len(line.sent) == len(rests) + 2
    for gap_ns, rest_ns in zip(gaps, rests, strict=False):
        assert rest_ns < gap_ns < rest_ns + 200 * MS


def test_a_port_that_takes_a_frame_slowly_delays_the_rest_after_it() -> None:
    board = SerialScoreboard("scoreboard", AlphaSign())
    board.opened(0)
    board.step(0)
    assert board.take_outgoing()  # the clear of the memory, which wants two seconds
    for now_ns in range(0, 60 * SECOND, SECOND):
        board.step(now_ns)  # not all of it has been written
    assert board.take_outgoing() == b""  # now it has
    board.step(60 * SECOND)
    assert board.take_outgoing() == b""
    board.step(62 * SECOND)
    assert board.take_outgoing() != b""


def test_while_a_frame_is_stuck_in_the_port_the_newest_page_is_not_settled_yet() -> None:
    board = SerialScoreboard("scoreboard", TextSign())
    board.opened(0)
    board.step(0)
    assert board.take_outgoing() == b"\x0c"
    for turn in range(10):
        board.show((str(turn), ""))
        board.step(turn * SECOND)
    board.take_outgoing()
    board.step(11 * SECOND)
    assert board.take_outgoing() == encode(("9", ""), 20)


def test_a_page_that_stands_there_is_not_sent_again_until_the_repaint() -> None:
    line = InstantOwner(TextSign())
    line.board.show(("Pause", ""))
    line.run(ONCE_MORE_NS + SECOND)
    line.sent.clear()
    for _ in range(REPAINT_NS // SECOND - 2):
        line.board.show(("Pause", ""))
        line.run(line.now_ns + SECOND)
    assert line.sent == []
    line.run(line.now_ns + 3 * SECOND)
    assert line.texts() == [encode(("Pause", ""), 20)]


def test_it_is_repainted_every_half_minute_and_set_up_anew_more_rarely() -> None:
    sign = cd5220_sign()
    line = InstantOwner(sign)
    line.board.show(("Pause", ""))
    line.run(2 * sign.set_up_every_ns + ONCE_MORE_NS + 2 * SECOND)
    set_up = cd5220_sign().start()[0].data
    page = cd5220_sign().change(("Pause", ""))[0].data
    starts_s = [round(at_ns / SECOND) for at_ns, data in line.sent if data == set_up]
    assert starts_s == [0, 15, 15 + 300, 15 + 600]
    pages_ns = [at_ns for at_ns, data in line.sent if data == page]
    assert len(pages_ns) == 1 + 2 * sign.set_up_every_ns // REPAINT_NS + 1
    assert all(later - earlier <= REPAINT_NS + SECOND for earlier, later in pairwise(pages_ns))


def test_it_does_not_turn_in_circles() -> None:
    line = InstantOwner(AlphaSign())
    line.board.show(("a", "b"))
    assert line.run(60 * 60 * SECOND) < 2000


def test_without_a_port_it_wants_nothing() -> None:
    board = SerialScoreboard("scoreboard", TextSign())
    assert board.step(0) is None
    board.opened(0)
    board.closed(1)
    assert board.step(2) is None


def test_show_wakes_the_owner_once_for_each_new_page() -> None:
    board = SerialScoreboard("scoreboard", TextSign())
    woken: list[int] = []
    board.wake = lambda: woken.append(1)
    board.show(("a",))
    board.show(("a",))
    board.show(("b",))
    assert len(woken) == 2
    board.close()
    board.close()
    assert len(woken) == 3


def test_nothing_is_shown_after_closing() -> None:
    line = InstantOwner(TextSign())
    line.run(SECOND)
    line.board.close()
    line.board.show(("too late", ""))
    line.sent.clear()
    line.run(2 * REPAINT_NS)
    assert set(line.texts()) == {b"\x0c", encode(("", ""), 20)}


def test_at_rest_an_alpha_sign_gets_the_pause_it_needs_in_bytes_that_mean_nothing() -> None:
    line = InstantOwner(AlphaSign(pause_ns=300 * MS))
    line.board.show(("a", "b"))
    line.run(10 * SECOND)
    line.board.show(("c", "b"))
    line.step()
    rest = line.board.rest()
    blank = AlphaSign().blank()
    assert rest.endswith(blank)
    filler = rest.removesuffix(blank)
    assert set(filler) == {0}
    assert len(filler) * BYTE_NS >= 300 * MS
    line.run(20 * SECOND)
    assert line.board.rest() == blank


class StuckPort:
    """A port in which a write does not come back until it is let go."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.stuck = threading.Event()

    def fileno(self) -> int:
        return -1

    def read(self) -> bytes:
        return b""

    def write(self, data: bytes) -> int:
        self.stuck.set()
        self.go_on.wait(5.0)
        return len(data)

    def close(self) -> None:
        self.go_on.set()


def test_show_never_blocks_even_if_the_port_does() -> None:
    port = StuckPort()
    board = SerialScoreboard("scoreboard", TextSign())
    owner = OwnerThread(PortWork(lambda: port, board, lambda _: None), lambda _: None)
    try:
        assert port.stuck.wait(5.0)
        began = time.monotonic()
        for turn in range(1000):
            board.show((str(turn), ""))
        board.close()
        assert time.monotonic() - began < 5.0  # if it did block, it would do so for ever
        assert not port.go_on.is_set()
    finally:
        port.go_on.set()
        owner.close()


def test_a_port_that_is_opened_again_gets_nothing_of_what_was_under_way() -> None:
    board = SerialScoreboard("scoreboard", AlphaSign())
    set_up = [frame.data for frame in AlphaSign().start()]
    for now_ns in (0, 5 * SECOND):  # the first time it breaks with a frame handed out and others waiting
        board.opened(now_ns)
        board.step(now_ns)
        assert board.take_outgoing() == set_up[0]
    board.take_outgoing()
    board.step(10 * SECOND)
    assert board.take_outgoing() == set_up[1]
