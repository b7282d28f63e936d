"""A tags file as its owner wrote it: what changes and what stays, and two files as one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import BadSettings
from firmware_host.model.places import Card, Colour, DieFace, format_tag
from firmware_host.profile.tags import Enrolled, Registry, format_registry, parse_registry
from firmware_host.workshop.enrolling.worklist import RegistryText, changes, entry_lines

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
MINE = "uid,tag\n00000001,card 1 red 1  # mine\n00000002,card 1 red 2\n"

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


def registry(*numbers: tuple[int, int]) -> Registry:
    tags: dict[str, Enrolled] = {f"{uid:08x}": DieFace(1 + face // 6, 1 + face % 6) for uid, face in numbers}
    return Registry(tags)


registries = st.dictionaries(st.integers(0, 20), st.integers(0, 20)).map(
    lambda tags: registry(*{face: (uid, face) for uid, face in tags.items()}.values())
)


def ours(text: str = TEXT) -> RegistryText:
    return RegistryText(text, "tags.csv")


# -- tags come and go


def test_a_new_tag_goes_where_the_order_wants_it() -> None:
    after = ours().with_tag("04a1b2c8", RED8)
    assert after.text == TEXT.replace("red 7\n", "red 7\n04a1b2c8,card 3 red 8\n")
    assert after.line_of("04a1b2c8") == 6
    first = ours().with_tag("04a1b2c1", Card(1, Colour.RED, 1))
    assert first.text == TEXT.replace("uid,tag\n", "uid,tag\n04a1b2c1,card 1 red 1\n")


def test_another_tag_for_the_same_stays_in_its_line_with_its_comment() -> None:
    after = ours().with_tag("04ffffff", RED9)
    assert after.text == TEXT.replace("04A1B2C9 , card 3 red 9", "04ffffff,card 3 red 9")


def test_a_tag_that_moves_leaves_its_comment_behind() -> None:
    after = ours().with_tag("04a1b2c9", RED7)
    assert after.registry == {"04a1b2c9": RED7, "04a1b2c4d5e6f7": FACE}
    assert "# card 3 red 9: bent\n" in after.text


def test_what_is_known_already_changes_nothing() -> None:
    text = ours()
    assert text.with_tag("04a1b2c3", RED7) is text


def test_a_file_that_is_yet_to_come() -> None:
    assert ours("").registry == {}
    assert ours("").with_tag("04a1b2c3", RED7).text == "uid,tag\n04a1b2c3,card 3 red 7\n"


def test_line_ends_and_marks_stay_as_they_are() -> None:
    after = ours("\ufeff" + TEXT.replace("\n", "\r\n")).with_tag("04a1b2c8", RED8).with_tag("04a1b2ca", RED9)
    assert after.text.startswith("\ufeff# our table\r\n")
    assert after.text.count("\n") == after.text.count("\r\n") == TEXT.count("\n") + 1
    marked = ours("\ufeffuid,tag").with_tag("04a1b2c3", RED7)
    assert marked.text == "\ufeffuid,tag\n04a1b2c3,card 3 red 7\n"


def test_what_is_struck_out_leaves_its_comment_with_its_name() -> None:
    assert ours().without([RED7, FACE]).text == (
        "# our table\nuid,tag\n\n# seat 3\n04A1B2C9 , card 3 red 9   # bent\n# dice\n"
        "# die 5 face 2: with a hole\n"
    )


def test_everything_has_a_line_and_a_tag() -> None:
    text = ours()
    assert [text.line_of(uid) for uid in text.registry] == [5, 6, 8]
    assert (text.uid_of(RED9), text.uid_of(RED8)) == ("04a1b2c9", None)


def test_a_faulty_text_is_refused_but_its_lines_can_be_had() -> None:
    text = TEXT + "04a1b2c3,card 3 red 8\n"
    with pytest.raises(BadSettings, match=r"tags.csv:9: uid 04a1b2c3 is in line 5 already"):
        ours(text)
    assert entry_lines(text)["04a1b2c3"] == 5


@given(texts(), st.lists(st.tuples(uids, items) | st.lists(items, max_size=3), max_size=6))
def test_it_always_says_what_it_was_made_to_say_and_keeps_every_comment(
    start: str, deeds: list[tuple[str, Card | DieFace] | list[Card | DieFace]]
) -> None:
    text = ours(start)
    expected = dict(text.registry)
    for deed in deeds:
        before = text
        if isinstance(deed, tuple):
            uid, item = deed
            expected = {each: tag for each, tag in expected.items() if each != uid and tag != item}
            expected[uid] = item
            text = text.with_tag(uid, item)
        else:
            expected = {each: tag for each, tag in expected.items() if tag not in deed}
            text = text.without(deed)
        assert parse_registry(text.text, "tags.csv") == expected == text.registry
        untouched = [line for line in before.text.split("\n") if line in text.text.split("\n")]
        again = [line for line in text.text.split("\n") if line in before.text.split("\n")]
        assert again == untouched
        for comment in ("bent", "a # b", "between", "at the top"):
            assert text.text.count(comment) == before.text.count(comment)


@given(st.lists(st.tuples(uids, items), max_size=12))
def test_a_file_that_was_begun_empty_is_in_order(entries: list[tuple[str, Card | DieFace]]) -> None:
    text = ours("")
    for uid, item in entries:
        text = text.with_tag(uid, item)
    assert text.text == format_registry(Registry(text.registry))


# -- two files


def test_what_is_new_comes_in_and_what_is_ours_stays() -> None:
    theirs = RegistryText("uid,tag\n00000002,card 1 red 2\n00000003,card 1 red 3\n", "new.csv")
    both = ours(MINE).merged(theirs)
    assert both.text == MINE + "00000003,card 1 red 3\n"
    assert both.name == "tags.csv"


def test_every_contradiction_is_told_with_both_lines() -> None:
    text = "uid,tag\n00000001,card 1 red 2\n00000004,card 1 red 1\n00000005,card 1 red 5\n"
    with pytest.raises(BadSettings) as error:
        ours(MINE).merged(RegistryText(text, "new.csv"))
    assert error.value.faults == [
        "new.csv:2: 00000001 is 'card 1 red 2' here, but 'card 1 red 1' in tags.csv:2",
        "new.csv:3: 'card 1 red 1' is 00000004 here, but 00000001 in tags.csv:2",
    ]


@given(registries, registries)
def test_either_both_are_in_it_or_they_contradict_each_other(mine: Registry, theirs: Registry) -> None:
    one, other = (RegistryText(format_registry(each), "tags.csv") for each in (mine, theirs))
    both = {*mine.items(), *theirs.items()}
    contradict = len({uid for uid, _ in both}) < len(both) or len({item for _, item in both}) < len(both)
    if contradict:
        with pytest.raises(BadSettings):
            one.merged(other)
    else:
        assert set(one.merged(other).registry.items()) == both


def test_what_makes_two_files_differ() -> None:
    before, after = registry((1, 1), (2, 2), (3, 3)), registry((1, 1), (9, 2), (4, 4), (5, 5))
    assert changes(before, after) == "2 new, 1 changed, 1 gone, 1 as before"


@given(registries, registries)
def test_all_that_is_there_is_counted_once(before: Registry, after: Registry) -> None:
    added, changed, removed, same = map(int, re.findall(r"\d+", changes(before, after)))
    assert added + changed + same == len(after)
    assert removed + changed + same == len(before)
    assert (same == len(before) == len(after)) == (before == after)
