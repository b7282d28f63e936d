"""What to take care of, on the sheet of each step of the wiring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.building.plan import Section

_WATCH: Mapping[Section, Sequence[str]] = {
    Section.POWER: (
        "Switch the supply off before you change a wire. Look for a short circuit with a multimeter "
        "before you switch it on. The fuse sits at the supply.",
        "All grounds are connected: of the supply, of the Pi and of every chip. A GPIO pin takes 3.3 V "
        "at most.",
    ),
    Section.BUS: (
        "Neither data nor clock may be pulled up to more than 3.3 V on the side of the Pi: an LED chip "
        "at 5 V comes behind a level shifter.",
        "Keep the bus short, and run data and clock each beside a ground wire.",
    ),
    Section.BUTTONS: (
        "A button connects its line to ground (to 3.3 V in a profile with pull = 'down'), and never to 5 V.",
        "The LED in a button needs a driver: never connect it to a GPIO pin.",
    ),
    Section.SENSORS: (
        "Hold a magnet to each sensor before you glue it in: most see one pole only, and only from one side.",
        "Look up in the data sheet which leg is which: sensors in the same case differ.",
    ),
    Section.LAMPS: (
        "An LED has a plus and a minus leg: rows of an LED chip go to plus (anode), commons to minus "
        "(cathode).",
        "Try one LED in every row and common before you solder the rest.",
    ),
    Section.READERS: (
        "Set the switches of each reader to HSU (its serial port). TX of a reader goes to RX of its "
        "adapter, and the other way round.",
        "Readers less than 80 mm apart disturb each other: they must be in one group of the profile.",
    ),
    Section.SCOREBOARD: (
        "A sign with RS-232 has up to 15 V on its lines, plus and minus: connect it to an RS-232 "
        "adapter, never to a GPIO pin.",
    ),
    Section.SWITCHING_ON: (
        "This comes last: look for short circuits with a multimeter first, from each rail to ground.",
    ),
    Section.SOUND: ("Turn the volume down before you plug the speaker in.",),
}


def watch_of(section: Section) -> Sequence[str]:
    """What to take care of in a step."""
    return _WATCH[section]
