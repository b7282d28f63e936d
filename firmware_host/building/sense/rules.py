"""All rules of electrical sense, and what they find at a table."""

from __future__ import annotations

from firmware_host.building.planning import wiring_plan
from firmware_host.building.sense.board_room import BOARD_ROOM
from firmware_host.building.sense.built import built_of
from firmware_host.building.sense.bus_pull_ups import PULL_UPS
from firmware_host.building.sense.bus_speed import BUS_SPEED
from firmware_host.building.sense.button_lamps import BUTTON_LAMPS
from firmware_host.building.sense.contacts import CONTACTS
from firmware_host.building.sense.expander_levels import EXPANDERS
from firmware_host.building.sense.findings import Finding, Rule, Strength, findings_of
from firmware_host.building.sense.fixed_lines import FIXED_LINES
from firmware_host.building.sense.fuses import FUSES
from firmware_host.building.sense.hall_sensors import HALL_SENSORS
from firmware_host.building.sense.led_chip_levels import LED_CHIPS
from firmware_host.building.sense.led_matrix import LED_MATRIX
from firmware_host.building.sense.overlay_lines import OVERLAY_LINES
from firmware_host.building.sense.power_rails import POWER_RAILS
from firmware_host.building.sense.reader_links import READER_LINKS
from firmware_host.building.sense.reader_spacing import READER_SPACING
from firmware_host.building.sense.sign_links import SIGN_LINKS
from firmware_host.building.sense.uart_ports import UART_PORTS
from firmware_host.building.sense.usb_devices import USB_DEVICES
from firmware_host.config.profile import Profile

RULES: tuple[Rule, ...] = (
    *EXPANDERS,
    *LED_CHIPS,
    *PULL_UPS,
    *BUS_SPEED,
    *HALL_SENSORS,
    *CONTACTS,
    *FIXED_LINES,
    *OVERLAY_LINES,
    *UART_PORTS,
    *BUTTON_LAMPS,
    *LED_MATRIX,
    *SIGN_LINKS,
    *READER_LINKS,
    *READER_SPACING,
    *BOARD_ROOM,
    *USB_DEVICES,
    *POWER_RAILS,
    *FUSES,
)
"""In the order in which a table is wired."""


def judged(profile: Profile) -> tuple[Finding, ...]:
    """What is electrically wrong at a table, errors first."""
    built = built_of(profile, wiring_plan(profile))
    found = [finding for rule in RULES for finding in findings_of(rule, built)]
    return tuple(sorted(found, key=lambda finding: finding.strength is not Strength.ERROR))
