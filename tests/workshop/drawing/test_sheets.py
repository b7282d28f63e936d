"""The sheets show all that the plan has: every wire at both ends, every line of the header, every LED."""

import importlib.util
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import wiring
from firmware_host.profile.profile import line_names
from firmware_host.workshop.drawing.sheets import sheets
from firmware_host.workshop.plan.plan import PLUGGED, code_of
from firmware_host.workshop.plan.planning import wiring_plan
from tests.workshop.drawing.drawn import PROFILES, files_of, picture, plan_of


def words_of(profile: str, start: str) -> Counter[str]:
    """All texts of the sheets whose names begin so."""
    files = {name: text for name, text in files_of(profile).items() if name.startswith(start)}
    return Counter(each.words for text in files.values() for each in picture(text).texts)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_wire_has_a_tag_with_number_and_colour_at_both_ends(profile: str) -> None:
    plan, _ = plan_of(profile)
    soldered, bought = words_of(profile, "cable-"), words_of(profile, "cables-with-plugs")
    for number, wire in enumerate(plan.wires, start=1):
        tag = f"{number} {code_of(wire.colour)}"
        is_bought = wire.colour in PLUGGED
        assert bought[tag] == (2 if is_bought else 0), tag
        assert soldered[tag] in ((0, 2) if is_bought else (2,)), tag


@pytest.mark.parametrize("profile", PROFILES)
def test_as_many_wires_are_drawn_as_there_are(profile: str) -> None:
    plan, _ = plan_of(profile)
    for cable in plan.cables:
        name = f"cable-{re.sub('[^A-Za-z0-9]+', '-', cable.name)}"
        files = [
            text for file, text in files_of(profile).items() if re.fullmatch(rf"{name}(-\d+)?\.svg", file)
        ]
        drawn = [wire.told for text in files for wire in picture(text).wires]
        wires = plan.of_cable(cable.name)
        if any(wire.colour not in PLUGGED for wire in wires):
            assert Counter(drawn) >= Counter(wire.signal for wire in wires), cable.name


@pytest.mark.parametrize("profile", PROFILES)
def test_the_sheet_of_the_pi_has_a_wire_at_every_line_of_the_profile(profile: str) -> None:
    plan, own = plan_of(profile)
    words = words_of(profile, "header")
    drawn = picture(files_of(profile)["header.svg"])
    for line in line_names(own):
        assert sum(count for text, count in words.items() if f"{text} ".startswith(f"GPIO {line} ")) == 1
        (wire,) = [
            f"{number} {code_of(wire.colour)}"
            for number, wire in enumerate(plan.wires, start=1)
            if f"GPIO {line}" in (wire.start.name, wire.end.name)
        ][:1]
        assert words[wire] == 1, line
    assert len(drawn.wires) >= len(line_names(own))


@pytest.mark.parametrize("profile", PROFILES)
def test_the_sheet_of_an_led_chip_has_every_led_once(profile: str) -> None:
    _, own = plan_of(profile)
    for chip in own.led_chips:
        words = words_of(profile, f"chip-{chip.name}.")
        assert all(words[str(led)] == 1 for led in range(128))
        assert all(words[f"ROW {row} [{25 - row}]"] == 1 for row in range(16))
        assert all(words[f"COM {common} [{2 + common}]"] == 1 for common in range(8))


def test_an_led_is_named_with_its_lamp_and_colour() -> None:
    board, piles = words_of("dice4", "chip-rows"), words_of("cards4", "chip-piles-1")
    assert all(board[name] == 1 for name in ("red 1 R", "red 1 G", "red 1 B", "blue 6 B", "sym. yellow"))
    assert all(piles[name] == 1 for name in ("pile 1 R", "pile 8 no 10", "seat 2 B"))


def test_the_sheet_of_an_expander_tells_what_is_at_each_of_its_inputs() -> None:
    words = words_of("dice4", "chip-left")
    for pin, place in (("GPA0", "red 1"), ("GPB5", "yellow 6")):
        assert words[pin] == 1
        assert sum(text.endswith(f"→ {place}") for text in words) == 1
    assert sum("interrupt of left → pi GPIO 17" in text for text in words) == 1
    assert sum("100 nF goes from VDD to VSS" in text for text in words) == 1


def test_the_whole_table_names_every_chip_and_what_players_touch() -> None:
    words = words_of("dice4", "whole")
    for name in ("pi", "left", "right", "rows", "driver 1", "red 1 … yellow 6", "4 buttons", "scoreboard"):
        assert words[name] == 1, name


@pytest.mark.parametrize("profile", PROFILES)
def test_each_kind_of_sheet_is_there(profile: str) -> None:
    _, own = plan_of(profile)
    names = set(files_of(profile))
    assert {"whole.svg", "header.svg", "board.svg", "board-A1.svg", "wireviz.yml"} <= names
    chips = {f"chip-{bank.name}.svg" for bank in own.banks} | {f"chip-{c.name}.svg" for c in own.led_chips}
    assert chips == {name for name in names if name.startswith("chip-")}
    assert "cable-power.svg" in names


def test_titles_say_what_a_sheet_shows_and_of_which_table() -> None:
    words = words_of("dice4", "cable-row-red")
    assert words["Table: Dice for four. Wires of up to 40 cm"] == 1
    assert words["Hall sensors of the red row"] == 1
    assert any("magnet" in text for text in words)


def test_an_expander_that_is_called_like_a_row_has_files_of_its_own() -> None:
    _, own = plan_of("dice4")
    alike = replace(own, banks=(replace(own.banks[0], name="row-red"), own.banks[1]))
    names = set(sheets(wiring_plan(alike), alike))
    assert {"chip-row-red.svg", "cable-row-red.svg", "cable-row-red-2.svg"} <= names
    assert len(names) == len(files_of("dice4"))


def test_a_title_may_have_any_letters() -> None:
    _, own = plan_of("dice4-direct")
    strange = replace(own, title='5 < 6 & \x01\nin "two" lines')
    drawn = sheets(wiring_plan(strange), strange)
    assert picture(drawn["header.svg"]).texts[1].words == 'Table: 5 < 6 & \\x01\\nin "two" lines'
    assert drawn["wireviz.yml"].splitlines()[1] == "options:"


def test_the_boxes_of_resistors_say_how_many_ohms_they_have() -> None:
    assert words_of("dice4", "cable-left")["pull-ups left A: 10 kohm"] >= 1


DOCS = Path(__file__).parents[3] / "docs"


def _script() -> ModuleType:
    """docs/drawings.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("docs_drawings", DOCS / "drawings.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_sheet_of_the_docs_is_stale() -> None:
    stale = [file.name for file, text in _script().shown_sheets() if file.read_text(encoding="utf-8") != text]
    assert stale == []


def test_no_sheet_of_the_docs_is_left_over() -> None:
    shown = {file for file, _ in _script().shown_sheets()}
    there = {file for name in wiring.profile_names() for file in (DOCS / "drawings" / name).glob("*")}
    assert there == shown
