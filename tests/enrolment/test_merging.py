"""Two tags files as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.tags import Enrolled, Registry, format_registry
from firmware_host.enrolment.book import Book
from firmware_host.enrolment.merging import Difference, difference, merged
from firmware_host.errors import BadSettings
from firmware_host.places import DieFace

MINE = "uid,tag\n00000001,card 1 red 1  # mine\n00000002,card 1 red 2\n"


def registry(*numbers: tuple[int, int]) -> Registry:
    tags: dict[str, Enrolled] = {f"{uid:08x}": DieFace(1 + face // 6, 1 + face % 6) for uid, face in numbers}
    return Registry(tags)


registries = st.dictionaries(st.integers(0, 20), st.integers(0, 20)).map(
    lambda tags: registry(*{face: (uid, face) for uid, face in tags.items()}.values())
)


def test_what_is_new_comes_in_and_what_is_ours_stays() -> None:
    theirs = Book("uid,tag\n00000002,card 1 red 2\n00000003,card 1 red 3\n", "new.csv")
    book = merged(Book(MINE, "tags.csv"), theirs)
    assert book.text == MINE + "00000003,card 1 red 3\n"
    assert book.name == "tags.csv"


def test_every_contradiction_is_told_with_both_lines() -> None:
    theirs = Book("uid,tag\n00000001,card 1 red 2\n00000004,card 1 red 1\n00000005,card 1 red 5\n", "new.csv")
    with pytest.raises(BadSettings) as error:
        merged(Book(MINE, "tags.csv"), theirs)
    assert error.value.faults == [
        "new.csv:2: 00000001 is 'card 1 red 2' here, but 'card 1 red 1' in tags.csv:2",
        "new.csv:3: 'card 1 red 1' is 00000004 here, but 00000001 in tags.csv:2",
    ]


@given(registries, registries)
def test_either_both_are_in_it_or_they_contradict_each_other(mine: Registry, theirs: Registry) -> None:
    books = [Book(format_registry(each), name) for each, name in ((mine, "a"), (theirs, "b"))]
    both = {*mine.items(), *theirs.items()}
    contradict = len({uid for uid, _ in both}) < len(both) or len({item for _, item in both}) < len(both)
    if contradict:
        with pytest.raises(BadSettings):
            merged(*books)
    else:
        assert set(merged(*books).registry.items()) == both


def test_what_makes_two_files_differ() -> None:
    before, after = registry((1, 1), (2, 2), (3, 3)), registry((1, 1), (9, 2), (4, 4), (5, 5))
    change = difference(before, after)
    assert change == Difference(added=2, changed=1, removed=1, same=1)
    assert str(change) == "2 new, 1 changed, 1 gone, 1 as before"


@given(registries, registries)
def test_all_that_is_there_is_counted_once(before: Registry, after: Registry) -> None:
    change = difference(before, after)
    assert change.added + change.changed + change.same == len(after)
    assert change.removed + change.changed + change.same == len(before)
    assert (change.same == len(before) == len(after)) == (before == after)
