"""The phrases for counters, colours of lamps and conditions of devices."""

from __future__ import annotations

from firmware_host.places import Colour
from firmware_host.show.lamps import ROW_TINT, Tint
from firmware_host.states import Condition
from firmware_host.texts import Phrase

AUDIT_NAMES = {
    "matches": Phrase.MATCHES,
    "rounds": Phrase.ROUNDS,
    "void rounds": Phrase.VOID_ROUNDS,
    "dead heats": Phrase.DEAD_HEATS,
    "false claims": Phrase.FALSE_CLAIMS,
    "lost edges": Phrase.LOST_EDGES,
    "late signals": Phrase.LATE_SIGNALS,
    "faults": Phrase.FAULTS,
    "restarts": Phrase.RESTARTS,
    "unused buttons": Phrase.UNUSED_BUTTONS,
}
"""The phrases of counters by their labels; other counters are shown by their labels."""

TINT_NAMES: dict[Tint, Phrase | Colour] = {
    **{ROW_TINT[colour]: colour for colour in Colour},
    Tint.CYAN: Phrase.CYAN,
    Tint.MAGENTA: Phrase.MAGENTA,
    Tint.WHITE: Phrase.WHITE,
}

CONDITION_NAMES = {Condition.DEGRADED: Phrase.DEVICE_DEGRADED, Condition.LOST: Phrase.DEVICE_LOST}
"""The phrases for the conditions other than `ok`."""
