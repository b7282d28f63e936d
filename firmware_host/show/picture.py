"""Which lamp burns how, for every phase: the session in, all lamps out."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.durations import S
from firmware_host.effects import Judged
from firmware_host.places import ALL_SLOTS, Button, Colour, Slot
from firmware_host.show.lamps import (
    CHASE,
    DARK,
    ROW_TINT,
    VERDICT_LAMP,
    Beat,
    Lamp,
    Tint,
    panel_lamp_index,
    slot_lamp_index,
)
from firmware_host.table.between import Clear, Scores
from firmware_host.table.phases import Phase
from firmware_host.table.playing import Paused
from firmware_host.table.round import DiceRound, SlotState
from firmware_host.table.session import Session
from firmware_host.table.settling import Settle, Step

CUE_NS = 1 * S
"""How long a seat's panel shows a verdict."""

INVITING = Lamp(Tint.WHITE, Beat.SLOW)
SEATED = Lamp(Tint.WHITE, Beat.STEADY)
AGREED = Lamp(Tint.GREEN, Beat.STEADY)
ASKED = Lamp(Tint.YELLOW, Beat.FAST)
MASKED = Lamp(Tint.MAGENTA, Beat.DOUBLE)
"""A button or slot that is not listened to: it chatters or is stuck."""
UNJUDGED = Lamp(Tint.MAGENTA, Beat.BLIP)
"""A press whose edge arrived too late to be judged: the table's fault, slap again."""
WINNER = Lamp(Tint.GREEN, Beat.TRIPLE)
STILL_THERE = Lamp(Tint.WHITE, Beat.SLOW)

_SLOT_LAMPS: tuple[tuple[Lamp, ...], ...] = tuple(
    tuple(
        {
            SlotState.FREE: DARK,
            SlotState.OPEN: Lamp(Tint.WHITE, Beat.FAST),
            SlotState.COUNTED: DARK,
            SlotState.LAPSED: Lamp(Tint.WHITE, Beat.BLIP),
            SlotState.MISSING: Lamp(ROW_TINT[slot.colour], Beat.SLOW),
            SlotState.ILLEGAL: Lamp(Tint.RED, Beat.DOUBLE),
        }[state]
        for state in SlotState
    )
    for slot in ALL_SLOTS
)
_WANTED: tuple[Lamp, ...] = tuple(Lamp(ROW_TINT[slot.colour], Beat.STEADY) for slot in ALL_SLOTS)
_SYMBOLS: tuple[Lamp, ...] = tuple(Lamp(ROW_TINT[colour], Beat.STEADY) for colour in Colour)


def lamps(session: Session, now_ns: int) -> list[Lamp]:
    """Every lamp of the table: the places row by row, the four symbols, the seats' panels."""
    burning = _lamps(session, now_ns)
    for trouble in session.troubles.all:
        if isinstance(trouble.source, Slot):
            burning[slot_lamp_index(trouble.source)] = MASKED
        elif isinstance(trouble.source, Button):
            burning[panel_lamp_index(trouble.source.seat)] = MASKED
    return burning


def _lamps(session: Session, now_ns: int) -> list[Lamp]:
    phase = session.phase
    if phase is Phase.ATTRACT:
        return [*CHASE, *_SYMBOLS, *_panels(session, now_ns)]
    round_ = session.round
    if round_ is not None and phase is not Phase.SCORES:
        slots = _board(round_, wanted=phase is Phase.PLAY)
    else:
        slots = [STILL_THERE if slot in session.occupied else DARK for slot in ALL_SLOTS]
    return [*slots, *_SYMBOLS, *_panels(session, now_ns)]


def _board(round_: DiceRound, wanted: bool) -> list[Lamp]:
    """What lies on the places; while the round runs, also where the next die of each row goes."""
    slots = [lamp_of[state] for lamp_of, state in zip(_SLOT_LAMPS, round_.states, strict=True)]
    if wanted:
        for row, height in enumerate(round_.position.heights):
            index = row * 6 + height
            if height < 6 and round_.states[index] is SlotState.FREE:
                slots[index] = _WANTED[index]
    return slots


def _panels(session: Session, now_ns: int) -> list[Lamp]:
    plain = _PLAIN_PANEL[session.phase]
    judged = session.judged
    if judged:
        panels = [_cue(judged.get(seat), now_ns) or plain(session, seat) for seat in _seats(session)]
    else:
        panels = [plain(session, seat) for seat in _seats(session)]
    for seat, noticed_ns in session.unjudged.items():
        if now_ns < noticed_ns + CUE_NS:
            panels[seat - 1] = UNJUDGED
    return panels


def _seats(session: Session) -> range:
    return range(1, session.table.seats + 1)


def cue_end_ns(judged: Judged) -> int:
    """Until when a verdict is shown on its seat's panel; a lock is shown as long as it lasts."""
    if judged.locked_until_ns > judged.decided_ns:
        return judged.locked_until_ns
    return judged.decided_ns + CUE_NS


def _cue(judged: Judged | None, now_ns: int) -> Lamp | None:
    if judged is None or now_ns >= cue_end_ns(judged):
        return None
    return VERDICT_LAMP[judged.verdict]


def _chase_panel(session: Session, seat: int) -> Lamp:
    return CHASE[seat]


def _join_panel(session: Session, seat: int) -> Lamp:
    return SEATED if seat in session.seated else INVITING


def _seated_panel(session: Session, seat: int) -> Lamp:
    return SEATED if seat in session.seated else DARK


def _play_panel(session: Session, seat: int) -> Lamp:
    return DARK


def _paused_panel(session: Session, seat: int) -> Lamp:
    room = session.room
    assert isinstance(room, Paused)
    if seat not in session.seated:
        return DARK
    return SEATED if room.by_operator else INVITING


def _settle_panel(session: Session, seat: int) -> Lamp:
    room = session.room
    assert isinstance(room, Settle)
    if seat not in session.seated or room.step is Step.LATE:
        return DARK
    if seat == room.disputing:
        return ASKED
    if room.step is Step.ENTRY:
        return DARK
    return AGREED if seat in room.agreed else INVITING


def _agreeing_panel(session: Session, seat: int) -> Lamp:
    room = session.room
    assert isinstance(room, Scores | Clear)
    busy_clearing = isinstance(room, Clear) and session.occupied
    if seat not in session.seated or busy_clearing:
        return DARK
    return AGREED if seat in room.agreed else INVITING


def _result_panel(session: Session, seat: int) -> Lamp:
    last = session.last_match
    return WINNER if last is not None and seat in last.winners else DARK


_PLAIN_PANEL: dict[Phase, Callable[[Session, int], Lamp]] = {
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
