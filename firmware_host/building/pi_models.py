"""What each model of the Raspberry Pi offers to a table: its pins, its USB ports, and what they can feed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.building.header import GROUND, HEADER, V3_3, V5
from firmware_host.config.boards import lines_of

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
