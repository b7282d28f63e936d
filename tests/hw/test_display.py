"""The simulated text display."""

from hw.sim.outputs import SimTextDisplay


def test_it_begins_blank() -> None:
    assert SimTextDisplay(rows=2).lines == ("", "")


def test_lines_stand_below_each_other() -> None:
    display = SimTextDisplay()
    display.write(b"\x0cone\r\ntwo\r\n")
    assert display.lines == ("one", "two")


def test_a_form_feed_clears_it() -> None:
    display = SimTextDisplay()
    display.write(b"old\r\nold")
    display.write(b"\x0cnew")
    assert display.lines == ("new", "")


def test_what_is_too_long_or_too_low_is_not_seen() -> None:
    display = SimTextDisplay(rows=2, columns=3)
    display.write(b"abcdef\r\nx\r\ny\r\nz")
    assert display.lines == ("abc", "x")


def test_control_codes_and_foreign_bytes_do_no_harm() -> None:
    display = SimTextDisplay()
    display.write(b"a\x00\x1b\x07b\xff")
    assert display.lines == ("ab\N{REPLACEMENT CHARACTER}", "")


def test_it_keeps_what_came_over_the_line() -> None:
    display = SimTextDisplay(keep=2)
    for data in (b"a", b"bc", b"d"):
        display.write(data)
    assert list(display.history) == [b"bc", b"d"]
    assert display.bytes_taken == 4
