"""Puts what a table does into the messages of the feed, one session at a time.

A message is made once, as bytes, for everybody. What happens while nobody listens is not made into messages:
whoever comes then gets a snapshot.

The state of a table is a JSON object: what somebody who has just come has to know. Only what is there has a
key. So two states can be compared, and a merge patch leads from one to the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host import __version__
from firmware_host.feed.known_state import Backlog, State, merge_patch, names_in
from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import Clear, Scores
from firmware_host.games.phases import COMMANDS
from firmware_host.games.session import Session
from firmware_host.model.effects import (
    WINNING,
    Effect,
    Judged,
    PhaseEntered,
    RoundStarted,
    Verdict,
    effect_record,
)
from firmware_host.model.events import OPERATOR_WORDS
from firmware_host.model.places import ALL_SLOTS, PLACES_PER_ROW, Colour, Slot
from firmware_host.model.states import Condition, DeviceCondition, Phase, SlotState
from firmware_host.referee import Referee, Step
from firmware_host.show.lamps import Lamp
from firmware_host.show.news import News

VERSION = 1
"""The version of the feed; it rises when a reader would have to change."""


def message(kind: str, **fields: Any) -> bytes:
    """One line of the feed."""
    return json.dumps({"is": kind, **fields}, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def hello() -> bytes:
    """The first line that every reader gets."""
    return message("hello", feed=VERSION, program=__version__)


def lamps_text(lamps: list[Lamp]) -> str:
    """Three hexadecimal digits for each lamp: its tint, and its beat."""
    return "".join(f"{lamp.tint:x}{lamp.beat:02x}" for lamp in lamps)


class Teller:
    """Makes the messages of one session; `around` says what its referee does not know."""

    def __init__(self, session: int, referee: Referee, around: Callable[[], Surroundings]) -> None:
        self.session = str(session)
        self._referee = referee
        self._around = around
        self._owners: dict[Slot, int] = {}
        self.backlog: Backlog[bytes] = Backlog()
        """What was told, for readers that come back."""
        self._state: State = {}
        self._lamps: list[Lamp] = []
        self._page: tuple[str, ...] = ()

    # -- for whoever comes

    def snapshot(self, n: int) -> bytes:
        """All that a reader has to know; `n` decisions of the session are in the journal.

        It is what the other readers know. What has changed since is in the next step, for all of them.
        """
        referee = self._referee
        if self.backlog.first is None:
            self.backlog.begin(n)
            self._state = self._state_now()
            self._lamps, self._page = referee.lamps, referee.page
        return message(
            "snapshot",
            session=self.session,
            n=n,
            t_ns=referee.advanced_ns,
            state=self._state,
            lamps=lamps_text(self._lamps),
            page=list(self._page),
        )

    # -- as time goes by

    def forget(self) -> None:
        """Nobody listens: whoever comes next gets a snapshot."""
        self.backlog.end()
        self._state = {}

    def follow(self, effects: Iterable[Effect]) -> None:
        """Note whose dice they are about, which a state does not say by itself.

        Called for each step, whether anybody listens or not, and for all that was decided before a session
        was resumed.
        """
        for effect in effects:
            if isinstance(effect, Judged):
                if isinstance(effect.what, Slot):
                    if effect.verdict in WINNING:
                        self._owners[effect.what] = effect.seat
                    elif effect.verdict is Verdict.TAKEN_BACK:
                        self._owners.pop(effect.what, None)
            elif (isinstance(effect, RoundStarted) and not effect.again) or (
                isinstance(effect, PhaseEntered) and effect.phase is Phase.CLEAR
            ):
                self._owners.clear()

    def step(self, step: Step, n: int) -> bytes | None:
        """A step as a message; None if only the rhythm of a lamp went on."""
        referee = self._referee
        relit = referee.lamps is not self._lamps
        if not step.effects and step.page is None and not relit:
            return None
        return self._changed(step.t_ns, n, step.effects)

    def look_again(self, n: int) -> bytes | None:
        """A step without decisions, if anything around the referee has changed; None if nothing has."""
        if self._state_now() == self._state:
            return None
        return self._changed(self._referee.advanced_ns, n, ())

    def _changed(self, t_ns: int, n: int, effects: tuple[Effect, ...]) -> bytes:
        referee = self._referee
        state = self._state_now()
        if names_in(self._state) - names_in(state):  # they are in earlier steps, and may have been deleted
            self.backlog.begin(n)
        patch, self._state = merge_patch(self._state, state), state
        fields: dict[str, Any] = {"session": self.session, "n": n, "t_ns": t_ns}
        if effects:
            fields["effects"] = [effect_record(effect) for effect in effects]
        if patch:
            fields["state"] = patch
        if referee.lamps is not self._lamps:
            self._lamps = referee.lamps
            fields["lamps"] = lamps_text(self._lamps)
        if referee.page != self._page:
            self._page = referee.page
            fields["page"] = list(self._page)
        line = message("step", **fields)
        self.backlog.add(n, bool(effects), line)
        return line

    def _state_now(self) -> State:
        return table_state(self._referee, self._around(), self._owners)


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
    phase_state = session.state
    state: State = {
        "phase": around.away or session.phase.value,
        "commands": [] if around.away else possible_commands(session.phase),
        "entered_ns": phase_state.entered_ns,
        "table": _table(session, around),
        "seats": _seats(session, referee.news, around.names or {}),
    }
    if phase_state.deadline_ns is not None:
        state["deadline_ns"] = phase_state.deadline_ns
    if isinstance(phase_state, Settle):
        state["check"] = _check(phase_state)
    state |= _match(session) | _centre(session, owners)
    news = referee.news
    state["last"] = {str(seat): effect_record(judged) for seat, judged in news.judged.items()}
    if news.last_round is not None:
        state["scored"] = effect_record(news.last_round)
    if news.last_match is not None:
        state["result"] = effect_record(news.last_match)
    state["devices"] = {
        each.name: {"condition": each.condition.value, "seen": each.seen, "advice": each.advice}
        for each in (around.devices or {}).values()
        if each.condition is not Condition.OK
    }
    state["masked"] = {trouble.name: trouble.reason.value for trouble in session.troubles.masked}
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
    match, round_, phase_state = session.match, session.round, session.state
    agreed = phase_state.agreed if isinstance(phase_state, Settle | Scores | Clear) else frozenset()
    totals = match.totals if match is not None else ()
    owed, tally = (round_.owed, round_.tally) if round_ is not None else ((), ())
    seats: State = {}
    for seat in range(1, session.table.seats + 1):
        entry: State = {"open": seat not in session.table.closed, "seated": seat in session.seated}
        if seat in names:
            entry["name"] = names[seat]
        if match is not None:
            entry |= {"dealt": match.deal[seat - 1], "total": totals[seat - 1]}
        if round_ is not None:
            entry |= {"left": owed[seat - 1], "tally": tally[seat - 1]}
        if seat in agreed:
            entry["agreed"] = True
        judged = news.judged.get(seat)
        if judged is not None and judged.locked_until_ns:
            entry["locked_until_ns"] = judged.locked_until_ns
        seats[str(seat)] = entry
    return seats


def _check(phase_state: Settle) -> State:
    check: State = {"step": phase_state.step.name.lower(), "counts": list(phase_state.counts)}
    if phase_state.disputing:
        check |= {"disputing": phase_state.disputing, "entered": phase_state.entered}
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
        board: State = {}
        for slot, state in zip(ALL_SLOTS, round_.states, strict=True):
            if state is not SlotState.FREE:
                owner = {"seat": owners[slot]} if slot in owners else {}
                board[str(slot)] = {"state": state.word} | owner
        centre: State = {"board": board}
        heights = zip(Colour, round_.records.heights, strict=True)
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
