"""How each lamp burns in every phase: the session goes in, all lamps come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.cards.cards import CardPile
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import Clear, Countdown, Join, Paused, Play, Result, Scores
from firmware_host.games.phases import CheckStep
from firmware_host.games.session import Session
from firmware_host.model.effects import Judged
from firmware_host.model.places import ALL_SLOTS, CARD_NUMBERS, Colour, Pad, Pile, Slot
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S
from firmware_host.show.lamps import (
    BEATS,
    CHASE,
    CUE_LAMP,
    DARK,
    LAMPS_A_PILE,
    ROW_TINT,
    TICK_NS,
    VERDICT_LAMP,
    Beat,
    Lamp,
    Tint,
    panel_lamp_index,
    pile_chase,
    pile_lamp_index,
    slot_lamp_index,
)
from firmware_host.show.news import ShowState
from firmware_host.show.pages import CALL_NS, TURN_NS, WIN_NS

FITS = Lamp(Tint.WHITE, Beat.STEADY)
"""The card on the pad fits onto a pile: a slap plays it."""
FITS_NOWHERE = Lamp(Tint.WHITE, Beat.SLOW)
"""The card on the pad was read, and fits onto no pile now."""


class OnPads(NamedTuple):
    """The panel lamps of the seats with something on their pads, and the colours that fit each place."""

    panels: dict[int, Lamp]
    awaited: dict[int, set[Colour]]


def on_pads(session: Session, round_: CardRound) -> OnPads:
    """What is on the pads of the seats that play, and where it fits."""
    panels: dict[int, Lamp] = {}
    awaited: dict[int, set[Colour]] = {}
    for seat in session.seated:
        if not session.tags.lying(Pad(seat)):
            continue
        card, cue, place = round_.on_pad(seat)
        if cue is not None:
            panels[seat] = CUE_LAMP[cue]
        elif place is None:
            panels[seat] = FITS_NOWHERE
        else:
            assert card is not None
            panels[seat] = FITS
            awaited.setdefault(place, set()).add(card.colour)
    return OnPads(panels, awaited)


# The lamps of the piles on a table of cards.
#
# A pile shows its colour at its head, and its height as a number of steady lights. While a round runs, the
# light for the next number blinks: slowly, or quickly when a card for it lies on a seat's pad, so everybody
# sees where the race is. With a one on a pad, the place that it would open flickers. A light for a number
# may have any single colour, so all this is shown by rhythm.
#
# A pile can only look a few different ways. All of them are made beforehand, and a centre is put together
# from them.


PileLamps = tuple[Lamp, ...]

FREE: PileLamps = (DARK,) * LAMPS_A_PILE


def _standing(colour: Colour, height: int, following: Beat) -> PileLamps:
    """The lamps of a pile of that height; `following` is the light for the next number."""
    tint = ROW_TINT[colour]
    here = Lamp(tint, Beat.WINK if height == CARD_NUMBERS else Beat.STEADY)
    burning = [Lamp(tint, Beat.STEADY), *[here] * height]
    if following is not Beat.DARK and height < CARD_NUMBERS:
        burning.append(Lamp(tint, following))
    return (*burning, *FREE[len(burning) :])


def _by_height(following: Beat) -> tuple[tuple[PileLamps, ...], ...]:
    heights = range(CARD_NUMBERS + 1)
    return tuple(tuple(_standing(colour, height, following) for height in heights) for colour in Colour)


def _opening(tint: Tint) -> PileLamps:
    """The lamps of a free place that a one is about to open."""
    return (Lamp(tint, Beat.FAST), Lamp(tint, Beat.FAST), *FREE[2:])


_AT_REST = _by_height(Beat.DARK)
_WANTING = _by_height(Beat.SLOW)
_AWAITING = _by_height(Beat.FAST)
_OPENING = tuple(_opening(ROW_TINT[colour]) for colour in Colour)
_OPENING_ANY = _opening(Tint.WHITE)
Piles = Sequence[CardPile | None]


def centre_in_play(piles: Piles, places: int, awaited: Mapping[int, set[Colour]]) -> list[Lamp]:
    """The lamps of all places while a round runs.

    `awaited` has the places that cards on pads fit onto now, and the colours of those cards.
    """
    standing = [FREE if pile is None else _WANTING[pile[0]][len(pile[1])] for pile in piles]
    standing += [FREE] * (places - len(standing))
    for place, colours in awaited.items():
        pile = piles[place - 1] if place <= len(piles) else None
        if pile is not None:
            standing[place - 1] = _AWAITING[pile.colour][pile.height]
        else:
            standing[place - 1] = _OPENING[min(colours)] if len(colours) == 1 else _OPENING_ANY
    return _joined(standing, places)


def _joined(standing: list[PileLamps], places: int) -> list[Lamp]:
    return [*chain.from_iterable(standing), *FREE * (places - len(standing))]


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


def lamps(view: ShowState, now_ns: int) -> list[Lamp]:
    """Every lamp of the table: those in the middle, then the seats' panels.

    In the middle of a table of dice are the places row by row and the four symbols. On a table of cards each
    pile has a head and ten numbers there.
    """
    session = view.session
    piles = session.table.piles
    burning = _card_lamps(view, now_ns, piles) if piles else _dice_lamps(view, now_ns)
    flash = call_flash(session)
    if flash is not None and now_ns < flash.end_ns:
        places = piles * LAMPS_A_PILE if piles else len(ALL_SLOTS)
        burning[:places] = [flash.lamp] * places
    for trouble in session.troubles.masked:
        if isinstance(trouble.source, Slot):
            burning[slot_lamp_index(trouble.source)] = MASKED
        else:
            burning[panel_lamp_index(trouble.source.seat, piles)] = MASKED
    return burning


def _dice_lamps(view: ShowState, now_ns: int) -> list[Lamp]:
    session = view.session
    phase, round_ = session.phase, session.round
    if phase is Phase.ATTRACT:
        slots = list(CHASE)
    elif isinstance(round_, DiceRound) and phase is not Phase.SCORES:
        states = round_.states
        slots = [lamp_of[state] for lamp_of, state in zip(_SLOT_LAMPS, states, strict=True)]
        if phase is Phase.PLAY:  # they also show where the next die of each row goes
            for row, height in enumerate(round_.records.heights):
                index = row * 6 + height
                if height < 6 and states[index] is SlotState.FREE:
                    slots[index] = _WANTED[index]
    else:
        slots = [STILL_THERE if slot in session.occupied else DARK for slot in ALL_SLOTS]
    return [*slots, *_SYMBOLS, *panels(view, now_ns, _NOTHING)]


def _card_lamps(view: ShowState, now_ns: int, piles: int) -> list[Lamp]:
    session = view.session
    phase, round_ = session.phase, session.round
    if phase is Phase.ATTRACT:
        return [*pile_chase(piles), *panels(view, now_ns, _NOTHING)]
    standing = round_.position.piles if isinstance(round_, CardRound) else ()
    burning = _centre(view, now_ns, standing, piles)
    for at, refused in view.news.refused.items():  # a wrong card shows at the head of its pile
        if isinstance(at, Pile) and now_ns < refused.t_ns + CUE_NS:
            burning[pile_lamp_index(at.number, 0)] = CUE_LAMP[refused.cue]
    return burning


def _centre(view: ShowState, now_ns: int, standing: Piles, piles: int) -> list[Lamp]:
    session = view.session
    phase, round_ = session.phase, session.round
    if phase is Phase.PLAY and isinstance(round_, CardRound):
        shown = on_pads(session, round_)
        return centre_in_play(standing, piles, shown.awaited) + panels(view, now_ns, shown.panels)
    resting = [FREE if pile is None else _AT_REST[pile[0]][len(pile[1])] for pile in standing]
    return _joined(resting, piles) + panels(view, now_ns, _NOTHING)


# When frame, lamps or page change next, if no input comes first.
#
# A frame changes when the beat of a lamp goes on or off. Lamps and page change when a call
# or a verdict has been shown long enough, with each number of the countdown, and when texts take turns.


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


def next_change_ns(view: ShowState, now_ns: int, turning: bool) -> int | None:
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
    flash = call_flash(session)
    if flash is not None:
        moments.append(flash.end_ns)
    phase = session.phase
    if phase is Phase.PLAY:
        moments.append(session.state.entered_ns + CALL_NS)
    elif phase is Phase.COUNTDOWN:
        entered_ns = session.state.entered_ns
        moments.append(entered_ns + _boundary(now_ns - entered_ns, session.settings.count_ns))
    if turning:
        moments.append(_boundary(now_ns, TURN_NS))
    return min([moment for moment in moments if moment > now_ns], default=None)


def _boundary(now_ns: int, step_ns: int) -> int:
    return (now_ns // step_ns + 1) * step_ns


# The lamps in the seats' panels: what the table asks of a seat, and the verdict on its slap.
#
# For a while a verdict is shown before anything else. Next comes the flash of a call, then what is wrong with
# a tag on a pad.
#
# All lamps flash together at the start call and at the stop call. Everybody sees it without looking at the
# scoreboard. The rhythm alone says which call it is: one long flash starts the round, three short ones end
# it. The symbols of the rows stay as they are, and the panel of a seat goes on showing its verdict.


START_FLASH = Lamp(Tint.WHITE, Beat.STEADY)
START_FLASH_NS = 500 * MS
STOP_FLASH = Lamp(Tint.WHITE, Beat.FAST)
STOP_FLASH_NS = 750 * MS


class Flash(NamedTuple):
    """What all lamps show after a call, and until when."""

    lamp: Lamp
    end_ns: int


def call_flash(session: Session) -> Flash | None:
    """The flash with which this phase begins; None if it has none."""
    state = session.state
    if isinstance(state, Play):
        return Flash(START_FLASH, state.entered_ns + START_FLASH_NS)
    return Flash(STOP_FLASH, state.entered_ns + STOP_FLASH_NS) if isinstance(state, Settle) else None


CUE_NS = 1 * S
"""How long a seat's panel shows a verdict, or that a tag was refused."""
INVITING = Lamp(Tint.WHITE, Beat.SLOW)
SEATED = Lamp(Tint.WHITE, Beat.STEADY)
AGREED = Lamp(Tint.GREEN, Beat.STEADY)
ASKED = Lamp(Tint.YELLOW, Beat.FAST)
UNJUDGED = Lamp(Tint.MAGENTA, Beat.BLIP)
"""A press arrived too late to be judged. That is the table's fault: slap again."""
WINNER = Lamp(Tint.GREEN, Beat.TRIPLE)


def panels(view: ShowState, now_ns: int, on_pads: Mapping[int, Lamp]) -> list[Lamp]:
    """The lamps of all seats; `on_pads` has those for the cards on pads."""
    news = view.news
    burning = _plain(view)
    for at, refused in news.refused.items():
        if isinstance(at, Pad) and now_ns < refused.t_ns + CUE_NS:
            burning[at.seat - 1] = CUE_LAMP[refused.cue]
    for seat, lamp in on_pads.items():
        burning[seat - 1] = lamp
    flash = call_flash(view.session)
    if flash is not None and now_ns < flash.end_ns:
        burning = [flash.lamp] * len(burning)
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


def _plain(view: ShowState) -> list[Lamp]:
    """The lamps for what the table asks of each seat."""
    session, news = view
    seats, seated = range(1, session.table.seats + 1), session.seated
    match session.state:
        case Play():
            return [DARK] * len(seats)
        case Countdown():
            return [SEATED if seat in seated else DARK for seat in seats]
        case Paused() as state:
            waiting = SEATED if state.by_operator else INVITING
            return [waiting if seat in seated else DARK for seat in seats]
        case Settle() as state:
            return [_in_check(state, seat) if seat in seated else DARK for seat in seats]
        case Scores() | Clear() as state:
            clearing = isinstance(state, Clear) and bool(session.occupied)
            asked = set() if clearing else seated
            return [
                (AGREED if seat in state.agreed else INVITING) if seat in asked else DARK for seat in seats
            ]
        case Result():
            won = news.last_match.winners if news.last_match is not None else ()
            return [WINNER if seat in won else DARK for seat in seats]
        case Join():
            return [SEATED if seat in seated else INVITING for seat in seats]
        case _:
            return [CHASE[seat] for seat in seats]


def _in_check(state: Settle, seat: int) -> Lamp:
    """The lamp for what the leftover check asks of a seat that plays."""
    if state.step is CheckStep.LATE:
        return DARK
    if state.step is CheckStep.ASK:
        return INVITING if state.counts[seat - 1] else DARK
    if seat == state.disputing:
        return ASKED
    if state.step is CheckStep.ENTRY:
        return DARK
    return AGREED if seat in state.agreed else INVITING
