"""What each model of the Raspberry Pi offers to a table: its pins, its USB ports, and what they can feed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from firmware_host.profile.pins import lines_of

V3_3, V5, GROUND = "3.3 V", "5 V", "ground"
HEADER = (
    *(V3_3, V5, "GPIO 2", V5, "GPIO 3", GROUND, "GPIO 4", "GPIO 14", GROUND, "GPIO 15"),
    *("GPIO 17", "GPIO 18", "GPIO 27", GROUND, "GPIO 22", "GPIO 23", V3_3, "GPIO 24", "GPIO 10", GROUND),
    *("GPIO 9", "GPIO 25", "GPIO 11", "GPIO 8", GROUND, "GPIO 7", "GPIO 0", "GPIO 1", "GPIO 5", GROUND),
    *("GPIO 6", "GPIO 12", "GPIO 13", GROUND, "GPIO 19", "GPIO 16", "GPIO 26", "GPIO 20", GROUND, "GPIO 21"),
)
"""The name of each pin, from pin 1 on; odd pins are in the row towards the middle of the board."""
SPECIAL = {
    2: "SDA",
    3: "SCL",
    14: "TXD",
    15: "RXD",
    0: "HAT EEPROM",
    1: "HAT EEPROM",
}
"""What GPIO lines are besides."""


def header_pin(line: int) -> int | None:
    """The pin of a GPIO line; None if it is not on a header."""
    name = f"GPIO {line}"
    return HEADER.index(name) + 1 if name in HEADER else None


_NEW_STYLE = 1 << 23
_MOST_USB_PORTS = 4
USB_C, MICRO_USB, CARRIER = "USB-C", "micro-USB", "carrier"
_ZERO_NEEDS = ("otg-adapter", "pi-header")


@dataclass(frozen=True, slots=True, kw_only=True)
class PiModel:
    """A model of the Raspberry Pi."""

    name: str
    usb_ports: int = 4
    usb_ma: int = 1200
    """What all its USB ports together give."""
    usb_devices: int = 127
    """How many devices its USB controller takes, hubs included: 32 at the one of a Pi 4."""
    header: bool = True
    jack: bool = True
    """It has a headphone socket."""
    rest_ma: int = 600
    """What it draws at 5 V with the table idle, without what is plugged in."""
    most_ma: int = 1300
    supply_ma: int = 3000
    """What the power supply made for it gives."""
    header_3v3_ma: int = 500
    """What its 3.3 V rail has left for the header: a common estimate, not a promise of the maker."""
    euros: tuple[float, float] = (35, 80)
    plug: str = USB_C
    """What its power supply is plugged into: its socket, or the carrier board."""
    also: tuple[str, ...] = ()
    """Keys of small parts that it needs, for its header and for plugs of USB-A."""


_UNKNOWN = PiModel(
    name="Raspberry Pi",
    usb_ports=2,
    usb_ma=600,
    supply_ma=1200,
    header_3v3_ma=50,
    euros=(10, 30),
    plug=MICRO_USB,
)
_MODULE = PiModel(
    name="Compute Module on its carrier board",
    usb_ports=2,
    header=False,
    jack=False,
    euros=(50, 150),
    plug=CARRIER,
)
_EARLIER = PiModel(name="Raspberry Pi B+", supply_ma=2500, rest_ma=250, most_ma=500, plug=MICRO_USB)
_ONE_PORT = replace(_EARLIER, usb_ports=1, usb_ma=500)
_ZERO = replace(_ONE_PORT, jack=False, also=_ZERO_NEEDS)
_FIVE = PiModel(
    name="Raspberry Pi 5",
    supply_ma=5000,
    usb_ma=1600,
    jack=False,
    rest_ma=700,
    most_ma=2400,
    euros=(50, 130),
)
_BY_TYPE = {
    0x02: replace(_ONE_PORT, name="Raspberry Pi A+", rest_ma=150, most_ma=400, euros=(15, 30)),
    0x03: replace(_EARLIER, euros=(15, 30)),
    0x04: replace(_EARLIER, name="Raspberry Pi 2 B", most_ma=800, euros=(20, 40)),
    0x06: _MODULE,
    0x08: replace(_EARLIER, name="Raspberry Pi 3 B", rest_ma=300, most_ma=1300, euros=(25, 45)),
    0x09: replace(_ZERO, name="Raspberry Pi Zero", rest_ma=100, most_ma=350, euros=(8, 18)),
    0x0A: _MODULE,
    0x0C: replace(_ZERO, name="Raspberry Pi Zero W", rest_ma=120, most_ma=350, euros=(12, 22)),
    0x0D: replace(_EARLIER, name="Raspberry Pi 3 B+", rest_ma=400, most_ma=1300, euros=(30, 50)),
    0x0E: replace(_ONE_PORT, name="Raspberry Pi 3 A+", rest_ma=300, most_ma=1000, euros=(25, 35)),
    0x10: _MODULE,
    0x11: PiModel(name="Raspberry Pi 4 B", usb_devices=32),
    0x12: replace(_ZERO, name="Raspberry Pi Zero 2 W", rest_ma=200, most_ma=600, euros=(18, 25)),
    0x13: PiModel(name="Raspberry Pi 400", usb_devices=32, usb_ports=3, jack=False, euros=(60, 110)),
    0x14: _MODULE,
    0x15: _MODULE,
    0x17: _FIVE,
    0x18: _MODULE,
    0x19: replace(_FIVE, name="Raspberry Pi 500", usb_ports=3, euros=(90, 220)),
    0x1A: _MODULE,
}


def model_type(board: str) -> int:
    """The type in a revision code; -1 in one of the first boards, which have none."""
    code = int(board or "0", 16)
    return code >> 4 & 0xFF if code & _NEW_STYLE else -1


def model_of(board: str) -> PiModel:
    """The model with that revision code, as far as it is known."""
    old = _MODULE if lines_of(board).last > 27 else _UNKNOWN
    return _BY_TYPE.get(model_type(board), old)


def pi_pins(board: str) -> dict[str, str]:
    """Name and number of each pin of a Pi that a wire of the table may go to.

    Its GPIO lines, and one pin for each supply. A Compute Module has no header: its carrier numbers the pins.
    """
    model = model_of(board)
    first, last, _ = lines_of(board)
    pins = dict.fromkeys((model.plug, "jack", *(f"USB {n}" for n in range(1, _MOST_USB_PORTS + 1))), "")
    if not model.header:
        return (
            pins | dict.fromkeys((V3_3, V5, GROUND), "") | {f"GPIO {n}": "" for n in range(first, last + 1)}
        )
    for number, name in enumerate(HEADER, start=1):
        pins.setdefault(name, str(number))
    return pins


# The serial ports on the GPIO lines of each model of the Raspberry Pi.
#
# A Pi 4 has four more UARTs than earlier ones, a Pi 5 as well, on the same lines but numbered one lower.
# Each needs its overlay in config.txt. Their ports have the numbers of their UARTs.


_HEADER = (14, 15)
_EXTRA = ((0, 1), (4, 5), (8, 9), (12, 13))


@dataclass(frozen=True, slots=True, kw_only=True)
class Uarts:
    """The serial ports of a model."""

    lines: Mapping[str, tuple[int, ...]]
    """The lines of each port of a UART; empty for one that is not on GPIO lines."""
    overlays: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The lines that each overlay for a UART takes."""
    bluetooth: bool = False
    """Its first UART is for Bluetooth unless an overlay changes that."""
    debug_port: bool = False
    """It has a connector of its own for the serial console, which is serial0."""


def _numbered(first: int) -> dict[str, tuple[int, ...]]:
    """The ports of the four further UARTs."""
    return {f"/dev/ttyAMA{number}": lines for number, lines in enumerate(_EXTRA, start=first)}


def _overlays(first: int, suffix: str = "") -> dict[str, tuple[int, ...]]:
    return {f"uart{number}{suffix}": lines for number, lines in enumerate(_EXTRA, start=first)}


_OLD = {"/dev/serial0": _HEADER, "/dev/serial1": (), "/dev/ttyAMA0": _HEADER, "/dev/ttyS0": _HEADER}
_FIRST = Uarts(lines=_OLD)
_WITH_BLUETOOTH = Uarts(lines=_OLD, bluetooth=True)
_SIX = Uarts(lines=_OLD | _numbered(2) | {"/dev/ttyAMA1": ()}, overlays=_overlays(2), bluetooth=True)
_RP1 = Uarts(
    lines={"/dev/serial0": (), "/dev/ttyAMA0": _HEADER, "/dev/ttyAMA10": ()} | _numbered(1),
    overlays={"uart0-pi5": _HEADER} | _overlays(1, "-pi5"),
    debug_port=True,
)
_PORTS_BY_TYPE = {
    **dict.fromkeys((0x08, 0x0C, 0x0D, 0x0E, 0x12), _WITH_BLUETOOTH),
    **dict.fromkeys((0x11, 0x13, 0x14), _SIX),
    0x15: replace(_SIX, bluetooth=False),
    **dict.fromkeys((0x17, 0x18, 0x19, 0x1A), _RP1),
}


def uarts_of(board: str) -> Uarts:
    """The serial ports of the Pi with that revision code."""
    return _PORTS_BY_TYPE.get(model_type(board), _FIRST)


_NUMBER = re.compile(r"[0-9]{1,2}")
I2S_LINES = (18, 19, 20, 21)
PWM_LINES = (12, 13)
_HARMLESS = ("disable-bt", "miniuart-bt", "disable-wifi", "vc4-kms-v3d", "dwc2", "i2c-rtc")
_OVERLAYS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(_HARMLESS, ()),
    **dict.fromkeys(("hifiberry-dac", "max98357a", "i2s-dac", "googlevoicehat-soundcard"), I2S_LINES),
    **dict.fromkeys(("spi", "spi0-2cs"), (7, 8, 9, 10, 11)),
    "spi0-1cs": (8, 9, 10, 11),
    "spi1-1cs": (18, 19, 20, 21),
    "spi1-2cs": (17, 18, 19, 20, 21),
    "spi1-3cs": (16, 17, 18, 19, 20, 21),
    "audremap": PWM_LINES,
    "w1-gpio": (4,),
    "dht11": (4,),
    "gpio-fan": (12,),
    "gpio-ir": (18,),
    "gpio-shutdown": (3,),
    "pwm": (18,),
    "pwm-2chan": (18, 19),
    "i2c0": (0, 1),
    "i2c3": (4, 5),
    "i2c4": (8, 9),
    "i2c5": (12, 13),
    "i2c6": (22, 23),
}
"""The lines that each takes if it is not given others."""
_SIX_BUSES = (0x11, 0x13, 0x14, 0x15)
"""The types of the Pi 4, where an overlay of a further bus has the lines above. Others have others."""


def lines_of_overlay(overlay: str, board: str) -> tuple[int, ...] | None:
    """The lines that it takes: its usual ones, or those it is given, as in `w1-gpio,gpiopin=6`."""
    name = overlay.partition(",")[0]
    return _given_lines(overlay) or {**_OVERLAYS, **uarts_of(board).overlays}.get(name)


def lines_of_bus(bus: int, overlays: Sequence[str], board: str) -> tuple[int, ...]:
    """Data and clock of an I2C bus from an overlay; empty if it is unknown which lines these are."""
    name = f"i2c{bus}"
    listed = next((each for each in overlays if each.partition(",")[0] == name), name)
    usual = _OVERLAYS.get(name, ()) if model_type(board) in _SIX_BUSES else ()
    return _given_lines(listed) or usual


def _given_lines(overlay: str) -> tuple[int, ...]:
    arguments = overlay.split(",")[1:]
    given = [argument.partition("=")[2] or argument for argument in arguments if "pin" in argument]
    return tuple(int(number) for text in given for number in _NUMBER.findall(text))
