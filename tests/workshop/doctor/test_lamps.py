"""The walk through lamps: every LED burns alone once, with its name."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.model.times import S
from firmware_host.profile.profile import Profile
from firmware_host.show.lamps import frame_length
from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.walks import LampWalk, lights
from tests.workshop.doctor.finding import CARDS, DICE, profile_with


def test_lamps_have_names_and_colours() -> None:
    words = [light.words for light in lights(DICE)]
    assert words[:4] == ["red 1, red", "red 1, green", "red 1, blue", "red 2, red"]
    assert words[-8:] == [
        *("symbol red", "symbol yellow", "symbol green", "symbol blue"),
        *("seat 1", "seat 2", "seat 3", "seat 4"),
    ]
    words = [light.words for light in lights(CARDS)]
    assert words[:5] == [
        "pile 1, head, red",
        "pile 1, head, green",
        "pile 1, head, blue",
        "pile 1, number 1",
        "pile 1, number 2",
    ]
    assert words[13] == "pile 2, head, red"
    assert words[-1] == "seat 4, blue"


@pytest.mark.parametrize("profile", [DICE, CARDS], ids=["dice", "cards"])
def test_each_light_burns_alone_and_once(profile: Profile) -> None:
    walk = LampWalk(profile, S)
    assert walk.due_ns == 0
    frames, told, now_ns = [], [], 0
    while not walk.done:
        walk.advance(now_ns)
        told += walk.take_news()
        frames.append(walk.frame)
        now_ns = walk.due_ns or now_ns
    assert frames.pop() == bytes(frame_length(profile.seats, profile.piles))
    assert len(frames) == len(profile.lamp_wires) == len(told)
    burning = [(lamp, colour) for frame in frames for lamp, colour in enumerate(frame) if colour]
    assert sorted(burning) == sorted((wire.lamp, wire.mask) for wire in profile.lamp_wires)
    assert now_ns == len(profile.lamp_wires) * S
    assert all(one != other for one, other in pairwise(frames))


def test_nothing_goes_on_before_its_time_unless_somebody_wants_it() -> None:
    walk = LampWalk(DICE, S)
    walk.advance(0)
    walk.advance(S - 1)
    assert walk.take_news() == ["red 1, red"]
    walk.go_on(S - 1)
    assert walk.take_news() == ["red 1, green"]
    assert walk.due_ns == 2 * S - 1


def test_the_picture_shows_where_it_is() -> None:
    walk = LampWalk(DICE, S)
    walk.advance(0)
    assert walk.picture()[0] == "-> red 1, red"
    total = len(lights(DICE))
    for now_ns in range(S, 6 * S, S):
        walk.advance(now_ns)
    assert walk.picture() == [
        *("   red 1, blue", "   red 2, red", "   red 2, green"),
        "-> red 2, blue",
        *("   red 3, red", "   red 3, green", "   red 3, blue"),
        f"6 of {total}; Enter: the next one",
    ]
    for _ in range(total):
        walk.go_on(0)
    assert walk.picture()[0].endswith("all were lit")


def test_only_a_person_can_say_whether_they_burned() -> None:
    walk = LampWalk(DICE, S)
    walk.advance(0)
    walk.go_on(0)
    (finding,) = walk.findings()
    assert finding.state is State.NOTE
    assert finding.seen.startswith("2 of ")
    assert LampWalk(DICE, S).findings()[0].seen.startswith("0 of ")


def test_a_table_without_lamps_has_nothing_to_walk() -> None:
    walk = LampWalk(profile_with(DICE, lamp_wires=()), S)
    assert walk.done
    assert walk.findings()[0].seen == "the profile wires none"
