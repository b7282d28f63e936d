"""Tag readers, each at an adapter or at a serial port of the Pi."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.building.draft import PI, Draft
from firmware_host.building.parts import PARTS
from firmware_host.building.pi_uarts import uarts_of
from firmware_host.building.plan import Pin, Rail, Section
from firmware_host.config.profile import TagSpot
from firmware_host.config.serial_ports import HEADER_PORTS
from firmware_host.config.wires import HEADER_LINES
from firmware_host.device_kinds import READER

_QUAD = "usb-uart-4"
_QUAD_PORTS = "ABCD"
_READERS = Section.READERS
_UARTS = "/dev/ttyAMA"


class _Uart(NamedTuple):
    """A serial port: what it sends on and receives on, and the adapter that it is part of, if it is."""

    out: Pin
    back: Pin
    adapter: str = ""


def pi_uart(draft: Draft, port: str) -> tuple[Pin, Pin] | None:
    """The pins of a serial port of the Pi itself; None if the port is on USB.

    A further port has the lines of its overlay, as far as these are known for this Pi.
    """
    further = uarts_of(draft.profile.board).lines.get(port)
    lines = HEADER_LINES if port in HEADER_PORTS else further
    if lines:
        out, back = (draft.pin(PI, f"GPIO {line}") for line in lines)
        return out, back
    if port.startswith(_UARTS):
        return Pin(PI, f"TXD of {port}"), Pin(PI, f"RXD of {port}")
    return None


def wire_readers(draft: Draft) -> list[Pin]:
    """All readers; gives the USB plugs of their adapters."""
    plugs: list[Pin] = []
    for spot in draft.profile.readers:
        draft.place(spot.name, "pn532", f"{READER.title} at {spot.at}", _READERS)
        cable = draft.cable(spot.name, f"reader {spot.name}", _READERS)
        uart = _uart(draft, spot, plugs)
        rail, power = _power(draft, uart.adapter)
        # What a strip gives comes back to a strip, not through the shield of a USB cable.
        is_fed_by_adapter = power.component == uart.adapter
        ground = draft.pin(uart.adapter, "GND") if is_fed_by_adapter else draft.pole(Rail.GROUND)
        draft.wire(power, draft.pin(spot.name, "VCC"), cable=cable, rail=rail)
        draft.wire(ground, draft.pin(spot.name, "GND"), cable=cable, rail=Rail.GROUND)
        draft.wire(uart.out, draft.pin(spot.name, "RXD"), f"to {spot.name}", cable=cable)
        draft.wire(uart.back, draft.pin(spot.name, "TXD"), f"from {spot.name}", cable=cable)
        if uart.adapter and draft.build.reader_link != _QUAD and not is_fed_by_adapter:
            pins = draft.pole(Rail.GROUND), draft.pin(uart.adapter, "GND")
            draft.wire(*pins, cable=cable, rail=Rail.GROUND)
    return plugs


def _uart(draft: Draft, spot: TagSpot, plugs: list[Pin]) -> _Uart:
    """The serial port of a reader; a new adapter adds its plug."""
    own = pi_uart(draft, spot.port)
    if own is not None:
        return _Uart(*own)
    if draft.build.reader_link != _QUAD:
        name = f"adapter {spot.name}"
        draft.place(name, draft.build.reader_link, f"adapter of {spot.name}: {spot.port}", _READERS)
        plugs.append(draft.pin(name, "USB"))
        return _Uart(draft.pin(name, "TXD"), draft.pin(name, "RXD"), name)
    number, port = divmod(draft.count("port of an adapter"), len(_QUAD_PORTS))
    name = f"adapter {number + 1}"
    if not draft.has(name):
        draft.place(name, _QUAD, "adapter of four readers", _READERS)
        cable = draft.cable(name, f"ground and USB of {name}", _READERS)
        draft.wire(draft.pole(Rail.GROUND), draft.pin(name, "GND"), cable=cable, rail=Rail.GROUND)
        plugs.append(draft.pin(name, "USB"))
    letter = _QUAD_PORTS[port]
    return _Uart(draft.pin(name, f"TXD {letter}"), draft.pin(name, f"RXD {letter}"), name)


def _power(draft: Draft, adapter: str) -> tuple[Rail, Pin]:
    """What a reader gets its power from: the supply of the table where its adapter has no pin for it."""
    pins = PARTS[draft.build.reader_link].pins if adapter else {}
    source = draft.build.reader_power
    if source == "usb" and "5V" in pins:
        return Rail.V5, draft.pin(adapter, "5V")
    if source == "adapter-3v3" and "3V3" in pins:
        return Rail.V3_3, draft.pin(adapter, "3V3")
    rail = Rail.V3_3 if source == "pi-3v3" else Rail.V5
    return rail, draft.pole(rail)
