"""When frame, lamps or page change next, if no input comes first.

A frame changes when the beat of a lamp goes on or off. Lamps and page change when a call
or a verdict has been shown long enough, with each number of the countdown, and when texts take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter

from firmware_host.show.call_flash import flash_end_ns
from firmware_host.show.lamps import BEATS, TICK_NS, Lamp
from firmware_host.show.pages import CALL_NS, TURN_NS, WIN_NS
from firmware_host.show.seat_panels import CUE_NS, cue_end_ns
from firmware_host.show.view import View
from firmware_host.states import Phase

_beat: Callable[[Lamp], int] = itemgetter(1)


def beats_of(lamps: Sequence[Lamp]) -> frozenset[int]:
    """The rhythms of these lamps that are not steady."""
    return frozenset(map(_beat, lamps))


def next_beat_ns(beats: frozenset[int], now_ns: int) -> int | None:
    """The first moment after now at which a frame with these rhythms changes; None if all are steady."""
    tick = now_ns // TICK_NS
    ticks = _ticks_to_change(beats, tick % BEATS)
    return None if ticks is None else (tick + ticks) * TICK_NS


@cache
def _ticks_to_change(beats: frozenset[int], at: int) -> int | None:
    """How many eighths of a second from this one the first of the beats goes on or off."""
    for ticks in range(1, BEATS):
        before, after = (1 << (BEATS - 1 - (at + step) % BEATS) for step in (0, ticks))
        if any(bool(beat & before) != bool(beat & after) for beat in beats):
            return ticks
    return None


def next_change_ns(view: View, now_ns: int, turning: bool) -> int | None:
    """The first moment after now at which lamps or page may change; None if never.

    `turning` says whether texts take turns on the page.
    """
    session, news = view
    moments: list[int] = []
    for judged in news.judged.values():
        moments += (cue_end_ns(judged), judged.decided_ns + CALL_NS)
    for noticed_ns in news.unjudged.values():
        moments.append(noticed_ns + CUE_NS)
    for refused in news.refused.values():
        moments += (refused.t_ns + CUE_NS, refused.t_ns + CALL_NS)
    if news.last_win is not None:
        moments.append(news.last_win.decided_ns + WIN_NS)
    flash_ns = flash_end_ns(session)
    if flash_ns is not None:
        moments.append(flash_ns)
    phase = session.phase
    if phase is Phase.PLAY:
        moments.append(session.room.entered_ns + CALL_NS)
    elif phase is Phase.COUNTDOWN:
        entered_ns = session.room.entered_ns
        moments.append(entered_ns + _boundary(now_ns - entered_ns, session.settings.count_ns))
    if turning:
        moments.append(_boundary(now_ns, TURN_NS))
    return min([moment for moment in moments if moment > now_ns], default=None)


def _boundary(now_ns: int, step_ns: int) -> int:
    return (now_ns // step_ns + 1) * step_ns
