"""Puts what a table does into the messages of the feed, one session at a time.

A message is made once, as bytes, for everybody. What happens while nobody listens is not made into messages:
whoever comes then gets a snapshot.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from firmware_host import __version__
from firmware_host.feed.state_patch import State, merge_patch, names_in
from firmware_host.feed.table_state import Surroundings, table_state
from firmware_host.model.effect_text import effect_record
from firmware_host.model.effects import WINNING, Effect, Judged, PhaseEntered, RoundStarted, Verdict
from firmware_host.model.places import Slot
from firmware_host.model.states import Phase
from firmware_host.referee import Referee, Step
from firmware_host.show.lamps import Lamp

VERSION = 1
"""The version of the feed; it rises when a reader would have to change."""
KEPT = 500
"""So many steps with decisions are kept for readers that come back."""


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
        self._kept: deque[tuple[int, bool, bytes]] = deque(maxlen=KEPT)
        """Steps with their numbers, and whether they have decisions."""
        self._first: int | None = None
        """Whoever knows all up to this number, or a later one, can be told what is missing.

        Not with the number of a snapshot: what is in it without a decision has no number of its own. None
        while no state was told.
        """
        self._state: State = {}
        self._lamps: list[Lamp] = []
        self._page: tuple[str, ...] = ()

    # -- for whoever comes

    def snapshot(self, n: int) -> bytes:
        """All that a reader has to know; `n` decisions of the session are in the journal.

        It is what the other readers know. What has changed since is in the next step, for all of them.
        """
        referee = self._referee
        if self._first is None:
            self._first, self._state = n + 1, self._state_now()
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

    def since(self, n: int, last: int) -> list[bytes] | None:
        """The steps for a reader that knows all up to `n`, of `last`; None if they are not all kept.

        Changes without decisions that were told under that number are among them: it does no harm to hear
        them twice.
        """
        if self._first is None or not self._first <= n <= last:
            return None
        return [line for number, decided, line in self._kept if number > n or (number == n and not decided)]

    # -- as time goes by

    def forget(self) -> None:
        """Nobody listens: whoever comes next gets a snapshot."""
        self._first = None
        self._kept.clear()
        self._state = {}

    def follow(self, step: Step) -> None:
        """Note what a state does not say by itself; called for each step, whether anybody listens or not."""
        self.fold(step.effects)

    def fold(self, effects: Iterable[Effect]) -> None:
        """Note whose dice they were about; a session that is resumed has had some before."""
        for effect in effects:
            self._fold(effect)

    def _fold(self, effect: Effect) -> None:
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
            self._first = n + 1
            self._kept.clear()
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
        if len(self._kept) == KEPT:
            self._first = self._kept[0][0] + 1
        self._kept.append((n, bool(effects), line))
        return line

    def _state_now(self) -> State:
        return table_state(self._referee, self._around(), self._owners)
