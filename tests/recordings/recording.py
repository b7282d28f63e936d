"""A recorded match: the head and the inputs of a referee, and digests of all that followed.

A file has what a store has, too: a head and inputs as texts. Of effects, frames and pages it has digests.
They are made of texts, and no name of a module or a class is in one. So whoever renames, moves, merges or
splits code has to come to the same; whoever changes what is decided or shown sees where it begins to differ.

Each kind of outcome has digests of its own: a change of the lamps leaves those of the effects as they were.
Each entry has a short digest, which says where a replay differs, and the whole kind a long one.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from firmware_host.model import effects as e
from firmware_host.model.effects import effect_record
from firmware_host.model.events import OPERATOR_WORDS, Input, format_input, parse_input
from firmware_host.model.times import format_seconds, parse_seconds
from firmware_host.referee import Step
from firmware_host.run.recorded_sessions import new_referee
from firmware_host.store.head import Head, format_head, parse_head

FOLDER = Path(__file__).parent / "kept"
ENDING = ".txt.xz"
KINDS = ("effects", "frames", "pages")
SHORT, LONG = 2, 16
"""The bytes of a digest of one entry, and of a whole kind."""
INPUTS_TOLD = 6

WORDS: dict[type[e.Effect], str] = {
    e.Judged: "judged",
    e.TieBroken: "tie broken",
    e.PhaseEntered: "phase",
    e.SeatTaken: "seat taken",
    e.RoundStarted: "round started",
    e.SlotChanged: "slot",
    e.CardPlayed: "card played",
    e.CardArmed: "card armed",
    e.TagRefused: "tag refused",
    e.DieShown: "die shown",
    e.LeftoverScanned: "leftover scanned",
    e.RoundFinished: "round finished",
    e.RoundStuck: "round stuck",
    e.RoundVoided: "round voided",
    e.Corrected: "corrected",
    e.RoundScored: "round scored",
    e.MatchEnded: "match ended",
    e.MatchAbandoned: "match abandoned",
    e.LateSignal: "late",
    e.Noise: "noise",
    e.SourceMasked: "masked",
    e.SourceUnmasked: "unmasked",
    e.EdgesLost: "edges lost",
    e.DeviceReported: "device",
    e.WasInterrupted: "interrupted",
    e.Refused: "refused",
}
"""The word of each effect here. A class may be renamed; its word stays."""


class NotRecorded(Exception):
    """A file is no recording, or is damaged."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An input: the time to which the referee had been advanced, when it arrived, and what it is."""

    advanced_ns: int
    arrived_ns: int
    seen: Input


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something that a step had: its number, its time, and a text of what it was."""

    step: int
    t_ns: int
    text: str

    @property
    def line(self) -> str:
        """All that a digest is made of."""
        return f"{format_seconds(self.t_ns)} {self.text}\n"

    @property
    def digest(self) -> str:
        """The short digest."""
        return blake2b(self.line.encode(), digest_size=SHORT).hexdigest()


@dataclass(slots=True)
class Outcomes:
    """All effects, frames and pages of a match, each in order."""

    steps: int = 0
    of_kind: dict[str, list[Outcome]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def add(self, step: Step) -> None:
        """Take over what a step had."""
        texts = (
            "\n  ".join(map(effect_line, step.effects)),
            None if step.frame is None else step.frame.hex(),
            None if step.page is None else json.dumps(step.page),
        )
        for kind, text in zip(KINDS, texts, strict=True):
            if text:
                self.of_kind[kind].append(Outcome(self.steps, step.t_ns, text))
        self.steps += 1

    def digests(self) -> dict[str, Digests]:
        """The digests of each kind."""
        return {
            kind: Digests(
                blake2b("".join(each.line for each in all_).encode(), digest_size=LONG).hexdigest(),
                "".join(each.digest for each in all_),
            )
            for kind, all_ in self.of_kind.items()
        }


@dataclass(frozen=True, slots=True)
class Digests:
    """The digest of a kind as a whole, and the short ones of its entries in a row."""

    whole: str
    each: str

    def __len__(self) -> int:
        return len(self.each) // (2 * SHORT)

    def first_difference(self, other: Digests) -> int | None:
        """The number of the first entry in which they differ, None if there is none."""
        if self == other:
            return None
        size = 2 * SHORT
        for n in range(min(len(self), len(other))):
            if self.each[n * size : (n + 1) * size] != other.each[n * size : (n + 1) * size]:
                return n
        return min(len(self), len(other))


@dataclass(frozen=True, slots=True)
class Recording:
    """One match."""

    name: str
    about: str
    head: Head
    entries: Sequence[Entry]
    end_ns: int
    digests: dict[str, Digests]


def effect_line(effect: e.Effect) -> str:
    """An effect in its one-line text, with the word that it has here."""
    record = effect_record(effect) | {"is": WORDS[type(effect)]}
    if isinstance(effect, e.Refused):
        # Of a command it tells what its class is called.
        word = {kind.__name__: word for word, kind in OPERATOR_WORDS.items()}[effect.command]
        record |= {"command": word, "reason": effect.reason.replace(effect.command, word)}
    return json.dumps(record, sort_keys=True, separators=(",", ":"))


# -- replaying


def replayed(head: Head, entries: Sequence[Entry], end_ns: int) -> Outcomes:
    """What follows from these inputs now."""
    outcomes, referee = Outcomes(), new_referee(head)

    def advance(now_ns: int) -> None:
        for step in referee.advance(now_ns):
            outcomes.add(step)

    advance(head.t_ns)
    try:
        for entry in entries:
            if entry.advanced_ns > referee.advanced_ns:
                advance(entry.advanced_ns)
            referee.put(entry.seen, entry.arrived_ns)
        advance(end_ns)
    except Exception as error:
        error.add_note(f"after step {outcomes.steps}, {format_seconds(referee.advanced_ns)} s")
        raise
    return outcomes


def differences(recording: Recording, now: Outcomes) -> str:
    """How a replay differs from a recording, in words; empty if it does not."""
    again = now.digests()
    if again == recording.digests:
        return ""
    lines = [f"{recording.name} ({recording.about}) does not replay to what was recorded:"]
    for kind, digests in recording.digests.items():
        first = digests.first_difference(again[kind])
        lines += (
            [f"{kind}: all {len(digests)} as recorded"]
            if first is None
            else _told(recording, kind, first, len(digests), now.of_kind[kind])
        )
    lines.append("If a commit means to alter this, it says why, and contains the new recording:")
    lines.append(f"  python -m tests.recordings make --only {recording.name}")
    return "\n".join(lines)


def _told(
    recording: Recording, kind: str, first: int, recorded: int, outcomes: Sequence[Outcome]
) -> Iterator[str]:
    counts = f"{recorded} recorded, {len(outcomes)} now"
    if first >= len(outcomes):
        yield f"{kind}: the replay ends after entry {first} ({counts}); until then they are the same"
        return
    outcome = outcomes[first]
    extra = ", which is not recorded" if first >= recorded else ""
    where = f"at {format_seconds(outcome.t_ns)} s in step {outcome.step}"
    yield f"{kind}: entry {first} ({counts}) differs first, {where}"
    yield f"  is now{extra}:"
    yield f"  {outcome.text}"
    if first:
        yield f"  entry {first - 1}, the same as recorded:"
        yield f"  {outcomes[first - 1].text}"
    before = [each for each in recording.entries if each.arrived_ns <= outcome.t_ns][-INPUTS_TOLD:]
    yield "  the last inputs by then:"
    yield from (f"  {format_input(each.seen)}" for each in before)


# -- files


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """The file of a recording."""
    return folder / f"{name}{ENDING}"


def names() -> list[str]:
    """The names of all recordings."""
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def write(recording: Recording, path: Path) -> None:
    """Keep a recording in a file."""
    fixed: dict[str, Any] = {
        "about": recording.about,
        "head": json.loads(format_head(recording.head)),
        "end": format_seconds(recording.end_ns),
        "digests": {kind: [each.whole, each.each] for kind, each in recording.digests.items()},
    }
    lines = [json.dumps(fixed, sort_keys=True)]
    lines += [
        f"{format_seconds(each.advanced_ns)} {format_seconds(each.arrived_ns)} {format_input(each.seen)}"
        for each in recording.entries
    ]
    text = "\n".join(lines) + "\n"
    path.write_bytes(lzma.compress(text.encode(), preset=6 | lzma.PRESET_EXTREME))


def read(path: Path) -> Recording:
    """The recording in a file; NotRecorded says what is wrong with it."""
    try:
        first, *lines = lzma.decompress(path.read_bytes()).decode().splitlines()
        fixed = json.loads(first)
        return Recording(
            path.name.removesuffix(ENDING),
            fixed["about"],
            parse_head(json.dumps(fixed["head"])),
            [_entry(line) for line in lines],
            parse_seconds(fixed["end"]),
            {kind: Digests(*fixed["digests"][kind]) for kind in KINDS},
        )
    except (OSError, lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        raise NotRecorded(f"{path} is no recording: {error!r}") from error


def _entry(line: str) -> Entry:
    advanced, arrived, text = line.split(" ", 2)
    return Entry(parse_seconds(advanced), parse_seconds(arrived), parse_input(text))
