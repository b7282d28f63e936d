"""Plans for tests: of shipped profiles, and what is on their pins."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import wiring
from firmware_host.profile.profile import Profile
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.workshop.plan.plan import Pin, Plan, Wire
from firmware_host.workshop.plan.planning import wiring_plan

SHIPPED = wiring.profile_names()


def shipped(name: str, **choices: Any) -> Profile:
    """A profile that comes with the package, with other choices."""
    profile = parse_profile(wiring.profile_file(name).read_text(encoding="utf-8"), f"wiring/{name}.toml")
    return replace(profile, build=replace(profile.build, **choices))


def plan_of(name: str, **choices: Any) -> Plan:
    """Its plan."""
    return wiring_plan(shipped(name, **choices))


def by_pin(plan: Plan) -> dict[tuple[str, str], list[Wire]]:
    """The wires at each pin that has any."""
    found = defaultdict(list)
    for wire in plan.wires:
        for pin in (wire.start, wire.end):
            found[pin.component, pin.name].append(wire)
    return found


def other_end(wire: Wire, component: str) -> Pin:
    """Where a wire from a component goes."""
    return wire.end if wire.start.component == component else wire.start
