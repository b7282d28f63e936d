"""Makes the plan of a table from its profile: every component, every pin, every wire."""

from __future__ import annotations

from firmware_host.building.bus_wiring import wire_bus
from firmware_host.building.contact_wiring import wire_buttons, wire_sensors
from firmware_host.building.draft import Draft
from firmware_host.building.lamp_wiring import wire_lamps
from firmware_host.building.plan import Plan
from firmware_host.building.port_wiring import wire_ports
from firmware_host.building.power_wiring import wire_power
from firmware_host.building.ratings import rated
from firmware_host.config.profile import Profile


def wiring_plan(profile: Profile) -> Plan:
    """The plan of the table that a profile describes, with the parts that it chooses."""
    draft = Draft(profile)
    for step in (wire_bus, wire_buttons, wire_sensors, wire_lamps, wire_ports, wire_power):
        step(draft)
    return rated(draft.finished(profile.title), profile)
