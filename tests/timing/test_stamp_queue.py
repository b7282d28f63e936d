"""In any order in, in the order of the stamps out."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.times import Stamp, exactly
from firmware_host.timing.lanes import StampQueue

stamps = st.builds(lambda t, width: Stamp(t, t + width), st.integers(0, 60), st.integers(0, 5))


def test_an_item_comes_out_once_it_is_known_what_came_before() -> None:
    queue: StampQueue[str] = StampQueue()
    queue.put(Stamp(100, 108), (1,), "a")
    assert queue.take(99) == []
    assert queue.take(100) == ["a"]
    assert queue.take(120) == []


def test_the_first_is_known_by_the_beginning_of_its_stamp() -> None:
    queue: StampQueue[str] = StampQueue()
    assert queue.first_ns is None
    queue.put(Stamp(105, 106), (1,), "later")
    queue.put(Stamp(100, 108), (2,), "earlier")
    assert queue.first_ns == 100


def test_equal_stamps_come_out_in_the_order_of_their_keys() -> None:
    queue: StampQueue[str] = StampQueue()
    for key, name in [(3, "c"), (1, "a"), (2, "b")]:
        queue.put(exactly(100), (key,), name)
    assert queue.take(200) == ["a", "b", "c"]


@given(
    st.lists(stamps, max_size=12), st.lists(st.integers(0, 70), max_size=5), st.randoms(use_true_random=False)
)
def test_neither_arrival_nor_asking_changes_the_order(
    stamps: list[Stamp], asked: list[int], chance: Random
) -> None:
    queue: StampQueue[int] = StampQueue()
    for name in chance.sample(range(len(stamps)), len(stamps)):
        queue.put(stamps[name], (name,), name)
    out = [name for until_ns in [*sorted(asked), 100] for name in queue.take(until_ns)]
    assert out == sorted(range(len(stamps)), key=lambda name: (stamps[name], name))
