"""A list is ticked off in any order, and remembers what came instead of what was asked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.workshop.doctor.walks import Checklist


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
