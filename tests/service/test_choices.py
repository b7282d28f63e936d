"""What is tried, what is confirmed, and what that comes to."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.service.page import PanelChoices, PanelInfo, PanelSettings, present_setup

BEFORE = PanelSettings(
    language="en", brightness=None, volume=None, game="dice", rounds=None, seats=(1, 2), handicap=(0, 0)
)


def test_seats_and_handicaps_that_are_not_named_are_filled_in() -> None:
    assert present_setup(PanelInfo(seats=2)) == BEFORE
    some = present_setup(PanelInfo(seats=4, open_seats=(4, 2), handicap=(1,)))
    assert (some.seats, some.handicap) == ((2, 4), (1, 0, 0, 0))


def test_only_what_was_confirmed_is_changed() -> None:
    choices = PanelChoices(BEFORE)
    choices.tried = replace(BEFORE, language="nl")
    assert choices.changed == {}
    choices.confirm()
    choices.tried = replace(choices.tried, brightness=3)
    assert choices.changed == {"language": "nl"}
    choices.drop()
    assert choices.tried == replace(BEFORE, language="nl")
    choices.tried = BEFORE
    choices.confirm()
    assert choices.changed == {}
