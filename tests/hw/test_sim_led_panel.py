"""Simulated lamps and what an eye sees of them."""

import pytest

from hw.sim.agenda import Agenda
from hw.sim.outputs import ShownFrame, SimLedPanel


def shown(*frames: tuple[int, bytes], keep: int | None = None) -> SimLedPanel:
    agenda = Agenda()
    panel = SimLedPanel(2, lambda: agenda.now_ns, keep)
    for t_ns, frame in frames:
        agenda.run(t_ns)
        panel.show(frame)
    return panel


def test_a_panel_begins_dark() -> None:
    assert shown().frame == b"\0\0"


def test_it_keeps_what_was_shown_and_when() -> None:
    panel = shown((1, b"\1\0"), (5, b"\1\2"))
    assert list(panel.history) == [ShownFrame(1, b"\1\0"), ShownFrame(5, b"\1\2")]
    assert (panel.frame, panel.shown) == (b"\1\2", 2)


def test_it_may_keep_only_the_last_frames() -> None:
    panel = shown((1, b"\1\0"), (5, b"\1\2"), (6, b"\0\2"), keep=2)
    assert [t_ns for t_ns, _ in panel.history] == [5, 6]
    assert panel.shown == 3


def test_a_frame_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="a frame of 3 lamps for a panel of 2"):
        shown((1, b"\1\0\0"))


def test_the_rhythm_is_one_lamps_values_without_repeats() -> None:
    panel = shown((0, b"\0\1"), (10, b"\4\1"), (20, b"\4\2"), (30, b"\0\2"), (40, b"\4\2"))
    assert panel.rhythm(0, since_ns=0) == (0, 4, 0, 4)
    assert panel.rhythm(1, since_ns=0) == (1, 2)


def test_the_rhythm_begins_with_what_burned_then() -> None:
    panel = shown((0, b"\0\0"), (10, b"\4\0"), (30, b"\2\0"))
    assert panel.rhythm(0, since_ns=25) == (4, 2)
    assert panel.rhythm(0, since_ns=30) == (2,)
    assert panel.rhythm(0, since_ns=99) == (2,)


def test_closing_leaves_it_dark_and_closing_again_shows_nothing_new() -> None:
    panel = shown((1, b"\1\0"))
    panel.close()
    panel.close()
    assert (panel.frame, panel.shown) == (b"\0\0", 2)
