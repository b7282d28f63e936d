"""The catalogue of parts: a row for each, with what a maker has to know before buying and wiring it.

Currents are from datasheets where those give them; prices are rough ranges in euros for a single piece,
estimated in 2026, so that a parts list has an idea of the sum. Nothing has been measured on a table yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field


def _numbered(*names: str) -> dict[str, str]:
    """Pins that are counted from 1."""
    return {name: str(number) for number, name in enumerate(names, start=1)}


def _named(*names: str) -> dict[str, str]:
    """Pins that have a name printed beside them and no number."""
    return dict.fromkeys(names, "")


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of part."""

    name: str
    """Its generic name: what to look for in a shop."""
    watch: str
    """What to look at when buying."""
    euros: tuple[float, float]
    """An estimate of the price of one: from, to."""
    _: KW_ONLY
    volts: tuple[float, float] | None = None
    """The supply that it needs: from, to."""
    rest_ma: float = 0
    """What it draws at rest."""
    most_ma: float = 0
    """What it draws with everything on."""
    pins: Mapping[str, str] = field(default_factory=dict)
    """Name and number of each pin; the number is printed at the part, or counted on its package."""
    also: Mapping[str, int] = field(default_factory=dict)
    """Keys and counts of small parts that each one needs."""
    hole_mm: float | None = None
    """The hole that it needs in the board."""

    @property
    def at_5v(self) -> bool:
        """Whether it has to be on the rail of 5 V, because 3.3 V are too few."""
        return self.volts is not None and self.volts[0] > 3.3


@dataclass(frozen=True, slots=True, kw_only=True)
class HallPart(Part):
    """A hall sensor."""

    open_drain: bool = True
    """Its output only pulls to ground, so it needs a pull-up."""
    sampled_hz: int = 0
    """How often it looks, if it does not look all the time."""
    latching: bool = False
    """It stays on until it sees the other pole."""
    either_pole: bool = False
    """It answers to both poles of a magnet."""
    pins: Mapping[str, str] = field(default_factory=lambda: _numbered("VCC", "GND", "OUT"))
    also: Mapping[str, int] = field(default_factory=lambda: {"heat-shrink": 3})
    hole_mm: float | None = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPart(Part):
    """A push button."""

    led_volts: float = 0
    """The voltage for its lamp with the resistor in it; 0 if it has no lamp, or one without a resistor."""
    led_ma: float = 0
    """The current of its lamp; 0 if it has none."""
    bare_led: bool = False
    """Its lamp has no resistor."""
    pins: Mapping[str, str] = field(default_factory=lambda: _named("NO", "COM", "LED +", "LED -"))
    also: Mapping[str, int] = field(default_factory=lambda: {"quick-connect": 4})
    hole_mm: float | None = 28


EXPANDER_PINS = _numbered(
    *(f"GPB{bit}" for bit in range(8)),
    *("VDD", "VSS", "NC 11", "SCL", "SDA", "NC 14", "A0", "A1", "A2", "RESET", "INTB", "INTA"),
    *(f"GPA{bit}" for bit in range(8)),
)
"""An MCP23017 in its package with 28 pins, DIP, SOIC or SSOP."""
HT16K33_PINS = _numbered(
    "VSS",
    *(f"COM {common}" for common in range(8)),
    *(f"ROW {row}" for row in reversed(range(16))),
    *("SCL", "SDA", "VDD"),
)
"""An HT16K33 with 28 pins; breakouts print A0 to A15 for the rows and C0 to C7 for the commons."""
ULN2003_PINS = _numbered(
    *(f"IN {channel}" for channel in range(1, 8)),
    *("GND", "COM"),
    *(f"OUT {channel}" for channel in range(7, 0, -1)),
)
BLOCK_POLES, BREADBOARD_POLES = 12, 50
NETWORK_RESISTORS = 8
_SWITCH_PINS = _named("NO", "COM")

HALL_PARTS: Mapping[str, HallPart] = {
    "a3144": HallPart(
        "hall switch A3144 or compatible (44E, OH3144, AH3144), TO-92",
        "unipolar: it answers to the south pole at its marked face only. Needs 4.5 V and more, so it "
        "runs at 5 V; its output is open collector and must be pulled up to 3.3 V, never to 5 V",
        (0.1, 0.5),
        volts=(4.5, 24.0),
        rest_ma=4.4,
        most_ma=9,
    ),
    "us5881": HallPart(
        "hall switch US5881, TO-92",
        "unipolar; the letters must be US5881: a US1881 looks the same and latches",
        (0.4, 1.2),
        volts=(3.5, 24.0),
        rest_ma=2.5,
        most_ma=5,
    ),
    "drv5023": HallPart(
        "hall switch DRV5023, TO-92",
        "unipolar; runs at 3.3 V, so no wire of the sensors has more",
        (0.6, 1.5),
        volts=(2.5, 38.0),
        rest_ma=2.7,
        most_ma=3.6,
    ),
    "drv5033": HallPart(
        "hall switch DRV5033, TO-92",
        "omnipolar: it answers to both poles, so it does not matter how the magnets lie. Runs at 3.3 V",
        (0.6, 1.5),
        volts=(2.5, 38.0),
        rest_ma=2.7,
        most_ma=3.6,
        either_pole=True,
    ),
    **{
        f"drv5032-{hertz}": HallPart(
            f"hall switch DRV5032, the version that looks {hertz} times a second",
            f"made for batteries: it only looks {hertz} times a second, so each die is seen up to "
            f"{1000 / hertz:.3g} ms late",
            (0.4, 1.2),
            volts=(1.65, 5.5),
            rest_ma=0.01,
            most_ma=0.01,
            open_drain=False,
            sampled_hz=hertz,
            either_pole=True,
        )
        for hertz in (80, 20, 5)
    },
    "us1881": HallPart(
        "hall latch US1881, TO-92",
        "it latches, so it goes on seeing a die that was taken away: not for this table",
        (0.3, 1.0),
        volts=(3.5, 24.0),
        rest_ma=2.5,
        most_ma=5,
        latching=True,
    ),
}

PLAIN_BUTTON = "arcade-plain"
BUTTON_PARTS: Mapping[str, ButtonPart] = {
    "arcade-5v": ButtonPart(
        "arcade button with microswitch and 5 V LED, 60 mm or 30 mm",
        "the LED must be for 5 V (with its resistor inside): many are for 12 V. Microswitch with "
        "contacts NO and COM",
        (2, 5),
        led_volts=5,
        led_ma=20,
    ),
    "arcade-12v": ButtonPart(
        "arcade button with microswitch and 12 V LED",
        "its LED needs a supply of 12 V besides that of 5 V; a 5 V LED saves that supply",
        (2, 5),
        led_volts=12,
        led_ma=20,
    ),
    "arcade-bare": ButtonPart(
        "arcade button with microswitch and a bare LED",
        "the LED has no resistor, so one has to be in its wire",
        (2, 4),
        led_ma=10,
        bare_led=True,
    ),
    PLAIN_BUTTON: ButtonPart(
        "arcade button with microswitch, without a lamp",
        "microswitch with contacts NO and COM; a lamp of its seat is a separate LED",
        (1, 3),
        pins=_SWITCH_PINS,
        also={"quick-connect": 2},
    ),
    "push-button": ButtonPart(
        "small push button for a breadboard, 12 mm, normally open",
        "four legs are two pairs: wire two legs that lie diagonally",
        (0.1, 0.4),
        pins=_SWITCH_PINS,
        also={},
        hole_mm=None,
    ),
}

_CHIPS: Mapping[str, Part] = {
    "mcp23017": Part(
        "port expander MCP23017 (not MCP23S17), DIP-28 or on a breakout",
        "the MCP23S17 is the one for SPI and does not fit. Runs at 3.3 V beside a Pi, never at 5 V",
        (1.5, 5),
        volts=(1.8, 5.5),
        rest_ma=1,
        most_ma=2,
        pins=EXPANDER_PINS,
        also={"capacitor-100n": 1, "socket-28": 1},
    ),
    "ht16k33": Part(
        "LED driver HT16K33 on a 16x8 breakout (28-pin chip, all 16 rows brought out)",
        "all 16 rows and 8 commons must be brought out: backpacks with 8x8 or a 7-segment display have "
        "fewer. Needs 5 V; its pull-ups on SDA and SCL go to 5 V, so it is behind a level shifter",
        (3, 10),
        volts=(4.5, 5.5),
        rest_ma=2,
        most_ma=200,
        pins=HT16K33_PINS,
    ),
    "uln2003": Part(
        "transistor array ULN2003A, DIP-16",
        "seven channels, each pulls a lamp to ground; a ULN2803 has eight and other pins",
        (0.3, 1),
        pins=ULN2003_PINS,
        also={"socket-16": 1},
    ),
    "level-shifter": Part(
        "level shifter for I2C with four BSS138 (both directions)",
        "must be the type with transistors (BSS138): a TXB0104 does not work on I2C",
        (0.5, 3),
        volts=(1.8, 5.5),
        pins=_named(
            "LV", "HV", "GND LV", "GND HV", *(f"{side}{n}" for side in ("LV", "HV") for n in range(1, 5))
        ),
    ),
    "pull-up-network": Part(
        "resistor network, 8 resistors with one common pin, SIP-9",
        "the type with one common pin, which has a dot (bussed, 9 pins), not eight separate resistors",
        (0.2, 0.6),
        pins=_numbered("common", *(f"R{number}" for number in range(1, NETWORK_RESISTORS + 1))),
    ),
}

_LAMPS: Mapping[str, Part] = {
    "rgb-cc": Part(
        "RGB LED with common cathode, 5 mm, diffused",
        "common CATHODE (the longest leg is the minus); diffused, so that it can be read from the side",
        (0.1, 0.5),
        pins={"red": "1", "cathode": "2", "green": "3", "blue": "4"},
        hole_mm=5,
    ),
    "rgb-ca": Part(
        "RGB LED with common anode, 5 mm, diffused",
        "common ANODE (the longest leg is the plus); its three LEDs need one row and three commons",
        (0.1, 0.5),
        pins={"red": "1", "anode": "2", "green": "3", "blue": "4"},
        hole_mm=5,
    ),
    "led": Part(
        "LED, 3 mm, diffused",
        "long leg: plus (anode). Take one make for all, or they differ in brightness",
        (0.05, 0.2),
        pins={"anode": "1", "cathode": "2"},
        hole_mm=3,
    ),
    "resistor-pull": Part(
        "resistor of a contact, 1/4 W",
        "one for each contact on a line of the Pi",
        (0.02, 0.1),
        pins=_named("1", "2"),
    ),
    "resistor-330": Part(
        "resistor 330 ohm, 1/4 W",
        "one for each LED that is on a wire of its own",
        (0.02, 0.1),
        most_ma=9,
        pins=_named("1", "2"),
    ),
}

_SUPPLY_WATCH = (
    "a closed brick with CE or UL mark, so that nothing of the table touches mains; the power budget says "
    "its current"
)
_POWER: Mapping[str, Part] = {
    "supply-5v": Part(
        "closed 5 V power supply (desktop brick) with a barrel plug",
        _SUPPLY_WATCH,
        (10, 30),
        pins=_named("+", "-"),
        also={"barrel-adapter": 1},
    ),
    "supply-5v-din": Part(
        "closed 5 V power supply (desktop brick) with a 4-pin DIN plug",
        f"{_SUPPLY_WATCH}. 6 A is about the most that there is",
        (20, 45),
        pins=_named("+", "-"),
        also={"din-adapter": 1},
    ),
    "supply-12v": Part(
        "closed 12 V power supply with a barrel plug",
        "a closed brick with CE or UL mark; its plug must not fit where the one of 5 V does",
        (8, 20),
        pins=_named("+", "-"),
        also={"barrel-adapter": 1},
    ),
    "supply-pi": Part(
        "the power supply made for this Raspberry Pi",
        "the official one: a phone charger drops below 5 V under load",
        (8, 15),
        pins=_named("plug"),
    ),
    "fuse": Part(
        "fuse holder for wires with a fuse, 5x20 mm",
        "slow (T, by IEC), its value is in the power budget. It sits at the supply, so that it "
        "protects all wires to the table and on it",
        (1, 4),
        pins=_named("in", "out"),
    ),
    "breadboard-rail": Part(
        "rail of a breadboard (one with 830 holes has four of them)",
        "on many breadboards a rail is interrupted in the middle: bridge it there",
        (0.8, 2),
        pins=_numbered(*(f"pole {number}" for number in range(1, BREADBOARD_POLES + 1))),
    ),
    "block": Part(
        f"terminal strip with {BLOCK_POLES} poles, all bridged",
        "bridged, or a bridge to put in; lever connectors side by side do as well",
        (1.5, 6),
        pins=_numbered(*(f"pole {number}" for number in range(1, BLOCK_POLES + 1))),
    ),
}

_LINKS: Mapping[str, Part] = {
    "pn532": Part(
        "PN532 tag reader board, with its switches set to HSU (UART)",
        "HSU must be brought out (many blue boards have only I2C and SPI); set both switches to HSU",
        (4, 12),
        volts=(3.3, 5.5),
        rest_ma=30,
        most_ma=150,
        pins=_named("VCC", "GND", "TXD", "RXD"),
    ),
    "usb-uart": Part(
        "USB-UART adapter, 3.3 V signals (CP2102, CH340, FT232)",
        "signals of 3.3 V (a jumper on many); one with a serial number of its own (CP2102, FT232) "
        "can be told from others",
        (2, 8),
        rest_ma=10,
        most_ma=30,
        pins=_named("USB", "5V", "3V3", "GND", "TXD", "RXD"),
        also={"usb-cable": 1},
    ),
    "usb-uart-5v": Part(
        "USB-UART adapter, 5 V signals",
        "its signals are too high for a board of 3.3 V",
        (2, 8),
        rest_ma=10,
        most_ma=30,
        pins=_named("USB", "5V", "GND", "TXD", "RXD"),
        also={"usb-cable": 1},
    ),
    "usb-uart-4": Part(
        "USB adapter with four UARTs, 3.3 V signals (FT4232H)",
        "four ports in one USB device, for tables with more readers than a Pi takes USB devices",
        (15, 35),
        rest_ma=40,
        most_ma=80,
        pins=_named("USB", "GND", *(f"{signal} {port}" for port in "ABCD" for signal in ("TXD", "RXD"))),
        also={"usb-cable": 1},
    ),
    "usb-rs232": Part(
        "USB to RS-232 adapter cable with a DB9 plug (FTDI, PL2303)",
        "true RS-232 levels, which signs need; a UART adapter of 3.3 V has others",
        (6, 20),
        rest_ma=15,
        most_ma=40,
        pins={"USB": "", "RXD": "2", "TXD": "3", "GND": "5"},
    ),
    "max3232": Part(
        "MAX3232 board: UART of 3.3 V to RS-232",
        "the MAX3232 runs at 3.3 V; a MAX232 needs 5 V and does not fit a Pi",
        (1, 5),
        volts=(3.0, 5.5),
        rest_ma=1,
        most_ma=10,
        pins=_named("VCC", "GND", "TXD", "RXD", "T1OUT", "R1IN"),
    ),
    **{
        f"hub-{ports}": Part(
            f"USB hub with {ports} ports and a power supply of its own",
            "with a supply of its own of at least 2 A, which is switched on together with the table",
            (2 * ports, 5 * ports),
            pins=_named("USB", *(f"port {number}" for number in range(1, ports + 1))),
        )
        for ports in (4, 7, 10)
    },
    "sign": Part(
        "scoreboard with a serial port",
        "see docs/scoreboards.md for what fits; most have a power supply of their own",
        (30, 250),
        pins=_named("RXD", "TXD", "GND", "USB"),
    ),
    "usb-speaker": Part(
        "USB loudspeaker, or a USB sound card with an active one",
        "powered over USB and with a sound card inside (class audio), not only with a jack",
        (8, 25),
        rest_ma=50,
        most_ma=500,
        pins=_named("USB"),
    ),
    "i2s": Part(
        "I2S amplifier board MAX98357A with a loudspeaker of 4 or 8 ohm",
        "uses GPIO 18, 19 and 21, so no contact may be there; needs dtoverlay=max98357a",
        (5, 12),
        volts=(2.7, 5.5),
        rest_ma=5,
        most_ma=650,
        pins=_named("VIN", "GND", "BCLK", "LRC", "DIN"),
    ),
    "jack": Part(
        "active loudspeaker with a 3.5 mm jack",
        "only for a Pi with a headphone socket: not Pi 5, not Zero. A supply of its own",
        (8, 25),
        pins=_named("jack"),
    ),
}

_SMALL: Mapping[str, Part] = {
    "capacitor-100n": Part("ceramic capacitor 100 nF", "between VDD and VSS, close to the chip", (0.02, 0.1)),
    "socket-28": Part("IC socket DIP-28, narrow", "only for a chip without a breakout", (0.2, 0.6)),
    "socket-16": Part("IC socket DIP-16", "", (0.1, 0.4)),
    "heat-shrink": Part("heat-shrink tube, 2 cm", "one over each leg of a sensor", (0.01, 0.05)),
    "quick-connect": Part(
        "quick-connect terminal, insulated",
        "4.8 mm or 2.8 mm: measure the tabs of the microswitch and of the lamp",
        (0.05, 0.2),
    ),
    "barrel-adapter": Part(
        "barrel socket with screw terminals", "5.5/2.1 mm or 5.5/2.5 mm: as the plug", (0.5, 2)
    ),
    "din-adapter": Part(
        "4-pin power DIN socket",
        "two pins are plus and two are ground, and makers differ in which: measure before you solder",
        (2, 6),
    ),
    "usb-cable": Part("USB cable for the adapter", "some adapters have a plug of their own", (1, 4)),
    "otg-adapter": Part(
        "USB OTG adapter, micro-USB plug to USB-A socket",
        "a Pi Zero has no USB-A socket. A hub with a micro-USB (OTG) plug does as well",
        (1, 5),
    ),
    "pi-header": Part(
        "pin header of 2 x 20 pins, to be soldered to the Pi",
        "not needed for a Pi Zero that is sold with a header (WH)",
        (0.5, 2),
    ),
    "sd-card": Part("microSD card, 16 GB or more", "class A1; one made for endurance lasts longer", (6, 15)),
    "magnet": Part(
        "disc magnet, neodymium N35 or stronger, 5 x 2 mm, magnetised through its thickness",
        "six in each die, one behind each face, all with the south pole outwards. Swallowed magnets "
        "are dangerous: glue them in so that no child gets them out",
        (0.05, 0.2),
    ),
    "die": Part(
        "blank wooden cube of 20 to 25 mm, for a die",
        "six each of red, yellow, green and blue. A pocket of 5.2 mm, 2.5 mm deep, is drilled into the "
        "middle of each face for its magnet",
        (0.5, 2),
    ),
    "tag": Part(
        "NFC tag (ISO 14443A: NTAG213, MIFARE Classic), a round sticker of 10 to 25 mm",
        "13.56 MHz, not 125 kHz; on metal or beside a magnet a tag is read badly: try one first",
        (0.1, 0.4),
    ),
}

PARTS: Mapping[str, Part] = {
    **HALL_PARTS,
    **BUTTON_PARTS,
    **_CHIPS,
    **_LAMPS,
    **_POWER,
    **_LINKS,
    **_SMALL,
}
"""All parts by their keys, except the Pi, whose pins depend on its model (`pi_models.py`)."""


_WIRES = ((4, 24), (2.5, 18), (1.5, 13), (1, 10), (0.75, 8), (0.5, 5), (0.25, 2.5), (0.14, 1))
"""What wires of so many mm2 carry in a bundle, in amperes: cautious values for PVC."""
_THINNEST_AMPS = 0.4
_COPPER_OHM = 0.0178
"""A metre of 1 mm2 at room temperature."""


def wire_amps(mm2: float) -> float:
    """What a wire carries."""
    return next((amps for least, amps in _WIRES if mm2 >= least), _THINNEST_AMPS)


def wire_mm2(amps: float) -> float:
    """The thinnest usual wire that carries so much; the thickest if none does."""
    return next((mm2 for mm2, carried in reversed(_WIRES) if carried >= amps), _WIRES[0][0])


def wire_ohm(mm2: float, length_mm: float) -> float:
    """The resistance of a wire."""
    return _COPPER_OHM * length_mm / 1000 / mm2
