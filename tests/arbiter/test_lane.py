"""Raw edges of many lines in, changes in the order of their stamps out."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.arbiter.debounce import LineDebouncer
from firmware_host.arbiter.lane import LaneArbiter
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Contact, Pressed, Released, Signal
from firmware_host.places import Button
from firmware_host.settings import Lane
from firmware_host.stamps import Stamp, exactly
from tests.arbiter.driving import Arrival, drive

LANE = Lane(delivery_ns=50, quiet_ns=30, burst_ns=100)
SETTLE = LANE.settle_ns
SEATS = (1, 2, 3, 4)


def contact(button: Button, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Pressed if active else Released)(button.seat, stamp, late)


def lane() -> LaneArbiter[Button]:
    return LaneArbiter(LANE, map(Button, SEATS), contact)


def edge(seat: int, active: bool, t_ns: int, seq: int = 0) -> Signal:
    return Signal(Button(seat), active, exactly(t_ns), seq)


def on_time(*signals: Signal) -> list[Arrival]:
    return [Arrival(signal.stamp.earliest_ns, signal) for signal in signals]


@st.composite
def hammering(draw: st.DrawFn, widths: Sequence[int] = (0, 0, 10, 200)) -> list[Signal]:
    """Seats press and let go at any pace, with bounce and now and then with a wide stamp."""
    edges: list[tuple[int, int, int]] = []
    for seat in draw(st.lists(st.sampled_from(SEATS), unique=True, max_size=3)):
        t_ns = 1000
        for gap in draw(st.lists(st.integers(0, 40) | st.integers(0, 300), max_size=10)):
            t_ns += gap
            edges.append((t_ns, seat, len(edges)))
    levels = dict.fromkeys(SEATS, False)
    signals: list[Signal] = []
    for t_ns, seat, seq in edges:
        levels[seat] = not levels[seat]
        width = draw(st.sampled_from(widths))
        signals.append(Signal(Button(seat), levels[seat], Stamp(t_ns, t_ns + width), seq))
    return signals


# -- one change after the other


def test_a_change_comes_out_when_it_is_settled() -> None:
    assert drive(lane(), on_time(edge(3, True, 1000))) == [(1000 + SETTLE, Pressed(3, exactly(1000)))]


def test_the_earlier_edge_comes_out_first_though_it_arrives_last() -> None:
    arrivals = [Arrival(1045, edge(1, True, 1010)), Arrival(1050, edge(2, True, 1000))]
    assert [change.contact for change in drive(lane(), arrivals)] == [
        Pressed(2, exactly(1000)),
        Pressed(1, exactly(1010)),
    ]


def test_edges_of_one_line_with_equal_stamps_keep_the_order_of_their_source() -> None:
    arrivals = [Arrival(1001, edge(1, False, 1000, seq=2)), Arrival(1002, edge(1, True, 1000, seq=1))]
    arbiter = lane()
    assert drive(arbiter, arrivals) == []
    assert arbiter.notes == [Noise(Button(1), exactly(1000))]


def test_a_line_that_is_active_at_the_start_has_not_just_been_pressed() -> None:
    arbiter = lane()
    arbiter.preset(Button(1), True)
    changes = drive(arbiter, on_time(edge(1, True, 1000, 1), edge(1, False, 2000, 2)))
    assert [change.contact for change in changes] == [Released(1, exactly(2000))]


def test_noise_is_noted_and_does_not_come_out() -> None:
    arbiter = lane()
    assert drive(arbiter, on_time(edge(1, True, 1000, 1), edge(1, False, 1010, 2))) == []
    assert arbiter.notes == [Noise(Button(1), exactly(1000))]


def test_nothing_is_due_while_nothing_is_under_way() -> None:
    arbiter = lane()
    assert arbiter.due_ns is None
    drive(arbiter, on_time(edge(1, True, 1000)))
    assert arbiter.due_ns is None


def test_what_waits_and_what_bursts_and_what_just_came_are_all_due() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000), 1000)
    assert arbiter.due_ns == 1000 + SETTLE
    assert arbiter.release(1060) == []  # the edge has become a burst
    assert arbiter.due_ns == 1000 + SETTLE
    arbiter.put(edge(2, True, 1020), 1061)
    assert arbiter.due_ns == 1000 + SETTLE
    assert arbiter.release(1090) == []  # the burst has become a change
    assert arbiter.due_ns == 1000 + SETTLE


# -- whatever the way through the software


@given(hammering(), st.data(), st.randoms(use_true_random=False))
def test_delays_and_permutations_change_neither_what_comes_out_nor_when(
    signals: list[Signal], data: st.DataObject, chance: Random
) -> None:
    prompt, slow = lane(), lane()
    arrivals = [
        Arrival(signal.stamp.earliest_ns + data.draw(st.integers(0, LANE.delivery_ns)), signal)
        for signal in signals
    ]
    chance.shuffle(arrivals)
    assert drive(slow, arrivals) == drive(prompt, on_time(*signals))
    assert slow.notes == prompt.notes


@given(hammering())
def test_changes_come_out_in_the_order_of_their_stamps(signals: list[Signal]) -> None:
    stamps = [change.contact.stamp for change in drive(lane(), on_time(*signals))]
    assert stamps == sorted(stamps)


@given(hammering(widths=[10]))
def test_changes_come_out_when_their_stamps_are_settled(signals: list[Signal]) -> None:
    for now_ns, change in drive(lane(), on_time(*signals)):
        assert change.stamp.earliest_ns + SETTLE <= now_ns <= change.stamp.latest_ns + SETTLE


@given(hammering())
def test_the_changes_of_a_line_are_what_its_debouncer_makes_of_its_edges(signals: list[Signal]) -> None:
    changes = [change.contact for change in drive(lane(), on_time(*signals))]
    for seat in SEATS:
        assert [change for change in changes if _seat(change) == seat] == _debounced(seat, signals)


def _seat(change: Contact) -> int:
    assert isinstance(change, Pressed | Released)
    return change.seat


def _debounced(seat: int, signals: list[Signal]) -> list[Contact]:
    line = LineDebouncer(LANE.quiet_ns, LANE.burst_ns)
    found: list[Contact] = []

    def finish(by_ns: int) -> None:
        if line.due_ns is not None and line.due_ns <= by_ns:
            stamp, changed = line.finish()
            if changed:
                found.append(contact(Button(seat), line.active, stamp, False))

    own = [signal for signal in signals if signal.source == Button(seat)]
    for _, active, stamp, _ in sorted(own, key=lambda signal: (signal.stamp, signal.seq)):
        finish(stamp.earliest_ns)
        line.edge(active, stamp)
    finish(10**12)
    return found


# -- too late


def settled_by(now_ns: int) -> LaneArbiter[Button]:
    """A lane that has been released at that moment, so that older stamps are too late."""
    arbiter = lane()
    arbiter.release(now_ns)
    return arbiter


def test_an_edge_beyond_its_delivery_time_is_counted_and_comes_back_as_late() -> None:
    arbiter = settled_by(2000)
    assert arbiter.put(edge(1, True, 1900), 2010) == Pressed(1, exactly(1900), late=True)
    assert arbiter.notes == [LateSignal(Button(1), exactly(1900), behind_ns=110)]
    assert drive(arbiter, []) == []


def test_an_edge_just_within_its_delivery_time_is_not_late() -> None:
    arbiter = settled_by(2000)
    assert arbiter.put(edge(1, True, 1951), 2001) is None
    assert arbiter.notes == []
    assert [change.contact for change in drive(arbiter, [])] == [Pressed(1, exactly(1951))]


def test_a_late_edge_to_the_level_known_already_is_only_counted() -> None:
    arbiter = settled_by(2000)
    assert arbiter.put(edge(1, False, 1900), 2010) is None
    assert len(arbiter.notes) == 1


def test_after_a_late_press_the_line_is_known_to_be_down() -> None:
    arbiter = settled_by(2000)
    arbiter.put(edge(1, True, 1900, 1), 2010)
    changes = drive(arbiter, on_time(edge(1, True, 3000, 2), edge(1, False, 4000, 3)))
    assert [change.contact for change in changes] == [Released(1, exactly(4000))]


def test_after_an_edge_that_was_late_for_its_burst_the_next_press_counts() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000, 1), 1000)
    arbiter.release(1070)  # settled to 1020: the burst goes on
    arbiter.put(edge(1, False, 1015, 2), 1070)  # what began at 1000 was noise, but this is told late
    changes = drive(arbiter, on_time(edge(1, True, 3000, 3)))
    assert Pressed(1, exactly(3000)) in [change.contact for change in changes]


def test_a_late_edge_that_was_overtaken_on_its_own_line_does_not_turn_the_level_back() -> None:
    arbiter = lane()
    drive(arbiter, on_time(edge(1, False, 1100, 2)))  # the end of a short press, and in time
    arbiter.put(edge(1, True, 1000, 1), 5000)  # its beginning, much too late
    changes = drive(arbiter, on_time(edge(1, True, 6000, 3)))
    assert Pressed(1, exactly(6000)) in [change.contact for change in changes]
