"""The plain display, from pages to bytes and back to what a person reads."""

from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.charset import to_ascii
from hw.scoreboard.text import PlainScoreboard, encode
from hw.sim.outputs import SimTextDisplay

pages = st.lists(st.text(max_size=30), max_size=2).map(tuple)


def test_a_page_is_cleared_and_sent_line_by_line() -> None:
    assert encode(("Runde 1/12", "läuft"), 20) == b"\x0cRunde 1/12\r\nlauft\r\n"


def test_what_does_not_fit_is_cut_and_spaces_at_the_end_are_not_sent() -> None:
    assert encode(("0123456789", "ab        z"), 5) == b"\x0c01234\r\nab\r\n"


def test_an_empty_page_is_a_clear_display() -> None:
    assert encode((), 20) == b"\x0c"


def test_the_scoreboard_writes_each_page_and_ends_blank() -> None:
    written: list[bytes] = []
    board = PlainScoreboard(written.append, columns=16)
    board.show(("Paused",))
    board.close()
    board.close()
    assert board.columns == 16
    assert written == [b"\x0cPaused\r\n", b"\x0c"]


@given(pages, st.lists(st.integers(0, 70), max_size=6))
def test_a_page_reads_the_same_in_whatever_pieces_it_arrives(page: tuple[str, ...], cuts: list[int]) -> None:
    display = SimTextDisplay(rows=2, columns=20)
    data = encode(page, 20)
    ends = [*sorted(cuts), len(data)]
    for start, end in zip([0, *ends], ends, strict=False):
        display.write(data[start:end])
    shown = [to_ascii(line)[:20].rstrip() for line in page]
    assert list(display.lines) == shown + [""] * (2 - len(shown))
