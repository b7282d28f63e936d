"""What happens to the table: frozen values that go from the intake to the session.

A `SourceEdge` is one raw edge of one source, bounce and all. The arbiter turns edges
into the clean events below and releases them in the order of their stamps. An
operator's commands join the same stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.model.places import Slot, Source, Spot, Tag
from firmware_host.model.states import AwayReason, DeviceCondition, MaskReason
from firmware_host.model.times import Stamp


class SourceEdge(NamedTuple):
    """One edge from the intake; `seq` orders the edges of a source."""

    source: Source
    active: bool
    stamp: Stamp
    seq: int


@dataclass(frozen=True, slots=True)
class Pressed:
    """A seat's button went down: its race button, or its call button if `call`.

    `late` marks one that arrived after its settle time.
    """

    seat: int
    stamp: Stamp
    late: bool = False
    call: bool = False


@dataclass(frozen=True, slots=True)
class Released:
    """A seat's button came up again."""

    seat: int
    stamp: Stamp
    late: bool = False
    call: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """Something lies on a slot now."""

    slot: Slot
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class Emptied:
    """Nothing lies on a slot any more."""

    slot: Slot
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class TagSeen:
    """A tag has come to a reader, and counts from now on."""

    at: Spot
    tag: Tag
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A tag has gone from a reader, and does not count any more."""

    at: Spot
    tag: Tag
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class Masked:
    """A source can't be right and is masked: it chatters, or is stuck."""

    source: Source
    reason: MaskReason
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Unmasked:
    """A masked source works again."""

    source: Source
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SignalsLost:
    """A driver has lost edges at some time in the `within_ns` before the stamp."""

    count: int
    within_ns: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """The condition of a device has changed. No round can go on while a needed one is lost.

    A device with a `seat` is needed only while that seat plays.
    """

    device: DeviceCondition
    needed: bool
    stamp: Stamp
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The table was away in that interval: without power, or in service. Events with the changes follow."""

    reason: AwayReason
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class StartMatch:
    """The operator starts a match; `deal` gives each seat its dice or Ligretto cards (0: not playing).

    If everybody has been dealt to, the countdown begins at once. Else the players are asked to deal.
    With a `position` in its one-line form the first round goes on from there: the dice or cards
    of that position lie on the table already.
    """

    deal: tuple[int, ...]
    stamp: Stamp
    position: str = ""
    dealt: bool = True


@dataclass(frozen=True, slots=True)
class Pause:
    """The operator stops the clock of a running round."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Resume:
    """The operator lets a paused round go on."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class VoidRound:
    """The operator cancels the round; it will be played again."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The operator ends the match at once, without a result."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SetLeftover:
    """The operator enters how many dice, or Ligretto cards, a seat really has left."""

    seat: int
    count: int
    stamp: Stamp


Contact = Pressed | Released | Filled | Emptied
TagEvent = TagSeen | Withdrawn
TroubleReport = SignalsLost | DeviceChanged | Interrupted
Command = StartMatch | Pause | Resume | VoidRound | EndMatch | SetLeftover
Event = Contact | TagEvent | Masked | Unmasked | TroubleReport | Command
