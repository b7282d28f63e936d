"""What a profile says that only building needs: the parts chosen, how long cables are, where things lie.

Everything has a default, so a profile without a section `[build]` is complete. A row of `BUILD_SETTINGS` is a
key of that section: reading, the template of a profile and the docs are made from it. Each part is named by
its key in `workshop/plan/parts.py`, which has a row for each of those listed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

HALLS = ("a3144", "us5881", "drv5023", "drv5033", "drv5032-80", "drv5032-20", "drv5032-5", "us1881")
"""Hall sensors; the number of a sampled one is how often it looks, in a second."""
BUTTONS = ("arcade-5v", "arcade-12v", "arcade-bare", "arcade-plain", "push-button")
BUTTON_DRIVERS = ("uln2003", "none")
LEDS = ("rgb-cc", "rgb-ca", "single")
SUPPLIES = ("supply-5v", "supply-5v-din", "pi")
READER_LINKS = ("usb-uart", "usb-uart-4", "usb-uart-5v", "usb-rs232")
READER_POWERS = ("usb", "adapter-3v3", "supply", "pi-3v3")
SIGN_LINKS = ("usb-rs232", "usb-uart", "usb", "max3232", "direct")
SPEAKERS = ("usb-speaker", "jack", "i2s", "none")
STRIPS = ("block", "breadboard-rail")
HUBS = ("hub-4", "hub-7", "hub-10")
VOLTS = (3.3, 5.0)
NO_FUSE = -1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSize:
    """Where things lie on the board, and how large they are, in mm."""

    pitch_mm: int = 45
    """From the middle of one place to the middle of the next one in its row."""
    row_pitch_mm: int = 60
    margin_mm: int = 110
    """From the outer places to the edge; buttons and pads lie there."""
    die_mm: int = 25
    """The edge of a die; the frame of its place is a little larger."""
    button_hole_mm: float = 28.0
    """The diameter of the hole for a button."""
    places_mm: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Own positions by name, such as 'red 1' or 'seat 3': across and down from the upper left corner."""


DICE_BOARD = BoardSize()
CARD_BOARD = BoardSize(pitch_mm=75, row_pitch_mm=120, margin_mm=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The parts that were chosen, by their keys in `parts.PARTS`, and how they are connected."""

    hall: str = "a3144"
    hall_volts: float = 0.0
    hall_pull_up_ohm: int = 10_000
    hall_pull_up_volts: float = 3.3
    button: str = "arcade-5v"
    button_driver: str = "uln2003"
    button_led_ma: int = 0
    contact_pull_up_ohm: int = 0
    leds: str = "rgb-cc"
    led_ma: int = 0
    strips: str = "block"
    supply: str = "supply-5v"
    supply_amps: float = 0.0
    fuse_amps: float = 0.0
    power_wire_mm2: float = 0.75
    branch_wire_mm2: float = 0.0
    expander_volts: float = 3.3
    led_chip_volts: float = 5.0
    level_shifter: bool = True
    i2c_khz: int = 400
    reader_link: str = "usb-uart"
    reader_power: str = "usb"
    sign_link: str = "usb-rs232"
    speaker: str = "usb-speaker"
    hub: str = "hub-7"
    hubs: int = -1
    hub_supply: bool = True
    overlays: tuple[str, ...] = ()
    pull_ups_ohm: Mapping[str, int] = field(default_factory=dict)
    """The pull-ups on the breakout of each chip, if not the usual ones; 0 where they were removed."""
    cables_mm: Mapping[str, int] = field(default_factory=dict)
    """The lengths of cables that are not as long as the drawing of the board says."""
    board: BoardSize = DICE_BOARD
    given: frozenset[str] = frozenset()
    """The fields that the profile states itself, such as `hall`, `board.pitch_mm` or `cables_mm.bus`."""


@dataclass(frozen=True, slots=True)
class BuildSetting:
    """A key of `[build]` or `[build.board]`: one of some words or numbers, of a range, or yes or no."""

    field: str
    """The field of `Choices` or `BoardSize`."""
    meaning: str
    words: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    span: tuple[float, float] | None = None

    @property
    def key(self) -> str:
        """Its name in the file."""
        return self.field.replace("_", "-")


def _words(name: str, words: tuple[str, ...], meaning: str) -> BuildSetting:
    return BuildSetting(name, meaning, words=words)


def _numbers(name: str, numbers: tuple[float, ...], meaning: str) -> BuildSetting:
    return BuildSetting(name, meaning, numbers=numbers)


def _between(name: str, least: float, most: float, meaning: str) -> BuildSetting:
    return BuildSetting(name, meaning, span=(least, most))


BUILD_SETTINGS: Mapping[str, BuildSetting] = {
    setting.key: setting
    for setting in (
        _words("hall", HALLS, "the hall sensors under the places; the number of a DRV5032 is in Hz"),
        _numbers("hall_volts", (0.0, *VOLTS), "their supply; 0 is the usual one of the part"),
        _between("hall_pull_up_ohm", 0, 100_000, "the resistor of each sensor on an expander; 0: none"),
        _numbers("hall_pull_up_volts", VOLTS, "where these resistors go to"),
        _words("button", BUTTONS, "race buttons; where no lamp is on a GPIO line, those without one"),
        _words("button_driver", BUTTON_DRIVERS, "what drives lamps on GPIO lines; none: the lines"),
        _between("button_led_ma", 0, 1000, "what the lamp of a button draws; 0: the usual current"),
        _between("contact_pull_up_ohm", 0, 100_000, "own resistors at contacts on GPIO lines; 0: none"),
        _words("leds", LEDS, "lamps of three colours: common cathode or anode, or three LEDs"),
        _between("led_ma", 0, 100, "what an LED on an LED chip is made for; 0 is the usual 20 mA"),
        _words("strips", STRIPS, "what the wires of a rail come together on"),
        _words(
            "supply", SUPPLIES, "what feeds the 5 V: a supply with a barrel or DIN plug, or the Pi's pins"
        ),
        _between("supply_amps", 0, 60, "what that supply can give; 0: what the power budget asks for"),
        _between("fuse_amps", NO_FUSE, 60, "its fuse; 0: what the power budget asks for, -1: none"),
        _between("power_wire_mm2", 0.05, 10, "the wires from the supply to the terminal strips"),
        _between("branch_wire_mm2", 0, 10, "the wires of power from there on; 0: what carries the fuse"),
        _numbers("expander_volts", VOLTS, "the supply of the expanders"),
        _numbers("led_chip_volts", VOLTS, "the supply of the LED chips"),
        BuildSetting("level_shifter", "whether there is one between the Pi and the LED chips"),
        _numbers("i2c_khz", (100, 400), "the speed of the I2C bus, as config.txt sets it"),
        _words("reader_link", READER_LINKS, "the adapter of a reader; usb-uart-4 has four ports"),
        _words("reader_power", READER_POWERS, "what a reader gets its power from; usb: its adapter"),
        _words("sign_link", SIGN_LINKS, "between Pi and scoreboard; direct: 3.3 V at the header"),
        _words("speaker", SPEAKERS, "jack: the headphone socket; i2s: an amplifier on the header"),
        _words("hub", HUBS, "USB hubs, by their ports, where the Pi has too few"),
        _between("hubs", -1, 8, "how many hubs; -1: as many as are needed"),
        BuildSetting("hub_supply", "whether hubs have a supply of their own"),
    )
}
"""The keys of `[build]` besides `overlays`, in the order of the docs."""

BOARD_SETTINGS: Mapping[str, BuildSetting] = {
    setting.key: setting
    for setting in (
        _between("pitch_mm", 15, 500, "from one place to the next one in its row"),
        _between("row_pitch_mm", 15, 500, "from one row to the next"),
        _between("margin_mm", 40, 600, "from the outer places to the edge, for buttons and pads"),
        _between("die_mm", 10, 60, "the edge of your dice; the frame of a place is 3 mm larger"),
        _between("button_hole_mm", 5, 110, "the hole for the thread of a button; its rim is larger"),
    )
}
"""The keys of `[build.board]`."""
