"""Lists of seats: whole if they fit, in even turns if not, and nothing is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.show.pages import TurningLine, in_turns, one_after_another, per_seat, seat_ranges

some_words = st.lists(st.text("0123456789:+-", min_size=1, max_size=7), min_size=1, max_size=12)
some_seats = st.sets(st.integers(1, 12), min_size=1)


def texts_of(line: TurningLine) -> tuple[str, ...]:
    return (line,) if isinstance(line, str) else line


@given(some_words, st.integers(7, 40))
def test_words_take_as_few_turns_as_they_can_and_each_is_there_once(words: list[str], columns: int) -> None:
    texts = texts_of(in_turns(words, columns))
    assert " ".join(texts).split(" ") == words
    assert all(len(text) <= columns for text in texts)
    sizes = [len(text.split(" ")) for text in texts]
    assert max(sizes) - min(sizes) <= 1
    assert (len(" ".join(words)) <= columns) == (len(texts) == 1)


def test_a_word_that_fits_into_no_line_has_a_turn_of_its_own() -> None:
    assert in_turns(["1", "a-very-long-word", "2"], 5) == ("1", "a-very-long-word", "2")


@pytest.mark.parametrize(
    ("seats", "texts", "columns", "line"),
    [
        ((1, 2), ("+12", "-4"), 20, "1:+12 2:-4"),
        ((1, 2, 3, 4), ("+12", "-10", "-1", "-1"), 20, "+12 -10 -1 -1"),
        ((1, 2, 3, 4), ("+12", "-10", "-1", "-1"), 21, "1:+12 2:-10 3:-1 4:-1"),
        ((1, 2, 3, 4), ("+1200", "-1000", "-100", "-100"), 20, ("1:+1200 2:-1000", "3:-100 4:-100")),
        ((1, 2, 3, 4, 5), ("0", "0", "0", "0", "0"), 20, "1:0 2:0 3:0 4:0 5:0"),
        ((1, 2, 3, 4, 5), ("10", "0", "0", "0", "0"), 20, "1:10 2:0 3:0 4:0 5:0"),
        ((1, 2, 3, 4, 12), ("10", "0", "0", "0", "0"), 20, ("1:10 2:0", "3:0 4:0 12:0")),
    ],
)
def test_few_seats_do_without_their_numbers_and_many_take_turns(
    seats: tuple[int, ...], texts: tuple[str, ...], columns: int, line: TurningLine
) -> None:
    assert per_seat(seats, texts, columns) == line


def test_counts_of_twelve_seats_are_never_alone_in_a_turn() -> None:
    """A number that stands alone could be anything."""
    for seats in range(2, 13):
        line = per_seat(range(1, seats + 1), ["40"] * seats, 20)
        assert all(" " in text for text in texts_of(line))


@pytest.mark.parametrize(
    ("seats", "text"),
    [
        ({3}, "3"),
        ({1, 2}, "1-2"),
        ({1, 3}, "1 3"),
        ({1, 2, 3, 5, 7, 8, 9}, "1-3 5 7-9"),
        (set(range(1, 13)), "1-12"),
        (set(), ""),
    ],
)
def test_neighbours_are_joined_to_ranges(seats: set[int], text: str) -> None:
    assert seat_ranges(seats) == text


@given(some_seats)
def test_ranges_tell_of_exactly_these_seats_and_fit_into_a_line(seats: set[int]) -> None:
    text = seat_ranges(seats)
    told = set()
    for word in text.split(" "):
        first, _, last = word.partition("-")
        told |= set(range(int(first), int(last or first) + 1))
    assert told == seats
    assert len(text) <= 20


def test_lines_that_take_turns_may_be_strung_together() -> None:
    assert one_after_another(["one"]) == "one"
    assert one_after_another(["one", ("two", "three"), "four"]) == ("one", "two", "three", "four")
