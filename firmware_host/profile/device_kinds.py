"""The kinds of devices that a table can have: a row for each, which everything else about it is made from.

A new LED chip or sign is a driver, a simulated model, and a row in LED_CHIPS or SIGNS. Profiles name it by
the key of that row; `check`, the doctor, and real and simulated tables know it by the rest. Drivers and
models are named as `module:name`, and only the assembly loads them, so every module may import this one.
There is one kind of expander, of reader and of speaker, so the assembly names their drivers itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_ADDRESS_PINS = ("A0", "A1", "A2")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceKind:
    """A kind of device."""

    title: str
    """Its name for people, shops and parts lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BusChipKind(DeviceKind):
    """A kind of chip on the I2C bus."""

    section: str
    """The section of a profile for such chips."""
    job: str
    """How a table may use it: 'if it ...'."""
    addresses: Mapping[int, str]
    """The addresses that it can have, without gaps, and how each is set."""
    also_at: Mapping[int, str] = field(default_factory=dict)
    """What else has this address, after 'of'."""

    @property
    def address_span(self) -> tuple[int, int]:
        """The first and the last of its addresses."""
        return min(self.addresses), max(self.addresses)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedChipKind(BusChipKind):
    """A kind of LED chip. `LedChipDriver` of the assembly is the type of its driver."""

    leds: int
    """How many LEDs can be wired to it; they are counted from 0."""
    driver: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderKind(DeviceKind):
    """A kind of tag reader on a serial port."""

    baud: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerKind(DeviceKind):
    """A kind of sound card, fed through a program of this machine."""

    program: str
    package: str
    """What has the program on Debian and Raspberry Pi OS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignKind(DeviceKind):
    """A kind of scoreboard. Its driver takes columns and the name of a charset, its model only columns."""

    fewest_columns: int
    most_columns: int
    charsets: tuple[str, ...]
    """The usual one comes first."""
    parity: bool = False
    """Its serial line has a parity bit."""
    driver: str
    model: str


def _wiring_of_pins(number: int) -> str:
    """How address pins are wired for a number."""
    high = [pin for bit, pin in enumerate(_ADDRESS_PINS) if number >> bit & 1]
    low = [pin for pin in _ADDRESS_PINS if pin not in high]
    parts = [f"{' and '.join(high)} to supply"] * bool(high) + [f"{' and '.join(low)} to ground"] * bool(low)
    return f"wire {', '.join(parts)}"


def _setting_of_jumpers(number: int) -> str:
    """How jumpers are set for a number."""
    closed = [pin for bit, pin in enumerate(_ADDRESS_PINS) if number >> bit & 1]
    if not closed:
        return "leave all its jumpers open"
    return f"close its jumper{'s' * (len(closed) > 1)} {' and '.join(closed)}"


EXPANDER = BusChipKind(
    title="MCP23017",
    section="banks",
    job="has sensors of the table",
    addresses={0x20 + number: _wiring_of_pins(number) for number in range(8)},
)

LED_CHIPS: Mapping[str, LedChipKind] = {
    "ht16k33": LedChipKind(
        title="HT16K33",
        section="leds",
        job="is lamps of the table",
        addresses={0x70 + number: _setting_of_jumpers(number) for number in range(8)},
        also_at={0x70: "the switch TCA9548A, and of every PCA9685 besides its own"},
        leds=128,
        driver="hw.i2c.ht16k33:Ht16k33Leds",
        model="hw.sim.ht16k33:Ht16k33Model",
    ),
}
USUAL_LED_CHIP = "ht16k33"

READER = ReaderKind(title="PN532", baud=115200)

SPEAKER_KIND = SpeakerKind(title="ALSA sound card", program="aplay", package="alsa-utils")

_ANY_CHARSET = ("ascii", "pc437", "pc850", "latin-1", "utf-8")
SIGNS: Mapping[str, SignKind] = {
    "text": SignKind(
        title="plain text with form feeds",
        fewest_columns=20,
        most_columns=80,
        charsets=_ANY_CHARSET,
        driver="hw.scoreboard.text:text_sign",
        model="hw.sim.text_displays:text_model",
    ),
    "vt100": SignKind(
        title="VT100 with cursor addressing",
        fewest_columns=20,
        most_columns=80,
        charsets=_ANY_CHARSET,
        driver="hw.scoreboard.cursor_signs:vt100_sign",
        model="hw.sim.text_displays:vt100_model",
    ),
    "alpha": SignKind(
        title="Alpha sign with two rows",
        fewest_columns=20,
        most_columns=62,
        charsets=("alpha",),
        parity=True,
        driver="hw.scoreboard.alpha:alpha_sign",
        model="hw.sim.alpha_sign:alpha_model",
    ),
    "betabrite": SignKind(
        title="BetaBrite or another Alpha sign with one row",
        fewest_columns=20,
        most_columns=62,
        charsets=("alpha",),
        parity=True,
        driver="hw.scoreboard.alpha:betabrite_sign",
        model="hw.sim.alpha_sign:betabrite_model",
    ),
    "cd5220": SignKind(
        title="CD5220 pole display",
        fewest_columns=20,
        most_columns=20,
        charsets=("ascii", "pc437", "pc850"),
        driver="hw.scoreboard.cursor_signs:cd5220_sign",
        model="hw.sim.pole_displays:cd5220_model",
    ),
    "dm-d": SignKind(
        title="Epson DM-D pole display",
        fewest_columns=20,
        most_columns=20,
        charsets=("pc850", "pc437"),
        driver="hw.scoreboard.cursor_signs:dmd_sign",
        model="hw.sim.pole_displays:dmd_model",
    ),
}
USUAL_SIGN = "text"
