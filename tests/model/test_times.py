"""Durations and moments as people write them; intervals of time, and who may have been first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import MalformedText
from firmware_host.model.times import (
    MS,
    US,
    S,
    Stamp,
    contenders,
    exactly,
    format_duration,
    format_seconds,
    margin_ns,
    parse_duration,
    parse_seconds,
)


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("3s", 3 * S),
        ("200ms", 200 * MS),
        ("100us", 100 * US),
        ("7ns", 7),
        ("2min", 120 * S),
        ("1.5s", 1_500 * MS),
        ("0.000000001s", 1),
        ("0s", 0),
        (" 3s ", 3 * S),
    ],
)
def test_a_duration_has_a_number_and_a_unit(text: str, nanoseconds: int) -> None:
    assert parse_duration(text) == nanoseconds


@pytest.mark.parametrize(
    "text", ["", "3", "s", "3 s", "-3s", "3h", "3S", "1.s", ".5s", "1e3s", "3s4", "1,5s"]
)
def test_what_is_no_duration_is_told_what_one_looks_like(text: str) -> None:
    with pytest.raises(MalformedText, match="write a number and ns, us, ms, s or min, as in 200ms") as error:
        parse_duration(text)
    assert f"'{text}'" in str(error.value)


@pytest.mark.parametrize("text", ["0.5ns", "1.0001us", "0.0000000001s"])
def test_nothing_is_finer_than_a_nanosecond(text: str) -> None:
    with pytest.raises(MalformedText, match=f"'{text}' is finer than a nanosecond"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (3 * S, "3s"),
        (200 * MS, "200ms"),
        (1_500 * MS, "1.5s"),
        (100 * US, "100us"),
        (120 * S, "2min"),
        (61 * S, "61s"),
        (999, "999ns"),
        (1_001, "1.001us"),
        (0, "0ns"),
    ],
)
def test_a_duration_is_written_in_its_fitting_unit(nanoseconds: int, text: str) -> None:
    assert format_duration(nanoseconds) == text


@pytest.mark.parametrize(
    ("t_ns", "text"), [(0, "0.0"), (S, "1.0"), (12 * S + 50 * US, "12.00005"), (1, "0.000000001")]
)
def test_a_moment_has_at_least_one_decimal(t_ns: int, text: str) -> None:
    assert format_seconds(t_ns) == text


@pytest.mark.parametrize("text", ["", "1.", ".5", "--1.0", "1.0000000001", "1s", " 1", "1e3", "one"])
def test_what_is_no_moment_is_told_what_one_looks_like(text: str) -> None:
    with pytest.raises(MalformedText, match=r"up to 9 decimals, as in 1\.000050") as error:
        parse_seconds(text)
    assert f"'{text}'" in str(error.value)


# -- intervals

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


def test_the_margin_is_taken_from_middle_to_middle() -> None:
    assert margin_ns(Stamp(0, 10), Stamp(20, 40)) == 25
