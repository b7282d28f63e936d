"""Which card is played: attempts go in with their stamps, and rulings come out.

An attempt is a slap with a card on the seat's pad, or a card laid on the reader of a pile. It fits if a
pile wants the card, and did so when the attempt was made: the card below may have been played in
the same dead heat, but not surely after it.

* An attempt is due when all that may have come before it is known (`known_ns` says up to when everything
  is). Of those that are due and fit, the first is played first. An attempt that may have been as early and
  wants the same place is a rival. If
  there are more rivals than places, nobody was first: a dead heat. A one opens a pile of its own, so
  ones never compete, unless they are laid on the same place.
* An attempt that does not fit is rejected as soon as no card can come any more that it would fit on. If
  a rival has just taken its place, it is too late; each play excuses one attempt per seat. Otherwise it
  is illegal, and a slap that was illegal locks its seat: hammering with a card on the pad, in the
  hope that its turn comes between two slaps, does not pay.
* A card may be laid down and slapped in one movement (its pad has the switch underneath). So a slap with no
  card on its pad is unread for a while: a card that the reader finds within that time is what was slapped.
  Until then a slap that is not surely before it waits, if the two may turn out to be rivals.
* A slap without a card is a false claim and locks as well. Where something else is wrong with the pad (a
  cue says what), one slap is excused as long as the pad stays as it is. Both may be the beginning of a
  long press, which is a call and not a slap, so they are judged when the button comes up.
* The attempts of a seat are judged in their order, since one may lock the next. If somebody's rival
  still waits for another attempt of its own seat, that one has to be decided first.
* Nothing counts after the end of the round. So while a call may turn out to be the end, all that is surely
  after it waits.

There is one record for each attempt that waits, and one for each card that was played. Nothing is played that
may have to be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from firmware_host.games.cards.cards import CardsPosition
from firmware_host.games.round import Locks
from firmware_host.model.effects import Cue, TieBroken, Verdict
from firmware_host.model.places import Card, Colour
from firmware_host.model.settings import Settings
from firmware_host.model.times import Stamp, margin_ns
from firmware_host.timing.ties import TieBreaker

NEVER_NS = 1 << 62


@dataclass(slots=True, eq=False)
class Attempt:
    """A slap or a laid card that waits for its verdict.

    Without a card there is nothing to play; `cue` may give the reason.
    """

    seat: int
    stamp: Stamp
    card: Card | None = None
    due_ns: int = NEVER_NS  # while its button is down and it may become a call
    place: int | None = None  # where it was laid
    doubtful: bool = False
    card_by_ns: int = 0  # until then its card may still be read; 0 if this is decided
    cue: Cue | None = None
    excused: bool = True  # the seat is not locked for what the cue says
    lost: PlayedCard | None = None  # the play of the rival that has won their dead heat

    @property
    def may_have_card(self) -> bool:
        """Whether it has a card, or one may still be read for it."""
        return self.card is not None or self.card_by_ns > 0


@dataclass(slots=True, eq=False)
class PlayedCard:
    """A card that was played: the place, and the stamp."""

    card: Card
    place: int
    stamp: Stamp
    excused: set[int] = field(default_factory=set)  # the seats that were told "too late" for it


@dataclass(frozen=True, slots=True)
class PlayRuling:
    """The decision on one attempt; `play` is what it led to, or what it came too late for."""

    verdict: Verdict
    attempt: Attempt
    play: PlayedCard | None = None
    margin_ns: int | None = None
    tie: TieBroken | None = None
    cue: Cue | None = None
    locks: bool = False


class Plays:
    """The attempts of one round, and its piles. Stamps may be `wide_ns` wider than those of slaps."""

    def __init__(
        self, settings: Settings, ties: TieBreaker, position: CardsPosition, wide_ns: int = 0
    ) -> None:
        self.position = position
        self.waiting: list[Attempt] = []
        """The attempts without a verdict, in the order in which they became known."""
        self.locks = Locks(settings.lock_ns, settings.locks)
        self._just_lost_ns = settings.just_lost_ns
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._wide_ns = wide_ns
        self._ties = ties
        self._past: list[PlayedCard] = []
        self._raised: dict[int, Stamp] = {}  # when each pile reached its height

    # -- what comes in

    def lay(self, card: Card, stamp: Stamp, place: int, known_ns: int, doubtful: bool = False) -> None:
        """A card was laid on a place."""
        self.waiting.append(Attempt(card.seat, stamp, card, known_ns + self._wide_ns, place, doubtful))

    def let_go(self, seat: int) -> None:
        """A button came up: a press without a card was not a call either."""
        for attempt in self.waiting:
            if attempt.seat == seat and attempt.due_ns == NEVER_NS:
                attempt.due_ns = attempt.stamp.latest_ns

    def was_call(self, seat: int) -> None:
        """A press has become a call: it is not judged."""
        self.waiting = [each for each in self.waiting if each.seat != seat or each.due_ns != NEVER_NS]

    def close(self, end: Stamp) -> list[Attempt]:
        """End the round at that stamp: remove and return what is not judged any more.

        That is all that is surely after it, and presses whose buttons are down, unless a card may still be
        read for them.
        """
        after = [each for each in self.waiting if end.surely_before(each.stamp)]
        after += [
            each
            for each in self.waiting
            if each.due_ns == NEVER_NS and not each.card_by_ns and each not in after
        ]
        self.waiting = [each for each in self.waiting if each not in after]
        return after

    # -- what is known

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        moments = (moment for each in self.waiting for moment in (each.due_ns, each.card_by_ns))
        return min((moment for moment in moments if known_ns < moment < NEVER_NS), default=None)

    def played_after(self, seat: int, stamp: Stamp) -> int:
        """How many cards this seat has surely played after that stamp."""
        return sum(play.card.seat == seat and stamp.surely_before(play.stamp) for play in self._past)

    def undecided(self, seat: int) -> Iterator[Stamp]:
        """When this seat has played the cards that are not decided yet, or may have played one."""
        return (each.stamp for each in self.waiting if each.seat == seat and each.may_have_card)

    def contest_ns(self, attempt: Attempt) -> tuple[int, int]:
        """The time in which something may have happened that this attempt's verdict depends on."""
        first_ns = attempt.stamp.earliest_ns - self._just_lost_ns - self._doubt_ns
        return first_ns, attempt.stamp.latest_ns + self._doubt_ns

    # -- what comes out

    def next_ruling(self, known_ns: int, end: Stamp | None = None) -> PlayRuling | None:
        """The next decision that is due now that everything up to then is known; None if there is none.

        `end` is what may turn out to be the end of the round.
        """
        if not self.waiting:
            return None
        held_up = {each for each in self.waiting if end is not None and end.surely_before(each.stamp)}
        for attempt in self.waiting:
            if attempt.due_ns == NEVER_NS or attempt in held_up:
                continue
            if self.locks.holds(attempt.seat, attempt.stamp):
                self.waiting.remove(attempt)
                self.locks.restart(attempt.seat, attempt.stamp)
                return PlayRuling(Verdict.LOCKED, attempt, locks=True)
        due = {each for each in self.waiting if each.due_ns <= known_ns and not each.card_by_ns} - held_up
        return self._decided(due, held_up)

    def _decided(self, due: set[Attempt], held_up: set[Attempt]) -> PlayRuling | None:
        """Play the first that fits, or the rival that the tie-break chooses; or else reject one."""
        in_order = sorted(self.waiting, key=_moment)
        places = {each: self._places(each) for each in in_order}
        fitting = [each for each in in_order if places[each]]
        decidable = [each for each in in_order if each in due and self._before(each) is None]
        ready = [each for each in decidable if places[each]]
        blocked: list[tuple[Attempt, list[Attempt]]] = []
        for first in ready:
            rivals = _rivals(first, fitting)
            if not held_up.isdisjoint(rivals) or self._may_be_beaten(first):
                continue
            waits_for = {before for each in rivals if (before := self._before(each)) is not None}
            if not waits_for:
                return self._play(first, rivals, places[first])
            if waits_for <= due:
                blocked.append((first, rivals))
        for attempt in decidable:
            # One that fits may have to wait for a rival.
            if not places[attempt] and not self._may_still_fit(attempt, due, places):
                return self._reject(attempt)
        if blocked and len(blocked) == len(ready):  # all that fit only wait for each other
            first, rivals = blocked[0]
            return self._play(first, rivals, places[first])
        return None

    def _before(self, attempt: Attempt) -> Attempt | None:
        """The earlier slap of the same seat that is not decided either; laid cards wait for none."""
        if attempt.place is not None:
            return None
        first = next(each for each in self.waiting if each.seat == attempt.seat and each.place is None)
        return None if first is attempt else first

    def _places(self, attempt: Attempt) -> list[int]:
        """The places that this attempt fits on: not where the card below was surely played after it."""
        card, position = attempt.card, self.position
        if card is None or position.is_in_centre(card):
            return []
        if attempt.place is None:
            places = position.places_for(card)
        else:
            places = [attempt.place] if position.accepts(card, attempt.place) else []
        raised = self._raised
        return [at for at in places if at not in raised or not attempt.stamp.surely_before(raised[at])]

    def _may_be_beaten(self, first: Attempt) -> bool:
        """Whether the card of an unread slap may turn out to be a rival that was as early."""
        card = first.card
        if first.place is not None or card is None or card.number == 1:
            return False
        return any(
            each.card_by_ns
            and each.seat != first.seat
            and each.stamp.earliest_ns <= first.stamp.latest_ns
            and not self.position.is_in_centre(card._replace(seat=each.seat))
            and not self.locks.holds(each.seat, each.stamp)
            for each in self.waiting
        )

    def _may_still_fit(self, attempt: Attempt, due: set[Attempt], places: dict[Attempt, list[int]]) -> bool:
        """Whether another attempt may have come before it, so that it would fit after all."""
        return attempt.card is not None and any(
            other.may_have_card
            and not attempt.stamp.surely_before(other.stamp)
            and (other not in due or places[other])
            for other in self.waiting
            if other is not attempt
        )

    def _play(self, first: Attempt, rivals: list[Attempt], places: list[int]) -> PlayRuling:
        tie, winner = None, first
        if len(rivals) > len(places):
            tie = self._ties.settle(first.card, [each.seat for each in rivals])
            winner = next(each for each in rivals if each.seat == tie.winner)
        assert winner.card is not None
        place = places[0] if winner.place is None else winner.place
        play = PlayedCard(winner.card, place, winner.stamp)
        if tie is not None and len(places) == 1:
            for each in rivals:
                each.lost = play
        self.waiting.remove(winner)
        self._past.append(play)
        # A pile has not reached its height before all of its cards were there.
        below, above = self._raised.get(place, winner.stamp), winner.stamp
        self._raised[place] = Stamp(
            max(below.earliest_ns, above.earliest_ns), max(below.latest_ns, above.latest_ns)
        )
        self.position = self.position.played(play.card, place)
        return PlayRuling(Verdict.DEAD_HEAT_WON if tie else Verdict.ACCEPTED, winner, play, tie=tie)

    def _reject(self, attempt: Attempt) -> PlayRuling:
        self.waiting.remove(attempt)
        card, cue = attempt.card, attempt.cue
        if card is not None and self.position.is_in_centre(card):
            cue = Cue.IN_CENTRE
        lost = attempt.lost or self._just_lost(attempt)
        if cue is None and lost is not None:
            lost.excused.add(attempt.seat)
            verdict = Verdict.DEAD_HEAT_LOST if attempt.lost else Verdict.TOO_LATE
            return PlayRuling(verdict, attempt, lost, abs(margin_ns(lost.stamp, attempt.stamp)))
        locks = attempt.place is None if cue is None else not attempt.excused
        if locks:
            self.locks.begin(attempt.seat, attempt.stamp)
        verdict = Verdict.FALSE_CLAIM if card is None and cue is None else Verdict.ILLEGAL
        return PlayRuling(verdict, attempt, cue=cue, locks=locks)

    def _just_lost(self, attempt: Attempt) -> PlayedCard | None:
        """The play that just took this attempt's place, if the seat has had no verdict for that yet."""
        card = attempt.card
        if card is None:
            return None
        for play in reversed(self._past):
            if (
                play.card[1:] == card[1:]
                and play.card.seat != attempt.seat
                and attempt.seat not in play.excused
                and attempt.place in (None, play.place)
                and not attempt.stamp.surely_before(play.stamp)
                and margin_ns(play.stamp, attempt.stamp) <= self._just_lost_ns
            ):
                return play
        return None


def _moment(attempt: Attempt) -> tuple[int, int, Card, int]:
    """The order in time; where that is equal, an order of cards that favours nobody."""
    earliest_ns, latest_ns = attempt.stamp
    return latest_ns, earliest_ns, attempt.card or Card(attempt.seat, Colour.RED, 0), attempt.seat


def _rivals(first: Attempt, fitting: list[Attempt]) -> list[Attempt]:
    """The first attempt of each seat that competes with this one, which is among them."""
    rivals: dict[int, Attempt] = {}
    for each in fitting:
        if each is first or _compete(first, each):
            rivals.setdefault(each.seat, each)
    return list(rivals.values())


def _compete(first: Attempt, other: Attempt) -> bool:
    """Whether two attempts that fit want the same place, and the other may have been as early."""
    assert first.card is not None and other.card is not None
    if first.seat == other.seat or other.stamp.earliest_ns > first.stamp.latest_ns:
        return False
    if first.place is not None or other.place is not None:
        return first.place == other.place
    return first.card[1:] == other.card[1:] and first.card.number > 1
