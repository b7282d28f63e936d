"""Puts a table together: the only place that names concrete drivers.

Simulated tables end at the contacts, scripted ones at the edges. Those of `chips` and `real`
have every device of the profile with its driver: simulated to the register, or real.
"""

from firmware_host.runtime.assembly.chips import ChipTable, chip_table
from firmware_host.runtime.assembly.installation import needed_devices
from firmware_host.runtime.assembly.profiles import load_profile
from firmware_host.runtime.assembly.simulated import (
    Faults,
    LiveTable,
    Scripted,
    Simulated,
    live_table,
    scripted_table,
    simulated_table,
)
from firmware_host.runtime.assembly.tables import settings_for, simulated_registry, table_of

__all__ = [
    "ChipTable",
    "Faults",
    "LiveTable",
    "Scripted",
    "Simulated",
    "chip_table",
    "live_table",
    "load_profile",
    "needed_devices",
    "scripted_table",
    "settings_for",
    "simulated_registry",
    "simulated_table",
    "table_of",
]
