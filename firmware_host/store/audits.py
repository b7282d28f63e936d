"""How often each part of the table was used, and when it was last used."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.model.effects import (
    DeviceReported,
    EdgesLost,
    Effect,
    LateSignal,
    MatchAbandoned,
    MatchEnded,
    Noise,
    RoundScored,
    RoundVoided,
    SourceMasked,
    TieBroken,
)
from firmware_host.model.events import Input, SourceEdge, TagSeen
from firmware_host.model.places import Button, Call, Slot, Source, Spot
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.store.rows import PARTS
from firmware_host.store.writer import Row

_COUNT = (
    "INSERT INTO audits (kind, name, count, last, game) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (kind, name) DO UPDATE "
    "SET count = count + excluded.count, last = excluded.last, game = excluded.game"
)
MATCHES = ("table", "matches")


class Audits:
    """Counts in memory; `take_rows` gives the rows for the store."""

    def __init__(self, now_text: Callable[[], str], games: int = 0) -> None:
        self._now_text = now_text
        self._counts: dict[tuple[str, str], int] = {}
        self._lost: set[str] = set()
        self.counted: dict[str, int] = {}
        """What has happened since the table was switched on; faults and noise have one counter each."""
        self.games = games

    def count(self, kind: str, name: str, by: int = 1) -> None:
        """Count a use of a part, or something that has happened."""
        self._counts[kind, name] = self._counts.get((kind, name), 0) + by
        if kind not in PARTS:
            said = name if kind == "table" else f"{kind}s" if kind == "fault" else kind
            self.counted[said] = self.counted.get(said, 0) + by

    def saw(self, seen: Input) -> None:
        """Count an input."""
        if type(seen) is SourceEdge:
            if seen.active:
                self.count(kind_of(seen.source), str(seen.source))
        elif isinstance(seen, TagSeen):
            self.count("reader", str(seen.at))

    def decided(self, effect: Effect) -> None:
        """Count an effect."""
        match effect:
            case TieBroken():
                self.count("table", "dead heats")
            case EdgesLost():
                self.count("table", "lost edges", max(1, effect.count))
            case LateSignal():
                self.count("table", "late signals")
            case Noise():
                self.count("noise", str(effect.source))
            case SourceMasked():
                self.count("fault", f"{effect.source} {effect.reason}")
            case DeviceReported():
                self._reported(effect.device)
            case RoundVoided():
                self.count("table", "rounds void")
            case MatchAbandoned():
                self.count("table", "matches given up")
            case RoundScored():
                self.count("table", "rounds")
            case MatchEnded():
                self.games += 1
                self.count(*MATCHES)
            case _:
                pass

    def _reported(self, device: DeviceCondition) -> None:
        """Count a lost device once, although each session gets a report of it."""
        if device.condition is not Condition.LOST:
            self._lost.discard(device.name)
        elif device.name not in self._lost:
            self._lost.add(device.name)
            self.count("fault", f"{device.name} lost")

    def counters(self) -> tuple[tuple[str, str], ...]:
        """The counters since the table was switched on, as labels and values."""
        return tuple((name, str(count)) for name, count in sorted(self.counted.items()))

    def take_rows(self) -> list[Row]:
        """The rows for what was counted since the last call."""
        if not self._counts:
            return []
        counts, self._counts = self._counts, {}
        now = self._now_text()
        return [(_COUNT, (kind, name, by, now, self.games)) for (kind, name), by in counts.items()]


def kind_of(source: Source | Spot) -> str:
    """The kind of part that a source is."""
    if isinstance(source, Slot):
        return "slot"
    if isinstance(source, Call):
        return "call"
    return "button" if isinstance(source, Button) else "reader"
