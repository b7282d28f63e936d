"""What the table decided: frozen values that flow from the session to shows and journal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_host.places import Card, Pile, Slot, Source, Spot, Tag
from firmware_host.stamps import Stamp
from firmware_host.states import (
    AbandonReason,
    AwayReason,
    Corrector,
    DeviceCondition,
    MaskReason,
    Phase,
    SlotState,
    VoidReason,
)


class Verdict(Enum):
    """The referee's answer to one slap."""

    ACCEPTED = "accepted"  # the placement is this seat's
    TOO_LATE = "too-late"  # a rival claimed it before
    ILLEGAL = "illegal"  # what was placed, or was to be played, does not belong there
    FALSE_CLAIM = "false-claim"  # there was nothing to claim: the seat is locked for a while
    LOCKED = "locked"  # slapped while locked
    NOT_RUNNING = "not-running"  # no round was running at that moment
    DEAD_HEAT_WON = "dead-heat-won"  # nobody was first, and the tie-break chose this seat
    DEAD_HEAT_LOST = "dead-heat-lost"  # nobody was first, and the tie-break chose a rival


WINNING = (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON)
"""The verdicts that bring a die or a card."""


class Cue(Enum):
    """What is wrong with a tag, for its owner to see; nothing else comes of it."""

    UNKNOWN = "unknown-tag"  # nobody has enrolled it
    NOT_YOURS = "not-yours"  # it belongs to another seat, or to none that plays
    TWO_TAGS = "two-tags"  # more than one at a time
    IN_CENTRE = "in-the-centre"  # it was played already
    WRONG_KIND = "wrong-kind"  # a die on a table of cards, or a card on a table of dice
    GONE = "gone"  # it was taken away before the slap
    UNREAD = "unread"  # something lies there, and no tag could be read
    WRONG_DIE = "wrong-die"  # its colour or its face does not belong on that place


@dataclass(frozen=True, slots=True)
class Judged:
    """One slap has its verdict; until `locked_until_ns` (0: not at all) its seat is locked."""

    verdict: Verdict
    seat: int
    stamp: Stamp
    decided_ns: int
    what: Slot | Card | None = None
    margin_ns: int | None = None
    rival: int | None = None
    doubtful: bool = False
    locked_until_ns: int = 0
    cue: Cue | None = None
    rival_stamp: Stamp | None = None  # of the slap or the card that it lost to


@dataclass(frozen=True, slots=True)
class TieBroken:
    """A dead heat was settled: who contended, the ties each had won before, who got it.

    `what` is the place or the card that it was about, or None for the end of the round.
    """

    what: Slot | Card | None
    seats: tuple[int, ...]
    won_before: tuple[int, ...]
    drawn: bool
    winner: int


@dataclass(frozen=True, slots=True)
class PhaseEntered:
    """The session moved on."""

    phase: Phase
    t_ns: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The start call: the round runs from now on. `hands` is what each seat has to get rid of."""

    number: int
    hands: tuple[int, ...]
    t_ns: int
    again: bool = False  # it goes on, after a pause or a stop call that was wrong


@dataclass(frozen=True, slots=True)
class SlotChanged:
    """A place of the board got another state."""

    slot: Slot
    state: SlotState
    t_ns: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card went onto a pile in the centre, which is that high now."""

    card: Card
    pile: Pile
    t_ns: int


@dataclass(frozen=True, slots=True)
class CardArmed:
    """A seat's pad knows the card on it, which goes onto that pile (None: onto none now)."""

    card: Card
    pile: Pile | None
    t_ns: int


@dataclass(frozen=True, slots=True)
class TagRefused:
    """A tag that means nothing where it is; or something without a tag that could be read."""

    at: Spot
    tag: Tag | None
    cue: Cue
    t_ns: int


@dataclass(frozen=True, slots=True)
class DieShown:
    """A seat has shown one of its dice to its pad, and that many so far: a placement of it needs no slap."""

    seat: int
    die: int
    count: int


@dataclass(frozen=True, slots=True)
class LeftoverScanned:
    """A seat has shown one more of its leftover Ligretto cards."""

    card: Card
    count: int


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A seat placed its last die, or called stop."""

    seat: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class RoundStuck:
    """All seats say that nobody can play any more."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """A round that does not count is played again.

    `seats` are those who said so by holding their buttons, and `held` when each of them pressed.
    """

    number: int
    reason: VoidReason
    t_ns: int
    seats: tuple[int, ...] = ()
    held: tuple[Stamp, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """A seat's leftover count was changed after a dispute or by the operator."""

    seat: int
    before: int
    after: int
    by: Corrector


@dataclass(frozen=True, slots=True)
class RoundScored:
    """The round is settled. `seats` played; the other tuples hold one entry a seat of the table.

    Nobody is the finisher of a round that was stuck.
    """

    number: int
    seats: tuple[int, ...]
    finisher: int | None
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
class MatchAbandoned:
    """The match was given up before its end."""

    reason: AbandonReason
    t_ns: int


@dataclass(frozen=True, slots=True)
class LateSignal:
    """An edge or a tag came later than its source's settle time; an edge is not judged then."""

    source: Source | Spot
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
    reason: MaskReason
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

    device: DeviceCondition
    needed: bool
    t_ns: int


@dataclass(frozen=True, slots=True)
class WasInterrupted:
    """The table is back: a round under way waits until all lies where it lay before."""

    reason: AwayReason
    t_ns: int


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
    | CardPlayed
    | CardArmed
    | TagRefused
    | DieShown
    | LeftoverScanned
    | RoundFinished
    | RoundStuck
    | RoundVoided
    | Corrected
    | RoundScored
    | MatchEnded
    | MatchAbandoned
    | LateSignal
    | Noise
    | SourceMasked
    | SourceUnmasked
    | EdgesLost
    | DeviceReported
    | WasInterrupted
    | Refused
)
