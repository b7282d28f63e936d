"""Every part that a plan can have has its column on the sheet of the whole table."""

from firmware_host.workshop.drawing.shapes import svg_text
from firmware_host.workshop.drawing.whole_sheet import (
    BETWEEN,
    POWER,
    Column,
    group_table,
    kind_between,
    whole_sheet,
)
from firmware_host.workshop.plan.parts import BUTTON_PARTS, HALL_PARTS, PARTS
from firmware_host.workshop.plan.plan import Rail
from tests.workshop.drawing.drawn import picture
from tests.workshop.plan.plans import plan_of

ENDS = {"rgb-cc", "rgb-ca", "led", "pn532", "sign", "usb-speaker", "i2s", "jack"}
SMALL = {"pull-up-network", "resistor-pull", "resistor-330"}


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


def test_what_is_fed_over_usb_is_on_no_rail() -> None:
    for name in ("cards2", "cards12"):
        groups = group_table(plan_of(name)).groups
        usb = [group for group in groups if group.title.endswith(("adapters", "tag readers"))]
        assert len(usb) == 2 and not any(group.rails for group in usb), name
    rails = {group.names: group.rails for group in group_table(plan_of("dice4")).groups}
    assert rails["sign link"] == rails["scoreboard"] == ()
    drawn = picture(svg_text(whole_sheet(plan_of("cards2")))).texts
    assert not any(text.words.startswith("on 5 V") for text in drawn)


def test_what_the_strips_feed_is_on_their_rails_also_through_another_strip() -> None:
    rails = {group.names: group.rails for group in group_table(plan_of("dice4")).groups}
    assert rails["red 1 … yellow 6"] == (Rail.V5, Rail.GROUND)
    assert rails["left"] == (Rail.V3_3, Rail.GROUND)
    readers = [g for g in group_table(plan_of("cards2", reader_power="supply")).groups if "reader" in g.title]
    assert [group.rails for group in readers] == [(Rail.V5, Rail.GROUND)]


def test_terminal_strips_of_a_rail_are_counted() -> None:
    strips = [g.names for g in group_table(plan_of("dice4")).groups if g.title.endswith("terminal strips")]
    assert "ground strips 1 to 2" in strips
