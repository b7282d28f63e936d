"""Intervals of time, and who may have been first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.times import Stamp, contenders, exactly, margin_ns

stamps = st.builds(
    lambda t_ns, width_ns: Stamp(t_ns, t_ns + width_ns), st.integers(0, 50), st.integers(0, 20)
)


def first(*rivals: Stamp) -> list[Stamp]:
    return contenders(rivals, lambda stamp: stamp)


def test_before_is_only_what_leaves_no_doubt() -> None:
    assert Stamp(0, 9).surely_before(Stamp(10, 20))
    assert not Stamp(0, 10).surely_before(Stamp(10, 20))
    assert not Stamp(10, 20).surely_before(Stamp(0, 10))


def test_an_exact_stamp_has_no_width() -> None:
    assert exactly(7) == Stamp(7, 7)
    assert exactly(7).middle_ns == 7


@pytest.mark.parametrize(
    ("rivals", "first_of_them"),
    [
        ([], []),
        ([Stamp(5, 9)], [Stamp(5, 9)]),
        ([Stamp(0, 4), Stamp(5, 9)], [Stamp(0, 4)]),
        ([Stamp(5, 9), Stamp(0, 5)], [Stamp(5, 9), Stamp(0, 5)]),
        # the wide one may have been before the narrow one, whatever its end
        ([Stamp(0, 100), Stamp(20, 30)], [Stamp(0, 100), Stamp(20, 30)]),
        # a chain: the third overlaps the second, and yet is surely after the first
        ([Stamp(0, 10), Stamp(8, 20), Stamp(15, 30)], [Stamp(0, 10), Stamp(8, 20)]),
    ],
)
def test_contenders(rivals: list[Stamp], first_of_them: list[Stamp]) -> None:
    assert first(*rivals) == first_of_them


@given(st.lists(stamps, min_size=1))
def test_a_contender_is_whoever_does_not_surely_come_after_another(rivals: list[Stamp]) -> None:
    assert first(*rivals) == [
        stamp for stamp in rivals if not any(other.surely_before(stamp) for other in rivals)
    ]


@given(
    st.lists(stamps, min_size=1).flatmap(lambda rivals: st.tuples(st.just(rivals), st.permutations(rivals)))
)
def test_contenders_do_not_depend_on_the_order_of_the_rivals(both: tuple[list[Stamp], list[Stamp]]) -> None:
    rivals, shuffled = both
    assert sorted(first(*rivals)) == sorted(first(*shuffled))


def test_the_margin_is_taken_from_middle_to_middle() -> None:
    assert margin_ns(Stamp(0, 10), Stamp(20, 40)) == 25
