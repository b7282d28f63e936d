"""Which tags are there, and the moments between which they came and went."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import TagRead
from hw.rfid.frames import Target
from hw.rfid.presence import SINCE_EVER_NS, Presence

MS = 1_000_000
READER = 3
A, B, C = (Target(bytes((number,) * 4), b"\x00\x04", 0x08) for number in (0xA, 0xB, 0xC))


class Polls:
    """Polls of 30 ms each, 20 ms apart; the first begins at 1 s."""

    def __init__(self) -> None:
        self.presence = Presence(READER)
        self.begun_ns = 950 * MS

    def poll(self, *listed: Target) -> list[TagRead]:
        self.begun_ns += 50 * MS
        return self.presence.polled(listed, self.begun_ns, self.begun_ns + 30 * MS)

    def all(self, *lists: tuple[Target, ...]) -> list[TagRead]:
        return [read for listed in lists for read in self.poll(*listed)]


def came(tag: Target, since_ms: int, until_ms: int) -> TagRead:
    return TagRead(READER, tag.uid, True, since_ms * MS, until_ms * MS)


def went(tag: Target, since_ms: int, until_ms: int) -> TagRead:
    return TagRead(READER, tag.uid, False, since_ms * MS, until_ms * MS)


@pytest.fixture
def polls() -> Polls:
    return Polls()


def test_a_tag_is_believed_at_its_second_read_and_stamped_with_its_first(polls: Polls) -> None:
    assert polls.all((), (A,)) == []
    assert polls.poll(A) == [came(A, 1000, 1080)]
    assert polls.all((A,), (A,)) == []


def test_a_tag_that_was_there_from_the_start_came_nobody_knows_when() -> None:
    assert SINCE_EVER_NS == 0
    assert Polls().all((A,), (A,)) == [came(A, 0, 1030)]


def test_a_tag_that_is_seen_only_once_was_none() -> None:
    assert Polls().all((), (A,), (), (), (), ()) == []


def test_a_miss_between_the_first_two_reads_does_not_change_the_stamp() -> None:
    assert Polls().all((), (A,), (), (A,)) == [came(A, 1000, 1080)]


def test_a_tag_is_gone_after_three_misses(polls: Polls) -> None:
    polls.all((), (A,), (A,))
    assert polls.all((), ()) == []
    assert polls.poll() == [went(A, 1100, 1280)]
    assert polls.all((), ()) == []


def test_misses_that_come_too_quickly_are_not_enough() -> None:
    presence = Presence(READER)
    for start_ms in (0, 10, 20):
        presence.polled([A], start_ms * MS, (start_ms + 5) * MS)
    gone = {
        start_ms: presence.polled([], start_ms * MS, (start_ms + 5) * MS) for start_ms in range(30, 150, 10)
    }
    assert {start_ms: reads for start_ms, reads in gone.items() if reads} == {130: [went(A, 20, 135)]}


def test_a_tag_that_is_missed_now_and_then_stays(polls: Polls) -> None:
    polls.all((), (A,), (A,))
    assert polls.all((), (), (A,), (), (), (A,)) == []


def test_a_tag_that_comes_back_is_reported_again(polls: Polls) -> None:
    polls.all((), (A,), (A,), (), (), ())
    assert polls.all((A,), (A,)) == [came(A, 1250, 1330)]


def test_two_tags_at_a_time(polls: Polls) -> None:
    assert polls.all((), (A,), (A, B), (A, B)) == [came(A, 1000, 1080), came(B, 1050, 1130)]
    assert polls.all((B,), (B,), (B,)) == [went(A, 1150, 1330)]


# -- polls that are full


def test_a_full_poll_does_not_say_that_others_have_gone(polls: Polls) -> None:
    polls.all((), (A,), (A,))
    assert polls.all((B, C), (B, C), *[(B, C)] * 10) == [came(B, 1100, 1180), came(C, 1100, 1180)]
    assert polls.all((B,), (B,), (B,)) == [went(A, 1100, 1880), went(C, 1700, 1880)]


def test_nor_that_others_have_come_since(polls: Polls) -> None:
    """C may have lain below the two others all the time."""
    polls.all((A,), (A,), (A, B), (A, B), (A, B))
    assert polls.all((A, C), (A, C)) == [came(C, 1050, 1280)]


def test_numbers_that_are_made_up_for_every_poll_are_forgotten(polls: Polls) -> None:
    polls.all((), (A,), (A,))
    for number in range(1000):
        assert polls.poll(A, Target(number.to_bytes(4, "big"), b"\x00\x04", 0x20)) == []
    assert len(polls.presence._tags) <= 2


def test_a_tag_that_was_looked_for_since_keeps_its_stamp_below_two_others(polls: Polls) -> None:
    polls.all((), (A,), (B, C), (B, C))
    assert polls.poll(A) == [came(A, 1000, 1080)]


def test_a_poll_that_was_asked_for_twice_says_nothing_of_others(polls: Polls) -> None:
    polls.all((), (A,), (A,), (), ())
    start_ns = 1300 * MS
    assert polls.presence.polled([], start_ns, start_ns + 60 * MS, asked_twice=True) == []
    polls.begun_ns = start_ns + 50 * MS
    assert polls.poll() == [went(A, 1100, 1430)]
    polls.presence.polled([], start_ns + 100 * MS, start_ns + 160 * MS, asked_twice=True)
    polls.begun_ns = start_ns + 150 * MS
    assert polls.all((B,), (B,)) == [came(B, 1400, 1530)]


# -- a reader that was lost


def test_what_is_there_on_return_is_reported_again(polls: Polls) -> None:
    polls.all((), (A,), (A,))
    polls.presence.interrupted()
    polls.begun_ns += 5000 * MS
    assert polls.all((A,), (A,)) == [came(A, 1100, 6180)]
    assert polls.all((A,), (A,)) == []


def test_what_is_gone_on_return_went_since_it_was_last_seen(polls: Polls) -> None:
    polls.all((), (A,), (A,))
    polls.presence.interrupted()
    polls.begun_ns += 5000 * MS
    assert polls.all((), (), ()) == [went(A, 1100, 6280)]


def test_what_came_meanwhile_came_since_the_last_look(polls: Polls) -> None:
    polls.all((), ())
    polls.presence.interrupted()
    polls.begun_ns += 5000 * MS
    assert polls.all((A,), (A,)) == [came(A, 1050, 6130)]


def test_misses_before_the_loss_do_not_count_after_it(polls: Polls) -> None:
    polls.all((), (A,), (A,), (), ())
    polls.presence.interrupted()
    polls.begun_ns += 5000 * MS
    assert polls.all((), ()) == []


def test_what_was_not_yet_believed_keeps_its_stamp(polls: Polls) -> None:
    polls.all((), (A,))
    polls.presence.interrupted()
    polls.begun_ns += 5000 * MS
    assert polls.poll(A) == [came(A, 1000, 1080)]


# -- any life


@given(st.lists(st.sets(st.sampled_from([A, B, C]), max_size=2), max_size=40), st.sets(st.integers(0, 39)))
def test_comings_and_goings_take_turns(lists: list[set[Target]], losses: set[int]) -> None:
    """Going needs a coming; between two comings without a going there was a loss."""
    polls = Polls()
    there: dict[bytes, bool] = {}
    lost: set[bytes] = set()
    for index, listed in enumerate(lists):
        if index in losses:
            polls.presence.interrupted()
            lost = {uid for uid, present in there.items() if present}
        for read in polls.poll(*listed):
            assert read.earliest_ns < read.latest_ns <= polls.begun_ns + 30 * MS
            if there.get(read.uid, False) == read.present:
                assert read.present
                assert read.uid in lost
            there[read.uid] = read.present
            lost.discard(read.uid)
