"""What `wiring` prints and writes."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from firmware_host.profile.profile import LampWire
from firmware_host.profile.wiring_reading import BLUE, GREEN, RED
from firmware_host.workshop.drawing.sheets import CSV_VIEWS, VIEWS, files, sheets, view_csv, view_lines
from firmware_host.workshop.electrical.rules import judged
from firmware_host.workshop.plan.pi_models import HEADER, header_pin, model_of, model_type
from firmware_host.workshop.plan.plan import Pin, TextTable, as_csv, as_lines, metres, pin_text
from firmware_host.workshop.plan.planning import wiring_plan
from firmware_host.workshop.plan.tables import (
    address_table,
    by_cable,
    checklist,
    chip_tables,
    header_lines,
    line_text,
)
from tests.thoroughness import some
from tests.workshop.plan.plans import SHIPPED, plan_of, shipped


def test_a_table_is_as_wide_as_its_cells() -> None:
    table = TextTable("things", ("no.", "what"), (("1", "a die"), ("22", "")))
    assert as_lines(table, 80) == ["things", "no.  what", "---  -----", "1    a die", "22"]


def test_a_long_last_cell_is_wrapped() -> None:
    table = TextTable("things", ("no.", "what"), (("1", "one die after another of them"),))
    assert as_lines(table, 12)[3:] == ["1    one die after", "     another of them"]


def test_notes_are_below_their_row() -> None:
    table = TextTable("things", ("no.", "what", "for", "watch"), (("1", "die", "", "its magnets"),), notes=2)
    assert as_lines(table, 80)[1:] == ["no.  what", "---  ----", "1    die", "     watch: its magnets"]
    assert as_csv(table) == "no.,what,for,watch\n1,die,,its magnets\n"


@pytest.mark.parametrize(
    ("pin", "text"),
    [
        (Pin("left", "GPA0", "21"), "left: GPA0 (pin 21)"),
        (Pin("ground strip", "pole 3", "3"), "ground strip: pole 3"),
        (Pin("fuse", "in"), "fuse: in"),
    ],
)
def test_a_pin_is_named(pin: Pin, text: str) -> None:
    assert pin_text(pin) == text


def test_lengths_are_in_metres() -> None:
    assert metres(350) == "0.35 m"


# -- the header


def test_the_header_has_40_pins_each_line_once() -> None:
    lines = [name for name in HEADER if name.startswith("GPIO")]
    assert len(HEADER) == 40 and len(set(lines)) == 28
    assert (header_pin(2), header_pin(17), header_pin(21), header_pin(30)) == (3, 11, 40, None)


def test_the_picture_shows_what_sits_on_each_pin() -> None:
    lines = header_lines(plan_of("dice4"), shipped("dice4"))
    assert lines[0].startswith("Raspberry Pi 4 B")
    assert len(lines) == 22
    assert lines[2] == "to the 3.3 V strip    3.3 V  1 o o 2  5 V"
    assert lines[4] == "               SCL   GPIO 3  5 o o 6  ground   to the ground strip"
    assert lines[15] == "        HAT EEPROM   GPIO 0 27 o o 28 GPIO 1   HAT EEPROM"
    assert lines[21] == "                     ground 39 o o 40 GPIO 21  lamp 4"


def test_a_compute_module_has_a_list_of_lines() -> None:
    lines = header_lines(plan_of("dice4-direct"), shipped("dice4-direct"))
    assert lines[0] == "Compute Module on its carrier board: its GPIO lines"
    assert len(lines) == 2 + 46
    assert (lines[2], lines[6], lines[41]) == (" GPIO 0  -", " GPIO 4  button 1", "GPIO 39  blue 6")


def test_lines_have_pins_only_on_a_header() -> None:
    assert line_text(shipped("dice4"), 17) == "GPIO 17 (pin 11)"
    assert line_text(shipped("dice4-direct"), 17) == "GPIO 17"


@pytest.mark.parametrize(
    ("board", "name", "kind"),
    [
        ("c03111", "Raspberry Pi 4 B", 0x11),
        ("d04170", "Raspberry Pi 5", 0x17),
        ("a020a0", "Compute Module on its carrier board", 0x0A),
        ("000e", "Raspberry Pi", -1),
        ("0011", "Compute Module on its carrier board", -1),
    ],
)
def test_the_model_is_in_the_revision_code(board: str, name: str, kind: int) -> None:
    assert (model_of(board).name, model_type(board)) == (name, kind)


# -- chips


def test_addresses_are_listed_with_how_they_are_set() -> None:
    table = address_table(shipped("dice4"))
    assert table.title == "I2C bus 1: GPIO 2 (pin 3) and GPIO 3 (pin 5)"
    assert table.rows[1] == ("0x21", "right", "MCP23017", "wire A0 to supply, A1 and A2 to ground")
    assert len(table.rows) == 3


def test_a_bus_of_an_overlay_has_lines_that_nobody_knows() -> None:
    assert address_table(replace(shipped("dice4"), i2c_bus=3)).title == "I2C bus 3: lines of an overlay"


def test_each_pin_of_a_chip_is_listed() -> None:
    left = chip_tables(plan_of("dice4"), shipped("dice4"))[0]
    assert left.title == "left: MCP23017 at 0x20"
    assert {row[0] for row in left.rows} == {str(number) for number in range(1, 29)}
    rows = [row for row in left.rows if row[1] == "GPA0"]
    assert {row[4] for row in rows} == {"red 1: OUT (pin 3)", "pull-ups left A: R1 (pin 2)"}
    assert ("8", "GPB7", "-", "", "") in left.rows


def test_each_led_of_a_chip_is_listed_down_to_its_wire() -> None:
    profile = shipped("dice4")
    table = chip_tables(plan_of("dice4"), profile)[-1]
    numbers = sorted(wire.led for wire in profile.lamp_wires if wire.chip == "rows")
    assert [int(row[0]) for row in table.rows] == numbers
    assert table.rows[15][:8] == ("16", "lamp red 6", "red", "ROW 0", "25", "COM 1", "3", "A0, C1")
    assert table.rows[15][8] == "rows COM 1"
    assert all(row[9] for row in table.rows)
    assert table.rows[-1][:3] == ("83", "lamp symbol blue", "")


@pytest.mark.parametrize("name", SHIPPED)
def test_the_leds_of_every_table_can_be_listed(name: str) -> None:
    for leds in ("rgb-cc", "rgb-ca", "single"):
        profile = shipped(name, leds=leds)
        tables = chip_tables(wiring_plan(profile), profile)
        listed = sum(len(table.rows) for table in tables if table.title.endswith("LEDs by number"))
        assert listed == sum(wire.chip != "gpio" for wire in profile.lamp_wires)


@pytest.mark.parametrize("name", ["dice4", "cards4"])
def test_leds_with_a_common_anode_are_listed_with_the_wire_to_the_leg_of_their_own(name: str) -> None:
    """Each lamp has its three LEDs at one row and three commons, as the rule about them asks for."""
    profile = shipped(name, leds="rgb-ca")
    places = [divmod(number, 16) for number in range(32)]
    lamps = sorted({wire.lamp for wire in profile.lamp_wires if wire.chip != "gpio"})[: len(places)]
    chip = profile.led_chips[0].name
    wires = tuple(
        LampWire(lamp, mask, chip, row + 16 * (3 * third + shade))
        for lamp, (third, row) in zip(lamps, places, strict=False)
        for shade, mask in enumerate((RED, GREEN, BLUE))
    )
    profile = replace(profile, lamp_wires=wires)
    assert not [finding for finding in judged(profile) if finding.rule.name.startswith("led-common")]
    plan = wiring_plan(profile)
    (table,) = (each for each in chip_tables(plan, profile) if each.title == f"{chip}: LEDs by number")
    assert len(table.rows) == len(wires)
    for led, lamp, shade, row, _, common, _, _, cable, colour in table.rows:
        (own,) = (wire for wire in plan.wires if wire.end.component == lamp and wire.end.name == shade)
        assert own.signal == f"{lamp} {shade} (LED {led}, {common})"
        assert (cable, colour) == (own.cable, own.colour) == (f"{chip} {common}", "white")
        assert {wire.signal for wire in plan.wires if wire.end == Pin(lamp, "anode", "2")} == {row}
    assert all(files(plan, profile).values())


# -- the checklist


@pytest.mark.parametrize("name", SHIPPED)
def test_each_wire_is_ticked_off_once(name: str) -> None:
    plan = plan_of(name)
    rows = checklist(plan).rows
    assert [row[1] for row in rows] == [str(number) for number in range(1, len(plan.wires) + 1)]
    numbers = [row[1] for table in by_cable(plan) for row in table.rows]
    assert numbers == [row[1] for row in rows]


def test_a_cable_says_its_step_and_length() -> None:
    titles = [table.title for table in by_cable(plan_of("dice4"))]
    assert titles[0].startswith("power: power, up to ")
    assert "sensors: hall sensors of the red row, up to 0.40 m" in titles


# -- all together


@pytest.mark.no_cover  # of all tables, and slow when it is measured
@pytest.mark.parametrize("name", some(3, SHIPPED))
def test_all_files_are_made(name: str) -> None:
    made = files(plan_of(name), shipped(name))
    drawn = sheets(plan_of(name), shipped(name))
    assert set(made) == {*(f"{v}.txt" for v in VIEWS), *(f"{v}.csv" for v in CSV_VIEWS), *drawn}
    for file, text in made.items():
        assert text.endswith("\n") and not text.endswith("\n\n"), file
        assert all(line == line.rstrip() for line in text.splitlines()), file


@pytest.mark.parametrize("view", CSV_VIEWS)
def test_csv_has_as_many_cells_in_every_row(view: str) -> None:
    rows = list(csv.reader(view_csv(view, plan_of("dice4"), shipped("dice4")).splitlines()))
    assert len(rows) > 3 and len({len(row) for row in rows}) == 1


def test_a_view_without_rows_says_so() -> None:
    direct = plan_of("dice4-direct"), shipped("dice4-direct")
    assert view_lines("chips", *direct) == ["no chips"]
    assert view_lines("addresses", *direct) == ["no addresses"]


def test_a_view_fits_the_width() -> None:
    for view in VIEWS:
        for line in view_lines(view, plan_of("dice4"), shipped("dice4"), 140):
            assert len(line) <= 140, line
