"""When the show looks different next, if nothing happens before.

A frame changes when some lamp's beat goes on or off. Lamps and page change when a call
or a verdict has stood long enough, and with each number of the countdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from firmware_host.show.lamps import BEATS, TICK_NS, Lamp
from firmware_host.show.pages import CALL_NS, TURN_NS, WIN_NS
from firmware_host.show.picture import CUE_NS, cue_end_ns
from firmware_host.table.phases import Phase
from firmware_host.table.session import Session


def next_beat_ns(lamps: Sequence[Lamp], now_ns: int) -> int | None:
    """The first moment after now at which the frame of these lamps differs; None if all are calm."""
    tick = now_ns // TICK_NS
    ticks = _ticks_to_change(frozenset([beat for _, beat in lamps]), tick % BEATS)
    return None if ticks is None else (tick + ticks) * TICK_NS


@cache
def _ticks_to_change(beats: frozenset[int], at: int) -> int | None:
    """How many eighths from this one any of the beats goes on or off."""
    for ticks in range(1, BEATS):
        before, after = (1 << (BEATS - 1 - (at + step) % BEATS) for step in (0, ticks))
        if any(bool(beat & before) != bool(beat & after) for beat in beats):
            return ticks
    return None


def next_change_ns(session: Session, now_ns: int) -> int | None:
    """The first moment after now at which lamps or page may differ; None if never."""
    moments: list[int] = []
    for judged in session.judged.values():
        moments += (cue_end_ns(judged), judged.decided_ns + CALL_NS)
    moments += [noticed_ns + CUE_NS for noticed_ns in session.unjudged.values()]
    if session.last_win is not None:
        moments.append(session.last_win.decided_ns + WIN_NS)
    phase = session.phase
    if phase is Phase.PLAY:
        moments.append(session.room.entered_ns + CALL_NS)
    elif phase is Phase.COUNTDOWN:
        entered_ns = session.room.entered_ns
        moments.append(entered_ns + _boundary(now_ns - entered_ns, session.settings.count_ns))
    elif phase is Phase.ATTRACT and (session.last_match is not None or session.troubles.all):
        moments.append(_boundary(now_ns, TURN_NS))
    return min((moment for moment in moments if moment > now_ns), default=None)


def _boundary(now_ns: int, step_ns: int) -> int:
    return (now_ns // step_ns + 1) * step_ns
