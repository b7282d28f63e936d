"""What is on serial ports and USB: tag readers, the scoreboard, the speaker, and the hubs between."""

from __future__ import annotations

from firmware_host.building.draft import PI, Draft
from firmware_host.building.pi_models import model_of
from firmware_host.building.plan import Pin, Rail, Section
from firmware_host.config.profile import TagSpot
from firmware_host.config.serial_ports import HEADER_PORTS
from firmware_host.config.wires import HEADER_LINES
from firmware_host.device_kinds import READER, SIGNS
from firmware_host.places import Pad

SCOREBOARD = "scoreboard"
SPEAKER = "speaker"
_HUB_PORTS = 7
_QUAD = "usb-uart-4"


def wire_ports(draft: Draft) -> None:
    """Readers, scoreboard and speaker."""
    plugs: list[tuple[Pin, Section]] = []
    if draft.profile.sign_port:
        plugs += _sign(draft)
    if draft.build.speaker == "jack":
        draft.place(SPEAKER, "jack", "loudspeaker", Section.SOUND)
        cable = draft.cable(SPEAKER, "loudspeaker", Section.SOUND)
        draft.wire(
            draft.pin(PI, "jack"), draft.pin(SPEAKER, "jack"), "sound", cable=cable, colour="audio cable"
        )
    elif draft.build.speaker != "none":
        draft.place(SPEAKER, draft.build.speaker, "loudspeaker", Section.SOUND)
        draft.cable(SPEAKER, "loudspeaker", Section.SOUND)
        plugs.append((draft.pin(SPEAKER, "USB"), Section.SOUND))
    plugs += _readers(draft)
    _plug_in(draft, plugs)


# -- readers


def _readers(draft: Draft) -> list[tuple[Pin, Section]]:
    """All readers, each at its adapter or at the header; gives the plugs of the adapters."""
    plugs: list[tuple[Pin, Section]] = []
    on_usb = 0
    for spot in draft.profile.readers:
        at = f"pad {spot.seat}" if isinstance(spot.at, Pad) else spot.name
        draft.place(spot.name, "pn532", f"{READER.title} at {spot.at}", Section.READERS, at=at)
        cable = draft.cable(spot.name, f"reader {spot.name}", Section.READERS)
        if spot.port in HEADER_PORTS:
            out, back = (draft.pin(PI, f"GPIO {line}") for line in HEADER_LINES)
            power = draft.pole(Rail.V5)
            ground = draft.pole(Rail.GROUND)
        else:
            adapter, port, new = _adapter(draft, spot, on_usb)
            on_usb += 1
            out, back = (draft.pin(adapter, f"{signal}{port}") for signal in ("TXD", "RXD"))
            power = draft.pole(Rail.V5) if port else draft.pin(adapter, "5V")
            ground = draft.pin(adapter, "GND") if not port else draft.pole(Rail.GROUND)
            plugs += [(draft.pin(adapter, "USB"), Section.READERS)] if new else []
        draft.wire(power, draft.pin(spot.name, "VCC"), cable=cable, rail=Rail.V5)
        draft.wire(ground, draft.pin(spot.name, "GND"), cable=cable, rail=Rail.GROUND)
        draft.wire(out, draft.pin(spot.name, "RXD"), f"to {spot.name}", cable=cable)
        draft.wire(back, draft.pin(spot.name, "TXD"), f"from {spot.name}", cable=cable)
    return plugs


def _adapter(draft: Draft, spot: TagSpot, number: int) -> tuple[str, str, bool]:
    """The adapter of a reader, which of its ports is meant, and whether the adapter is new."""
    if draft.build.reader_link != _QUAD:
        name = f"adapter {spot.name}"
        draft.place(name, "usb-uart", f"adapter of {spot.name}: {spot.port}", Section.READERS)
        return name, "", True
    name, port = f"adapter {number // 4 + 1}", f" {'ABCD'[number % 4]}"
    new = not draft.has(name)
    if new:
        draft.place(name, _QUAD, "adapter of four readers", Section.READERS)
        cable = draft.cable(name, f"ground of {name}", Section.READERS)
        draft.wire(draft.pole(Rail.GROUND), draft.pin(name, "GND"), cable=cable, rail=Rail.GROUND)
    return name, port, new


# -- scoreboard


def _sign(draft: Draft) -> list[tuple[Pin, Section]]:
    """The sign and its link; gives the plug if that is on USB."""
    profile, link = draft.profile, draft.build.sign_link
    draft.place(SCOREBOARD, "sign", SIGNS[profile.sign].title, Section.SCOREBOARD)
    cable = draft.cable(SCOREBOARD, "scoreboard", Section.SCOREBOARD)
    if profile.sign_port in HEADER_PORTS:
        out, back = (draft.pin(PI, f"GPIO {line}") for line in HEADER_LINES)
        if link == "direct":
            _serial(draft, out, back, draft.pole(Rail.GROUND))
            return []
        name = "sign link"
        draft.place(name, "max3232", "to RS-232", Section.SCOREBOARD)
        draft.wire(draft.pole(Rail.V3_3), draft.pin(name, "VCC"), cable=cable, rail=Rail.V3_3)
        draft.wire(draft.pole(Rail.GROUND), draft.pin(name, "GND"), cable=cable, rail=Rail.GROUND)
        draft.wire(out, draft.pin(name, "TXD"), "to the scoreboard", cable=cable)
        draft.wire(draft.pin(name, "RXD"), back, "from the scoreboard", cable=cable)
        _serial(draft, draft.pin(name, "T1OUT"), draft.pin(name, "R1IN"), draft.pole(Rail.GROUND))
        return []
    if link == "usb":
        return [(draft.pin(SCOREBOARD, "USB"), Section.SCOREBOARD)]
    name = "sign link"
    draft.place(
        name,
        "usb-uart" if link == "usb-uart" else "usb-rs232",
        f"scoreboard: {profile.sign_port}",
        Section.SCOREBOARD,
    )
    _serial(draft, draft.pin(name, "TXD"), draft.pin(name, "RXD"), draft.pin(name, "GND"))
    return [(draft.pin(name, "USB"), Section.SCOREBOARD)]


def _serial(draft: Draft, out: Pin, back: Pin, ground: Pin) -> None:
    """The three wires to the sign."""
    draft.wire(ground, draft.pin(SCOREBOARD, "GND"), cable=SCOREBOARD, rail=Rail.GROUND)
    draft.wire(out, draft.pin(SCOREBOARD, "RXD"), "to the scoreboard", cable=SCOREBOARD)
    draft.wire(back, draft.pin(SCOREBOARD, "TXD"), "from the scoreboard", cable=SCOREBOARD)


# -- USB


def _plug_in(draft: Draft, plugs: list[tuple[Pin, Section]]) -> None:
    """Plug everything in: at the Pi while it has ports, and the rest at hubs."""
    ports = model_of(draft.profile.board).usb_ports
    hubs = 0
    while ports - hubs + hubs * _HUB_PORTS < len(plugs) and hubs < ports:
        hubs += 1
    free = [draft.pin(PI, f"USB {number}") for number in range(1, ports + 1)]
    for number in range(1, hubs + 1):
        name = f"hub {number}"
        draft.place(name, "hub", f"USB hub with {_HUB_PORTS} ports", Section.READERS)
        cable = draft.cable(name, f"USB of {name}", Section.READERS)
        draft.wire(free.pop(), draft.pin(name, "USB"), f"USB of {name}", cable=cable, colour="USB cable")
    for number in range(1, hubs + 1):
        free += [draft.pin(f"hub {number}", f"port {port}") for port in range(1, _HUB_PORTS + 1)]
    for (plug, section), port in zip(plugs, free, strict=False):
        cable = SPEAKER if section is Section.SOUND else plug.component
        if section is Section.SCOREBOARD:
            cable = SCOREBOARD
        draft.cable(cable, f"USB of {plug.component}", section)
        draft.wire(port, plug, f"USB of {plug.component}", cable=cable, colour="USB cable")
