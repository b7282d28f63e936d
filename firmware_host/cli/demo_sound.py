"""Sound for a demo: the same as at a table, on the card of this computer."""

from __future__ import annotations

from queue import Empty, SimpleQueue

import click

from firmware_host.runtime.assembly.speakers import card_soundboard
from firmware_host.runtime.soundboard import Soundboard
from hw.ports import Condition, Health

USUAL_CARD = "default"
"""What ALSA plays on if nobody names a card, also where PipeWire or PulseAudio is behind it."""
FAILS_WITHIN_S = 0.5
"""A card that can't be opened is reported sooner than this."""


def demo_soundboard(card: str, seats: int) -> Soundboard | None:
    """The sounds of a demo on a card; if it can't play that is printed, and the demo goes on."""
    reports: SimpleQueue[Health] = SimpleQueue()
    soundboard = card_soundboard(card, seats, reports.put)
    if soundboard is None:
        click.echo("no sound: there is no card that plays; the demo goes on without", err=True)
        return None
    try:
        health = reports.get(timeout=FAILS_WITHIN_S)
    except Empty:
        return soundboard
    if health.condition is not Condition.OK:
        click.echo(f"no sound: {health.seen} ({health.advice}); the demo goes on without", err=True)
    return soundboard
