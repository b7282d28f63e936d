"""A tags file as its owner wrote it: what changes, and what stays as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.tags import Registry, format_registry, parse_registry
from firmware_host.enrolment.book import Book, entry_lines
from firmware_host.errors import BadSettings
from firmware_host.places import Card, Colour, DieFace
from firmware_host.tag_text import format_tag

RED7, RED8, RED9 = (Card(3, Colour.RED, number) for number in (7, 8, 9))
FACE = DieFace(5, 2)
TEXT = """\
# our table
uid,tag

# seat 3
04a1b2c3,card 3 red 7
04A1B2C9 , card 3 red 9   # bent
# dice
04a1b2c4d5e6f7,die 5 face 2  # with a hole
"""

items = st.builds(Card, st.integers(1, 2), st.sampled_from(Colour), st.integers(1, 3)) | st.builds(
    DieFace, st.integers(1, 2), st.integers(1, 3)
)
uids = st.integers(0, 30).map(lambda number: f"{number:08x}")
comments = st.sampled_from(["", "", "  # bent", " # a # b", "#"])
ends = st.sampled_from(["\n", "\r\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    tags = draw(st.dictionaries(uids, items, max_size=10))
    taken = set()
    end = draw(ends)
    lines = ["# at the top", "uid,tag"]
    for uid, item in tags.items():
        if item not in taken:
            taken.add(item)
            lines.append(f"{uid},{format_tag(item)}{draw(comments)}")
            lines += draw(st.sampled_from([[], [], ["# between"], [""]]))
    return "".join(f"{line}{end}" for line in lines)


def test_a_new_tag_goes_where_the_order_wants_it() -> None:
    book = Book(TEXT, "tags.csv").with_tag("04a1b2c8", RED8)
    assert book.text == TEXT.replace("red 7\n", "red 7\n04a1b2c8,card 3 red 8\n")
    assert book.line_of("04a1b2c8") == 6
    first = Book(TEXT, "tags.csv").with_tag("04a1b2c1", Card(1, Colour.RED, 1))
    assert first.text == TEXT.replace("uid,tag\n", "uid,tag\n04a1b2c1,card 1 red 1\n")


def test_another_tag_for_the_same_stays_in_its_line_with_its_comment() -> None:
    book = Book(TEXT, "tags.csv").with_tag("04ffffff", RED9)
    assert book.text == TEXT.replace("04A1B2C9 , card 3 red 9", "04ffffff,card 3 red 9")


def test_a_tag_that_moves_leaves_its_comment_behind() -> None:
    book = Book(TEXT, "tags.csv").with_tag("04a1b2c9", RED7)
    assert book.registry == {"04a1b2c9": RED7, "04a1b2c4d5e6f7": FACE}
    assert "# card 3 red 9: bent\n" in book.text


def test_what_is_known_already_changes_nothing() -> None:
    book = Book(TEXT, "tags.csv")
    assert book.with_tag("04a1b2c3", RED7) is book


def test_a_file_that_is_yet_to_come() -> None:
    book = Book("", "tags.csv")
    assert book.registry == {}
    assert book.with_tag("04a1b2c3", RED7).text == "uid,tag\n04a1b2c3,card 3 red 7\n"


def test_line_ends_and_marks_stay_as_they_are() -> None:
    text = "\ufeff" + TEXT.replace("\n", "\r\n")
    book = Book(text, "tags.csv").with_tag("04a1b2c8", RED8).with_tag("04a1b2ca", RED9)
    assert book.text == "\ufeff" + book.text.removeprefix("\ufeff")
    assert book.text.count("\n") == book.text.count("\r\n") == TEXT.count("\n") + 1
    assert Book("uid,tag", "tags.csv").with_tag("04a1b2c3", RED7).text == "uid,tag\n04a1b2c3,card 3 red 7\n"


def test_what_is_struck_out_leaves_its_comment_with_its_name() -> None:
    book = Book(TEXT, "tags.csv").without([RED7, FACE])
    assert book.text == (
        "# our table\nuid,tag\n\n# seat 3\n04A1B2C9 , card 3 red 9   # bent\n# dice\n"
        "# die 5 face 2: with a hole\n"
    )


def test_everything_has_a_line_and_a_tag() -> None:
    book = Book(TEXT, "tags.csv")
    assert [book.line_of(uid) for uid in book.registry] == [5, 6, 8]
    assert (book.uid_of(RED9), book.uid_of(RED8)) == ("04a1b2c9", None)


def test_of_a_faulty_text_no_book_is_made_but_its_lines_can_be_had() -> None:
    text = TEXT + "04a1b2c3,card 3 red 8\n"
    with pytest.raises(BadSettings, match=r"tags.csv:9: uid 04a1b2c3 is in line 5 already"):
        Book(text, "tags.csv")
    assert entry_lines(text)["04a1b2c3"] == 5


@given(texts(), st.lists(st.tuples(uids, items) | st.lists(items, max_size=3), max_size=6))
def test_it_always_says_what_it_was_made_to_say_and_keeps_every_comment(
    text: str, deeds: list[tuple[str, Card | DieFace] | list[Card | DieFace]]
) -> None:
    book = Book(text, "tags.csv")
    expected = dict(book.registry)
    for deed in deeds:
        before = book
        if isinstance(deed, tuple):
            uid, item = deed
            expected = {each: tag for each, tag in expected.items() if each != uid and tag != item}
            expected[uid] = item
            book = book.with_tag(uid, item)
        else:
            expected = {each: tag for each, tag in expected.items() if tag not in deed}
            book = book.without(deed)
        assert parse_registry(book.text, "tags.csv") == expected == book.registry
        untouched = [line for line in before.text.split("\n") if line in book.text.split("\n")]
        again = [line for line in book.text.split("\n") if line in before.text.split("\n")]
        assert again == untouched
        for comment in ("bent", "a # b", "between", "at the top"):
            assert book.text.count(comment) == before.text.count(comment)


@given(st.lists(st.tuples(uids, items), max_size=12))
def test_a_book_that_was_begun_empty_is_in_order(entries: list[tuple[str, Card | DieFace]]) -> None:
    book = Book("", "tags.csv")
    for uid, item in entries:
        book = book.with_tag(uid, item)
    assert book.text == format_registry(Registry(book.registry))
