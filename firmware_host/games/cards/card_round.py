"""One round of cards: pads, slaps, the piles in the centre, and the calls that end it.

Where seats have pads, a card on the seat's own pad is armed and a slap plays it: the slap says when, the
tag says which card. Where the piles have readers, laying a card on one plays it there, with the wide stamp
of a reader. Nothing else is sensed: heights and owners of the piles follow from the plays.

A card that has been played may stay on its pad for a while; it does not count as a second card beside
the next one. A call of stop ends the round at its stamp, and slaps from before that are still judged.

A call with a long press is dated by that press. So while a press without a card is down, and may become a
call that ends the round, what is surely after it waits: at most until the press is long enough. In the
standard game most seats can't end the round yet: the cards that they have in the centre say how many they
have left at least. Such a seat holds nobody up, its call is refused at once, and the round goes on. Only
where the table may have missed something (a device was lost, the table was away) does it take everybody at
their word.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import NamedTuple

from firmware_host.games.cards.cards import CardsPosition
from firmware_host.games.cards.plays import Attempt, PlayRuling, Plays
from firmware_host.games.games import Table
from firmware_host.games.round import End, Outbox, Round, Tags
from firmware_host.model.effects import (
    WINNING,
    CardArmed,
    CardPlayed,
    Cue,
    Judged,
    RoundStuck,
    TagRefused,
    Verdict,
)
from firmware_host.model.events import Pressed, TagEvent, TagSeen
from firmware_host.model.places import Card, Pad, Pile, Stranger, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.times import Stamp, contenders, exactly
from firmware_host.timing.ties import TieBreaker


class OnPad(NamedTuple):
    """What lies on a pad: the armed card and the place that it fits onto now, or what is wrong."""

    card: Card | None
    cue: Cue | None
    place: int | None


class StopCall(NamedTuple):
    """A seat has called stop: the moment that the call is dated by, and the one in which it was made."""

    seat: int
    stamp: Stamp
    made_ns: int
    due_ns: int


@dataclass(slots=True)
class SeatRecord:
    """What the round has to remember of a seat."""

    press: Stamp | None = None  # its button is down since then, and may become a call
    excuse: tuple[Cue | None, frozenset[Tag]] | None = None  # the state of its pad that excused a slap


class CardRound(Round):
    """Judges slaps and calls between the start call and the stop call.

    A press without a card is judged when its button comes up, since it may be the beginning of a call.
    """

    def __init__(
        self,
        settings: Settings,
        table: Table,
        position: CardsPosition,
        ties: TieBreaker,
        out: Outbox,
        tags: Tags,
    ) -> None:
        super().__init__(out)
        self._settings = settings
        self._tags = tags
        self._pads = table.pads
        self._expert = table.expert
        self._long_press = not table.call_buttons  # ... is a call of stop
        self._plays = Plays(settings, ties, position, wide_ns=0 if table.pads else settings.tag_settle_ns)
        self._tally = position.counts  # it is read far more often than it changes
        self._seats: defaultdict[int, SeatRecord] = defaultdict(SeatRecord)
        self._laid: list[TagSeen] = []
        self._calls: list[StopCall] = []
        self._wrong_callers: tuple[int, ...] = ()

    @property
    def position(self) -> CardsPosition:
        """The piles now, and how the round has ended."""
        position, end = self._plays.position, self.end
        if end is None:
            return position
        return replace(position, caller=end.seats[0] if end.seats else None, stuck=not end.seats)

    @property
    def dealt(self) -> tuple[int, ...]:
        return self._plays.position.dealt

    @property
    def least_left(self) -> tuple[int, ...]:
        """The fewest Ligretto cards that each seat can have left, as far as the table knows."""
        return (0,) * len(self.dealt) if self._expert else self._plays.position.least_left

    @property
    def tally(self) -> tuple[int, ...]:
        return self._tally

    @property
    def owed(self) -> tuple[int, ...]:
        return self.dealt

    # -- what lies on the pads

    def on_pad(self, seat: int) -> OnPad:
        """What lies on this seat's pad now."""
        position = self._plays.position
        if not position.plays(seat):
            return OnPad(None, None, None)
        card, cue = self._read(seat, self._tags.lying(Pad(seat)))
        places = position.places_for(card) if card is not None else []
        return OnPad(card, cue, places[0] if places else None)

    def _read(self, seat: int, tags: list[Tag]) -> tuple[Card | None, Cue | None]:
        """The card that is armed with these tags on a seat's pad, or what is wrong with them."""
        fresh = [tag for tag in tags if not self._is_played(tag)]
        if not fresh:
            return None, Cue.IN_CENTRE if tags else None
        if len(fresh) > 1:
            return None, Cue.TWO_TAGS
        tag, cue = fresh[0], self.cue_of(fresh[0], seat)
        return (tag if isinstance(tag, Card) and cue is None else None), cue

    def cue_of(self, tag: Tag, seat: int = 0) -> Cue | None:
        """Why this tag can not be played, on the pad of that seat or by anybody; None if it can."""
        position = self._plays.position
        if isinstance(tag, Stranger):
            return Cue.UNKNOWN
        if not isinstance(tag, Card):
            return Cue.WRONG_KIND
        if seat not in (0, tag.seat) or not position.plays(tag.seat):
            return Cue.NOT_YOURS
        return Cue.IN_CENTRE if position.is_in_centre(tag) else None

    def _is_played(self, tag: Tag) -> bool:
        return isinstance(tag, Card) and self._plays.position.is_in_centre(tag)

    # -- cards come in

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        if not isinstance(event, TagSeen):
            return
        at = event.at
        if isinstance(at, Pile):
            self._laid.append(event)  # judged when all that came at the same moment is known
        elif isinstance(at, Pad) and self._plays.position.plays(at.seat):
            card, cue, place = self.on_pad(at.seat)
            if cue is not None:
                self.out.emit(TagRefused(at, event.tag, cue, now_ns))
            else:
                assert card is not None
                self.out.emit(CardArmed(card, Pile(place) if place else None, now_ns))

    def _judge_laid(self, known_ns: int, now_ns: int) -> None:
        """Play the cards that were laid on the readers of piles, unless something is wrong with them."""
        laid, self._laid = self._laid, []
        for event, cue in [(each, self._cue_of_laid(each, laid)) for each in laid]:
            tag, at = event.tag, event.at
            assert isinstance(at, Pile)
            if cue is not None:
                self.out.emit(TagRefused(at, tag, cue, now_ns))
                continue
            assert isinstance(tag, Card)
            if self.running_at(event.stamp):
                self._plays.lay(tag, event.stamp, at.number, known_ns, doubtful=event.late)
            else:
                self.out.emit(Judged(Verdict.NOT_RUNNING, tag.seat, event.stamp, now_ns, tag))

    def _cue_of_laid(self, event: TagSeen, laid: list[TagSeen]) -> Cue | None:
        tag, at = event.tag, event.at
        cue = self.cue_of(tag)
        if cue is not None:
            return cue
        assert isinstance(tag, Card)
        along = {each.tag for each in laid if each.at == at}
        others = [each for each in self._tags.lying(at) if each != tag and not self._is_played(each)]
        return Cue.TWO_TAGS if any(self._is_in_the_way(each, tag, along) for each in others) else None

    def _is_in_the_way(self, other: Tag, card: Card, along: set[Tag]) -> bool:
        """Whether another tag there is a mistake.

        Cards that other seats laid at the same moment, and cards that are pending, are a race and not a
        mistake.
        """
        if other in along:
            position = self._plays.position
            return not isinstance(other, Card) or other.seat == card.seat or not position.plays(other.seat)
        return not any(each.place is not None and each.card == other for each in self._plays.waiting)

    # -- presses come in

    def slapped(self, event: Pressed, now_ns: int) -> None:
        seat, stamp = event.seat, event.stamp
        if not self.running_at(stamp) or not self._plays.position.plays(seat):
            self.out.emit(Judged(Verdict.NOT_RUNNING, seat, stamp, now_ns))
            return
        settings = self._settings
        slap = Attempt(seat, stamp)
        if self._pads:
            slap.card_by_ns = stamp.latest_ns + settings.card_late_ns + settings.tag_settle_ns
            self._plays.waiting.append(slap)
            self._find_card(slap, stamp.latest_ns)
        if slap.card is None and self._long_press and not self._plays.locks.holds(seat, stamp):
            self._seats[seat].press = stamp

    def _find_card(self, slap: Attempt, known_ns: int) -> None:
        """Find out which card was slapped. Its tag may be read a little later than the slap."""
        pad, record = Pad(slap.seat), self._seats[slap.seat]
        tags = self._tags.at(pad, Stamp(slap.stamp.earliest_ns, min(slap.card_by_ns, known_ns)))
        card, cue = self._read(slap.seat, tags)
        if card is not None:
            slap.card, slap.card_by_ns, slap.due_ns = card, 0, slap.stamp.latest_ns
            if record.press == slap.stamp:
                record.press = None
        elif cue not in (None, Cue.IN_CENTRE) or slap.card_by_ns <= known_ns:
            if cue is None:
                gone = self._tags.gone_within(pad, slap.stamp, self._settings.gone_ns)
                tags = [tag for tag in gone if not self._is_played(tag)]
                cue = Cue.GONE if tags else None
            excuse = (cue, frozenset(tags))  # one slap for each state of a pad
            slap.cue, slap.excused, slap.card_by_ns = cue, record.excuse != excuse, 0
            record.excuse = excuse

    def judge_press(self, seat: int) -> None:
        self._plays.let_go(seat)
        self._seats[seat].press = None

    def was_long_press(self, seat: int) -> None:
        self._plays.was_call(seat)

    # -- calls come in

    def may_call(self, seat: int) -> bool:
        """Whether the press of this seat holds others up: it may become the call that ends the round."""
        press = self._seats[seat].press
        if press is None:
            return False
        before = [each for each in self._plays.undecided(seat) if each != press]
        undecided = sum(not press.surely_before(each) for each in before)
        return self._least_left(seat, press) <= undecided

    def call_with_press(self, seat: int, otherwise: Stamp, known_ns: int) -> None:
        """A press has become a call, dated by the press if that has held others up."""
        press = self._seats[seat].press
        self._seats[seat].press = None
        self.call_stop(seat, otherwise if press is None else press, known_ns)

    def call_stop(self, seat: int, stamp: Stamp, known_ns: int) -> None:
        """A seat calls stop. The call is pending for a moment, since another one may be as early."""
        self._plays.was_call(seat)
        if self._plays.position.plays(seat) and self.running_at(stamp) and self.end is None:
            due_ns = max(known_ns + 2 * self._settings.stamp_uncertainty_ns + 1, stamp.latest_ns)
            self._calls.append(StopCall(seat, stamp, known_ns, due_ns))

    def call_stuck(self, stamp: Stamp, now_ns: int) -> None:
        """All seats call that nobody can play any more."""
        for seat in range(1, len(self.dealt) + 1):
            self._plays.was_call(seat)
        self._end(End(stamp, ()), now_ns)
        self.out.emit(RoundStuck(now_ns))

    def reopen(self) -> None:
        """The call was wrong: the round goes on."""
        self._wrong_callers = self.end.seats if self.end is not None else ()
        self.go_on()

    def go(self, t_ns: int) -> None:
        super().go(t_ns)
        for seat in self._wrong_callers:
            self._refuse(seat, exactly(t_ns), t_ns, t_ns)
        self._wrong_callers = ()

    # -- what comes out

    def decide(self, known_ns: int, now_ns: int) -> None:
        if self._laid:
            self._judge_laid(known_ns, now_ns)
        for slap in self._plays.waiting:
            if slap.card_by_ns:
                self._find_card(slap, known_ns)
        while True:
            ruling = self._plays.next_ruling(known_ns, self._possible_end())
            if ruling is not None:
                self._tell(ruling, now_ns)
            elif not self._judge_calls(known_ns, now_ns):
                return

    def awaits_after_ns(self, known_ns: int) -> int | None:
        moments = [self._plays.awaits_after_ns(known_ns)]
        moments += [moment for call in self._calls for moment in (call.due_ns, self._counted_ns(call))]
        return min((moment for moment in moments if moment is not None and moment > known_ns), default=None)

    def _possible_end(self) -> Stamp | None:
        """The earliest moment at which a call may turn out to have ended the round."""
        stamps = [call.stamp for call in self._calls]
        stamps += [each.press for seat, each in self._seats.items() if each.press and self.may_call(seat)]
        return min(stamps, key=lambda stamp: stamp.latest_ns, default=None)

    def _tell(self, ruling: PlayRuling, now_ns: int) -> None:
        attempt, play = ruling.attempt, ruling.play
        if self.end is not None and attempt.card is None:
            self.out.emit(_not_running(attempt, now_ns))  # it may have been meant as a call
            return
        if ruling.tie is not None:
            self.out.emit(ruling.tie)
        won = ruling.verdict in WINNING
        lost_to = None if won else play
        judged = Judged(
            ruling.verdict,
            attempt.seat,
            attempt.stamp,
            now_ns,
            attempt.card,
            ruling.margin_ns,
            lost_to.card.seat if lost_to is not None else None,
            attempt.doubtful or self.in_doubt(*self._plays.contest_ns(attempt)),
            self._plays.locks.until_ns(attempt.seat) if ruling.locks else 0,
            ruling.cue,
            lost_to.stamp if lost_to is not None else None,
        )
        self.out.emit(judged)
        if won and play is not None:
            self._tally = self._plays.position.counts
            self.out.emit(CardPlayed(play.card, Pile(play.place), now_ns))

    def _judge_calls(self, known_ns: int, now_ns: int) -> bool:
        """Refuse or follow the first call; True if that was possible.

        What the seat did before has to be decided first. Calls at the same time need no tie-break.
        """
        first = contenders(self._calls, lambda call: call.stamp)
        for call in first:
            undecided = self._plays.undecided(call.seat)
            if known_ns < call.due_ns or any(each.surely_before(call.stamp) for each in undecided):
                return False
            if self._least_left(call.seat, call.stamp):
                if known_ns < self._counted_ns(call):
                    return False
                self._calls.remove(call)
                self._refuse(call.seat, call.stamp, call.made_ns, now_ns)
                return True
        if first:
            call = min(first, key=lambda each: (each.stamp, each.seat))
            others = sorted(each.seat for each in first if each is not call)
            self._end(End(call.stamp, (call.seat, *others)), now_ns)
        return bool(first)

    def _least_left(self, seat: int, stamp: Stamp) -> int:
        """The fewest Ligretto cards that this seat can have had left at that stamp."""
        if self._expert or self.in_doubt(0, stamp.latest_ns):
            return 0
        played = self._tally[seat - 1] - self._plays.played_after(seat, stamp)
        return max(0, self.dealt[seat - 1] - played)

    def _counted_ns(self, call: StopCall) -> int:
        """When all cards that were played before a call are known."""
        return call.stamp.latest_ns + (0 if self._pads else self._settings.tag_settle_ns)

    def _refuse(self, seat: int, stamp: Stamp, from_ns: int, now_ns: int) -> None:
        """A stop call was wrong: its seat is locked for a moment, from then on."""
        locks = self._plays.locks
        locks.restart(seat, exactly(from_ns))
        self.out.emit(
            Judged(
                Verdict.FALSE_CLAIM,
                seat,
                stamp,
                now_ns,
                locked_until_ns=locks.until_ns(seat),
                cue=Cue.WRONG_STOP,
            )
        )

    def _end(self, end: End, now_ns: int) -> None:
        """The round has ended: what waits and is not from before that counts no more."""
        self.end_at(end)
        self._calls.clear()
        for record in self._seats.values():
            record.press = None
        for attempt in self._plays.close(end.stamp):
            self.out.emit(_not_running(attempt, now_ns))


def _not_running(attempt: Attempt, now_ns: int) -> Judged:
    return Judged(Verdict.NOT_RUNNING, attempt.seat, attempt.stamp, now_ns, attempt.card)
