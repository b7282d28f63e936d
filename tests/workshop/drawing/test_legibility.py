"""All sheets can be read on paper: letters are large enough, and nothing lies on a label."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.profile.profile import Profile
from firmware_host.workshop.drawing.sheets import sheets
from firmware_host.workshop.plan.planning import wiring_plan
from tests.thoroughness import some
from tests.workshop.drawing.drawn import PROFILES, Picture, files_of, font_width, picture
from tests.workshop.plan.plans import shipped

CAPITAL = 0.729
"""The height of a capital letter of DejaVu Sans, for font size 1."""
OTHER_CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("dice4", {"button": "arcade-12v"}),
    ("dice4", {"button": "arcade-plain", "button_driver": "none"}),
    ("dice4", {"button": "arcade-bare", "hall": "drv5033"}),
    ("cards4", {"supply": "pi", "speaker": "none"}),
    ("dice4", {"leds": "rgb-ca", "speaker": "jack", "fuse_amps": -1.0, "button": "arcade-12v"}),
    ("cards2-piles", {"leds": "single", "sign_link": "usb"}),
    ("dice4", {"level_shifter": False, "hall_pull_up_ohm": 0}),
    ("dice4-rfid", {"reader_link": "usb-uart", "sign_link": "usb-uart"}),
]


def sheets_among(files: Mapping[str, str]) -> dict[str, Picture]:
    """The sheets for A4, without the board."""
    svgs = {name: text for name, text in files.items() if name.endswith(".svg")}
    return {name: picture(text) for name, text in svgs.items() if not name.startswith("board")}


def covered_labels(files: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Labels on which a wire or another label lies."""
    found = []
    for name, sheet in sheets_among(files).items():
        found += [(name, *pair) for pair in _overlapping(sheet)]
        for wire in sheet.wires:
            for text in sheet.texts:
                near = wire.frame.overlaps(text.frame)
                if near and any(text.frame.holds(*point, spare=0.6) for point in wire.points):
                    found.append((name, text.words, wire.told))
    return found


def _overlapping(sheet: Picture) -> Iterator[tuple[str, str]]:
    """Pairs of labels that overlap: each is compared with those that begin above its lower edge."""
    texts = sorted(sheet.texts, key=lambda text: text.frame.top)
    for n, one in enumerate(texts):
        for other in texts[n + 1 :]:
            if other.frame.top >= one.frame.bottom:
                break
            if one.frame.overlaps(other.frame):
                yield one.words, other.words


def labels_outside(files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Labels that reach into the margins of their sheets."""
    found = []
    for name, sheet in sheets_among(files).items():
        for text in sheet.texts:
            left, top, right, bottom = text.frame
            if min(left, top) < 9.9 or right > sheet.width - 9.9 or bottom > sheet.height - 9.9:
                found.append((name, text.words))
    return found


@pytest.mark.no_cover  # of all tables, and slow when it is measured
@pytest.mark.parametrize("profile", some(3, PROFILES))
def test_no_wire_and_no_other_label_lies_on_a_label(profile: str) -> None:
    assert covered_labels(files_of(profile)) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_every_sheet_is_a4_with_letters_of_at_least_2_2_mm_inside_its_margins(profile: str) -> None:
    for name, sheet in sheets_among(files_of(profile)).items():
        assert sorted((sheet.width, sheet.height)) == [210, 297], name
        assert sheet.unit == "mm" and list(sheet.view) == [0, 0, sheet.width, sheet.height], name
        assert all(text.size * CAPITAL >= 2.2 for text in sheet.texts), name
    assert labels_outside(files_of(profile)) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_the_letters_of_the_board_are_as_large(profile: str) -> None:
    boards = {name: text for name, text in files_of(profile).items() if name.startswith("board")}
    for name, text in boards.items():
        for label in picture(text).texts:
            assert label.size * CAPITAL >= 2.2, (name, label.words)


@pytest.mark.no_cover  # of all tables, and slow when it is measured
@pytest.mark.parametrize(("name", "choices"), some(3, OTHER_CHOICES), ids=str)
def test_tables_of_other_parts_are_as_legible(name: str, choices: dict[str, Any]) -> None:
    check(shipped(name, **choices))


def test_a_table_whose_sign_is_at_the_header_is_as_legible() -> None:
    profile = shipped("dice4", sign_link="max3232")
    check(replace(profile, sign_port="/dev/serial0", reset=4))


def check(profile: Profile) -> None:
    """The sheets of a table hold what those of the shipped ones do."""
    files = sheets(wiring_plan(profile), profile)
    assert covered_labels(files) == []
    assert labels_outside(files) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_no_title_of_a_sheet_is_cut_short(profile: str) -> None:
    for name, sheet in sheets_among(files_of(profile)).items():
        title = max(sheet.texts, key=lambda text: text.size)
        assert not title.words.endswith("…"), name


def test_a_crossed_label_would_be_found() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="50mm" height="50mm" viewBox="0 0 50 50">'
        '<text x="10" y="11" font-size="3">pin</text><text x="12" y="12" font-size="3">other</text>'
        '<text x="30" y="5" font-size="3">free</text>'
        '<g class="wire"><title>w</title><path d="M0,0 H5 C10,0 10,20 15,20 V22 H20"/></g></svg>'
    )
    assert covered_labels({"one.svg": svg}) == [("one.svg", "pin", "other"), ("one.svg", "pin", "w")]
    assert font_width("pin", 3) == pytest.approx(4.6, abs=0.1)
