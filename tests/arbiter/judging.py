"""A round of placements and slaps, judged as the table does it; times are milliseconds.

Every act becomes known once it is settled, and the claims are asked at every moment
that is due. What was ruled can be read as lines such as `2 too-late red 1 +20`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from firmware_host.arbiter.claims import ClaimRuling, Claims, Placement
from firmware_host.arbiter.settling_queue import SettlingQueue
from firmware_host.arbiter.ties import TieBreaker
from firmware_host.durations import MS
from firmware_host.effects import Verdict
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp

SETTINGS = Settings(stamp_uncertainty_ns=0)


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
    """Knows each act when it is settled, and rules whenever something is due."""

    def __init__(self, ties: TieBreaker, owed: dict[int, int], settings: Settings) -> None:
        self.claims = Claims(settings, ties)
        self.judgements: list[Judgement] = []
        self.beyond: list[int] = []
        self._owed = dict(owed)
        self._end: Stamp | None = None
        self._acts: SettlingQueue[Place | Hit] = SettlingQueue(settings.settle_ns)

    def hear(self, acts: Iterable[Place | Hit]) -> None:
        for rank, act in enumerate(acts):
            self._acts.put(act.stamp, (isinstance(act, Hit), rank), act)

    def sit(self, until_ns: int, extra_ns: Sequence[int] = ()) -> None:
        """Rule whenever something is due, and at the extra moments as well."""
        now_ns = -1
        while True:
            first_ns = self._acts.first_ns
            act_ns = None if first_ns is None else first_ns + self._acts.settle_ns
            due = [ns for ns in (act_ns, self.claims.due_after_ns(now_ns)) if ns is not None]
            before_ns = now_ns
            now_ns = min([*due, *(ns for ns in extra_ns if ns > before_ns)], default=until_ns + 1)
            assert now_ns > before_ns, "what is due was not done"
            if now_ns > until_ns:
                break
            self._step(now_ns)

    def _step(self, now_ns: int) -> None:
        for act in self._acts.release(now_ns):
            if isinstance(act, Place):
                self.claims.place(Placement(act.slot, act.stamp, act.legal))
            elif self._end is not None and self._end.surely_before(act.stamp):
                self.beyond.append(act.seat)
            else:
                self.claims.slap(act.seat, act.stamp)
        while (ruling := self.claims.next_ruling(now_ns, self._owed, self._end is not None)) is not None:
            self.judgements.append(Judgement(now_ns, ruling))
            if ruling.verdict in (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON):
                self._count(ruling)
        self.claims.lapse(now_ns)

    def _count(self, ruling: ClaimRuling) -> None:
        seat = ruling.slap.seat
        self._owed[seat] -= 1
        if self._owed[seat] == 0 and self._end is None:
            self._end = ruling.slap.stamp
            self.beyond += [slap.seat for slap in self.claims.close(ruling.slap.stamp)]


def court(
    *acts: Place | Hit,
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


def ruled(*acts: Place | Hit, owed: dict[int, int] | None = None) -> list[str]:
    """What these acts come to, line by line in the order of the rulings."""
    return list(map(str, court(*acts, owed=owed).judgements))
