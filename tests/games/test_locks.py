"""Who is locked, and until when."""

import pytest

from firmware_host.games.round import LOCK_SCALES, Locks
from firmware_host.model.settings import CHOICES
from firmware_host.model.times import MS, S, Stamp, exactly
from tests.timing.judging import at


def test_nobody_is_locked_at_first() -> None:
    locks = Locks(1 * S, "strict")
    assert locks.until_ns(1) == 0
    assert not locks.holds(1, exactly(0)) and not locks.holds(1, at(1000))


def test_a_lock_begins_with_the_slap_that_it_is_for() -> None:
    locks = Locks(1 * S, "strict")
    locks.begin(1, at(1000, 2))
    assert locks.until_ns(1) == 2002 * MS
    assert locks.holds(1, at(1010)) and locks.holds(1, Stamp(2002 * MS - 1, 2002 * MS + 1))
    assert not locks.holds(1, at(2002))
    assert locks.until_ns(2) == 0 and not locks.holds(2, at(1010))


def test_a_slap_while_locked_restarts_the_lock() -> None:
    locks = Locks(1 * S, "strict")
    locks.begin(1, at(1000))
    locks.restart(1, at(1900))
    assert locks.until_ns(1) == 2900 * MS


def test_each_setting_has_its_scale() -> None:
    assert tuple(LOCK_SCALES) == CHOICES["locks"]


@pytest.mark.parametrize(
    ("scale", "lengths_s"),
    [
        ("children", [0, 0, 1, 1, 1, 1, 1]),
        ("usual", [0, 1, 2, 4, 8, 8, 8]),
        ("strict", [1, 2, 4, 8, 8, 8, 8]),
    ],
)
def test_after_the_warnings_each_further_lock_is_twice_as_long_up_to_a_limit(
    scale: str, lengths_s: list[int]
) -> None:
    locks = Locks(1 * S, scale)
    begins_s = range(100, 800, 100)
    found_s = []
    for begin_s in begins_s:
        locks.begin(1, exactly(begin_s * S))
        locked = locks.holds(1, exactly(begin_s * S))
        found_s.append(locks.until_ns(1) // S - begin_s if locked else 0)
    assert found_s == lengths_s
    locks.restart(1, exactly(900 * S))
    assert locks.until_ns(1) == (900 + lengths_s[-1]) * S
    assert locks.until_ns(2) == 0


@pytest.mark.parametrize("scale", CHOICES["locks"])
def test_the_warnings_of_one_seat_are_not_those_of_another(scale: str) -> None:
    locks = Locks(1 * S, scale)
    for _ in range(LOCK_SCALES[scale].warnings):
        locks.begin(1, at(1000))
        locks.begin(2, at(1000))
    assert (locks.until_ns(1), locks.until_ns(2)) == (0, 0)
    locks.begin(2, at(2000))
    assert (locks.until_ns(1), locks.until_ns(2)) == (0, 3 * S)
