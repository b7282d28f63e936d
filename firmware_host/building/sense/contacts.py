"""Buttons, sensors and interrupts at GPIO lines: what pulls them while nothing closes them."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble

_STRONGEST_OHM = 330


def _floats(built: Built) -> Iterator[Trouble]:
    if built.profile.pull == "floating" and not built.choices.contact_pull_up_ohm:
        yield Trouble("gpio.pull", "nothing pulls the lines of buttons and sensors while they are open")


def _too_strong(built: Built) -> Iterator[Trouble]:
    sensors = built.choices.hall_pull_up_ohm if built.has_halls and built.profile.banks else 0
    for choice, ohm in (("contact", built.choices.contact_pull_up_ohm), ("hall", sensors)):
        if 0 < ohm < _STRONGEST_OHM:
            words = f"a closed contact carries {3300 / ohm:.0f} mA from 3.3 V"
            yield Trouble(f"build.{choice}-pull-up-ohm", words)


CONTACTS = (
    Rule(
        name="contact-floating",
        strength=Strength.ERROR,
        what='pull = "floating" without pull-ups of your own',
        why="an open line that nothing pulls picks up its neighbours and the mains, and presses by itself",
        right='pull = "up", or resistors of 1 to 10 kohm to 3.3 V: contact-pull-up-ohm = 4700',
        rests_on=("contact_pull_up_ohm",),
        look=_floats,
    ),
    Rule(
        name="contact-pull-up-strong",
        strength=Strength.WARNING,
        what="pull-ups of buttons and sensors below 330 ohm",
        why="each closed contact takes more than 10 mA from the 3.3 V of the Pi, and heats the output of a "
        "sensor",
        right="1 to 10 kohm",
        rests_on=("contact_pull_up_ohm", "hall_pull_up_ohm"),
        look=_too_strong,
    ),
)
