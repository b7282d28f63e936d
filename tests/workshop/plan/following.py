"""Follows the wires of a plan, as somebody with a meter would: what is at the other end of what?

It knows nothing of the profile that the plan was made from.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from firmware_host.profile.device_kinds import EXPANDER
from firmware_host.workshop.plan.plan import Plan, Rail, Wire

_PORTS = {f"GP{port}{bit}": 8 * number + bit for number, port in enumerate("AB") for bit in range(8)}
_SENSED = ("NO", "OUT")
_LIT = ("LED +", "anode", "LED -", "cathode")
_LEGS = ("red", "green", "blue", "anode")


@dataclass(slots=True)
class Followed:
    """What is on each line, address and LED, as the wires say."""

    inputs: dict[int, str] = field(default_factory=dict)
    """The contact on each GPIO line."""
    interrupts: dict[int, str] = field(default_factory=dict)
    """The chip that calls on each GPIO line."""
    outputs: dict[int, str] = field(default_factory=dict)
    """The component that each GPIO line lights, through whatever is between."""
    resets: set[int] = field(default_factory=set)
    pins: dict[tuple[str, int], str] = field(default_factory=dict)
    """The contact at each pin of an expander."""
    addresses: dict[str, int] = field(default_factory=dict)
    """The address for which the pins of an expander are wired, and that of an LED chip."""
    leds: dict[str, dict[int, tuple[str, str]]] = field(default_factory=dict)
    """Component and colour of each LED of a chip; the colour is empty if it has one LED."""


def followed(plan: Plan) -> Followed:
    """What the wires of a plan lead to."""
    found = Followed()
    away = defaultdict(list)
    for wire in plan.wires:
        if wire.rail is None:
            away[wire.start.component, wire.start.name].append(wire)
    parts = {component.name: component.part for component in plan.components}
    for wire in plan.wires:
        if wire.start.component == "pi" and wire.start.name.startswith("GPIO "):
            _line(found, int(wire.start.name.split()[1]), wire, away, parts)
        if parts[wire.start.component] == "mcp23017" and wire.end.name in _SENSED:
            found.pins[wire.start.component, _PORTS[wire.start.name]] = wire.end.component
    for component in plan.components:
        if component.part == "mcp23017":
            found.addresses[component.name] = _strapped(plan, component.name)
        elif component.part == "ht16k33":
            found.addresses[component.name] = component.address or 0
            found.leds[component.name] = _leds(component.name, away)
    return found


def _line(
    found: Followed, line: int, wire: Wire, away: dict[tuple[str, str], list[Wire]], parts: dict[str, str]
) -> None:
    """What a line of the Pi is for."""
    pin = wire.end.name
    if pin in _SENSED:
        found.inputs[line] = wire.end.component
    elif pin == "INTA":
        found.interrupts[line] = wire.end.component
    elif pin == "RESET":
        found.resets.add(line)
    elif parts[wire.end.component] == "uln2003":
        (lamp,) = away[wire.end.component, pin.replace("IN", "OUT")]
        found.outputs[line] = lamp.end.component
    elif parts[wire.end.component].startswith("resistor"):
        (lamp,) = away[wire.end.component, "2"]
        found.outputs[line] = lamp.end.component
    elif pin in _LIT:
        found.outputs[line] = wire.end.component


def _strapped(plan: Plan, name: str) -> int:
    """The address of an expander, from the levels of its address pins."""
    rails = {wire.end.name: wire.rail for wire in plan.wires if wire.end.component == name}
    bits = (rails[f"A{bit}"] is not Rail.GROUND for bit in range(3))
    return EXPANDER.address_span[0] + sum(1 << bit for bit, high in enumerate(bits) if high)


def _leds(chip: str, away: dict[tuple[str, str], list[Wire]]) -> dict[int, tuple[str, str]]:
    """All LEDs of a chip: a leg on a row, another one on a common."""
    rows = {leg: row for row in range(16) for leg in _chain(chip, f"ROW {row}", away)}
    commons = {leg: common for common in range(8) for leg in _chain(chip, f"COM {common}", away)}
    found = {}
    for (component, leg), row in rows.items():
        assert leg in _LEGS
        common = commons[component, "cathode"]
        found[16 * common + row] = component, leg if leg != "anode" else ""
    return found


def _chain(chip: str, pin: str, away: dict[tuple[str, str], list[Wire]]) -> list[tuple[str, str]]:
    """The legs that a line of a chip comes to, one after the other."""
    legs: list[tuple[str, str]] = []
    here = chip, pin
    while wires := away.get(here):
        (wire,) = wires
        here = wire.end.component, wire.end.name
        legs.append(here)
    return legs
