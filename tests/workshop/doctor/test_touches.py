"""Touches are counted once each, however they bounce; a checklist asks for one part after the other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.workshop.doctor.walks import Checklist, Touches

LANE = Settings().buttons
LATER_NS = 100 * MS


def test_a_clean_touch() -> None:
    touches = Touches(LANE)
    assert str(touches) == ""
    assert touches.edge(True, 0, exact=True)
    assert not touches.edge(False, LATER_NS, exact=True)
    assert str(touches) == "once, no bounce"


def test_a_bounce_is_no_second_touch() -> None:
    touches = Touches(LANE)
    came = [
        touches.edge(active, t_ns, exact=True) for active, t_ns in ((True, 0), (False, MS), (True, 2 * MS))
    ]
    assert came == [True, False, False]
    assert (touches.count, touches.most_bounces, touches.longest_ns) == (1, 2, 2 * MS)
    assert str(touches) == "once, up to 2 bounces in 2.0 ms"


def test_one_bounce_is_told_as_one() -> None:
    touches = Touches(LANE)
    for active, t_ns in ((True, 0), (False, MS)):
        touches.edge(active, t_ns, exact=False)
    assert str(touches) == "once, up to 1 bounce in 1.0 ms"
    assert not touches.exact


def test_a_contact_that_was_active_is_touched_when_it_comes_again() -> None:
    touches = Touches(LANE)
    touches.active = True
    assert not touches.edge(False, 0, exact=True)
    assert not touches.edge(True, MS, exact=True)  # it bounces while it opens
    assert not touches.edge(False, 2 * MS, exact=True)
    assert touches.edge(True, LATER_NS, exact=True)


@given(st.lists(st.lists(st.integers(1, LANE.quiet_ns - 1), max_size=6), min_size=1, max_size=8))
def test_touches_are_counted_whatever_their_bounce(bursts: list[list[int]]) -> None:
    """Each burst begins with the contact closing or opening and ends as it began."""
    touches, t_ns, active = Touches(LANE), 0, False
    for gaps in bursts:
        t_ns += LATER_NS
        active = not active
        touches.edge(active, t_ns, exact=True)
        for gap_ns in gaps[: len(gaps) // 2 * 2]:
            t_ns += gap_ns
            active = not active
            touches.edge(active, t_ns, exact=True)
    assert touches.count == (len(bursts) + 1) // 2
    assert touches.most_bounces == max(len(gaps) // 2 * 2 for gaps in bursts)


def test_the_first_that_is_missing_is_asked_for() -> None:
    checklist = Checklist("abc")
    asked = [checklist.asked]
    assert checklist.tick("a")
    asked.append(checklist.asked)
    assert asked == ["a", "b"]
    assert not checklist.tick("c")
    assert (checklist.asked, checklist.instead_of("c"), checklist.instead_of("a")) == ("b", None, None)
    assert checklist.count() == "2 of 3"
    assert (checklist.mark("a"), checklist.mark("b")) == ("[x]", "[ ]")
    assert checklist.tick("b")
    assert checklist.instead_of("c") == "b"
    assert checklist.asked is None
    assert checklist.tick("a")


def test_one_that_comes_again_comes_instead_of_nothing() -> None:
    checklist = Checklist("abc")
    checklist.tick("a")
    assert not checklist.tick("a")
    assert checklist.instead_of("a") is None


@given(st.permutations("abcdef"))
def test_any_order_ends_the_list(order: list[str]) -> None:
    checklist = Checklist("abcdef")
    for part in order:
        assert checklist.asked is not None
        checklist.tick(part)
    assert checklist.asked is None
    assert all(map(checklist.has, checklist.parts))
