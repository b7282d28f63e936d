"""The board has its true size, nothing on it is where something else is, and its letters are single lines."""

import re
import string
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from firmware_host.profile.profile import BoardSize
from firmware_host.workshop.drawing.board_drawing import (
    LEDS,
    NAME,
    OVERLAP,
    Layer,
    board_shapes,
    marks_of,
    tiling,
)
from firmware_host.workshop.drawing.shapes import Area, Label, RuledLine, shortened, text_lines, text_width
from firmware_host.workshop.drawing.sheets import sheets
from firmware_host.workshop.plan.parts import HALL_PARTS, PARTS
from firmware_host.workshop.plan.plan import Component
from firmware_host.workshop.plan.planning import wiring_plan
from tests.thoroughness import some
from tests.workshop.drawing.drawn import PROFILES, SVG, files_of, font_width, picture, plan_of
from tests.workshop.plan.plans import shipped

CUT, ENGRAVE, TOLD = "#ff0000", "#0000ff", "#000000"


@pytest.mark.no_cover  # of all tables, and slow when it is measured
@pytest.mark.parametrize("profile", PROFILES)
def test_one_unit_is_one_mm(profile: str) -> None:
    for name, text in files_of(profile).items():
        if name.startswith("board"):
            drawn = picture(text)
            assert drawn.unit == "mm" and drawn.view[2:] == (drawn.width, drawn.height)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_hole_is_cut_where_the_plan_has_it(profile: str) -> None:
    plan, _ = plan_of(profile)
    root = ElementTree.fromstring(files_of(profile)["board.svg"])
    discs = {(float(e.attrib["cx"]), float(e.attrib["cy"])): e for e in root.iter(f"{SVG}circle")}
    for each in plan.components:
        hole = PARTS[each.part].hole_mm if each.part in PARTS else None
        if each.at_mm and hole:
            disc = discs[round(each.at_mm[0], 2), round(each.at_mm[1], 2)]
            assert float(disc.attrib["r"]) * 2 == hole and disc.attrib["stroke"] == CUT


@pytest.mark.parametrize("profile", PROFILES)
def test_the_cover_has_no_holes_for_sensors_but_all_others(profile: str) -> None:
    board, cover = (_holes(files_of(profile)[name]) for name in ("board.svg", "board-cover.svg"))
    sensors = [each for each in plan_of(profile)[0].components if each.part in HALL_PARTS]
    assert {at for at, wide in board.items() if wide == 6} == {_at(each) for each in sensors}
    assert cover == {at: wide for at, wide in board.items() if wide != 6}


def test_a_reader_below_a_place_is_told_on_the_board_and_is_not_on_the_cover() -> None:
    board, cover = (
        [
            each.attrib["stroke"]
            for each in ElementTree.fromstring(files_of("dice4-rfid")[name]).iter(f"{SVG}rect")
            if each.attrib["width"] == "43"
        ]
        for name in ("board.svg", "board-cover.svg")
    )
    assert board == [TOLD] * 28
    assert cover == [ENGRAVE] * 4  # pads, which are not below a place


@pytest.mark.parametrize("profile", PROFILES)
def test_the_diameter_of_each_led_is_told(profile: str) -> None:
    plan, _ = plan_of(profile)
    leds = [PARTS[each.part].hole_mm for each in plan.components if each.part in LEDS and each.at_mm]
    for name in ("board.svg", "board-cover.svg"):
        words = [each.words for each in picture(files_of(profile)[name]).texts]
        for hole in (3, 5):
            told = [re.fullmatch(rf"(?:(\d+) × )?Ø {hole}", each) for each in words]
            assert sum(int(each[1] or 1) for each in told if each) == leds.count(hole)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_machine_gets_only_outlines_in_two_colours(profile: str) -> None:
    root = ElementTree.fromstring(files_of(profile)["board.svg"])
    shapes = [each for kind in ("rect", "circle", "polyline") for each in root.iter(f"{SVG}{kind}")][1:]
    assert {each.attrib["stroke"] for each in shapes} == {CUT, ENGRAVE, TOLD}
    assert {each.attrib["fill"] for each in shapes} == {"none"}
    assert {each.attrib["fill"] for each in root.iter(f"{SVG}text")} == {TOLD}


@pytest.mark.no_cover  # of all tables, and slow when it is measured
@pytest.mark.parametrize("layer", Layer)
@pytest.mark.parametrize("profile", some(3, PROFILES))
def test_no_name_lies_on_a_hole_on_a_frame_or_on_another_name(profile: str, layer: Layer) -> None:
    plan, own = plan_of(profile)
    marks = marks_of(plan, own, layer)
    shapes = board_shapes(plan, own, 0.1, layer)
    inside = Area(0, 0, *plan.board_mm)
    strokes = [each for each in shapes if isinstance(each, RuledLine) and each.ink == ENGRAVE]
    for stroke in strokes:
        for x, y in stroke.points:
            assert inside.left < x < inside.right and inside.top < y < inside.bottom
            point = Area(x, y, x, y)
            assert [mark.name for mark in marks if mark.area.overlaps(point)] == []
    labels = [each.area for each in shapes if isinstance(each, Label)]
    for label in labels:
        assert [s for s in strokes if any(label.overlaps(Area(x, y, x, y)) for x, y in s.points)] == []
    assert not any(one.overlaps(other) for one, other in combinations(labels, 2))


@pytest.mark.parametrize("profile", PROFILES)
def test_holes_do_not_touch(profile: str) -> None:
    holes = [mark for mark in marks_of(*plan_of(profile)) if mark.hole]
    for one, other in combinations(holes, 2):
        away = ((one.at[0] - other.at[0]) ** 2 + (one.at[1] - other.at[1]) ** 2) ** 0.5
        assert away > (one.hole + other.hole) / 2, (one, other)


def test_a_board_has_its_places_its_seats_and_its_screws() -> None:
    names = [mark.name for mark in marks_of(*plan_of("dice4"))]
    assert {"red 1", "blue 6", "button 1", "button 4"} <= set(names)
    corners = [mark for mark in marks_of(*plan_of("dice4")) if mark.hole == 4.5]
    assert len(corners) == 4


def test_dice_and_buttons_have_the_sizes_that_the_profile_says() -> None:
    own = shipped("dice4")
    own = replace(own, build=replace(own.build, board=BoardSize(die_mm=20, button_hole_mm=24.5)))
    marks = {mark.name: mark for mark in marks_of(wiring_plan(own), own)}
    assert (marks["red 1"].outline, marks["red 1"].hole) == ((23, 23), 6)
    assert marks["button 1"].hole == 24.5
    assert "Ø 24.5" in sheets(wiring_plan(own), own)["board-cover.svg"]


def test_a_board_for_cards_has_its_piles_and_pads() -> None:
    names = [mark.name for mark in marks_of(*plan_of("cards4"))]
    assert {"pile 1", "pile 16", "pad-1", "call 4"} <= set(names)


def test_a_reader_below_a_place_has_no_name_of_its_own() -> None:
    names = [mark.name for mark in marks_of(*plan_of("dice4-rfid"))]
    assert "red 1" in names and "red-1" not in names and "pad-1" in names


def test_names_are_large_enough() -> None:
    assert NAME >= 2.2


@pytest.mark.parametrize("profile", PROFILES)
def test_the_tiles_cover_the_board_and_overlap(profile: str) -> None:
    plan, _ = plan_of(profile)
    way = tiling(plan.board_mm)
    first, last = way.area(0, 0), way.area(way.columns - 1, way.rows - 1)
    assert first.left <= 0 and first.top <= 0
    assert last.right >= plan.board_mm[0] and last.bottom >= plan.board_mm[1]
    for column in range(way.columns - 1):
        assert way.area(column, 0).right - way.area(column + 1, 0).left == pytest.approx(OVERLAP)
    for row in range(way.rows - 1):
        assert way.area(0, row).bottom - way.area(0, row + 1).top == pytest.approx(OVERLAP)
    for layer in ("board", "board-cover"):
        tiles = [name for name in files_of(profile) if re.fullmatch(layer + r"-[A-Z]\d+\.svg", name)]
        assert len(tiles) == way.columns * way.rows


def test_a_tile_is_a4_and_has_its_number_a_ruler_and_crop_marks() -> None:
    text = files_of("dice4")["board-B2.svg"]
    drawn = picture(text)
    words = [each.words for each in drawn.texts]
    assert (drawn.width, drawn.height) == (210, 297)
    assert "Sheet B2 of 3 × 2" in words and "100 mm" in words
    ticks = list(ElementTree.fromstring(text).iter(f"{SVG}polyline"))
    ruler = [_ends(each) for each in ticks if _ends(each)[1][0] - _ends(each)[0][0] == pytest.approx(100)]
    assert len(ruler) == 1


def test_a_small_board_is_one_sheet() -> None:
    assert tiling((180, 250))[1:] == (1, 1)


def test_a_wide_board_is_printed_on_sheets_that_lie() -> None:
    way = tiling((500, 150))
    assert way.paper.width > way.paper.height and (way.columns, way.rows) == (2, 1)


def _at(component: Component) -> tuple[float, float]:
    assert component.at_mm
    return round(component.at_mm[0], 2), round(component.at_mm[1], 2)


def _holes(svg: str) -> dict[tuple[float, float], float]:
    """The diameter of each hole that is cut, by its middle."""
    discs = ElementTree.fromstring(svg).iter(f"{SVG}circle")
    return {
        (float(e.attrib["cx"]), float(e.attrib["cy"])): 2 * float(e.attrib["r"])
        for e in discs
        if e.attrib["stroke"] == CUT
    }


def _ends(line: ElementTree.Element) -> tuple[tuple[float, ...], tuple[float, ...]]:
    points = [tuple(map(float, each.split(","))) for each in line.attrib["points"].split()]
    return points[0], points[-1]


def test_where_there_is_no_room_for_a_name_it_stands_below_its_mark() -> None:
    plan, own = plan_of("dice4")
    place = next(each for each in plan.components if each.name == "red 1")
    crowd = tuple(
        replace(place, name=f"red {x} {y}", at_mm=(5.0 * x, 5.0 * y)) for x in range(16) for y in range(16)
    )
    shapes = board_shapes(replace(plan, components=crowd, board_mm=(80, 80)), own, 0.1)
    assert len([each for each in shapes if isinstance(each, RuledLine)]) > len(crowd)


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("letter", string.digits + string.ascii_letters + string.punctuation + " ")
def test_each_letter_is_as_wide_as_in_the_font(letter: str, bold: bool) -> None:
    assert text_width(letter, 1000, bold=bold) == pytest.approx(font_width(letter, 1000, bold), abs=1)


@pytest.mark.parametrize("letter", "→×ØÄé…·µ")
def test_other_letters_are_never_wider_than_assumed(letter: str) -> None:
    assert text_width(letter, 1000) >= font_width(letter, 1000)


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert shortened("red 1", text_width("red 1", 3), 3) == "red 1"


def test_a_text_that_is_too_wide_ends_with_an_ellipsis_and_fits() -> None:
    assert shortened("terminal strip of ground", 30, 3) == "terminal strip of g…"
    assert text_width("terminal strip of g…", 3) <= 30


def test_there_is_no_space_before_an_ellipsis() -> None:
    assert shortened("red 1 2", text_width("red …", 3), 3) == "red…"


def test_nothing_but_an_ellipsis_is_left_where_nothing_fits() -> None:
    assert shortened("red 1", 1, 3) == "…"


def test_a_text_is_broken_between_words() -> None:
    assert text_lines("Keep the bus short.", 22, 3) == ["Keep the bus", "short."]


def test_a_word_that_is_too_wide_has_a_line_of_its_own() -> None:
    assert text_lines("see /dev/serial/by-path there", 20, 3) == ["see", "/dev/serial/by-path", "there"]
    assert text_lines("", 20, 3) == []
