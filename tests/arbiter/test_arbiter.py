"""The whole table's signals in, the contacts of seats and slots out."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.arbiter.arbiter import Arbiter
from firmware_host.durations import MS, US
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Emptied, Filled, Pressed, Released, Signal
from firmware_host.places import ALL_SLOTS, Button, Colour, Slot, Source
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, exactly
from tests.arbiter.driving import Arrival, drive

SETTINGS = Settings()
SLAP, PLACE = SETTINGS.buttons.settle_ns, SETTINGS.slots.settle_ns
RED_1 = Slot(Colour.RED, 1)
SOURCES: list[Source] = [Button(1), Button(2), Button(3), RED_1, Slot(Colour.BLUE, 6)]


def arbiter() -> Arbiter:
    return Arbiter(SETTINGS, [1, 2, 3, 4], ALL_SLOTS)


def signal(source: Source, active: bool, t_ns: int, seq: int = 0) -> Signal:
    return Signal(source, active, exactly(t_ns), seq)


def on_time(*signals: Signal) -> list[Arrival]:
    return [Arrival(signal.stamp.earliest_ns, signal) for signal in signals]


@st.composite
def evenings(draw: st.DrawFn) -> list[Signal]:
    """Edges of some buttons and slots, as clean or as bouncy as they come."""
    signals: list[Signal] = []
    for source in SOURCES:
        t_ns, active = 1_000 * MS, False
        for gap_us in draw(st.lists(st.sampled_from([0, 200, 2_000, 20_000, 90_000]), max_size=6)):
            t_ns, active = t_ns + gap_us * US, not active
            signals.append(Signal(source, active, Stamp(t_ns, t_ns + 200 * US), len(signals)))
    return signals


def test_a_button_becomes_a_press_and_a_release() -> None:
    out = drive(arbiter(), on_time(signal(Button(3), True, 0, 1), signal(Button(3), False, 300 * MS, 2)))
    assert out == [(SLAP, Pressed(3, exactly(0))), (300 * MS + SLAP, Released(3, exactly(300 * MS)))]


def test_a_slot_becomes_filled_and_emptied() -> None:
    out = drive(arbiter(), on_time(signal(RED_1, True, 0, 1), signal(RED_1, False, 300 * MS, 2)))
    assert out == [(PLACE, Filled(RED_1, exactly(0))), (300 * MS + PLACE, Emptied(RED_1, exactly(300 * MS)))]


def test_a_slap_does_not_wait_for_the_slots() -> None:
    out = drive(arbiter(), on_time(signal(RED_1, True, 0), signal(Button(1), True, 1 * MS)))
    assert [type(change.contact) for change in out] == [Pressed, Filled]


def test_what_is_settled_at_once_comes_slots_first() -> None:
    both = arbiter()
    both.put(signal(Button(1), True, 0), 0)
    both.put(signal(RED_1, True, 0), 0)
    assert both.release(1_000 * MS) == [Filled(RED_1, exactly(0)), Pressed(1, exactly(0))]


def test_nothing_is_due_at_rest() -> None:
    assert arbiter().due_ns is None


def test_the_first_of_both_lanes_is_due() -> None:
    slap, place, both = arbiter(), arbiter(), arbiter()
    slap.put(signal(Button(1), True, 100 * MS), 100 * MS)
    assert slap.due_ns == 100 * MS + SLAP
    place.put(signal(RED_1, True, 0), 0)
    assert place.due_ns == PLACE
    for one in (signal(Button(1), True, 100 * MS), signal(RED_1, True, 0)):
        both.put(one, 100 * MS)
    assert both.due_ns == min(PLACE, 100 * MS + SLAP)


def test_contacts_that_are_active_from_the_start_are_no_news() -> None:
    table = arbiter()
    table.preset_button(2, True)
    table.preset_slot(RED_1, True)
    out = drive(
        table,
        on_time(
            signal(Button(2), True, 0, 1),
            signal(RED_1, True, 0, 2),
            signal(Button(2), False, 500 * MS, 3),
            signal(RED_1, False, 500 * MS, 4),
        ),
    )
    assert {type(change.contact) for change in out} == {Released, Emptied}


def test_late_edges_come_back_as_late_contacts_of_their_kind() -> None:
    table = arbiter()
    table.release(1_000 * MS)
    assert table.put(signal(Button(1), True, 0, 1), 1_000 * MS) == Pressed(1, exactly(0), late=True)
    assert table.put(signal(RED_1, True, 0, 2), 1_000 * MS) == Filled(RED_1, exactly(0), late=True)
    assert table.put(signal(RED_1, False, 1, 3), 1_000 * MS) == Emptied(RED_1, exactly(1), late=True)


def test_notes_of_both_lanes_are_taken_once() -> None:
    table = arbiter()
    drive(table, on_time(signal(RED_1, True, 0, 1), signal(RED_1, False, 1 * MS, 2)))
    table.put(signal(Button(4), True, 0, 3), 2_000 * MS)
    assert table.take_notes() == [
        LateSignal(Button(4), exactly(0), behind_ns=2_000 * MS),
        Noise(RED_1, exactly(0)),
    ]
    assert table.take_notes() == []


@given(evenings(), st.data(), st.randoms(use_true_random=False))
def test_the_table_learns_the_same_at_the_same_moments_however_edges_travel(
    signals: list[Signal], data: st.DataObject, chance: Random
) -> None:
    delays = st.integers(0, SETTINGS.buttons.delivery_ns)
    arrivals = [Arrival(each.stamp.earliest_ns + data.draw(delays), each) for each in signals]
    chance.shuffle(arrivals)
    prompt, slow = arbiter(), arbiter()
    assert drive(slow, arrivals) == drive(prompt, on_time(*signals))
    assert slow.take_notes() == prompt.take_notes()
