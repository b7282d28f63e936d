"""What can be concluded from a few readings: each rule on its own."""

from __future__ import annotations

import pytest

from hw.i2c.mcp23017 import FirstInterrupt, Look, PinChange, PortReading, settled

USED = 0x7F7F
A0, A1, B0 = 0x0001, 0x0002, 0x0100
SEEN = 1_000
"""When all pins were last seen as they are known: high."""
CALLED = 5_000
"""The interrupt."""
ALONE, AMBIGUOUS = FirstInterrupt(CALLED, alone=True), FirstInterrupt(CALLED, alone=False)


def reading(since_ns: int, named: int = 0, captured: int = 0, pins: int = 0) -> PortReading:
    """Of 800 ns; what was captured low, and what is low now."""
    return PortReading(since_ns, since_ns + 800, named, USED & ~captured, USED & ~pins)


def look(*readings: PortReading, interrupt: FirstInterrupt | None = ALONE, captured_before: int = 0) -> Look:
    return Look(readings, interrupt, USED, USED, [SEEN] * 16, USED & ~captured_before)


def fell(pin: int, since_ns: int, until_ns: int) -> PinChange:
    return PinChange(pin, False, until_ns, until_ns - since_ns)


BOTH, ACROSS = A0 | A1, A0 | B0
CALL = reading(6_000, A0, A0, A0)
CALM = reading(7_000, 0, A0, A0)
"""A confirmation: no interrupt since, and INTCAP is what the port is."""


@pytest.mark.parametrize(
    ("seen", "changes"),
    [
        # The pin that called has the stamp of the interrupt; so have two that called at once.
        (look(CALL, CALM), [fell(0, CALLED, CALLED)]),
        (look(reading(6_000, BOTH, BOTH, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(0, CALLED, CALLED), fell(1, CALLED, CALLED)]),
        # Without an interrupt it is dated from when the pin was last seen, with an ambiguous one from that.
        (look(CALL, CALM, interrupt=None), [fell(0, SEEN, 6_800)]),
        (look(CALL, CALM, interrupt=AMBIGUOUS), [fell(0, CALLED, 6_800)]),
        # A pin in the port but not in the capture came after the interrupt.
        (look(reading(6_000, A0, A0, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(0, CALLED, CALLED), fell(1, CALLED, 6_800)]),
        # One in the capture that did not call may be older: it slipped through an earlier reading.
        (look(reading(6_000, A1, BOTH, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(0, SEEN, CALLED), fell(1, CALLED, CALLED)]),
        # So may one on the port that did not call; that port is not quiet, so it may have interrupted.
        (look(reading(6_000, A0, A0, ACROSS), reading(7_000, 0, A0, ACROSS)),
         [fell(0, CALLED, 6_800), fell(8, SEEN, 6_800)]),
        # Any stir on the other port makes the interrupt ambiguous.
        (look(reading(6_000, A0 | B0, A0, A0), CALM, reading(8_000, 0, A0, A0)), [fell(0, CALLED, 6_800)]),
        (look(reading(6_000, A0, ACROSS, A0), reading(7_000, 0, ACROSS, A0), reading(8_000, 0, ACROSS, A0)),
         [fell(0, CALLED, 6_800)]),
        (look(reading(6_000, A0, A0, A0 | B0), CALM, reading(8_000, 0, A0, A0)), [fell(0, CALLED, 6_800)]),
        # A pin that went back after the capture makes two changes, unless only one transfer has captured it.
        (look(reading(6_000, A0, A0), reading(7_000, 0, A0)),
         [fell(0, CALLED, CALLED), PinChange(0, True, 6_800, 1_800)]),
        (look(reading(6_000, A0, A0), reading(7_000)), []),
        # A capture left over from an earlier call shows a pin that is not named, and proves nothing; nor does
        # a garbled one, which is not the same again and does not agree with INTF.
        (look(reading(6_000, A0, A1, A0), reading(7_000, 0, A1, A0), captured_before=A1),
         [fell(0, CALLED, 6_800)]),
        (look(reading(6_000, A0, 0, A0), CALM), [fell(0, CALLED, 6_800)]),
        # A pin that called between two readings changed after the first of them, unless that shows it
        # already: then it has called for another change, and of the first one only the beginning is known.
        (look(CALL, reading(7_000, B0, ACROSS, ACROSS), reading(8_000, 0, ACROSS, ACROSS)),
         [fell(0, CALLED, 6_800), fell(8, 6_000, 7_800)]),
        (look(reading(6_000, 0, 0, B0), reading(7_000, B0, B0, B0), interrupt=None), [fell(8, SEEN, 7_800)]),
        # A change is there at the end of the reading from which on all show it.
        (look(reading(6_000), reading(7_000, 0, 0, A0), reading(8_000, 0, 0, A0), interrupt=None),
         [fell(0, SEEN, 7_800)]),
        # Changes come by their latest moment.
        (look(reading(6_000, A1, A1, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(1, CALLED, CALLED), fell(0, CALLED, 6_800)]),
    ],
)  # fmt: skip
def test_what_has_changed_and_when(seen: Look, changes: list[PinChange]) -> None:
    assert seen.changes() == changes


def test_two_readings_alike_settle_it_and_three_always_do() -> None:
    one, other = reading(6_000), reading(7_000, pins=A0)
    assert not settled([one], USED)
    assert settled([one, one], USED)
    assert not settled([one, other], USED)
    assert settled([one, other], USED & ~A0)
    assert settled([one, other, one], USED)


def test_what_two_of_three_say_counts() -> None:
    high, low = reading(6_000), reading(7_000, pins=A0)
    assert look(high, low, high).levels & A0 == A0
    assert look(low, high, low).levels & A0 == 0
    assert look(high, low, low).levels & A0 == 0


def test_a_pin_was_last_seen_at_the_first_reading_that_shows_it_as_it_is() -> None:
    """The second may be the garbled one."""
    one, changed = reading(6_000), reading(8_000, pins=A0)
    assert look(one, reading(7_000)).seen_at_ns(0) == 6_000
    assert look(one, changed, changed).seen_at_ns(0) == 8_000


def test_a_last_reading_that_contradicts_the_others_is_worth_another_look() -> None:
    one = reading(6_000)
    assert not look(one, one).unsettled
    assert look(one, one, reading(8_000, pins=A0)).unsettled
    assert not look(one, one, PortReading(8_000, 8_800, 0, USED, USED | 0x8080)).unsettled
