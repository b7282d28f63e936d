"""A round of placements and slaps, judged as the table does it; times are milliseconds.

Everything is known as it happens, and the claims are asked at every moment that is due. What was ruled
can be read as lines such as `2 too-late red 1 +20`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from firmware_host.games.dice.claims import ClaimRuling, Claims
from firmware_host.games.dice.reclaims import Placement
from firmware_host.model.effects import WINNING, Verdict
from firmware_host.model.places import Slot
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, Stamp
from firmware_host.timing.lanes import StampQueue
from firmware_host.timing.ties import TieBreaker

SETTINGS = Settings(stamp_uncertainty_ns=0)
STRICT = replace(SETTINGS, locks="strict")
"""The first false claim locks already."""


def at(ms: float, width_ms: float = 0) -> Stamp:
    """A stamp that begins at that millisecond."""
    return Stamp(round(ms * MS), round((ms + width_ms) * MS))


@dataclass(frozen=True, slots=True)
class Place:
    """A die comes down."""

    slot: Slot
    stamp: Stamp
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """A seat slaps its button."""

    seat: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Lift:
    """A counted die is lifted off its place."""

    slot: Slot
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class PutBack:
    """It is put back."""

    slot: Slot
    stamp: Stamp


Act = Place | Hit | Lift | PutBack


@dataclass(frozen=True, slots=True)
class Judgement:
    """One ruling and when it was made."""

    now_ns: int
    ruling: ClaimRuling

    def __str__(self) -> str:
        ruling = self.ruling
        place = f" {ruling.placement.slot}" if ruling.placement else ""
        margin = "" if ruling.margin_ns is None else f" {ruling.margin_ns / MS:+g}"
        return f"{ruling.slap.seat} {ruling.verdict.value}{place}{margin}"


class Court:
    """Knows each act as it happens, and rules whenever something is due."""

    def __init__(self, ties: TieBreaker, owed: dict[int, int], settings: Settings) -> None:
        self.claims = Claims(settings, ties, dict.fromkeys(owed, 6))
        self.judgements: list[Judgement] = []
        self.owed = dict(owed)
        self.end: Stamp | None = None
        self._last_win = at(0)
        self._acts: StampQueue[Act] = StampQueue()

    def hear(self, acts: Iterable[Act]) -> None:
        for rank, act in enumerate(acts):
            self._acts.put(act.stamp, (isinstance(act, Hit), rank), act)

    def call_stop(self, stamp: Stamp) -> None:
        """Somebody calls stop, at that moment."""
        self.end = stamp
        self.claims.close(stamp)

    def sit(self, until_ns: int, extra_ns: Sequence[int] = ()) -> None:
        """Rule whenever something is due, and at the extra moments as well."""
        now_ns = -1
        while True:
            moments = (self._acts.first_ns, self.claims.awaits_after_ns(now_ns))
            due = [ns for ns in moments if ns is not None]
            before_ns = now_ns
            now_ns = min([*due, *(ns for ns in extra_ns if ns > before_ns)], default=until_ns + 1)
            assert now_ns > before_ns, "what is due was not done"
            if now_ns > until_ns:
                break
            self._step(now_ns)

    def _step(self, now_ns: int) -> None:
        for act in self._acts.take(now_ns):
            if isinstance(act, Place):
                self.claims.place(Placement(act.slot, act.stamp, act.legal))
            elif isinstance(act, Lift):
                self.claims.lift(act.slot, act.stamp, for_good=True)
            elif isinstance(act, PutBack):
                self.claims.put_back(act.slot, act.stamp)
            else:
                self.claims.slap(act.seat, act.stamp)
        self._rule(now_ns)
        if self.claims.lapse(now_ns):
            self._rule(now_ns)

    def _rule(self, now_ns: int) -> None:
        while (ruling := self.claims.next_ruling(now_ns, self.owed, self.end is not None)) is not None:
            self.judgements.append(Judgement(now_ns, ruling))
            if ruling.verdict in WINNING:
                self._count(ruling)
            elif ruling.verdict is Verdict.TAKEN_BACK:
                self.owed[ruling.slap.seat] += 1

    def _count(self, ruling: ClaimRuling) -> None:
        seat, slap, placement = ruling.slap.seat, ruling.slap, ruling.placement
        assert placement is not None
        self.owed[seat] -= 1
        if ruling.reclaimed is not None:
            self.owed[ruling.reclaimed.loser] += 1
        if self.owed[seat] == 0 and self.end is None:
            self.call_stop(max(slap.stamp, placement.stamp, self._last_win, key=_latest))
        self._last_win = max(slap.stamp, self._last_win, key=_latest)


def court(
    *acts: Act,
    owed: dict[int, int] | None = None,
    ties: TieBreaker | None = None,
    settings: Settings = SETTINGS,
    extra_ns: Sequence[int] = (),
) -> Court:
    """The court after all these acts are judged."""
    session = Court(ties or TieBreaker(Random(1)), owed or dict.fromkeys((1, 2, 3, 4), 6), settings)
    session.hear(acts)
    session.sit(60_000 * MS, extra_ns)
    return session


def ruled(*acts: Act, owed: dict[int, int] | None = None, settings: Settings = SETTINGS) -> list[str]:
    """What these acts come to, line by line in the order of the rulings."""
    return list(map(str, court(*acts, owed=owed, settings=settings).judgements))


def _latest(stamp: Stamp) -> int:
    return stamp.latest_ns
