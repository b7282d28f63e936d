"""Where things lie on the board."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import dist

import pytest

from firmware_host.profile import profile
from firmware_host.workshop.drawing.board_drawing import LEDS
from firmware_host.workshop.plan.draft import board_places
from firmware_host.workshop.plan.plan import PLUGGED
from firmware_host.workshop.plan.planning import wiring_plan
from firmware_host.workshop.plan.tables import by_cable
from tests.workshop.plan.plans import SHIPPED, plan_of, shipped


@pytest.mark.parametrize("name", SHIPPED)
def test_everything_lies_on_the_board(name: str) -> None:
    plan = plan_of(name)
    width, height = plan.board_mm
    for component in plan.components:
        if component.at_mm:
            assert 0 <= component.at_mm[0] <= width and 0 <= component.at_mm[1] <= height, component


@pytest.mark.parametrize("name", SHIPPED)
def test_what_players_touch_has_a_place(name: str) -> None:
    parts = ("a3144", "arcade-5v", "arcade-plain", "push-button", "pn532", "led", "rgb-cc")
    for component in plan_of(name).components:
        assert (component.at_mm is not None) == (component.part in parts), component


def test_places_are_a_grid() -> None:
    (width, height), places = board_places(shipped("dice4"))
    assert [width, height] == [5 * 45 + 220, 3 * 60 + 220]
    grid = [places[name] for name in ("red 1", "red 2", "yellow 1")]
    assert grid == [(110, 110), (155, 110), (110, 170)]
    assert [places["lamp red 1"]] == [(110, 132)]
    _, tagged = board_places(shipped("dice4-rfid"))
    assert tagged["lamp red 1"][1] - tagged["red 1"][1] == 26
    assert tagged["red-1"] == tagged["red 1"]


def test_seats_are_all_around() -> None:
    (width, height), places = board_places(shipped("cards4"))
    buttons = [places[f"button {seat}"] for seat in range(1, 5)]
    assert buttons == [(width / 2, height - 50), (50, height / 2), (width / 2, 50), (width - 50, height / 2)]
    beside = [places["pad-1"], places["call 1"]]
    assert beside == [(width / 2 - 75, height - 50), (width / 2 + 70, height - 50)]


def test_a_lamp_of_a_seat_is_clear_of_a_button_of_60_mm() -> None:
    for name in ("cards4", "cards12", "dice4"):
        _, places = board_places(shipped(name))
        assert dist(places["lamp 1"], places["button 1"]) >= 60 / 2 + 5 / 2 + 5


def test_three_leds_of_a_lamp_lie_side_by_side() -> None:
    places = {each.name: each.at_mm for each in plan_of("dice4", leds="single").components}
    assert [places[f"lamp red 1 {shade}"] for shade in ("red", "green", "blue")] == [
        (105, 132),
        (110, 132),
        (115, 132),
    ]


@pytest.mark.parametrize("leds", profile.LEDS)
@pytest.mark.parametrize("name", SHIPPED)
def test_no_two_leds_lie_on_each_other(name: str, leds: str) -> None:
    lamps = [each for each in plan_of(name, leds=leds).components if each.part in LEDS]
    for one, other in combinations(lamps, 2):
        if one.at_mm and other.at_mm:
            assert dist(one.at_mm, other.at_mm) >= 5, (one.name, other.name)


def test_own_positions_hold() -> None:
    profile = shipped("dice4")
    own = {"red 1": (11, 12), "seat 2": (13, 14), "symbol red": (1, 2)}
    board = replace(profile.build.board, places_mm=own)
    _, places = board_places(replace(profile, build=replace(profile.build, board=board)))
    assert [places["red 1"]] == [(11, 12)]
    assert [places["button 2"], places["lamp symbol red"]] == [(13, 14), (1, 2)]


def test_wires_are_as_long_as_their_way() -> None:
    plan = plan_of("dice4")
    lengths = {(wire.start.component, wire.end.component): wire.length_mm for wire in plan.wires}
    assert lengths["red 1", "red 2"] == 200  # 45 mm, 150 to spare, up to the next 50
    assert lengths["pi", "3.3 V strip"] == 150


@pytest.mark.parametrize(("own", "far_mm"), [({}, 1500), ({"power": 4000}, 4000)])
def test_a_fuse_is_at_its_supply_and_the_long_wire_behind_it(own: dict[str, int], far_mm: int) -> None:
    power = plan_of("dice4", button="arcade-12v", cables_mm=own).of_cable("power")
    lengths = {(wire.start.component, wire.end.component): wire.length_mm for wire in power}
    for supply, fuse, strip in (("supply", "fuse", "5 V strip"), ("supply 12 V", "fuse 12 V", "12 V strip")):
        assert (lengths[supply, fuse], lengths[fuse, strip]) == (150, far_mm)
        (back,) = (end for start, end in lengths if start == supply and end.startswith("ground strip"))
        assert lengths[supply, back] == far_mm
    assert (lengths["pi", "3.3 V strip"], lengths["ground strip", "ground strip 2"]) == (150, 150)


def test_scoreboard_and_supply_stand_beside_the_table() -> None:
    for choices, start, end in (
        ({"fuse_amps": -1.0}, "supply", "5 V strip"),
        ({}, "sign link", "scoreboard"),
        ({"button": "arcade-12v"}, "fuse 12 V", "12 V strip"),
    ):
        wires = plan_of("dice4", **choices).wires
        lengths = {
            each.length_mm for each in wires if (each.start.component, each.end.component) == (start, end)
        }
        assert lengths == {1500}, end
    own = plan_of("dice4", cables_mm={"scoreboard": 700}).of_cable("scoreboard")
    assert {wire.length_mm for wire in own if wire.end.component == "scoreboard"} == {700}


def test_cables_that_are_bought_have_no_length() -> None:
    plan = plan_of("dice4")
    assert {wire.length_mm for wire in plan.wires if wire.colour in PLUGGED} == {0}
    (last,) = [table for table in by_cable(plan) if table.title.startswith("switching on")]
    assert last.title == "switching on: plug of the Pi, when all else was checked"
    assert last.rows[0][-1] == ""


def test_a_length_of_ones_own_is_that_of_the_wires_from_the_electronics() -> None:
    profile = shipped("dice4", cables_mm={"row red": 900})
    plan = wiring_plan(profile)
    wires = plan.of_cable("row red")
    lengths = {(wire.start.component, wire.end.component): wire.length_mm for wire in wires}
    assert lengths["left", "red 1"] == 900
    assert lengths["red 1", "red 2"] == 200
    assert next(each for each in plan.cables if each.name == "row red").length_mm == 900
