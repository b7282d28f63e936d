"""One field on per neighbourhood: the token and its queue."""

import threading
import time

from hypothesis import given
from hypothesis import strategies as st

from hw.rfid.field import HOLD_NS, FieldAccess, FieldToken


class Seats:
    """Some readers at one token, and who has been woken."""

    def __init__(self, count: int) -> None:
        self.token = FieldToken()
        self.woken: list[int] = []
        self.seats = [self._seat(number) for number in range(count)]

    def _seat(self, number: int) -> FieldAccess:
        return self.token.access(lambda: self.woken.append(number))


def test_a_lone_reader_has_it_whenever_it_asks() -> None:
    [seat] = Seats(1).seats
    for now_ns in (0, 10, HOLD_NS, 5 * HOLD_NS):
        assert seat.try_take(now_ns)
        assert seat.held
        seat.give_back(now_ns + 1)
        assert not seat.held


def test_the_next_one_is_woken_and_has_it() -> None:
    seats = Seats(2)
    first, second = seats.seats
    first.try_take(0)
    second.try_take(1)
    first.give_back(2)
    assert seats.woken == [1]
    assert second.held
    assert second.try_take(3)
    assert not first.try_take(4)


def test_turns_go_round() -> None:
    seats = Seats(3)
    turns = []
    for seat in seats.seats:
        seat.try_take(0)
    for now_ns in range(1, 10):
        [holder] = [number for number, seat in enumerate(seats.seats) if seat.held]
        turns.append(holder)
        seats.seats[holder].give_back(now_ns)
        seats.seats[holder].try_take(now_ns)
    assert turns == [0, 1, 2] * 3
    assert seats.woken == [1, 2, 0] * 3


def test_who_waits_knows_when_to_ask_again() -> None:
    first, second = Seats(2).seats
    first.try_take(100)
    assert [seat.due_ns for seat in (first, second)] == [None, None]
    second.try_take(200)
    assert [seat.due_ns for seat in (first, second)] == [None, 100 + HOLD_NS]


def test_a_silent_holder_loses_it_to_who_waits() -> None:
    first, second = Seats(2).seats
    first.try_take(0)
    assert not second.try_take(HOLD_NS - 1)
    assert second.try_take(HOLD_NS)
    assert (first.held, first.uncertain) == (False, True)
    assert not second.uncertain


def test_a_silent_holder_that_nobody_waits_for_keeps_it() -> None:
    first, _ = Seats(2).seats
    first.try_take(0)
    assert first.try_take(10 * HOLD_NS)
    assert not first.uncertain


def test_the_first_of_those_who_wait_gets_it() -> None:
    seats = Seats(3)
    first, second, third = seats.seats
    first.try_take(0)
    second.try_take(1)
    third.try_take(2)
    assert not third.try_take(HOLD_NS)
    assert seats.woken == [1]
    assert second.held


def test_a_reader_that_never_comes_for_its_turn_loses_it_and_stays_certain() -> None:
    """Its thread may be dead; its field is off."""
    first, second, third = Seats(3).seats
    first.try_take(0)
    second.try_take(0)
    third.try_take(0)
    first.give_back(10)
    assert second.held
    assert not third.try_take(9 + HOLD_NS)
    assert third.try_take(10 + HOLD_NS)
    assert not second.uncertain


def test_time_runs_from_when_it_is_used() -> None:
    """Who was woken late has no less time for it."""
    first, second, third = Seats(3).seats
    for seat in (first, second, third):
        seat.try_take(0)
    first.give_back(10)
    assert second.try_take(HOLD_NS)
    assert third.due_ns == 2 * HOLD_NS


def test_uncertainty_ends_when_the_field_is_known_to_be_off() -> None:
    first, second = Seats(2).seats
    first.try_take(0)
    second.try_take(HOLD_NS)
    second.try_take(HOLD_NS)
    first.give_up(HOLD_NS + 1)
    assert (first.uncertain, second.held) == (True, True)
    first.give_back(HOLD_NS + 2)
    assert (first.uncertain, second.held) == (False, True), "what it gave back was not its own any more"


def test_giving_up_leaves_uncertainty_only_if_the_field_was_on() -> None:
    first, second = Seats(2).seats
    first.try_take(0)
    second.try_take(0)
    second.give_up(1)
    assert not second.uncertain
    assert second.due_ns is None, "it left the queue"
    first.give_up(2)
    assert first.uncertain
    assert second.try_take(3)


deeds = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from(["try_take", "give_back", "give_up"]), st.integers(0, HOLD_NS)
    ),
    max_size=60,
)


@given(deeds)
def test_whatever_they_do_one_has_it_and_who_waits_gets_it(done: list[tuple[int, str, int]]) -> None:
    seats = Seats(4)
    now_ns = 0
    for number, deed, pause_ns in done:
        now_ns += pause_ns
        getattr(seats.seats[number], deed)(now_ns)
        assert sum(seat.held for seat in seats.seats) <= 1
    last = seats.seats[0]
    for _ in range(5):
        now_ns += HOLD_NS
        if last.try_take(now_ns):
            break
        for seat in seats.seats[1:]:  # each is woken, or comes when it is due
            seat.try_take(now_ns)
    assert last.held


def test_threads_take_turns() -> None:
    token = FieldToken()
    inside: list[int] = []
    turns = [0, 0, 0]
    trouble: list[str] = []

    def work(number: int) -> None:
        called = threading.Event()
        seat = token.access(called.set)
        while turns[number] < 200:
            if not seat.try_take(time.monotonic_ns()):
                if not called.wait(timeout=5):
                    trouble.append("nobody called")
                    return
                called.clear()
                continue
            inside.append(number)
            if len(inside) != 1:
                trouble.append("two at a time")
            turns[number] += 1
            inside.remove(number)
            seat.give_back(time.monotonic_ns())
        seat.give_up(time.monotonic_ns())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert trouble == []
    assert turns == [200, 200, 200]
