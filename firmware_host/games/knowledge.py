"""What the referee knows about a table, and nothing that the table could not have sensed.

The session takes what happens into it, and the state of the present phase decides from it. It holds who sits
where, which buttons are down, what lies where, the match and its round, and what is wrong with the table now.

A round would not be fair without a seat's button or a row's sensors, so it pauses until
they are back. Players may decide to go on anyway. Then the present troubles are accepted
until they end or the match does, and verdicts are doubtful meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass

from firmware_host.games.games import Match, Table, new_match
from firmware_host.games.phases import Transition
from firmware_host.games.round import Outbox, Round, Tags
from firmware_host.model.places import Button, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import AwayReason, DeviceCondition, MaskReason
from firmware_host.model.times import S, Stamp
from firmware_host.timing.ties import RandomSource, TieBreaker

TAGS_KEPT_NS = 5 * S
"""How long tags that have gone from a reader are remembered."""


@dataclass(frozen=True, slots=True)
class LostDevice:
    """A device that does not work; one with a `seat` is needed only while that seat plays."""

    device: DeviceCondition
    needed: bool
    seat: int = 0

    @property
    def name(self) -> str:
        return self.device.name

    def matters(self, seated: Set[int]) -> bool:
        """Whether a round of these seats would not be fair meanwhile."""
        return self.needed and (not self.seat or self.seat in seated)


@dataclass(frozen=True, slots=True)
class MaskedSource:
    """A button or slot that is masked."""

    source: Source
    reason: MaskReason

    @property
    def name(self) -> str:
        return str(self.source)

    def matters(self, seated: Set[int]) -> bool:
        """Whether a round of these seats would not be fair meanwhile; a button only matters to its seat."""
        return isinstance(self.source, Slot) or self.source.seat in seated


Trouble = LostDevice | MaskedSource


class Troubles:
    """The present troubles, in the order in which they began."""

    def __init__(self) -> None:
        self.all: tuple[Trouble, ...] = ()
        self.masked: tuple[MaskedSource, ...] = ()
        """The buttons and slots that are masked."""
        self.masked_seats: set[int] = set()
        """The seats whose race buttons are masked."""
        self._accepted: set[str] = set()

    def begin(self, trouble: Trouble) -> None:
        """Add a trouble. One that is known already is replaced, and stays accepted."""
        self._set({each.name: each for each in self.all} | {trouble.name: trouble})

    def end(self, name: str) -> None:
        self._set({each.name: each for each in self.all if each.name != name})
        self._accepted.discard(name)

    def _set(self, by_name: dict[str, Trouble]) -> None:
        """What is asked with each slap is found out here, where it changes."""
        self.all = tuple(by_name.values())
        self.masked = tuple(each for each in self.all if isinstance(each, MaskedSource))
        self.masked_seats = {each.source.seat for each in self.masked if isinstance(each.source, Button)}

    def accept(self, seated: Set[int]) -> None:
        """The seats that play accept the present troubles."""
        self._accepted.update(trouble.name for trouble in self.all if trouble.matters(seated))

    def accept_none(self) -> None:
        """The players that accepted troubles have gone."""
        self._accepted.clear()

    def matter(self, seated: Set[int]) -> bool:
        """Whether something is missing that verdicts about these seats depend on."""
        return any(trouble.matters(seated) for trouble in self.all)

    def blocking(self, seated: Set[int]) -> Trouble | None:
        """The first trouble that keeps a round of these seats from going on; None if there is none."""
        for trouble in self.all:
            if trouble.matters(seated) and trouble.name not in self._accepted:
                return trouble
        return None


class Knowledge:
    """All that is known now. The session brings it up to date; a phase may change what it decides about."""

    def __init__(
        self, table: Table, settings: Settings, draws: RandomSource, now_ns: int, opener: OpenRound
    ) -> None:
        self.table: Table = table
        self.settings = settings
        self.seated: set[int] = set()
        self.occupied: set[Slot] = set()
        self.tags = Tags(TAGS_KEPT_NS)
        self.owners: dict[int, int] = {}
        self.match: Match | None = None
        self.match_begun_ns = now_ns
        self.round: Round | None = None
        self.pressing: dict[int, Stamp] = {}
        """The seats whose buttons are down that may still become taps or holds, and since when."""
        self.holding: dict[int, Stamp] = {}
        """The seats whose buttons were down for a long press and still are, and since when."""
        self.troubles = Troubles()
        self.interrupted: AwayReason | None = None
        """Why the table was away, while the round waits until everything lies where it lay."""
        self.entered_by = Transition.SHOWN
        self.progress_ns = now_ns
        self.back_ns = now_ns
        self.known_ns = now_ns
        """Everything that happened up to this moment was taken."""
        self.asked_ns = now_ns
        """Only buttons that went down after this can answer what is asked."""
        self.out = Outbox()
        self.emit = self.out.emit
        self._draws = draws
        self._ties = TieBreaker(draws)
        self._opener = opener

    @property
    def blocked(self) -> bool:
        """Whether no round can go on now: it was interrupted, or there is a trouble that was not accepted."""
        return self.interrupted is not None or self.blocking is not None

    @property
    def blocking(self) -> Trouble | None:
        """The trouble that keeps a round from going on until players accept it; None if there is none."""
        return self.troubles.blocking(self.seated)

    @property
    def impaired(self) -> bool:
        """Whether verdicts are doubtful: the round is interrupted, or a trouble matters, accepted or not."""
        return self.interrupted is not None or self.troubles.matter(self.seated)

    @property
    def able(self) -> set[int]:
        """The seats that play and whose buttons work."""
        return self.seated - self.troubles.masked_seats

    @property
    def down(self) -> set[int]:
        """The seats whose buttons went down after the present question and are still down."""
        return {*self.pressing, *self.holding}

    def ask(self, now_ns: int) -> None:
        """A new question is shown: only buttons that go down from now on can answer it."""
        self.asked_ns = now_ns
        self.pressing.clear()
        self.holding.clear()

    def end_interruption(self, now_ns: int) -> None:
        """Stop waiting: everything is as it was, players want to go on anyway, or the round is over."""
        self.interrupted = None
        if self.round is not None:
            self.round.impair(self.impaired, now_ns)

    def begin_match(self, deal: tuple[int, ...], now_ns: int, position: str = "") -> None:
        """Seat the players of a new match, whose first round may go on from a position.

        MalformedText if that is no position, IllegalMove if no round of this deal can go on from it.
        """
        ties = TieBreaker(self._draws)
        resumed = self._opener(self, deal, ties, position) if position else None
        self.match = new_match(self.table.game, deal, self.table.rounds)
        self.match_begun_ns = now_ns
        self.seated = set(self.match.seats)
        self.round = resumed
        self._ties = ties

    def open_round(self, match: Match) -> None:
        """Begin a new round of that match."""
        self.round = self._opener(self, match.deal, self._ties, "")


OpenRound = Callable[[Knowledge, tuple[int, ...], TieBreaker, str], Round]
