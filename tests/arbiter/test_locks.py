"""Who is locked, and until when."""

from firmware_host.arbiter.locks import Locks
from firmware_host.durations import MS, S
from firmware_host.stamps import Stamp, exactly
from tests.arbiter.judging import at


def test_nobody_is_locked_at_first() -> None:
    locks = Locks(1 * S, 0)
    assert locks.until_ns(1) == 0
    assert not locks.holds(1, exactly(0)) and not locks.holds(1, at(1000))


def test_a_lock_begins_with_the_slap_that_it_is_for() -> None:
    locks = Locks(1 * S, 0)
    locks.begin(1, at(1000, 2))
    assert locks.until_ns(1) == 2002 * MS
    assert locks.holds(1, at(1010)) and locks.holds(1, Stamp(2002 * MS - 1, 2002 * MS + 1))
    assert not locks.holds(1, at(2002))
    assert locks.until_ns(2) == 0 and not locks.holds(2, at(1010))


def test_a_slap_while_locked_begins_the_lock_anew() -> None:
    locks = Locks(1 * S, 3)
    locks.begin(1, at(1000))
    locks.restart(1, at(1900))
    assert locks.until_ns(1) == 2900 * MS


def test_each_further_lock_is_twice_as_long_up_to_a_limit() -> None:
    locks = Locks(1 * S, 2)
    lengths = []
    for begin_s in (100, 200, 300, 400):
        locks.begin(1, exactly(begin_s * S))
        lengths.append(locks.until_ns(1) // S - begin_s)
    assert lengths == [1, 2, 4, 4]
    locks.restart(1, exactly(500 * S))
    assert locks.until_ns(1) == 504 * S
    locks.begin(2, exactly(500 * S))
    assert locks.until_ns(2) == 501 * S


def test_without_doublings_all_locks_are_alike() -> None:
    locks = Locks(1 * S, 0)
    for begin_s in (100, 200, 300):
        locks.begin(1, exactly(begin_s * S))
        assert locks.until_ns(1) == (begin_s + 1) * S
