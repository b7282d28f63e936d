"""Expanders at 5 V on a bus of 3.3 V."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble

MOST_VOLTS = 3.6
"""What a line of a Pi, or a chip beside it, tolerates."""


def _at_5v(built: Built) -> Iterator[Trouble]:
    if built.profile.banks and built.choices.expander_volts > MOST_VOLTS:
        yield Trouble("build.expander-volts", f"the expanders have {built.choices.expander_volts:g} V")


EXPANDERS = (
    Rule(
        name="expander-at-5v",
        strength=Strength.ERROR,
        what="an MCP23017 at 5 V",
        why="the interrupt pin of an MCP23017 drives 5 V into a GPIO line until the table has set it up, "
        "and the chip takes for high "
        "only what is above 4 V (0.8 of its supply), which the bus does not reach",
        right="expander-volts = 3.3",
        rests_on=("expander_volts",),
        look=_at_5v,
    ),
)
