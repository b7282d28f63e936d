"""What can be concluded from a few readings: each rule on its own."""

from __future__ import annotations

import pytest

from hw.i2c.mcp23017 import FirstInterrupt, Look, PinChange, PortReading, settled

USED = 0x7F7F
HIGH = USED
A0, A1, B0 = 0x0001, 0x0002, 0x0100
SEEN = 1_000
"""When all pins were last seen as they are known."""
INTERRUPT_NS = 5_000
ALONE, AMBIGUOUS = FirstInterrupt(INTERRUPT_NS, alone=True), FirstInterrupt(INTERRUPT_NS, alone=False)


def reading(since_ns: int, *, named: int = 0, captured: int = HIGH, pins: int = HIGH) -> PortReading:
    return PortReading(since_ns, since_ns + 800, named, captured, pins)


def look(
    *readings: PortReading,
    interrupt: FirstInterrupt | None = ALONE,
    known: int = HIGH,
    captured_before: int = HIGH,
) -> Look:
    return Look(readings, interrupt, USED, known, [SEEN] * 16, captured_before)


def fallen(pins: int) -> int:
    """All high but these."""
    return HIGH & ~pins


def calm(since_ns: int, pins: int) -> PortReading:
    """A confirmation: no interrupt since, and INTCAP is what the port is."""
    return reading(since_ns, captured=fallen(pins), pins=fallen(pins))


def test_two_readings_alike_settle_it_and_three_always_do() -> None:
    one, other = reading(6_000), reading(7_000, pins=fallen(A0))
    assert not settled([one], USED)
    assert settled([one, one], USED)
    assert not settled([one, other], USED)
    assert settled([one, other], USED & ~A0)
    assert settled([one, other, one], USED)


def test_what_two_of_three_say_counts() -> None:
    high, low = reading(6_000), reading(7_000, pins=fallen(A0))
    assert look(high, low, high).levels & A0 == A0
    assert look(low, high, low).levels & A0 == 0
    assert look(high, low, low).levels & A0 == 0


def test_the_pin_that_called_has_the_stamp_of_the_interrupt() -> None:
    first = reading(6_000, named=A0, captured=fallen(A0), pins=fallen(A0))
    assert look(first, calm(7_000, A0)).changes() == [PinChange(0, False, INTERRUPT_NS, 0)]


def test_two_pins_that_called_at_once_both_have_it() -> None:
    both = A0 | A1
    first = reading(6_000, named=both, captured=fallen(both), pins=fallen(both))
    changes = look(first, calm(7_000, both)).changes()
    assert changes == [PinChange(0, False, INTERRUPT_NS, 0), PinChange(1, False, INTERRUPT_NS, 0)]


def test_without_an_interrupt_a_change_is_dated_from_when_the_pin_was_last_seen() -> None:
    first = reading(6_000, named=A0, captured=fallen(A0), pins=fallen(A0))
    assert look(first, calm(7_000, A0), interrupt=None).changes() == [PinChange(0, False, 6_800, 5_800)]


def test_with_a_ambiguous_interrupt_it_is_dated_from_the_interrupt_to_the_reading() -> None:
    first = reading(6_000, named=A0, captured=fallen(A0), pins=fallen(A0))
    assert look(first, calm(7_000, A0), interrupt=AMBIGUOUS).changes() == [PinChange(0, False, 6_800, 1_800)]


def test_a_pin_in_the_port_but_not_in_the_capture_came_after_the_interrupt() -> None:
    both = A0 | A1
    first = reading(6_000, named=A0, captured=fallen(A0), pins=fallen(both))
    assert look(first, calm(7_000, both)).changes() == [
        PinChange(0, False, INTERRUPT_NS, 0),
        PinChange(1, False, 6_800, 1_800),
    ]


def test_a_pin_in_the_capture_that_did_not_call_may_be_older_than_the_interrupt() -> None:
    """It slipped through an earlier reading. The moment of the capture is the latest it can have been."""
    both = A0 | A1
    first = reading(6_000, named=A1, captured=fallen(both), pins=fallen(both))
    assert look(first, calm(7_000, both)).changes() == [
        PinChange(0, False, INTERRUPT_NS, INTERRUPT_NS - SEEN),
        PinChange(1, False, INTERRUPT_NS, 0),
    ]


def test_a_pin_on_the_port_that_did_not_call_may_be_older_than_the_interrupt() -> None:
    both = A0 | B0
    first = reading(6_000, named=A0, captured=fallen(A0), pins=fallen(both))
    second = reading(7_000, captured=fallen(A0), pins=fallen(both))
    assert look(first, second).changes() == [
        PinChange(0, False, 6_800, 1_800),  # the other port is not quiet, so it may have interrupted
        PinChange(8, False, 6_800, 5_800),
    ]


@pytest.mark.parametrize("stirs", ["named", "captured", "pins"])
def test_any_stir_on_the_other_port_makes_the_interrupt_ambiguous(stirs: str) -> None:
    values = {"named": A0, "captured": fallen(A0), "pins": fallen(A0)}
    values[stirs] ^= B0
    second = reading(7_000, captured=values["captured"], pins=fallen(A0))
    third = reading(8_000, captured=values["captured"], pins=fallen(A0))
    (change,) = look(reading(6_000, **values), second, third).changes()
    assert change == PinChange(0, False, 6_800, 1_800)


def test_a_pin_that_went_back_after_the_capture_makes_two_changes() -> None:
    first = reading(6_000, named=A0, captured=fallen(A0))
    second = reading(7_000, captured=fallen(A0))
    assert look(first, second).changes() == [
        PinChange(0, False, INTERRUPT_NS, 0),
        PinChange(0, True, 6_800, 1_800),
    ]


def test_but_not_if_only_one_transfer_has_captured_it() -> None:
    assert look(reading(6_000, named=A0, captured=fallen(A0)), reading(7_000)).changes() == []


def test_a_capture_left_over_from_an_earlier_call_proves_nothing() -> None:
    """The port is named, but INTCAP is as it was before, and shows a pin that is not named."""
    first = reading(6_000, named=A0, captured=fallen(A1), pins=fallen(A0))
    second = reading(7_000, captured=fallen(A1), pins=fallen(A0))
    assert look(first, second, captured_before=fallen(A1)).changes() == [PinChange(0, False, 6_800, 1_800)]


def test_a_capture_that_is_garbled_gives_no_moment_to_what_it_did_not_show() -> None:
    """It is not the same again, and does not agree with INTF."""
    first = reading(6_000, named=A0, captured=HIGH, pins=fallen(A0))
    assert look(first, calm(7_000, A0)).changes() == [PinChange(0, False, 6_800, 1_800)]


def test_a_pin_that_called_between_two_readings_changed_after_the_first_of_them() -> None:
    both = A0 | B0
    first = reading(6_000, named=A0, captured=fallen(A0), pins=fallen(A0))
    second = reading(7_000, named=B0, captured=fallen(both), pins=fallen(both))
    third = calm(8_000, both)
    assert look(first, second, third).changes() == [
        PinChange(0, False, 6_800, 1_800),
        PinChange(8, False, 7_800, 1_800),
    ]


def test_unless_the_first_of_them_shows_it_changed_already() -> None:
    """Then it has called for another change, and of the first one only the beginning is known."""
    first = reading(6_000, pins=fallen(B0))
    second = reading(7_000, named=B0, captured=fallen(B0), pins=fallen(B0))
    (change,) = look(first, second, interrupt=None).changes()
    assert change == PinChange(8, False, 7_800, 6_800)


def test_a_change_is_there_at_the_end_of_the_reading_from_which_on_all_show_it() -> None:
    old, new = reading(6_000), [reading(t_ns, pins=fallen(A0)) for t_ns in (7_000, 8_000)]
    (change,) = look(old, *new, interrupt=None).changes()
    assert change == PinChange(0, False, 7_800, 6_800)


def test_a_pin_was_last_seen_at_the_first_reading_that_shows_it_as_it_is() -> None:
    """The second may be the garbled one."""
    one, other = reading(6_000), reading(7_000)
    assert look(one, other).seen_at_ns(0) == 6_000
    changed = reading(8_000, pins=fallen(A0))
    assert look(one, changed, changed).seen_at_ns(0) == 8_000


def test_a_last_reading_that_contradicts_the_others_is_worth_another_look() -> None:
    one, changed = reading(6_000), reading(8_000, pins=fallen(A0))
    assert not look(one, one).unsettled
    assert look(one, one, changed).unsettled
    assert not look(one, one, reading(8_000, pins=HIGH | 0x8080)).unsettled


def test_changes_come_by_their_latest_moment() -> None:
    both = A0 | A1
    first = reading(6_000, named=A1, captured=fallen(A1), pins=fallen(both))
    changes = look(first, calm(7_000, both)).changes()
    assert [change.pin for change in changes] == [1, 0]
