"""The scoreboard and the speaker, and what is on USB with the hubs between."""

from __future__ import annotations

from firmware_host.building.draft import PI, Draft
from firmware_host.building.parts import PARTS
from firmware_host.building.pi_models import model_of
from firmware_host.building.plan import Pin, Rail, Section
from firmware_host.building.reader_wiring import pi_uart, wire_readers
from firmware_host.device_kinds import SIGNS

SCOREBOARD = "scoreboard"
SPEAKER = "speaker"
SIGN_LINK = "sign link"
I2S_LINES = {"BCLK": 18, "LRC": 19, "DIN": 21}
"""The lines of an I2S amplifier."""
_SIGN = Section.SCOREBOARD


def wire_ports(draft: Draft) -> None:
    """Readers, scoreboard and speaker."""
    plugs = _sign(draft) if draft.profile.sign_port else []
    plugs += _speaker(draft)
    plugs += wire_readers(draft)
    _plug_in(draft, plugs)


def _speaker(draft: Draft) -> list[Pin]:
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


def _sign(draft: Draft) -> list[Pin]:
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


def _level_converter(draft: Draft, out: Pin, back: Pin) -> None:
    """RS-232 for a sign at a serial port of the Pi."""
    draft.place(SIGN_LINK, "max3232", "3.3 V to RS-232", _SIGN)
    for name, rail in (("VCC", Rail.V3_3), ("GND", Rail.GROUND)):
        draft.wire(draft.pole(rail), draft.pin(SIGN_LINK, name), cable=SCOREBOARD, rail=rail)
    draft.wire(out, draft.pin(SIGN_LINK, "TXD"), "to the scoreboard", cable=SCOREBOARD)
    draft.wire(back, draft.pin(SIGN_LINK, "RXD"), "from the scoreboard", cable=SCOREBOARD)
    _serial(draft, draft.pin(SIGN_LINK, "T1OUT"), draft.pin(SIGN_LINK, "R1IN"), draft.pole(Rail.GROUND))


def _serial(draft: Draft, out: Pin, back: Pin, ground: Pin) -> None:
    """The three wires to the sign."""
    draft.wire(ground, draft.pin(SCOREBOARD, "GND"), cable=SCOREBOARD, rail=Rail.GROUND)
    draft.wire(out, draft.pin(SCOREBOARD, "RXD"), "to the scoreboard", cable=SCOREBOARD)
    draft.wire(back, draft.pin(SCOREBOARD, "TXD"), "from the scoreboard", cable=SCOREBOARD)


# -- USB


def _plug_in(draft: Draft, plugs: list[Pin]) -> None:
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


def _usb_cable(draft: Draft, plug: Pin) -> str:
    """The cable that the USB lead of a thing is part of."""
    if plug.component in (SIGN_LINK, SCOREBOARD):
        return SCOREBOARD
    name = plug.component.removeprefix("adapter ")
    if name in (SPEAKER, *(reader.name for reader in draft.profile.readers)):
        return name
    return plug.component
