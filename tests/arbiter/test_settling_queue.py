"""In any order in, in the order of the stamps out."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.arbiter.settling_queue import SettlingQueue
from firmware_host.stamps import Stamp, exactly

SETTLE = 10

stamps = st.builds(lambda t, width: Stamp(t, t + width), st.integers(0, 60), st.integers(0, 5))
items = st.lists(st.tuples(stamps, st.integers(0, SETTLE - 1)), max_size=12)


def released(arrivals: list[tuple[int, Stamp, int]]) -> list[tuple[int, int]]:
    """What comes out of a queue and when; arrivals are (moment, stamp, name)."""
    queue: SettlingQueue[int] = SettlingQueue(SETTLE)
    out: list[tuple[int, int]] = []

    def advance(now: int) -> None:
        while (first := queue.first_ns) is not None and first + SETTLE <= now:
            out.extend((first + SETTLE, name) for name in queue.release(first + SETTLE))

    for now, stamp, name in sorted(arrivals, key=lambda arrival: arrival[0]):
        advance(now)
        assert not queue.is_late(stamp, now)
        queue.put(stamp, (name,), name)
    advance(1000)
    return out


def test_an_item_waits_until_nothing_earlier_can_arrive() -> None:
    queue: SettlingQueue[str] = SettlingQueue(SETTLE)
    queue.put(exactly(100), (1,), "a")
    assert queue.release(109) == []
    assert queue.release(110) == ["a"]
    assert queue.release(120) == []


def test_the_first_to_come_out_is_known_by_the_end_of_its_stamp() -> None:
    queue: SettlingQueue[str] = SettlingQueue(SETTLE)
    queue.put(Stamp(105, 106), (1,), "later")
    queue.put(Stamp(100, 108), (2,), "earlier")
    assert queue.first_ns == 108


def test_an_empty_queue_has_no_first() -> None:
    queue: SettlingQueue[str] = SettlingQueue(SETTLE)
    assert queue.first_ns is None


def test_the_earlier_stamp_comes_out_first_though_it_came_in_last() -> None:
    queue: SettlingQueue[str] = SettlingQueue(SETTLE)
    queue.put(exactly(105), (1,), "later")
    queue.put(exactly(100), (2,), "earlier")
    assert queue.release(115) == ["earlier", "later"]


def test_equal_stamps_come_out_in_the_order_of_their_keys() -> None:
    queue: SettlingQueue[str] = SettlingQueue(SETTLE)
    for key, name in [(3, "c"), (1, "a"), (2, "b")]:
        queue.put(exactly(100), (key,), name)
    assert queue.release(200) == ["a", "b", "c"]


def test_an_item_is_late_when_its_turn_may_have_passed() -> None:
    queue: SettlingQueue[str] = SettlingQueue(SETTLE)
    assert not queue.is_late(exactly(100), now_ns=109)
    assert queue.is_late(exactly(100), now_ns=110)


@given(items, st.randoms(use_true_random=False))
def test_any_arrival_within_the_settle_time_comes_out_alike(
    items: list[tuple[Stamp, int]], chance: Random
) -> None:
    at_once = [(stamp.earliest_ns, stamp, name) for name, (stamp, _) in enumerate(items)]
    delayed = [(stamp.earliest_ns + delay, stamp, name) for name, (stamp, delay) in enumerate(items)]
    chance.shuffle(delayed)
    out = released(delayed)
    assert out == released(at_once)
    assert [name for _, name in out] == sorted(range(len(items)), key=lambda name: (items[name][0], name))


@given(st.lists(st.integers(0, 60), max_size=12), st.integers(0, 5))
def test_every_item_comes_out_once_its_stamp_is_settled(moments: list[int], width: int) -> None:
    arrivals = [(t, Stamp(t, t + width), name) for name, t in enumerate(moments)]
    out = released(arrivals)
    assert len(out) == len(moments)
    for now, name in out:
        assert moments[name] + SETTLE <= now <= moments[name] + width + SETTLE
