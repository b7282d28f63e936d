"""What lamps and scoreboard show for a while, folded from events and effects.

The session holds what the referee must know. The last verdicts, and what was wrong with a tag, only matter
to people: they are kept here, for the lamps and the scoreboard, and change no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from firmware_host.games.leftover_check import Settle
from firmware_host.games.phases import CheckStep
from firmware_host.games.session import Session
from firmware_host.model.effects import (
    WINNING,
    Cue,
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    TagRefused,
    Verdict,
)
from firmware_host.model.events import Event, Pressed, TagEvent, TagSeen, Withdrawn
from firmware_host.model.places import Spot
from firmware_host.model.states import Phase
from firmware_host.model.times import S

WIN_SHOWN_NS = 1 * S
"""How long a second slap for the same card does not replace a win."""

_IN_ROUND = (Phase.PLAY, Phase.PAUSED, Phase.SETTLE)


class News:
    """The last decisions, by seat and by reader."""

    def __init__(self, last_match: MatchEnded | None = None) -> None:
        self.judged: dict[int, Judged] = {}
        """The last verdict of each seat in this round."""
        self.last_win: Judged | None = None
        self.unjudged: dict[int, int] = {}
        """The seats whose press arrived too late to be judged, and when that was noticed."""
        self.refused: dict[Spot, TagRefused] = {}
        """What is wrong at each reader."""
        self.last_round: RoundScored | None = None
        self.last_match = last_match
        self._counts_shown = False

    def on_event(self, event: Event, session: Session, now_ns: int) -> None:
        """Take an event that the session is about to take."""
        if type(event) is Pressed:
            if session.ignores(event, now_ns):
                self.unjudged[event.seat] = now_ns
        elif isinstance(event, TagSeen | Withdrawn):
            refused = self.refused.get(event.at)
            if refused is not None and session.tags.is_news(event) and _ends(refused, event):
                del self.refused[event.at]

    def fold(self, effects: Iterable[Effect]) -> None:
        """Take effects of the session."""
        for effect in effects:
            if isinstance(effect, Judged):
                if effect.verdict is Verdict.REPEATED or self._repeats_win(effect):
                    continue  # the first slap of that hand is what people look for
                self.judged[effect.seat] = effect
                if effect.verdict in WINNING and effect.rival is not None:
                    # It had the die until its owner reclaimed it: somebody was first.
                    lost = replace(effect, verdict=Verdict.TOO_LATE, seat=effect.rival, rival=effect.seat)
                    self.judged[effect.rival] = lost
                if effect.verdict in WINNING:
                    self.last_win = effect
            elif isinstance(effect, TagRefused):
                self.refused[effect.at] = effect
            elif isinstance(effect, PhaseEntered):
                if effect.phase not in _IN_ROUND:
                    self._forget()
            elif isinstance(effect, RoundScored):
                self.last_round = effect
            elif isinstance(effect, MatchEnded):
                self.last_match = effect

    def refresh(self, session: Session) -> None:
        """Forget the verdicts of the round when the leftover counts are shown."""
        state = session.state
        counts_shown = isinstance(state, Settle) and state.step is not CheckStep.LATE
        if counts_shown and not self._counts_shown:
            self._forget()
        self._counts_shown = counts_shown

    def _repeats_win(self, judged: Judged) -> bool:
        """Whether a nervous hand has slapped twice for a card that it has just won: its win stays visible."""
        won = self.judged.get(judged.seat)
        return (
            won is not None
            and won.verdict in WINNING
            and judged.cue is Cue.IN_CENTRE
            and not judged.locked_until_ns
            and judged.decided_ns < won.decided_ns + WIN_SHOWN_NS
        )

    def _forget(self) -> None:
        self.judged.clear()
        self.unjudged.clear()
        self.refused.clear()
        self.last_win = None


def _ends(refused: TagRefused, event: TagEvent) -> bool:
    """Whether what was wrong there is over; it is not if some other tag goes away."""
    return isinstance(event, TagSeen) or refused.tag == event.tag or refused.cue is Cue.TWO_TAGS


class ShowState(NamedTuple):
    """The present state of the table, and the last decisions that are still shown."""

    session: Session
    news: News
