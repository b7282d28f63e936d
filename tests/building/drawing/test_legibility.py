"""All sheets of all shipped profiles can be read on paper: letters are large enough, and nothing lies on a label."""

from itertools import combinations

import pytest

from tests.building.drawing.drawn import PROFILES, Picture, files_of, font_width, picture

CAPITAL = 0.729
"""The height of a capital letter of DejaVu Sans, for font size 1."""


def sheets_of(profile: str) -> dict[str, Picture]:
    """The sheets for A4, without the board."""
    svgs = {name: text for name, text in files_of(profile).items() if name.endswith(".svg")}
    return {name: picture(text) for name, text in svgs.items() if not name.startswith("board")}


@pytest.mark.parametrize("profile", PROFILES)
def test_no_wire_and_no_other_label_lies_on_a_label(profile: str) -> None:
    for name, sheet in sheets_of(profile).items():
        for one, other in combinations(sheet.texts, 2):
            assert not one.frame.overlaps(other.frame), (name, one.words, other.words)
        for wire in sheet.wires:
            for text in sheet.texts:
                if wire.frame.overlaps(text.frame):
                    touching = [point for point in wire.points if text.frame.holds(*point, spare=0.6)]
                    assert touching == [], (name, text.words, wire.told)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_sheet_is_a4_with_letters_of_at_least_2_2_mm_inside_its_margins(profile: str) -> None:
    for name, sheet in sheets_of(profile).items():
        assert sorted((sheet.width, sheet.height)) == [210, 297], name
        assert sheet.unit == "mm" and sheet.view == (0, 0, sheet.width, sheet.height), name
        for text in sheet.texts:
            assert text.size * CAPITAL >= 2.2, (name, text.words)
            assert text.frame.left >= 9.9 and text.frame.right <= sheet.width - 9.9, (name, text.words)
            assert text.frame.top >= 9.9 and text.frame.bottom <= sheet.height - 9.9, (name, text.words)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_letters_of_the_board_are_as_large(profile: str) -> None:
    boards = {name: text for name, text in files_of(profile).items() if name.startswith("board")}
    for name, text in boards.items():
        for label in picture(text).texts:
            assert label.size * CAPITAL >= 2.2, (name, label.words)


def test_a_crossed_label_would_be_found() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="50mm" height="50mm" viewBox="0 0 50 50">'
        '<text x="10" y="11" font-size="3">pin</text>'
        '<g class="wire"><title>w</title><path d="M0,0 H5 C10,0 10,20 15,20 H20"/></g></svg>'
    )
    drawn = picture(svg)
    (text,), (wire,) = drawn.texts, drawn.wires
    assert any(text.frame.holds(*point) for point in wire.points)
    assert font_width("pin", 3) == pytest.approx(4.6, abs=0.1)
