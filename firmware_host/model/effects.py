"""What the table decided: frozen values that go from the session to the show and the journal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_host.model.places import Card, Pile, Slot, Source, Spot, Tag
from firmware_host.model.states import (
    AbandonReason,
    AwayReason,
    Corrector,
    DeviceCondition,
    MaskReason,
    Phase,
    SlotState,
    VoidReason,
)
from firmware_host.model.times import Stamp


class Verdict(Enum):
    """The referee's answer to one slap."""

    ACCEPTED = "accepted"  # the placement is this seat's
    TOO_LATE = "too-late"  # a rival claimed it first
    ILLEGAL = "illegal"  # what was placed, or the card to be played, does not fit there
    FALSE_CLAIM = "false-claim"  # there was nothing to claim: a warning, then a lock
    LOCKED = "locked"  # slapped while locked
    TAKEN_BACK = "taken-back"  # lifted a counted die that nothing lay on, and slapped
    REPEATED = "repeated"  # the second slap of a hand: it counts for nothing and costs nothing
    NOT_RUNNING = "not-running"  # no round was running at that moment
    DEAD_HEAT_WON = "dead-heat-won"  # nobody was first, and the tie-break chose this seat
    DEAD_HEAT_LOST = "dead-heat-lost"  # nobody was first, and the tie-break chose a rival


WINNING = (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON)
"""The verdicts that win a die or a card."""


class Cue(Enum):
    """What is wrong with a tag or with a stop call. It is shown to its player and has no other effect."""

    UNKNOWN = "unknown-tag"  # nobody has enrolled it
    NOT_YOURS = "not-yours"  # it belongs to another seat, or to none that plays
    TWO_TAGS = "two-tags"  # more than one at a time
    IN_CENTRE = "in-the-centre"  # it was played already
    WRONG_KIND = "wrong-kind"  # a die on a table of cards, or a card on a table of dice
    GONE = "gone"  # it was taken away before the slap
    UNREAD = "unread"  # something lies there, and no tag could be read
    WRONG_DIE = "wrong-die"  # its colour or its face does not fit that place
    WRONG_STOP = "wrong-stop"  # called stop with Ligretto cards left


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a slap. Its seat is locked until `locked_until_ns` (0: it is not locked)."""

    verdict: Verdict
    seat: int
    stamp: Stamp
    decided_ns: int
    what: Slot | Card | None = None
    margin_ns: int | None = None
    rival: int | None = None  # the seat that it lost to, or took a counted die from
    doubtful: bool = False
    locked_until_ns: int = 0
    cue: Cue | None = None
    rival_stamp: Stamp | None = None  # of the slap or the card that it lost to


@dataclass(frozen=True, slots=True)
class TieBroken:
    """A dead heat was settled: the contenders, the ties each had won before, and the winner.

    `what` is the place or the card, or None for the end of the round.
    """

    what: Slot | Card | None
    seats: tuple[int, ...]
    won_before: tuple[int, ...]
    drawn: bool
    winner: int


@dataclass(frozen=True, slots=True)
class PhaseEntered:
    """The session entered a phase."""

    phase: Phase
    t_ns: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player sat down."""

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
    """The state of a place of the board changed."""

    slot: Slot
    state: SlotState
    t_ns: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played onto a pile in the centre; `height` is that of the pile now."""

    card: Card
    pile: Pile
    t_ns: int


@dataclass(frozen=True, slots=True)
class CardArmed:
    """A seat's pad has read its card, which fits onto that pile (None: onto none now)."""

    card: Card
    pile: Pile | None
    t_ns: int


@dataclass(frozen=True, slots=True)
class TagRefused:
    """A tag has no meaning where it is, or the tag of something could not be read."""

    at: Spot
    tag: Tag | None
    cue: Cue
    t_ns: int


@dataclass(frozen=True, slots=True)
class DieShown:
    """A seat has shown a die to its pad, `count` so far; the die needs no slap when it is placed."""

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
    """All seats called that nobody can play any more."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """A round that does not count is played again.

    `seats` are those that called for it by holding their buttons, and `held` has the stamp of each press.
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
    """The round is scored. `seats` played; the other tuples have one entry for each seat of the table.

    A round that was stuck has no finisher.
    """

    number: int
    seats: tuple[int, ...]
    finisher: int | None
    leftovers: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; several seats may have won. Totals have one entry for each seat of the table."""

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
    """An edge or a tag came after its settle time. Such an edge is not judged."""

    source: Source | Spot
    stamp: Stamp
    behind_ns: int


@dataclass(frozen=True, slots=True)
class Noise:
    """A source bounced without changing: a disturbance on the wire, not a hand."""

    source: Source
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SourceMasked:
    """A button or slot chatters or is stuck, and is masked."""

    source: Source
    reason: MaskReason
    t_ns: int


@dataclass(frozen=True, slots=True)
class SourceUnmasked:
    """A button or slot works again."""

    source: Source
    t_ns: int


@dataclass(frozen=True, slots=True)
class EdgesLost:
    """A driver lost edges in that interval; verdicts that depend on it are doubtful."""

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
    """The table is back. A round that was running waits until everything lies where it lay."""

    reason: AwayReason
    t_ns: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A command of the operator was not possible in the present phase."""

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
