"""How the lamps in the seats' panels burn: what the table wants of a seat, and what became of its slap.

A verdict goes before anything else for its time. What is wrong with a tag on a pad comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.durations import S
from firmware_host.effects import Judged
from firmware_host.places import Pad
from firmware_host.show.lamps import CHASE, CUE_LAMP, DARK, VERDICT_LAMP, Beat, Lamp, Tint
from firmware_host.show.view import View
from firmware_host.table.between import Clear, Scores
from firmware_host.table.phases import Phase
from firmware_host.table.playing import Paused
from firmware_host.table.settling import Settle, Step

CUE_NS = 1 * S
"""How long a seat's panel shows a verdict, or that a tag was refused."""

INVITING = Lamp(Tint.WHITE, Beat.SLOW)
SEATED = Lamp(Tint.WHITE, Beat.STEADY)
AGREED = Lamp(Tint.GREEN, Beat.STEADY)
ASKED = Lamp(Tint.YELLOW, Beat.FAST)
UNJUDGED = Lamp(Tint.MAGENTA, Beat.BLIP)
"""A press whose edge arrived too late to be judged: the table's fault, slap again."""
WINNER = Lamp(Tint.GREEN, Beat.TRIPLE)


def panels(view: View, now_ns: int, on_pads: Mapping[int, Lamp]) -> list[Lamp]:
    """The lamps of all seats; `on_pads` has those that tell of a card on the seat's pad."""
    session, news = view
    plain = _PLAIN_PANEL[session.phase]
    burning = [plain(view, seat) for seat in range(1, session.table.seats + 1)]
    for at, refused in news.refused.items():
        if isinstance(at, Pad) and now_ns < refused.t_ns + CUE_NS:
            burning[at.seat - 1] = CUE_LAMP[refused.cue]
    for seat, lamp in on_pads.items():
        burning[seat - 1] = lamp
    for seat, judged in news.judged.items():
        if now_ns < cue_end_ns(judged):
            cue = judged.cue
            burning[seat - 1] = VERDICT_LAMP[judged.verdict] if cue is None else CUE_LAMP[cue]
    for seat, noticed_ns in news.unjudged.items():
        if now_ns < noticed_ns + CUE_NS:
            burning[seat - 1] = UNJUDGED
    return burning


def cue_end_ns(judged: Judged) -> int:
    """Until when a verdict is shown on its seat's panel; a lock is shown as long as it lasts."""
    if judged.locked_until_ns > judged.decided_ns:
        return judged.locked_until_ns
    return judged.decided_ns + CUE_NS


def _chase_panel(view: View, seat: int) -> Lamp:
    return CHASE[seat]


def _join_panel(view: View, seat: int) -> Lamp:
    return SEATED if seat in view.session.seated else INVITING


def _seated_panel(view: View, seat: int) -> Lamp:
    return SEATED if seat in view.session.seated else DARK


def _play_panel(view: View, seat: int) -> Lamp:
    return DARK


def _paused_panel(view: View, seat: int) -> Lamp:
    session = view.session
    room = session.room
    assert isinstance(room, Paused)
    if seat not in session.seated:
        return DARK
    return SEATED if room.by_operator else INVITING


def _settle_panel(view: View, seat: int) -> Lamp:
    session = view.session
    room = session.room
    assert isinstance(room, Settle)
    if seat not in session.seated or room.step is Step.LATE:
        return DARK
    if seat == room.disputing:
        return ASKED
    if room.step is Step.ENTRY:
        return DARK
    return AGREED if seat in room.agreed else INVITING


def _agreeing_panel(view: View, seat: int) -> Lamp:
    session = view.session
    room = session.room
    assert isinstance(room, Scores | Clear)
    busy_clearing = isinstance(room, Clear) and session.occupied
    if seat not in session.seated or busy_clearing:
        return DARK
    return AGREED if seat in room.agreed else INVITING


def _result_panel(view: View, seat: int) -> Lamp:
    last = view.news.last_match
    return WINNER if last is not None and seat in last.winners else DARK


_PLAIN_PANEL: dict[Phase, Callable[[View, int], Lamp]] = {
    Phase.ATTRACT: _chase_panel,
    Phase.JOIN: _join_panel,
    Phase.COUNTDOWN: _seated_panel,
    Phase.PLAY: _play_panel,
    Phase.PAUSED: _paused_panel,
    Phase.SETTLE: _settle_panel,
    Phase.SCORES: _agreeing_panel,
    Phase.CLEAR: _agreeing_panel,
    Phase.RESULT: _result_panel,
}
