"""All rules of electrical sense, and what they find at a table."""

from __future__ import annotations

from firmware_host.building.planning import wiring_plan
from firmware_host.building.sense import (
    board_room,
    bus_pull_ups,
    bus_speed,
    button_lamps,
    contacts,
    expander_levels,
    fixed_lines,
    fuses,
    hall_sensors,
    led_chip_levels,
    led_matrix,
    overlay_lines,
    power_rails,
    reader_links,
    reader_spacing,
    sign_links,
    uart_ports,
    usb_devices,
)
from firmware_host.building.sense.built import built_of
from firmware_host.building.sense.findings import Finding, Rule, Strength, findings_of
from firmware_host.config.profile import Profile

RULES: tuple[Rule, ...] = (
    *expander_levels.RULES,
    *led_chip_levels.RULES,
    *bus_pull_ups.RULES,
    *bus_speed.RULES,
    *hall_sensors.RULES,
    *contacts.RULES,
    *fixed_lines.RULES,
    *overlay_lines.RULES,
    *uart_ports.RULES,
    *button_lamps.RULES,
    *led_matrix.RULES,
    *sign_links.RULES,
    *reader_links.RULES,
    *reader_spacing.RULES,
    *board_room.RULES,
    *usb_devices.RULES,
    *power_rails.RULES,
    *fuses.RULES,
)
"""In the order in which a table is wired."""


def judged(profile: Profile) -> tuple[Finding, ...]:
    """What is electrically wrong at a table, errors first."""
    built = built_of(profile, wiring_plan(profile))
    found = [finding for rule in RULES for finding in findings_of(rule, built)]
    return tuple(sorted(found, key=lambda finding: finding.strength is not Strength.ERROR))
