"""A wiring profile: the only source of what is wired to what.

Dice tables have hall sensors under their 24 places. With a tag reader under every place they also
know which die lies there and which face it shows. With a pad at every seat as well they know whose
it is, by the tags that the seat has shown to its pad.

Card tables have places for piles in the centre, four for each seat: each seat has four ones, and
each of them may open a pile. Either all seats have pads, to which a card is held before the slap,
or there is a reader at every pile, where a card counts as soon as it lies there. If all seats have
call buttons, those call stop; otherwise a long press of the race button does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.model.places import ALL_SLOTS, Colour, Pad, Slot, Source, Spot
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS, USUAL_LED_CHIP, USUAL_SIGN, BusChipKind
from firmware_host.show.lamps import LAMPS_A_PILE, SYMBOLS

# What only building needs: the parts that were chosen, and how they are connected. Nothing that runs looks at
# it.


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
class BuildChoices:
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
    """The field of `BuildChoices` or `BoardSize`."""
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


# What is wired to what.


CHIPS = ("auto", "pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
DRIVERS = ("gpiod", "lgpio", "rpigpio", "native")
PULLS = ("up", "down", "floating")
OWNERSHIPS = ("slap", "tag")
"""The owner of a die: the seat whose slap claims it, or the seat that has shown its tag to its pad."""
BANK_LINES = 100
"""Lines from here on are pins of expanders, 16 for each of them."""
GPIO = "gpio"
"""The name of the Pi's own pins among banks and LED chips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """An expander with hall sensors or call buttons; `pins` has the line of the table for each pin."""

    name: str
    address: int
    interrupt: int
    pins: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedChip:
    """An LED chip; its kind is a key of LED_CHIPS."""

    name: str
    address: int
    brightness: int
    kind: str = USUAL_LED_CHIP


@dataclass(frozen=True, slots=True)
class LampWire:
    """One LED of a lamp: it burns if the lamp's tint has one of the colours in `mask`."""

    lamp: int
    mask: int
    chip: str
    led: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TagSpot:
    """A tag reader and its place; readers of one group never have their fields on together."""

    name: str
    at: Spot
    port: str
    group: int

    @property
    def seat(self) -> int:
        """The seat of a pad; 0 for a reader that belongs to no seat."""
        return self.at.seat if isinstance(self.at, Pad) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One table's wiring."""

    title: str
    game: str
    chip: str
    board: str
    pull: str
    lines: Mapping[int, Source]
    seats: int
    columns: int
    piles: int = 0
    ownership: str = "slap"
    driver: str = "gpiod"
    chip_path: str = ""
    i2c_bus: int = 1
    reset: int | None = None
    banks: tuple[Bank, ...] = ()
    led_chips: tuple[LedChip, ...] = ()
    lamp_wires: tuple[LampWire, ...] = ()
    readers: tuple[TagSpot, ...] = ()
    sign: str = USUAL_SIGN
    """A key of SIGNS."""
    sign_port: str = ""
    charset: str = ""
    """The charset of the scoreboard; empty for the usual one of its kind."""
    build: BuildChoices = field(default_factory=BuildChoices, compare=False)
    """What only building needs. Nothing that runs looks at it, so tables that differ only in it are equal."""

    def line_of(self, source: Source) -> int:
        """The line that a button or slot is wired to."""
        return {each: line for line, each in self.lines.items()}[source]

    @property
    def direct_lines(self) -> dict[int, Source]:
        """The buttons and slots on GPIO lines of their own."""
        return {line: source for line, source in self.lines.items() if line < BANK_LINES}

    @property
    def pads(self) -> tuple[TagSpot, ...]:
        """The readers at seats."""
        return tuple(reader for reader in self.readers if isinstance(reader.at, Pad))

    @property
    def identified(self) -> bool:
        """Whether each place has a reader, so that the table knows which die lies there."""
        return any(isinstance(reader.at, Slot) for reader in self.readers)

    def neighbours(self, reader: TagSpot) -> int:
        """How many readers take turns with this one, itself included."""
        return sum(each.group == reader.group for each in self.readers)

    @property
    def crowd(self) -> int:
        """How many readers the largest group has."""
        return max(map(self.neighbours, self.readers), default=0)


BUS_LINES = {0: (0, 1), 1: (2, 3)}
"""Data and clock of the I2C buses with fixed lines; overlays decide the lines of the others."""
HEADER_LINES = (14, 15)
"""The lines of the serial port of the header."""


def line_names(profile: Profile) -> dict[int, str]:
    """What each GPIO line that the table needs is wired to."""
    names = {line: str(source) for line, source in profile.direct_lines.items()}
    names |= {bank.interrupt: f"interrupt of {bank.name}" for bank in profile.banks}
    if profile.reset is not None:
        names[profile.reset] = "reset line"
    for wire in profile.lamp_wires:
        if wire.chip == GPIO:
            names[wire.led] = f"lamp of {lamp_name(profile, wire.lamp)}"
    return dict(sorted(names.items()))


def lamp_name(profile: Profile, lamp: int) -> str:
    """What a lamp is for, by its index in a frame."""
    piles = profile.piles * LAMPS_A_PILE
    if lamp < piles:
        pile, number = divmod(lamp, LAMPS_A_PILE)
        return f"pile {pile + 1}, {f'number {number}' if number else 'head'}"
    if profile.piles:
        return f"seat {lamp - piles + 1}"
    if lamp < len(ALL_SLOTS):
        return str(ALL_SLOTS[lamp])
    lamp -= len(ALL_SLOTS)
    return f"symbol {Colour(lamp).word}" if lamp < SYMBOLS else f"seat {lamp - SYMBOLS + 1}"


def chip_names(profile: Profile) -> dict[int, str]:
    """The chip at each address on the I2C bus that the table needs."""
    names = {bank.address: bank.name for bank in profile.banks}
    return names | {chip.address: chip.name for chip in profile.led_chips}


def chip_kinds(profile: Profile) -> dict[int, BusChipKind]:
    """The kind of chip at each of these addresses."""
    kinds: dict[int, BusChipKind] = {bank.address: EXPANDER for bank in profile.banks}
    return kinds | {chip.address: LED_CHIPS[chip.kind] for chip in profile.led_chips}


def bus_lines(profile: Profile) -> dict[int, str]:
    """The lines of its I2C bus."""
    taken = BUS_LINES.get(profile.i2c_bus, ()) if chip_names(profile) else ()
    return dict.fromkeys(taken, "the I2C bus")


SCOREBOARD = "scoreboard"
NONE = "none"
"""Written in place of a port if the table has no scoreboard."""


def ports_of(profile: Profile) -> dict[str, str]:
    """The port of each device that can have one, by the device's name; empty if it has none."""
    return {SCOREBOARD: profile.sign_port} | {reader.name: reader.port for reader in profile.readers}
