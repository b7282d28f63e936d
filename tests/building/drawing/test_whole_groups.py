"""Every part that a plan can have has its column on the sheet of the whole table."""

from firmware_host.building.drawing.svg import svg_text
from firmware_host.building.drawing.whole_groups import BETWEEN, POWER, Column, group_table, kind_between
from firmware_host.building.drawing.whole_sheet import whole_sheet
from firmware_host.building.parts import BUTTON_PARTS, HALL_PARTS, PARTS
from tests.building.drawing.drawn import picture
from tests.building.plans import plan_of

ENDS = {"rgb-cc", "rgb-ca", "led", "pn532", "sign", "usb-speaker", "i2s", "jack"}
SMALL = {"pull-up-network", "resistor-10k", "resistor-330"}


def test_each_part_with_pins_stands_in_the_power_between_or_at_an_end() -> None:
    known = {*POWER, *ENDS, *SMALL, *HALL_PARTS, *BUTTON_PARTS}
    wired = {key for key, part in PARTS.items() if part.pins}
    assert {key for key in wired if not kind_between(key)} == known
    assert {kind_between(key) for key in wired} - {""} == set(BETWEEN)


def test_a_few_chips_stand_alone_and_many_are_a_group() -> None:
    few = [group.names for group in group_table(plan_of("dice4")).groups]
    many = [group.names for group in group_table(plan_of("cards12")).groups]
    assert {"left", "right", "rows"} <= set(few)
    assert "piles-1 … piles-6" in many


def test_a_link_counts_its_wires_and_leads_away_from_the_pi() -> None:
    table = group_table(plan_of("dice4"))
    names = [group.names for group in table.groups]
    links = {(names[link.start], names[link.end]): link.wires for link in table.links}
    assert links["left", "red 1 … yellow 6"] == 12
    assert links["pi", "button 1 … button 4"] == 4
    assert links["pi", "left"] == 3
    assert not any(
        table.groups[link.end].column is Column.PI for link in table.links if link.colour == "grey"
    )


def test_the_leds_of_a_matrix_are_one_group_though_each_is_wired_to_the_next() -> None:
    (leds,) = [group for group in group_table(plan_of("dice4")).groups if "LEDs" in group.title]
    assert leds.title == "28 LEDs" and leds.short_names == "lamp red 1 … symbol blue"


def test_each_supply_stands_above_its_fuse_and_its_strip() -> None:
    plan = plan_of("dice4", button="arcade-12v")
    words = {text.words: text.frame.top for text in picture(svg_text(whole_sheet(plan))).texts}
    order = ("supply pi", "supply 12 V", "fuse 12 V", "12 V strip", "supply", "fuse", "5 V strip")
    assert sorted(order, key=words.__getitem__) == list(order)
