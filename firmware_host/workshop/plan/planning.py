"""Makes the plan of a table from its profile: every component, every pin, every wire."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from firmware_host.profile.device_kinds import READER, SIGNS
from firmware_host.profile.pins import HEADER_PORTS
from firmware_host.profile.profile import HEADER_LINES, NO_FUSE, Profile, TagSpot
from firmware_host.workshop.plan.budget import TABLE_RAILS, power_budget
from firmware_host.workshop.plan.draft import PI, POWER, PlanDraft
from firmware_host.workshop.plan.parts import PARTS
from firmware_host.workshop.plan.pi_models import model_of, uarts_of
from firmware_host.workshop.plan.plan import Pin, Plan, Rail, Section
from firmware_host.workshop.plan.wiring import wire_bus, wire_buttons, wire_lamps, wire_sensors

_QUAD = "usb-uart-4"
_QUAD_PORTS = "ABCD"
_READERS = Section.READERS
_UARTS = "/dev/ttyAMA"


class _Uart(NamedTuple):
    """A serial port: what it sends on and receives on, and the adapter that it is part of, if it is."""

    out: Pin
    back: Pin
    adapter: str = ""


def pi_uart(draft: PlanDraft, port: str) -> tuple[Pin, Pin] | None:
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


def wire_readers(draft: PlanDraft) -> list[Pin]:
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


def _uart(draft: PlanDraft, spot: TagSpot, plugs: list[Pin]) -> _Uart:
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


def _power(draft: PlanDraft, adapter: str) -> tuple[Rail, Pin]:
    """What a reader gets its power from: the supply of the table where its adapter has no pin for it."""
    pins = PARTS[draft.build.reader_link].pins if adapter else {}
    source = draft.build.reader_power
    if source == "usb" and "5V" in pins:
        return Rail.V5, draft.pin(adapter, "5V")
    if source == "adapter-3v3" and "3V3" in pins:
        return Rail.V3_3, draft.pin(adapter, "3V3")
    rail = Rail.V3_3 if source == "pi-3v3" else Rail.V5
    return rail, draft.pole(rail)


SCOREBOARD = "scoreboard"
SPEAKER = "speaker"
SIGN_LINK = "sign link"
I2S_LINES = {"BCLK": 18, "LRC": 19, "DIN": 21}
"""The lines of an I2S amplifier."""
_SIGN = Section.SCOREBOARD


def wire_ports(draft: PlanDraft) -> None:
    """Readers, scoreboard and speaker."""
    plugs = _sign(draft) if draft.profile.sign_port else []
    plugs += _speaker(draft)
    plugs += wire_readers(draft)
    _plug_in(draft, plugs)


def _speaker(draft: PlanDraft) -> list[Pin]:
    """The loudspeaker; gives its plug if it is on USB."""
    kind = draft.build.speaker
    if kind == "none":
        return []
    draft.place(SPEAKER, kind, "loudspeaker", Section.SOUND)
    cable = draft.cable(SPEAKER, "loudspeaker", Section.SOUND)
    if kind == "usb-speaker":
        return [draft.pin(SPEAKER, "USB")]
    if kind == "jack":
        draft.wire(
            draft.pin(PI, "jack"), draft.pin(SPEAKER, "jack"), "sound", cable=cable, colour="audio cable"
        )
        return []
    draft.wire(draft.pole(Rail.V5), draft.pin(SPEAKER, "VIN"), cable=cable, rail=Rail.V5)
    draft.wire(draft.pole(Rail.GROUND), draft.pin(SPEAKER, "GND"), cable=cable, rail=Rail.GROUND)
    for name, line in I2S_LINES.items():
        draft.wire(draft.pin(PI, f"GPIO {line}"), draft.pin(SPEAKER, name), f"sound {name}", cable=cable)
    return []


# -- scoreboard


def _sign(draft: PlanDraft) -> list[Pin]:
    """The sign and its link; gives the plug if that is on USB."""
    profile, link = draft.profile, draft.build.sign_link
    draft.place(SCOREBOARD, "sign", SIGNS[profile.sign].title, _SIGN)
    draft.cable(SCOREBOARD, "scoreboard", _SIGN)
    uart = pi_uart(draft, profile.sign_port)
    if uart is not None:
        if link == "direct":
            _serial(draft, *uart, draft.pole(Rail.GROUND))
        else:
            _level_converter(draft, *uart)
        return []
    if link == "usb":
        return [draft.pin(SCOREBOARD, "USB")]
    part = "usb-uart" if link in ("usb-uart", "direct") else "usb-rs232"
    draft.place(SIGN_LINK, part, f"scoreboard: {profile.sign_port}", _SIGN)
    pins = [draft.pin(SIGN_LINK, name) for name in ("TXD", "RXD", "GND")]
    _serial(draft, *pins)
    return [draft.pin(SIGN_LINK, "USB")]


def _level_converter(draft: PlanDraft, out: Pin, back: Pin) -> None:
    """RS-232 for a sign at a serial port of the Pi."""
    draft.place(SIGN_LINK, "max3232", "3.3 V to RS-232", _SIGN)
    for name, rail in (("VCC", Rail.V3_3), ("GND", Rail.GROUND)):
        draft.wire(draft.pole(rail), draft.pin(SIGN_LINK, name), cable=SCOREBOARD, rail=rail)
    draft.wire(out, draft.pin(SIGN_LINK, "TXD"), "to the scoreboard", cable=SCOREBOARD)
    draft.wire(back, draft.pin(SIGN_LINK, "RXD"), "from the scoreboard", cable=SCOREBOARD)
    _serial(draft, draft.pin(SIGN_LINK, "T1OUT"), draft.pin(SIGN_LINK, "R1IN"), draft.pole(Rail.GROUND))


def _serial(draft: PlanDraft, out: Pin, back: Pin, ground: Pin) -> None:
    """The three wires to the sign."""
    draft.wire(ground, draft.pin(SCOREBOARD, "GND"), cable=SCOREBOARD, rail=Rail.GROUND)
    draft.wire(out, draft.pin(SCOREBOARD, "RXD"), "to the scoreboard", cable=SCOREBOARD)
    draft.wire(back, draft.pin(SCOREBOARD, "TXD"), "from the scoreboard", cable=SCOREBOARD)


# -- USB


def _plug_in(draft: PlanDraft, plugs: list[Pin]) -> None:
    """Plug everything in: at the Pi while it has ports, and the rest at hubs."""
    ports = model_of(draft.profile.board).usb_ports
    at_pi = [draft.pin(PI, f"USB {number}") for number in range(1, ports + 1)]
    at_hubs: list[Pin] = []
    hubs = 0
    while len(at_pi + at_hubs) < len(plugs) if draft.build.hubs < 0 else hubs < draft.build.hubs:
        hubs += 1
        name = f"hub {hubs}"
        draft.place(name, draft.build.hub, "USB hub", Section.READERS)
        cable = draft.cable(name, f"USB of {name}", Section.READERS)
        port = (at_pi or at_hubs).pop()
        draft.wire(port, draft.pin(name, "USB"), f"USB of {name}", cable=cable, colour="USB cable")
        at_hubs += [draft.pin(name, pin) for pin in PARTS[draft.build.hub].pins if pin != "USB"]
    # With too few ports the rest is left over, and electrical sense says so.
    for plug, port in zip(plugs, at_pi + at_hubs, strict=False):
        draft.wire(port, plug, f"USB of {plug.component}", cable=_usb_cable(draft, plug), colour="USB cable")


def _usb_cable(draft: PlanDraft, plug: Pin) -> str:
    """The cable that the USB lead of a thing is part of."""
    if plug.component in (SIGN_LINK, SCOREBOARD):
        return SCOREBOARD
    name = plug.component.removeprefix("adapter ")
    if name in (SPEAKER, *(reader.name for reader in draft.profile.readers)):
        return name
    return plug.component


def wire_power(draft: PlanDraft) -> None:
    """Feed all rails that something is connected to: this comes last."""
    draft.place("supply pi", "supply-pi", "power supply of the Pi", Section.SWITCHING_ON)
    cable = draft.cable("supply pi", "plug of the Pi, when all else was checked", Section.SWITCHING_ON)
    plug = draft.pin("supply pi", "plug")
    socket = draft.pin(PI, model_of(draft.profile.board).plug)
    draft.wire(plug, socket, "power of the Pi", cable=cable, colour="its own cable")
    draft.wire(draft.pin(PI, "ground"), draft.pole(Rail.GROUND), cable=POWER, rail=Rail.GROUND)
    for rail in draft.rails:
        if rail is Rail.V3_3 or (rail is Rail.V5 and draft.build.supply == PI):
            draft.wire(draft.pin(PI, rail.value), draft.feed(rail), cable=POWER, rail=rail)
        elif rail is not Rail.GROUND:
            _supply(draft, rail)


def _supply(draft: PlanDraft, rail: Rail) -> None:
    """A supply: its plus goes to the strip of its rail, through a fuse unless the profile wants none.

    The fuse is where the supply is, so that it protects the long wire to the table, too.
    """
    name, fuse = supply_name(rail), fuse_name(rail)
    part = draft.build.supply if rail is Rail.V5 else "supply-12v"
    draft.place(name, part, f"supply of {rail.value}", Section.POWER)
    ground = draft.feed(Rail.GROUND) if rail is Rail.V5 else draft.pole(Rail.GROUND)
    draft.wire(draft.pin(name, "-"), ground, cable=POWER, rail=Rail.GROUND)
    plus = draft.pin(name, "+")
    if rail is not Rail.V5 or draft.build.fuse_amps != NO_FUSE:
        draft.place(fuse, "fuse", f"fuse of {rail.value}", Section.POWER)
        draft.wire(plus, draft.pin(fuse, "in"), cable=POWER, rail=rail)
        plus = draft.pin(fuse, "out")
    draft.wire(plus, draft.feed(rail), cable=POWER, rail=rail)


def supply_name(rail: Rail) -> str:
    """The component that feeds a rail."""
    return f"supply{_suffix(rail)}"


def fuse_name(rail: Rail) -> str:
    """The fuse behind that."""
    return f"fuse{_suffix(rail)}"


def _suffix(rail: Rail) -> str:
    return "" if rail is Rail.V5 else f" {rail.value}"


def ratings(plan: Plan, profile: Profile) -> dict[str, str]:
    """The rating of each supply and fuse, by the name of its component."""
    found = {}
    for budget in power_budget(plan, profile):
        if budget.fuse_amps is not None:
            rail = TABLE_RAILS[budget.name]
            found[supply_name(rail)] = f"{budget.allowed_ma / 1000:g} A"
            if budget.fuse_amps:
                found[fuse_name(rail)] = f"{budget.fuse_amps:g} A slow"
    return found


def rated(plan: Plan, profile: Profile) -> Plan:
    """The plan, with the ratings in the titles of supplies and fuses."""
    known = ratings(plan, profile)
    components = tuple(
        replace(each, title=f"{each.title}, {known[each.name]}") if each.name in known else each
        for each in plan.components
    )
    return replace(plan, components=components)


def wiring_plan(profile: Profile) -> Plan:
    """The plan of the table that a profile describes, with the parts that it chooses."""
    draft = PlanDraft(profile)
    for step in (wire_bus, wire_buttons, wire_sensors, wire_lamps, wire_ports, wire_power):
        step(draft)
    return rated(draft.finished(profile.title), profile)
