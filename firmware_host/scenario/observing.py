"""What the table has said since a scenario began, and the words for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_host.durations import format_duration
from firmware_host.effects import (
    Corrected,
    EdgesLost,
    Judged,
    LateSignal,
    LeftoverScanned,
    Noise,
    Refused,
    TagRefused,
    TieBroken,
)
from firmware_host.places import Pad
from firmware_host.referee.referee import Referee
from firmware_host.referee.step import Step


@dataclass(slots=True)
class Observed:
    """The table, and what it has said and nobody has asked for yet."""

    referee: Referee
    lines: Callable[[], tuple[str, ...]]
    verdicts: list[Judged] = field(default_factory=list)
    ties: list[TieBroken] = field(default_factory=list)
    corrections: list[Corrected] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    cues: list[TagRefused] = field(default_factory=list)
    scanned: list[LeftoverScanned] = field(default_factory=list)
    late: int = 0
    noise: int = 0
    lost: int = 0

    def observe(self, step: Step) -> None:
        """Remember what is of interest to a scenario."""
        for effect in step.effects:
            match effect:
                case Judged():
                    self.verdicts.append(effect)
                case TieBroken():
                    self.ties.append(effect)
                case Corrected():
                    self.corrections.append(effect)
                case Refused():
                    self.refused.append(effect)
                case TagRefused():
                    self.cues.append(effect)
                case LeftoverScanned():
                    self.scanned.append(effect)
                case LateSignal():
                    self.late += 1
                case Noise():
                    self.noise += 1
                case EdgesLost():
                    self.lost += effect.count
                case _:
                    pass


def verdict_text(judged: Judged) -> str:
    """`2 too-late red 1 margin 300us`."""
    words = [str(judged.seat), judged.verdict.value]
    if judged.what is not None:
        words.append(str(judged.what))
    if judged.margin_ns is not None:
        words.append(f"margin {format_duration(judged.margin_ns)}")
    if judged.cue is not None:
        words.append(judged.cue.value)
    if judged.doubtful:
        words.append("doubtful")
    return " ".join(words)


def tie_text(tie: TieBroken) -> str:
    """`1,2,3 drawn`."""
    how = "drawn" if tie.drawn else "by-fewest-won"
    return f"{','.join(map(str, tie.seats))} {how}"


def correction_text(corrected: Corrected) -> str:
    """`3 4 to 3 by players`."""
    return f"{corrected.seat} {corrected.before} to {corrected.after} by {corrected.by}"


def cue_text(refused: TagRefused) -> str:
    """`3 unknown-tag` at the pad of seat 3, or `pile 2 two-tags`."""
    where = str(refused.at.seat) if isinstance(refused.at, Pad) else str(refused.at)
    return f"{where} {refused.cue.value}"


def scan_text(scanned: LeftoverScanned) -> str:
    """`3 red 7 count 2`."""
    return f"{scanned.card.seat} {scanned.card} count {scanned.count}"
