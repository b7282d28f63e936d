"""What the table decided: frozen values that flow from the session to shows and journal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_host.places import Slot, Source
from firmware_host.stamps import Stamp


class Verdict(Enum):
    """The referee's answer to one slap."""

    ACCEPTED = "accepted"  # the placement is this seat's
    TOO_LATE = "too-late"  # a rival claimed it before
    ILLEGAL = "illegal"  # what was placed does not belong there
    FALSE_CLAIM = "false-claim"  # there was nothing to claim: the seat is locked for a while
    LOCKED = "locked"  # slapped while locked
    NOT_RUNNING = "not-running"  # no round was running at that moment
    DEAD_HEAT_WON = "dead-heat-won"  # nobody was first, and the tie-break chose this seat
    DEAD_HEAT_LOST = "dead-heat-lost"  # nobody was first, and the tie-break chose a rival


WINNING = (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON)
"""The verdicts that bring a die."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One slap has its verdict; until `locked_until_ns` (0: not at all) its seat is locked."""

    verdict: Verdict
    seat: int
    stamp: Stamp
    decided_ns: int
    slot: Slot | None = None
    margin_ns: int | None = None
    rival: int | None = None
    doubtful: bool = False
    locked_until_ns: int = 0


@dataclass(frozen=True, slots=True)
class TieBroken:
    """A dead heat was settled: who contended, the ties each had won before, who got it."""

    slot: Slot
    seats: tuple[int, ...]
    won_before: tuple[int, ...]
    drawn: bool
    winner: int


@dataclass(frozen=True, slots=True)
class PhaseEntered:
    """The session moved on."""

    phase: str
    t_ns: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The start call: dice may be placed from now on. `hands` is how many each seat holds."""

    number: int
    hands: tuple[int, ...]
    t_ns: int


@dataclass(frozen=True, slots=True)
class SlotChanged:
    """A place of the board got another state (see `table.board.SlotState`)."""

    slot: Slot
    state: str
    t_ns: int


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A seat placed its last die."""

    seat: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Corrected:
    """A seat's leftover count was changed after a dispute or by the operator."""

    seat: int
    before: int
    after: int
    by: str


@dataclass(frozen=True, slots=True)
class RoundScored:
    """The round is settled. `seats` played; the other tuples hold one entry a seat of the table."""

    number: int
    seats: tuple[int, ...]
    finisher: int
    leftovers: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; more than one seat may have won. Totals hold one entry a seat of the table."""

    seats: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LateSignal:
    """An edge came later than its source's settle time and was not judged."""

    source: Source
    stamp: Stamp
    behind_ns: int


@dataclass(frozen=True, slots=True)
class Noise:
    """A source twitched without changing: a disturbance on the wire, not a hand."""

    source: Source
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SourceMasked:
    """A button or slot chatters or is stuck, and is not listened to."""

    source: Source
    reason: str
    t_ns: int


@dataclass(frozen=True, slots=True)
class SourceUnmasked:
    """A button or slot is listened to again."""

    source: Source
    t_ns: int


@dataclass(frozen=True, slots=True)
class EdgesLost:
    """A driver lost edges in that interval; verdicts that hang on it are doubtful."""

    count: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class DeviceReported:
    """The condition of a device has changed."""

    device: str
    condition: str
    needed: bool
    words: str
    t_ns: int


@dataclass(frozen=True, slots=True)
class TagNoticed:
    """A tag came to a reader, or went away."""

    reader: int
    uid: str
    present: bool
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Refused:
    """An operator's command that the present phase does not allow."""

    command: str
    reason: str


Effect = (
    Judged
    | TieBroken
    | PhaseEntered
    | SeatTaken
    | RoundStarted
    | SlotChanged
    | RoundFinished
    | Corrected
    | RoundScored
    | MatchEnded
    | LateSignal
    | Noise
    | SourceMasked
    | SourceUnmasked
    | EdgesLost
    | DeviceReported
    | TagNoticed
    | Refused
)
