"""Who plays which card: attempts go in with their stamps, and rulings come out.

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
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from firmware_host.games.locks import Locks
from firmware_host.model.effects import Cue, TieBroken, Verdict
from firmware_host.model.places import Card, Colour
from firmware_host.model.settings import Settings
from firmware_host.model.times import Stamp, exactly, margin_ns
from firmware_host.timing.ties import TieBreaker

NEVER_NS = 1 << 62


class CentrePiles(Protocol):
    """The piles as they are now."""

    def is_in_centre(self, card: Card) -> bool:
        """Whether this card of this seat lies on a pile."""

    def accepts(self, card: Card, place: int) -> bool:
        """Whether the card may go onto that place."""

    def places_for(self, card: Card) -> list[int]:
        """The places that it may go onto."""


@dataclass(slots=True, eq=False)
class Attempt:
    """A slap or a laid card that waits for its verdict; `place` is where it was laid.

    Without a card there is nothing to play; `cue` may give the reason. Until `card_by_ns` its card may still
    be read; 0 means that this is decided.
    """

    seat: int
    stamp: Stamp
    card: Card | None
    due_ns: int
    place: int | None = None
    cue: Cue | None = None
    excused: bool = True  # the seat is not locked for what the cue says
    card_by_ns: int = 0
    lost: PlayedCard | None = None
    doubtful: bool = False


@dataclass(slots=True, eq=False)
class PlayedCard:
    """A card that was played: the place, and the stamp."""

    card: Card
    place: int
    stamp: Stamp
    excused: set[int] = field(default_factory=set)


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
    """The attempts of one round. `wide_ns` is how much wider than those of slaps stamps may be."""

    def __init__(self, settings: Settings, ties: TieBreaker, wide_ns: int = 0) -> None:
        self._just_lost_ns = settings.just_lost_ns
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._wide_ns = wide_ns
        self._ties = ties
        self._locks = Locks(settings.lock_ns, settings.locks)
        self._pending: list[Attempt] = []
        self._past: list[PlayedCard] = []
        self._raised: dict[int, Stamp] = {}
        self._end: Stamp | None = None

    # -- what comes in

    def slap(self, seat: int, stamp: Stamp, card: Card) -> None:
        """A seat slaps, with that card on its pad."""
        self._pending.append(Attempt(seat, stamp, card, stamp.latest_ns))

    def press(self, seat: int, stamp: Stamp, card_by_ns: int = 0) -> Attempt:
        """A seat presses with no card on its pad: if none is read by then, it is a call or a false claim."""
        attempt = Attempt(seat, stamp, None, NEVER_NS, card_by_ns=card_by_ns)
        self._pending.append(attempt)
        return attempt

    @property
    def unread(self) -> list[Attempt]:
        """The presses whose card may still be read."""
        return [each for each in self._pending if each.card_by_ns]

    def read(self, attempt: Attempt, card: Card) -> None:
        """The card of a press was read: it was a slap."""
        attempt.card, attempt.card_by_ns, attempt.due_ns = card, 0, attempt.stamp.latest_ns

    def not_read(self, attempt: Attempt, cue: Cue | None, excused: bool) -> None:
        """A press has no card to play; the cue may give the reason."""
        attempt.cue, attempt.excused, attempt.card_by_ns = cue, excused, 0

    def lay(self, card: Card, stamp: Stamp, place: int, known_ns: int, doubtful: bool = False) -> None:
        """A card was laid on a place."""
        due_ns = known_ns + self._wide_ns
        self._pending.append(Attempt(card.seat, stamp, card, due_ns, place, doubtful=doubtful))

    def is_laid(self, card: Card) -> bool:
        """Whether this card was laid on a place and is not decided yet."""
        return any(each.place is not None and each.card == card for each in self._pending)

    def let_go(self, seat: int) -> None:
        """A button came up: a press without a card was not a call either."""
        for attempt in self._pending:
            if attempt.seat == seat and attempt.due_ns == NEVER_NS:
                attempt.due_ns = attempt.stamp.latest_ns

    def was_call(self, seat: int) -> None:
        """A press has become a call: it is not judged."""
        self._pending = [each for each in self._pending if each.seat != seat or each.due_ns != NEVER_NS]

    def close(self, end: Stamp) -> list[Attempt]:
        """End the round at that stamp: remove and return all attempts that are surely after it."""
        return self._take(each for each in self._pending if end.surely_before(each.stamp))

    def take_pressed(self) -> list[Attempt]:
        """Remove and return the presses whose buttons are down, unless a card may still be read for them."""
        return self._take(each for each in self._pending if each.due_ns == NEVER_NS and not each.card_by_ns)

    def lock(self, seat: int, t_ns: int) -> None:
        """Lock a seat for a wrong call, from then on."""
        self._locks.restart(seat, exactly(t_ns))

    # -- what comes out

    def next_ruling(self, known_ns: int, centre: CentrePiles, end: Stamp | None = None) -> PlayRuling | None:
        """The next decision that is due now that everything up to then is known; None if there is none.

        `end` is what may turn out to be the end of the round.
        """
        if not self._pending:
            return None
        self._end = end
        return (
            self._lock()
            or self._award(known_ns, centre)
            or self._dismiss(known_ns, centre)
            or self._award(known_ns, centre, knot=True)
        )

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        moments = (moment for each in self._pending for moment in (each.due_ns, each.card_by_ns))
        return min((moment for moment in moments if known_ns < moment < NEVER_NS), default=None)

    def is_locked(self, seat: int, stamp: Stamp) -> bool:
        """Whether a seat is locked at that stamp."""
        return self._locks.holds(seat, stamp)

    def played_after(self, seat: int, stamp: Stamp) -> int:
        """How many cards this seat has surely played after that stamp."""
        return sum(play.card.seat == seat and stamp.surely_before(play.stamp) for play in self._past)

    def undecided(self, seat: int, stamp: Stamp) -> int:
        """How many cards of this seat are not decided yet and may have been played before that stamp."""
        return sum(each.stamp != stamp and not stamp.surely_before(each.stamp) for each in self._of(seat))

    def undecided_before(self, seat: int, stamp: Stamp) -> bool:
        """Whether a card that this seat has surely played before that stamp is not decided yet."""
        return any(each.stamp.surely_before(stamp) for each in self._of(seat))

    def _of(self, seat: int) -> Iterator[Attempt]:
        """The pending attempts of a seat that have a card or may have one."""
        return (
            each for each in self._pending if each.seat == seat and (each.card is not None or each.card_by_ns)
        )

    def locked_until_ns(self, seat: int) -> int:
        """When the last lock of this seat ends; 0 if it never had one."""
        return self._locks.until_ns(seat)

    def contest_ns(self, attempt: Attempt) -> tuple[int, int]:
        """The time in which something may have happened that this attempt's verdict depends on."""
        first_ns = attempt.stamp.earliest_ns - self._just_lost_ns - self._doubt_ns
        return first_ns, attempt.stamp.latest_ns + self._doubt_ns

    def _take(self, attempts: Iterable[Attempt]) -> list[Attempt]:
        taken = list(attempts)
        self._pending = [each for each in self._pending if each not in taken]
        return taken

    def _lock(self) -> PlayRuling | None:
        for attempt in self._pending:
            if attempt.due_ns == NEVER_NS or self._waits_for_end(attempt):
                continue
            if self._locks.holds(attempt.seat, attempt.stamp):
                self._pending.remove(attempt)
                self._locks.restart(attempt.seat, attempt.stamp)
                return PlayRuling(Verdict.LOCKED, attempt, locks=True)
        return None

    def _next_of_each_seat(self) -> list[Attempt]:
        """The attempts that may be decided: a seat's second waits for its first, unless cards are laid."""
        return sorted((each for each in self._pending if self._before(each) is None), key=_moment)

    def _before(self, attempt: Attempt) -> Attempt | None:
        """The earlier attempt of the same seat that is not decided either."""
        if attempt.place is not None:
            return None
        first = next(each for each in self._pending if each.seat == attempt.seat and each.place is None)
        return None if first is attempt else first

    def _award(self, known_ns: int, centre: CentrePiles, knot: bool = False) -> PlayRuling | None:
        """Play the first attempt that is due and fits, or the rival that the tie-break chooses.

        `knot` says that nothing else can be decided: if all that fit only wait for each other, the first
        is played.
        """
        fitting = {each: places for each in self._pending if (places := self._places(each, centre))}
        ready = [
            each for each in self._next_of_each_seat() if each in fitting and self._is_due(each, known_ns)
        ]
        blocked: list[tuple[Attempt, list[Attempt]]] = []
        for first in ready:
            rivals = _one_per_seat(each for each in sorted(fitting, key=_moment) if _compete(first, each))
            if any(map(self._waits_for_end, rivals)) or self._may_be_beaten(first, centre):
                continue
            waiting_for = [before for each in rivals if (before := self._before(each)) is not None]
            if not waiting_for:
                return self._award_to(first, rivals, fitting[first])
            if all(self._is_due(before, known_ns) for before in waiting_for):
                blocked.append((first, rivals))
        if knot and blocked and len(blocked) == len(ready):
            first, rivals = blocked[0]
            return self._award_to(first, rivals, fitting[first])
        return None

    def _award_to(self, first: Attempt, rivals: list[Attempt], places: list[int]) -> PlayRuling:
        tie = None
        winner = first
        if len(rivals) > len(places):
            tie = self._ties.settle(first.card, [each.seat for each in rivals])
            winner = next(each for each in rivals if each.seat == tie.winner)
        assert winner.card is not None
        place = places[0] if winner.place is None else winner.place
        play = PlayedCard(winner.card, place, winner.stamp)
        if tie is not None and len(places) == 1:
            for each in rivals:
                each.lost = play if each is not winner else None
        self._past.append(play)
        self._raised[place] = self._raise(place, winner.stamp)
        self._pending.remove(winner)
        return PlayRuling(Verdict.DEAD_HEAT_WON if tie else Verdict.ACCEPTED, winner, play, tie=tie)

    def _raise(self, place: int, stamp: Stamp) -> Stamp:
        """When the pile reached that height: not before all of its cards were there."""
        below = self._raised.get(place, stamp)
        return Stamp(max(below.earliest_ns, stamp.earliest_ns), max(below.latest_ns, stamp.latest_ns))

    def _places(self, attempt: Attempt, centre: CentrePiles) -> list[int]:
        """The places that this attempt fits on."""
        card = attempt.card
        if card is None or centre.is_in_centre(card):
            return []
        if attempt.place is None:
            places = centre.places_for(card)
        else:
            places = [attempt.place] if centre.accepts(card, attempt.place) else []
        return [place for place in places if not self._is_before_raise(attempt, place)]

    def _is_before_raise(self, attempt: Attempt, place: int) -> bool:
        """Whether the card below was surely played after this."""
        raised = self._raised.get(place)
        return raised is not None and attempt.stamp.surely_before(raised)

    def _dismiss(self, known_ns: int, centre: CentrePiles) -> PlayRuling | None:
        """Reject an attempt that is due and does not fit, if no card can come any more that it fits on."""
        for attempt in self._next_of_each_seat():
            if not self._is_due(attempt, known_ns) or self._places(attempt, centre):
                continue  # one that fits may have to wait for a rival
            if not self._may_still_fit(attempt, known_ns, centre):
                self._pending.remove(attempt)
                return self._rejection(attempt, centre)
        return None

    def _may_still_fit(self, attempt: Attempt, known_ns: int, centre: CentrePiles) -> bool:
        """Whether a pending attempt may have come before it, so that it would fit after all."""
        return attempt.card is not None and any(
            (other.card is not None or other.card_by_ns)
            and not attempt.stamp.surely_before(other.stamp)
            and (not self._is_due(other, known_ns) or self._places(other, centre))
            for other in self._pending
            if other is not attempt
        )

    def _is_due(self, attempt: Attempt, known_ns: int) -> bool:
        """Whether nothing that it could depend on can still turn up, other than rivals."""
        return attempt.due_ns <= known_ns and not attempt.card_by_ns and not self._waits_for_end(attempt)

    def _waits_for_end(self, attempt: Attempt) -> bool:
        """Whether it does not count if the round has ended with what may be its end."""
        return self._end is not None and self._end.surely_before(attempt.stamp)

    def _may_be_beaten(self, first: Attempt, centre: CentrePiles) -> bool:
        """Whether the card of an unread slap may turn out to be a rival that was as early."""
        card = first.card
        if first.place is not None or card is None or card.number == 1:
            return False
        return any(
            each.seat != first.seat
            and each.stamp.earliest_ns <= first.stamp.latest_ns
            and not centre.is_in_centre(card._replace(seat=each.seat))
            and not self._locks.holds(each.seat, each.stamp)
            for each in self.unread
        )

    def _rejection(self, attempt: Attempt, centre: CentrePiles) -> PlayRuling:
        cue = attempt.cue
        if attempt.card is not None and centre.is_in_centre(attempt.card):
            cue = Cue.IN_CENTRE
        if cue is not None:
            if not attempt.excused:
                self._locks.begin(attempt.seat, attempt.stamp)
            return PlayRuling(Verdict.ILLEGAL, attempt, cue=cue, locks=not attempt.excused)
        lost = attempt.lost or self._just_lost(attempt)
        if lost is not None:
            lost.excused.add(attempt.seat)
            verdict = Verdict.DEAD_HEAT_LOST if attempt.lost else Verdict.TOO_LATE
            return PlayRuling(verdict, attempt, lost, abs(margin_ns(lost.stamp, attempt.stamp)))
        if attempt.place is not None:
            return PlayRuling(Verdict.ILLEGAL, attempt)
        self._locks.begin(attempt.seat, attempt.stamp)
        verdict = Verdict.FALSE_CLAIM if attempt.card is None else Verdict.ILLEGAL
        return PlayRuling(verdict, attempt, locks=True)

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


def _one_per_seat(attempts: Iterable[Attempt]) -> list[Attempt]:
    """The first attempt of each seat: nobody is drawn with two."""
    first: dict[int, Attempt] = {}
    for attempt in attempts:
        first.setdefault(attempt.seat, attempt)
    return list(first.values())


def _moment(attempt: Attempt) -> tuple[int, int, Card, int]:
    """The order in time; where that is equal, an order of cards that favours nobody."""
    latest_ns, earliest_ns = attempt.stamp.latest_ns, attempt.stamp.earliest_ns
    return latest_ns, earliest_ns, attempt.card or Card(attempt.seat, *_NO_CARD), attempt.seat


_NO_CARD = (Colour.RED, 0)


def _compete(first: Attempt, other: Attempt) -> bool:
    """Whether two attempts that fit want the same place, and the other may have been as early."""
    if first is other:
        return True
    if first.seat == other.seat:
        return False
    if first.card is None or other.card is None or other.stamp.earliest_ns > first.stamp.latest_ns:
        return False
    if first.place is not None or other.place is not None:
        return first.place == other.place
    return first.card[1:] == other.card[1:] and first.card.number > 1
