"""How each lamp burns in every phase: the session goes in, all lamps come out."""

from __future__ import annotations

from firmware_host.places import ALL_SLOTS, Colour, Pile, Slot
from firmware_host.show.call_flash import call_flash
from firmware_host.show.centre import Piles, centre_at_rest, centre_in_play
from firmware_host.show.lamps import (
    CHASE,
    CUE_LAMP,
    DARK,
    LAMPS_A_PILE,
    ROW_TINT,
    Beat,
    Lamp,
    Tint,
    panel_lamp_index,
    pile_chase,
    pile_lamp_index,
    slot_lamp_index,
)
from firmware_host.show.news import News
from firmware_host.show.pads import on_pads
from firmware_host.show.seat_panels import CUE_NS, panels
from firmware_host.show.view import View
from firmware_host.states import Phase, SlotState
from firmware_host.table.card_round import CardRound
from firmware_host.table.dice_round import DiceRound

MASKED = Lamp(Tint.MAGENTA, Beat.DOUBLE)
"""A button or slot that is masked: it chatters or is stuck."""
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
_NOTHING: dict[int, Lamp] = {}


def lamps(view: View, now_ns: int) -> list[Lamp]:
    """Every lamp of the table: those in the middle, then the seats' panels.

    In the middle of a table of dice are the places row by row and the four symbols. On a table of cards each
    pile has a head and ten numbers there.
    """
    session = view.session
    piles = session.table.piles
    burning = _card_lamps(view, now_ns, piles) if piles else _dice_lamps(view, now_ns)
    flash = call_flash(session, now_ns)
    if flash is not None:
        places = piles * LAMPS_A_PILE if piles else len(ALL_SLOTS)
        burning[:places] = [flash] * places
    for trouble in session.troubles.masked:
        if isinstance(trouble.source, Slot):
            burning[slot_lamp_index(trouble.source)] = MASKED
        else:
            burning[panel_lamp_index(trouble.source.seat, piles)] = MASKED
    return burning


def _dice_lamps(view: View, now_ns: int) -> list[Lamp]:
    session = view.session
    phase, round_ = session.phase, session.round
    if phase is Phase.ATTRACT:
        slots = list(CHASE)
    elif isinstance(round_, DiceRound) and phase is not Phase.SCORES:
        slots = _board(round_, wanted=phase is Phase.PLAY)
    else:
        slots = [STILL_THERE if slot in session.occupied else DARK for slot in ALL_SLOTS]
    return [*slots, *_SYMBOLS, *panels(view, now_ns, _NOTHING)]


def _board(round_: DiceRound, wanted: bool) -> list[Lamp]:
    """The lamps of the places. While the round runs, they also show where the next die of each row goes."""
    states = round_.board.states
    slots = [lamp_of[state] for lamp_of, state in zip(_SLOT_LAMPS, states, strict=True)]
    if wanted:
        for row, height in enumerate(round_.position.heights):
            index = row * 6 + height
            if height < 6 and states[index] is SlotState.FREE:
                slots[index] = _WANTED[index]
    return slots


def _card_lamps(view: View, now_ns: int, piles: int) -> list[Lamp]:
    session = view.session
    phase, round_ = session.phase, session.round
    if phase is Phase.ATTRACT:
        return [*pile_chase(piles), *panels(view, now_ns, _NOTHING)]
    standing = round_.position.piles if isinstance(round_, CardRound) else ()
    if view.news.refused:
        return _with_cues(_centre(view, now_ns, standing, piles), view.news, now_ns)
    return _centre(view, now_ns, standing, piles)


def _with_cues(burning: list[Lamp], news: News, now_ns: int) -> list[Lamp]:
    """The lamps with a cue at the head of each pile whose reader has a wrong card."""
    for at, refused in news.refused.items():
        if isinstance(at, Pile) and now_ns < refused.t_ns + CUE_NS:
            burning[pile_lamp_index(at.number, 0)] = CUE_LAMP[refused.cue]
    return burning


def _centre(view: View, now_ns: int, standing: Piles, piles: int) -> list[Lamp]:
    session = view.session
    phase, round_ = session.phase, session.round
    if phase is Phase.PLAY and isinstance(round_, CardRound):
        shown = on_pads(session, round_)
        return centre_in_play(standing, piles, shown.awaited) + panels(view, now_ns, shown.panels)
    return centre_at_rest(standing, piles) + panels(view, now_ns, _NOTHING)
