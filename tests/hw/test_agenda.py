"""What happens next in a simulated world."""

from hypothesis import given
from hypothesis import strategies as st

from hw.sim.agenda import Agenda, PacedClock, VirtualClock


@given(st.lists(st.integers(0, 50), max_size=20))
def test_deeds_are_done_in_order_and_equal_moments_keep_theirs(moments: list[int]) -> None:
    agenda = Agenda()
    done: list[tuple[int, int]] = []
    for number, t_ns in enumerate(moments):
        agenda.at(t_ns, lambda number=number: done.append((agenda.now_ns, number)))  # type: ignore[misc]
    agenda.run(100)
    assert done == sorted((t_ns, number) for number, t_ns in enumerate(moments))


def test_only_what_is_due_is_done() -> None:
    agenda = Agenda()
    done: list[int] = []
    agenda.at(10, lambda: done.append(10))
    agenda.at(20, lambda: done.append(20))
    agenda.run(19)
    assert (done, agenda.now_ns, agenda.due_ns) == ([10], 19, 20)


def test_a_deed_may_plan_another() -> None:
    agenda = Agenda()
    done: list[int] = []
    agenda.at(10, lambda: agenda.after(5, lambda: done.append(agenda.now_ns)))
    agenda.run(100)
    assert done == [15]


def test_what_should_have_been_done_is_done_at_once_but_never_in_the_past() -> None:
    agenda = Agenda()
    done: list[int] = []
    agenda.run(100)
    agenda.at(50, lambda: done.append(agenda.now_ns))
    agenda.run(100)
    assert done == [100]


def test_nothing_is_due_in_an_empty_agenda() -> None:
    assert Agenda().due_ns is None


def test_virtual_time_jumps_and_never_goes_back() -> None:
    clock = VirtualClock(5)
    assert clock.now_ns() == 5
    clock.wait(100, [])
    clock.wait(50, [])
    clock.wait(None, [])
    assert clock.now_ns() == 100


def test_a_paced_clock_shows_virtual_time() -> None:
    clock = PacedClock(speed=1e12)  # so fast that it never has to wait
    clock.wait(3_000_000_000, [])
    clock.wait(None, [])
    assert clock.now_ns() == 3_000_000_000


def test_a_paced_clock_that_fell_far_behind_does_not_race_to_catch_up() -> None:
    clock = PacedClock(speed=1.0)
    clock.wait(-10_000_000_000, [])  # ten seconds late
    assert clock.now_ns() == 0
