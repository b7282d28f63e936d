"""The state of a table as a JSON object: what somebody who has just come has to know.

Only what is there has a key. So two states can be compared, and a merge patch leads from one to the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.feed.state_patch import State
from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phases import COMMANDS
from firmware_host.games.rooms import Clear, Scores
from firmware_host.games.session import Session
from firmware_host.model.effect_text import effect_record
from firmware_host.model.event_text import OPERATOR_WORDS
from firmware_host.model.places import ALL_SLOTS, PLACES_PER_ROW, Colour, Slot
from firmware_host.model.states import Condition, DeviceCondition, Phase, SlotState
from firmware_host.referee import Referee
from firmware_host.show.news import News

LYING = "lying"
"""Something lies on a place while no round judges it."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the world is told of a table that its referee does not know."""

    event: str = ""
    """The event that the table is at, from table.toml."""
    simulated: bool = False
    names: Mapping[int, str] | None = None
    """The players by seat."""
    names_hidden: bool = False
    """Whether somebody has decided that names are not told; so nobody wonders where they are."""
    players_changed: int = 0
    """How often a player was renamed, merged or deleted: whoever keeps names has to forget them then."""
    devices: Mapping[str, DeviceCondition] | None = None
    """The condition of each device that has reported one."""
    away: str = ""
    """Why the game stands still meanwhile: in service mode, or the table is just coming back."""


def table_state(referee: Referee, around: Surroundings, owners: Mapping[Slot, int]) -> State:
    """The whole state; `owners` says which seat has claimed the die on a place."""
    session = referee.session
    room = session.room
    state: State = {
        "phase": around.away or session.phase.value,
        "commands": [] if around.away else possible_commands(session.phase),
        "entered_ns": room.entered_ns,
        "table": _table(session, around),
        "seats": _seats(session, referee.news, around.names or {}),
    }
    if room.deadline_ns is not None:
        state["deadline_ns"] = room.deadline_ns
    if isinstance(room, Settle):
        state["check"] = _check(room)
    state |= _match(session) | _centre(session, owners) | _news(referee.news) | _troubles(session, around)
    if session.interrupted is not None:
        state["waiting"] = session.interrupted.value
    return state


def possible_commands(phase: Phase) -> list[str]:
    """The words of the commands that an operator may give in that phase."""
    return [word for word, kind in OPERATOR_WORDS.items() if kind in COMMANDS[phase]]


def _table(session: Session, around: Surroundings) -> State:
    table = session.table
    names: State = {"names_hidden": True} if around.names_hidden else {}
    if around.players_changed:
        names["players_changed"] = around.players_changed
    return names | {
        "game": table.game.name,
        "seats": table.seats,
        "piles": table.piles,
        "language": session.settings.language,
        "owned_by_tag": table.owned_by_tag,
        "pads": table.pads,
        "identified": table.identified,
        "expert": table.expert,
        "event": around.event,
        "simulated": around.simulated,
    }


def _seats(session: Session, news: News, names: Mapping[int, str]) -> State:
    match, round_, room = session.match, session.round, session.room
    agreed = room.agreed if isinstance(room, Settle | Scores | Clear) else frozenset()
    seats: State = {}
    for seat in range(1, session.table.seats + 1):
        entry: State = {"open": seat not in session.table.closed, "seated": seat in session.seated}
        if seat in names:
            entry["name"] = names[seat]
        if match is not None:
            entry |= {"dealt": match.deal[seat - 1], "total": match.totals[seat - 1]}
        if round_ is not None:
            entry |= {"left": round_.owed[seat - 1], "tally": round_.tally[seat - 1]}
        if seat in agreed:
            entry["agreed"] = True
        judged = news.judged.get(seat)
        if judged is not None and judged.locked_until_ns:
            entry["locked_until_ns"] = judged.locked_until_ns
        seats[str(seat)] = entry
    return seats


def _check(room: Settle) -> State:
    check: State = {"step": room.step.name.lower(), "counts": list(room.counts)}
    if room.disputing:
        check |= {"disputing": room.disputing, "entered": room.entered}
    return check


def _match(session: Session) -> State:
    match, round_ = session.match, session.round
    if match is None:
        return {}
    number = len(match.scores) if session.phase is Phase.SCORES else match.round_number
    round_state: State = {"number": number, "running": session.phase is Phase.PLAY}
    if round_ is not None and round_.started_ns is not None:
        round_state["started_ns"] = round_.started_ns
    return {
        "match": {"begun_ns": session.match_begun_ns, "rounds": match.rounds},
        "round": round_state,
        "history": [list(scores) for scores in match.scores],
    }


def _centre(session: Session, owners: Mapping[Slot, int]) -> State:
    round_ = session.round
    if isinstance(round_, DiceRound):
        states = {
            slot: state.word
            for slot, state in zip(ALL_SLOTS, round_.board.states, strict=True)
            if state is not SlotState.FREE
        }
        centre: State = {"board": {str(slot): _place(slot, word, owners) for slot, word in states.items()}}
        heights = zip(Colour, round_.position.heights, strict=True)
        if session.phase is Phase.PLAY:
            centre["wanted"] = {row.word: height + 1 for row, height in heights if height < PLACES_PER_ROW}
        return centre
    if isinstance(round_, CardRound):
        piles = enumerate(round_.position.piles, start=1)
        return {
            "piles": {
                str(number): {"colour": pile.colour.word, "height": pile.height, "owners": list(pile.owners)}
                for number, pile in piles
                if pile is not None
            }
        }
    return {"board": {str(slot): {"state": LYING} for slot in sorted(session.occupied)}}


def _place(slot: Slot, word: str, owners: Mapping[Slot, int]) -> State:
    return {"state": word, "seat": owners[slot]} if slot in owners else {"state": word}


def _news(news: News) -> State:
    state: State = {"last": {str(seat): effect_record(judged) for seat, judged in news.judged.items()}}
    if news.last_round is not None:
        state["scored"] = effect_record(news.last_round)
    if news.last_match is not None:
        state["result"] = effect_record(news.last_match)
    return state


def _troubles(session: Session, around: Surroundings) -> State:
    lost = {
        each.name: {"condition": each.condition.value, "seen": each.seen, "advice": each.advice}
        for each in (around.devices or {}).values()
        if each.condition is not Condition.OK
    }
    masked = {trouble.name: trouble.reason.value for trouble in session.troubles.masked}
    return {"devices": lost, "masked": masked}
