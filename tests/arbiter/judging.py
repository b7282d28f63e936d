"""A round of placements and slaps, judged as the table does it; times are milliseconds.

Every act becomes known when its lane releases it, and the claims are asked at every
moment that is due. What was ruled can be read as lines such as `2 too-late red 1 +20`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from firmware_host.arbiter.claims import Claims, Placement, Ruling
from firmware_host.arbiter.settling import SettlingQueue
from firmware_host.arbiter.ties import TieBreaker
from firmware_host.durations import MS
from firmware_host.effects import Verdict
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp

SETTINGS = Settings(stamp_uncertainty_ns=0)
SLAP_MS = SETTINGS.buttons.settle_ns / MS
PLACE_MS = SETTINGS.slots.settle_ns / MS


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

    ms: float
    ruling: Ruling

    def __str__(self) -> str:
        ruling = self.ruling
        place = f" {ruling.placement.slot}" if ruling.placement else ""
        margin = "" if ruling.margin_ns is None else f" {ruling.margin_ns / MS:+g}"
        return f"{ruling.slap.seat} {ruling.verdict.value}{place}{margin}"


class Court:
    """Knows each act when its lane releases it, and rules whenever something is due."""

    def __init__(self, ties: TieBreaker, owed: dict[int, int], settings: Settings) -> None:
        self.claims = Claims(settings, ties)
        self.judgements: list[Judgement] = []
        self.beyond: list[int] = []
        self._owed = dict(owed)
        self._end: Stamp | None = None
        self._places: SettlingQueue[Place] = SettlingQueue(settings.slots.settle_ns)
        self._hits: SettlingQueue[Hit] = SettlingQueue(settings.buttons.settle_ns)

    def hear(self, acts: Iterable[Place | Hit]) -> None:
        for rank, act in enumerate(acts):
            if isinstance(act, Place):
                self._places.put(act.stamp, (rank,), act)
            else:
                self._hits.put(act.stamp, (rank,), act)

    def sit(self, until_ns: int, extra_ns: Sequence[int] = ()) -> None:
        """Rule whenever something is due, and at the extra moments as well."""
        now_ns = -1
        while True:
            due = (self._places.due_ns, self._hits.due_ns, self.claims.due_after_ns(now_ns))
            known = [due_ns for due_ns in due if due_ns is not None]
            now_ns = min([*known, *(ns for ns in extra_ns if ns > now_ns)], default=until_ns + 1)
            if now_ns > until_ns:
                break
            self._step(now_ns)

    def _step(self, now_ns: int) -> None:
        for place in self._places.release(now_ns):
            self.claims.place(Placement(place.slot, place.stamp, place.legal))
        for hit in self._hits.release(now_ns):
            if self._end is not None and self._end.surely_before(hit.stamp):
                self.beyond.append(hit.seat)
            else:
                self.claims.slap(hit.seat, hit.stamp)
        while (ruling := self.claims.next_ruling(now_ns, self._owed)) is not None:
            self.judgements.append(Judgement(now_ns / MS, ruling))
            if ruling.verdict in (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON):
                self._count(ruling)
        self.claims.lapse(now_ns)

    def _count(self, ruling: Ruling) -> None:
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
