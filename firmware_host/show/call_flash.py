"""The flash of all lamps together at the start call and at the stop call.

Everybody sees it without looking at the scoreboard. The rhythm alone says which call it is: one long flash
starts the round, three short ones end it. The symbols of the rows stay as they are, and the panel of a seat
goes on showing its verdict.
"""

from __future__ import annotations

from firmware_host.durations import MS
from firmware_host.show.lamps import Beat, Lamp, Tint
from firmware_host.table.leftover_check import Settle
from firmware_host.table.playing import Play
from firmware_host.table.session import Session

START_FLASH = Lamp(Tint.WHITE, Beat.STEADY)
START_FLASH_NS = 500 * MS
STOP_FLASH = Lamp(Tint.WHITE, Beat.FAST)
STOP_FLASH_NS = 750 * MS


def call_flash(session: Session, now_ns: int) -> Lamp | None:
    """What all lamps show now; None if nothing was called a moment ago."""
    end_ns = flash_end_ns(session)
    if end_ns is None or now_ns >= end_ns:
        return None
    return START_FLASH if isinstance(session.room, Play) else STOP_FLASH


def flash_end_ns(session: Session) -> int | None:
    """When the flash of this phase ends; None if the phase has none."""
    room = session.room
    if isinstance(room, Play):
        return room.entered_ns + START_FLASH_NS
    return room.entered_ns + STOP_FLASH_NS if isinstance(room, Settle) else None
