"""Histograms lose nothing, and their figures are those of the delays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.workshop.doctor.jitter import Delays, short

DELAYS = st.lists(st.integers(min_value=-1000, max_value=10**10), max_size=200)


def test_nothing_measured_says_so() -> None:
    assert Delays().lines() == ["nothing was measured"]
    assert (Delays().worst_ns, Delays().at(500), len(Delays())) == (0, 0, 0)


def test_rows_double_and_the_longest_bar_is_full() -> None:
    delays = Delays([500] * 40 + [1500] * 20 + [3500])
    assert delays.lines() == [
        f"<    1 us        40  {'#' * 40}",
        f"<    2 us        20  {'#' * 20}",
        "<    4 us         1  #",
        "middle 0 us, 99 % 4 us, 99.9 % 4 us, worst 4 us",
    ]


def test_an_empty_row_between_others_has_no_bar() -> None:
    assert Delays([1, 5000]).lines()[1] == "<    2 us         0"


@given(DELAYS)
def test_every_delay_is_in_one_bucket(delays_ns: list[int]) -> None:
    buckets = Delays(delays_ns).buckets()
    assert sum(count for _, count in buckets) == len(delays_ns)
    below = 0
    for limit_ns, count in buckets:
        below += count
        assert below == sum(delay_ns < limit_ns for delay_ns in delays_ns)


@given(DELAYS.filter(bool), st.integers(0, 1000))
def test_so_many_of_a_thousand_are_not_longer(delays_ns: list[int], per_mille: int) -> None:
    limit_ns = Delays(delays_ns).at(per_mille)
    assert sum(delay_ns <= limit_ns for delay_ns in delays_ns) * 1000 >= per_mille * len(delays_ns)
    assert Delays(delays_ns).worst_ns == max(0, *delays_ns, 0)


def test_delays_are_told_in_a_few_figures() -> None:
    assert [short(ns) for ns in (56_400, 3_600_000, 123_000_000)] == ["56 us", "3.6 ms", "123 ms"]
