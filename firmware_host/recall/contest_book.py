"""The last photo finishes of a table, as they happen: folded from the messages of its feed.

A loser may get its verdict later than the winner, so a contest can grow. The feed tells of each press as it
arrives (`felt`), and of verdicts when they are decided: so the order of arrival is known of all presses that
were made while somebody listened, and of none before.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.effect_text import parse_effect
from firmware_host.effects import Judged, RoundStarted, TieBroken
from firmware_host.errors import MalformedText
from firmware_host.recall.contests import Contest, contest_with, rival_of
from firmware_host.recall.finish import Finish, finish_of
from firmware_host.recall.story import StampedVerdict

KEPT = 50
_VERDICTS, _PRESSES = 200, 400
_KINDS = {kind.__name__ for kind in (Judged, TieBroken, RoundStarted)}


class ContestBook:
    """Takes the messages of one feed; `finishes` are the last contests, oldest first."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._finishes: dict[str, Finish] = {}
        self._session = ""
        self._begin()

    def _begin(self) -> None:
        """A session whose verdicts are not known yet."""
        self._contests: dict[int, Contest] = {}
        self._verdicts: deque[StampedVerdict] = deque(maxlen=_VERDICTS)
        self._tie: TieBroken | None = None
        self._presses: deque[tuple[int, int]] = deque(maxlen=_PRESSES)
        self._round: int | None = None
        self._started_ns: int | None = None

    @property
    def finishes(self) -> tuple[Finish, ...]:
        return tuple(self._finishes.values())

    def find(self, id: str) -> Finish | None:
        """The contest of that name, if it is one of the last."""
        return self._finishes.get(id)

    def add_past(self, past: Iterable[Finish]) -> None:
        """Put contests from the store before those that were seen; one that was seen stays as it is."""
        self._finishes = {each.id: each for each in past} | self._finishes
        self._forget_oldest()

    def take(self, told: Mapping[str, Any]) -> tuple[Finish, ...]:
        """The contests that are new or have changed with that message."""
        kind = told.get("is")
        if kind == "felt":
            self._presses.append((told["seat"], told["t_ns"]))
        elif kind == "snapshot":
            self._note_snapshot(told)
        elif kind == "step":
            return self._note_step(told)
        return ()

    def _note_snapshot(self, told: Mapping[str, Any]) -> None:
        if told["session"] != self._session:
            self._session = told["session"]
            self._begin()
        played = told["state"].get("round", {})
        self._round, self._started_ns = played.get("number"), played.get("started_ns")

    def _note_step(self, told: Mapping[str, Any]) -> tuple[Finish, ...]:
        records = told.get("effects", ())
        first = told["n"] - len(records)
        changed: dict[str, Finish] = {}
        for n, record in enumerate(records, start=first):
            finish = self._note(n, record) if record["is"] in _KINDS else None
            if finish is not None:
                changed[finish.id] = self._finishes[finish.id] = finish
        self._forget_oldest()
        return tuple(changed.values())

    def _note(self, n: int, record: Mapping[str, Any]) -> Finish | None:
        try:
            effect = parse_effect(json.dumps(record))
        except MalformedText:
            return None  # from a newer table
        if isinstance(effect, RoundStarted):
            self._round, self._started_ns = effect.number, self._start(effect)
            return None
        if isinstance(effect, TieBroken):
            self._tie = effect
            return None
        assert isinstance(effect, Judged)
        given, self._tie = StampedVerdict(n, effect, self._tie), None
        self._verdicts.append(given)
        winner = rival_of(given, tuple(self._verdicts))
        if winner is None:
            return None
        contest = contest_with(self._contests.get(winner.n, Contest(winner, ())), given)
        self._contests[winner.n] = contest
        if len(self._contests) > self._most:
            del self._contests[next(iter(self._contests))]
        return self._finish(contest)

    def _start(self, started: RoundStarted) -> int | None:
        return self._started_ns if started.again else started.t_ns

    def _finish(self, contest: Contest) -> Finish:
        arrivals = {press: place for place, press in enumerate(self._presses)}
        return finish_of(contest, self._session, arrivals, self._round, self._started_ns)

    def _forget_oldest(self) -> None:
        for id in list(self._finishes)[: -self._most]:
            del self._finishes[id]
