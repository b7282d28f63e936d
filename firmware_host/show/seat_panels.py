"""The lamps in the seats' panels: what the table asks of a seat, and the verdict on its slap.

For a while a verdict is shown before anything else. Next comes the flash of a call, then what is wrong with a
tag on a pad.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.games.leftover_check import Settle
from firmware_host.games.phases import CheckStep
from firmware_host.games.playing import Countdown, Paused, Play
from firmware_host.games.rooms import Clear, Join, Result, Scores
from firmware_host.games.session import Session
from firmware_host.model.effects import Judged
from firmware_host.model.places import Pad
from firmware_host.model.times import MS, S
from firmware_host.show.lamps import CHASE, CUE_LAMP, DARK, VERDICT_LAMP, Beat, Lamp, Tint
from firmware_host.show.news import View

# The flash of all lamps together at the start call and at the stop call.
#
# Everybody sees it without looking at the scoreboard. The rhythm alone says which call it is: one long flash
# starts the round, three short ones end it. The symbols of the rows stay as they are, and the panel of a seat
# goes on showing its verdict.


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


CUE_NS = 1 * S
"""How long a seat's panel shows a verdict, or that a tag was refused."""

INVITING = Lamp(Tint.WHITE, Beat.SLOW)
SEATED = Lamp(Tint.WHITE, Beat.STEADY)
AGREED = Lamp(Tint.GREEN, Beat.STEADY)
ASKED = Lamp(Tint.YELLOW, Beat.FAST)
UNJUDGED = Lamp(Tint.MAGENTA, Beat.BLIP)
"""A press arrived too late to be judged. That is the table's fault: slap again."""
WINNER = Lamp(Tint.GREEN, Beat.TRIPLE)


def panels(view: View, now_ns: int, on_pads: Mapping[int, Lamp]) -> list[Lamp]:
    """The lamps of all seats; `on_pads` has those for the cards on pads."""
    news = view.news
    burning = _plain(view)
    for at, refused in news.refused.items():
        if isinstance(at, Pad) and now_ns < refused.t_ns + CUE_NS:
            burning[at.seat - 1] = CUE_LAMP[refused.cue]
    for seat, lamp in on_pads.items():
        burning[seat - 1] = lamp
    flash = call_flash(view.session, now_ns)
    if flash is not None:
        burning = [flash] * len(burning)
    for seat, judged in news.judged.items():
        if now_ns < cue_end_ns(judged):
            cue = judged.cue
            burning[seat - 1] = VERDICT_LAMP[judged.verdict] if cue is None else CUE_LAMP[cue]
    for seat, noticed_ns in news.unjudged.items():
        if now_ns < noticed_ns + CUE_NS:
            burning[seat - 1] = UNJUDGED
    return burning


def cue_end_ns(judged: Judged) -> int:
    """When a verdict disappears from its seat's panel; a lock is shown as long as it lasts."""
    if judged.locked_until_ns > judged.decided_ns:
        return judged.locked_until_ns
    return judged.decided_ns + CUE_NS


def _plain(view: View) -> list[Lamp]:
    """The lamps for what the table asks of each seat."""
    session, news = view
    seats, seated = range(1, session.table.seats + 1), session.seated
    match session.room:
        case Play():
            return [DARK] * len(seats)
        case Countdown():
            return [SEATED if seat in seated else DARK for seat in seats]
        case Paused() as room:
            waiting = SEATED if room.by_operator else INVITING
            return [waiting if seat in seated else DARK for seat in seats]
        case Settle() as room:
            return [_in_check(room, seat) if seat in seated else DARK for seat in seats]
        case Scores() | Clear() as room:
            clearing = isinstance(room, Clear) and bool(session.occupied)
            asked = set() if clearing else seated
            return [
                (AGREED if seat in room.agreed else INVITING) if seat in asked else DARK for seat in seats
            ]
        case Result():
            won = news.last_match.winners if news.last_match is not None else ()
            return [WINNER if seat in won else DARK for seat in seats]
        case Join():
            return [SEATED if seat in seated else INVITING for seat in seats]
        case _:
            return [CHASE[seat] for seat in seats]


def _in_check(room: Settle, seat: int) -> Lamp:
    """The lamp for what the leftover check asks of a seat that plays."""
    if room.step is CheckStep.LATE:
        return DARK
    if room.step is CheckStep.ASK:
        return INVITING if room.counts[seat - 1] else DARK
    if seat == room.disputing:
        return ASKED
    if room.step is CheckStep.ENTRY:
        return DARK
    return AGREED if seat in room.agreed else INVITING
