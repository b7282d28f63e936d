"""One round of cards: pads, slaps, the piles in the centre, and the calls that end it.

Where seats have pads, a card on the seat's own pad is armed and a slap plays it: the slap says when, the
tag says which card. Where the piles have readers, laying a card on one plays it there, with the wide stamp
of a reader. Nothing else is sensed: heights and owners of the piles follow from the plays.

A pad may have its switch underneath, so that laying the card down is the slap. Then the tag comes after the
press: a card that is read within `card_late_ns` of a press without a card is the one that was slapped.

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

from typing import NamedTuple

from firmware_host.games.cards.cards import CardsPosition
from firmware_host.games.cards.plays import Attempt, PlayRuling, Plays
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


class CardRound(Round):
    """Judges slaps and calls between the start call and the stop call.

    A press without a card is judged when its button comes up, since it may be the beginning of a call.
    """

    def __init__(
        self,
        settings: Settings,
        position: CardsPosition,
        ties: TieBreaker,
        out: Outbox,
        tags: Tags,
        *,
        pads: bool = True,
        expert: bool = False,
        long_press: bool = False,
    ) -> None:
        super().__init__(out)
        self.position = position
        self._tally = position.counts  # it is read far more often than it changes
        self._settings = settings
        self._tags = tags
        self._pads = pads
        self._expert = expert
        self._long_press = long_press  # ... is a call of stop
        self._plays = Plays(settings, ties, wide_ns=0 if pads else settings.tag_settle_ns)
        self._excuses: dict[int, tuple[Cue | None, frozenset[Tag]]] = {}  # one slap for each state of a pad
        self._laid: list[tuple[TagSeen, Pile]] = []
        self._calls: list[StopCall] = []
        self._presses: dict[int, Stamp] = {}  # of buttons that are down, each of which may become a call
        self._wrong_callers: tuple[int, ...] = ()

    @property
    def dealt(self) -> tuple[int, ...]:
        return self.position.dealt

    @property
    def least_left(self) -> tuple[int, ...]:
        """The fewest Ligretto cards that each seat can have left, as far as the table knows."""
        return (0,) * len(self.dealt) if self._expert else self.position.least_left

    @property
    def tally(self) -> tuple[int, ...]:
        return self._tally

    @property
    def owed(self) -> tuple[int, ...]:
        return self.position.dealt

    # -- what lies on the pads

    def on_pad(self, seat: int) -> OnPad:
        """What lies on this seat's pad now."""
        if not self.position.plays(seat):
            return OnPad(None, None, None)
        card, cue = self._read(seat, self._tags.lying(Pad(seat)))
        places = self.position.places_for(card) if card is not None else []
        return OnPad(card, cue, places[0] if places else None)

    def armed(self, seat: int) -> Card | None:
        """The card that a slap of this seat would play now."""
        return self.on_pad(seat).card

    def goes_to(self, seat: int) -> int | None:
        """The place that this seat's armed card fits onto now."""
        return self.on_pad(seat).place

    def _read(self, seat: int, tags: list[Tag]) -> tuple[Card | None, Cue | None]:
        """The card that is armed with these tags on a seat's pad, or what is wrong with them."""
        fresh = [tag for tag in tags if not self._is_played(tag)]
        if not fresh:
            return None, Cue.IN_CENTRE if tags else None
        if len(fresh) > 1:
            return None, Cue.TWO_TAGS
        tag = fresh[0]
        if isinstance(tag, Card):
            return (tag, None) if tag.seat == seat else (None, Cue.NOT_YOURS)
        return None, Cue.UNKNOWN if isinstance(tag, Stranger) else Cue.WRONG_KIND

    def _is_played(self, tag: Tag) -> bool:
        return isinstance(tag, Card) and self.position.is_in_centre(tag)

    # -- what comes in

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        if not isinstance(event, TagSeen):
            return
        at = event.at
        if isinstance(at, Pile):
            self._laid.append((event, at))  # judged when all that came at the same moment is known
        elif isinstance(at, Pad) and self.position.plays(at.seat):
            card, cue = self._read(at.seat, self._tags.lying(at))
            if cue is not None:
                self.out.emit(TagRefused(at, event.tag, cue, now_ns))
            else:
                assert card is not None
                place = self.goes_to(at.seat)
                self.out.emit(CardArmed(card, Pile(place) if place else None, now_ns))

    def _judge_laid(self, known_ns: int, now_ns: int) -> None:
        """Play the cards that were laid on the readers of piles, unless something is wrong with them."""
        laid, self._laid = self._laid, []
        cues = [self._cue_of_laid(event.tag, at, laid) for event, at in laid]
        for (event, at), cue in zip(laid, cues, strict=True):
            self._lay(event, at, cue, known_ns, now_ns)

    def _lay(self, event: TagSeen, at: Pile, cue: Cue | None, known_ns: int, now_ns: int) -> None:
        tag = event.tag
        if cue is not None:
            self.out.emit(TagRefused(at, tag, cue, now_ns))
            return
        assert isinstance(tag, Card)
        if self.running_at(event.stamp):
            self._plays.lay(tag, event.stamp, at.number, known_ns, doubtful=event.late)
        else:
            self.out.emit(Judged(Verdict.NOT_RUNNING, tag.seat, event.stamp, now_ns, tag))

    def _cue_of_laid(self, tag: Tag, at: Pile, laid: list[tuple[TagSeen, Pile]]) -> Cue | None:
        if isinstance(tag, Stranger):
            return Cue.UNKNOWN
        if not isinstance(tag, Card):
            return Cue.WRONG_KIND
        if not self.position.plays(tag.seat):
            return Cue.NOT_YOURS
        if self._is_played(tag):
            return Cue.IN_CENTRE
        along = {event.tag for event, there in laid if there == at and event.tag != tag}
        others = [each for each in self._tags.lying(at) if each != tag and not self._is_played(each)]
        return Cue.TWO_TAGS if any(self._is_in_the_way(each, tag, along) for each in others) else None

    def _is_in_the_way(self, other: Tag, card: Card, along: set[Tag]) -> bool:
        """Whether another tag there is a mistake.

        Cards that other seats laid at the same moment, and cards that are pending, are a race and not a
        mistake.
        """
        if other in along:
            return (
                not isinstance(other, Card) or other.seat == card.seat or not self.position.plays(other.seat)
            )
        return not (isinstance(other, Card) and self._plays.is_laid(other))

    def slapped(self, event: Pressed, now_ns: int) -> None:
        seat, stamp = event.seat, event.stamp
        if not self.running_at(stamp) or not self.position.plays(seat):
            self.out.emit(Judged(Verdict.NOT_RUNNING, seat, stamp, now_ns))
            return
        slapped = self._pads and self._slapped(seat, stamp)
        if self._long_press and not slapped and not self._plays.is_locked(seat, stamp):
            self._presses[seat] = stamp

    def _slapped(self, seat: int, stamp: Stamp) -> bool:
        """Take a slap; False if there is no card on the pad."""
        tags = self._tags.at(Pad(seat), stamp)
        card, cue = self._read(seat, tags)
        if card is not None:
            self._plays.slap(seat, stamp, card)
            return True
        settings = self._settings
        press = self._plays.press(
            seat, stamp, stamp.latest_ns + settings.card_late_ns + settings.tag_settle_ns
        )
        if cue not in (None, Cue.IN_CENTRE):
            self._give_up(press, tags, cue)
        return False

    def _read_late(self, known_ns: int) -> None:
        """Find out which cards were slapped when their tags had not been read yet."""
        for press in self._plays.unread:
            since = Stamp(press.stamp.earliest_ns, press.card_by_ns)
            tags = self._tags.at(Pad(press.seat), since)
            card, cue = self._read(press.seat, tags)
            if card is not None:
                self._plays.read(press, card)
                self._forget_press(press.seat, press.stamp)
            elif cue not in (None, Cue.IN_CENTRE) or press.card_by_ns <= known_ns:
                self._give_up(press, tags, cue)

    def _give_up(self, press: Attempt, tags: list[Tag], cue: Cue | None) -> None:
        """A press has no card to play; one for each state of the pad is excused."""
        if cue is None:
            gone = self._tags.gone_within(Pad(press.seat), press.stamp, self._settings.gone_ns)
            tags = [tag for tag in gone if not self._is_played(tag)]
            cue = Cue.GONE if tags else None
        excuse = (cue, frozenset(tags))
        self._plays.not_read(press, cue, excused=self._excuses.get(press.seat) != excuse)
        self._excuses[press.seat] = excuse

    def judge_press(self, seat: int) -> None:
        self._plays.let_go(seat)
        self._presses.pop(seat, None)

    def was_long_press(self, seat: int) -> None:
        self._plays.was_call(seat)

    def _forget_press(self, seat: int, stamp: Stamp) -> None:
        if self._presses.get(seat) == stamp:
            del self._presses[seat]

    # -- calls

    def may_call(self, seat: int) -> bool:
        """Whether the press of this seat holds others up: it may become the call that ends the round."""
        stamp = self._presses.get(seat)
        if stamp is None:
            return False
        return self._least_left(seat, stamp) <= self._plays.undecided(seat, stamp)

    def call_with_press(self, seat: int, otherwise: Stamp, known_ns: int) -> None:
        """A press has become a call, dated by the press if that has held others up."""
        self.call_stop(seat, self._presses.pop(seat, otherwise), known_ns)

    def call_stop(self, seat: int, stamp: Stamp, known_ns: int) -> None:
        """A seat calls stop. The call is pending for a moment, since another one may be as early."""
        self.was_long_press(seat)
        if self.position.plays(seat) and self.running_at(stamp) and not self.position.over:
            due_ns = max(known_ns + 2 * self._settings.stamp_uncertainty_ns + 1, stamp.latest_ns)
            self._calls.append(StopCall(seat, stamp, known_ns, due_ns))

    def _least_left(self, seat: int, stamp: Stamp) -> int:
        """The fewest Ligretto cards that this seat can have had left at that stamp."""
        if self._expert or self.in_doubt(0, stamp.latest_ns):
            return 0
        played = self.position.counts[seat - 1] - self._plays.played_after(seat, stamp)
        return max(0, self.position.dealt[seat - 1] - played)

    def call_stuck(self, stamp: Stamp, now_ns: int) -> None:
        """All seats call that nobody can play any more."""
        for seat in range(1, len(self.position.dealt) + 1):
            self._plays.was_call(seat)
        self.position = self.position.called_stuck()
        self._end(End(stamp, ()), now_ns)
        self.out.emit(RoundStuck(now_ns))

    def reopen(self) -> None:
        """The call was wrong: the round goes on."""
        self._wrong_callers = self.end.seats if self.end is not None else ()
        self.position = self.position.reopened()
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
        self._read_late(known_ns)
        while True:
            ruling = self._plays.next_ruling(known_ns, self.position, self._possible_end())
            if ruling is not None:
                self._rule(ruling, now_ns)
            elif not self._judge_calls(known_ns, now_ns):
                return

    def awaits_after_ns(self, known_ns: int) -> int | None:
        moments = [self._plays.awaits_after_ns(known_ns)]
        moments += [moment for call in self._calls for moment in (call.due_ns, self._counted_ns(call))]
        return min((moment for moment in moments if moment is not None and moment > known_ns), default=None)

    def _possible_end(self) -> Stamp | None:
        """The earliest moment at which a call may turn out to have ended the round."""
        stamps = [call.stamp for call in self._calls]
        stamps += [stamp for seat, stamp in self._presses.items() if self.may_call(seat)]
        return min(stamps, key=_latest_ns, default=None)

    def _rule(self, ruling: PlayRuling, now_ns: int) -> None:
        attempt, play = ruling.attempt, ruling.play
        if self.end is not None and attempt.card is None:
            self.out.emit(_not_running(attempt, now_ns))  # it may have been meant as a call
            return
        won = ruling.verdict in WINNING
        if ruling.tie is not None:
            self.out.emit(ruling.tie)
        doubtful = attempt.doubtful or self.in_doubt(*self._plays.contest_ns(attempt))
        judged = Judged(
            ruling.verdict,
            attempt.seat,
            attempt.stamp,
            now_ns,
            attempt.card,
            ruling.margin_ns,
            play.card.seat if play is not None and not won else None,
            doubtful,
            self._plays.locked_until_ns(attempt.seat) if ruling.locks else 0,
            ruling.cue,
            play.stamp if play is not None and not won else None,
        )
        self.out.emit(judged)
        if won and play is not None:
            self.position = self.position.played(play.card, play.place)
            self._tally = self.position.counts
            self.out.emit(CardPlayed(play.card, Pile(play.place), now_ns))

    def _judge_calls(self, known_ns: int, now_ns: int) -> bool:
        """Refuse or follow the first call; True if that was possible.

        What the seat did before has to be decided first. Calls at the same time need no tie-break.
        """
        first = contenders(self._calls, _stamp)
        for call in first:
            if known_ns < call.due_ns or self._plays.undecided_before(call.seat, call.stamp):
                return False
            if self._least_left(call.seat, call.stamp):
                if known_ns < self._counted_ns(call):
                    return False
                self._calls.remove(call)
                self._refuse(call.seat, call.stamp, call.made_ns, now_ns)
                return True
        if first:
            self._stop(first, now_ns)
        return bool(first)

    def _counted_ns(self, call: StopCall) -> int:
        """When all cards that were played before a call are known."""
        return call.stamp.latest_ns + (0 if self._pads else self._settings.tag_settle_ns)

    def _refuse(self, seat: int, stamp: Stamp, from_ns: int, now_ns: int) -> None:
        """A stop call was wrong: its seat is locked for a moment."""
        self._plays.lock(seat, from_ns)
        until_ns = self._plays.locked_until_ns(seat)
        self.out.emit(
            Judged(Verdict.FALSE_CLAIM, seat, stamp, now_ns, locked_until_ns=until_ns, cue=Cue.WRONG_STOP)
        )

    def _stop(self, first: list[StopCall], now_ns: int) -> None:
        """The first call ends the round."""
        call = min(first, key=lambda each: (each.stamp, each.seat))
        others = sorted(each.seat for each in first if each is not call)
        self.position = self.position.stopped(call.seat)
        self._end(End(call.stamp, (call.seat, *others)), now_ns)

    def _end(self, end: End, now_ns: int) -> None:
        self.end_at(end)
        self._calls.clear()
        self._presses.clear()
        for attempt in (*self._plays.close(end.stamp), *self._plays.take_pressed()):
            self.out.emit(_not_running(attempt, now_ns))


def _stamp(call: StopCall) -> Stamp:
    return call.stamp


def _latest_ns(stamp: Stamp) -> int:
    return stamp.latest_ns


def _not_running(attempt: Attempt, now_ns: int) -> Judged:
    return Judged(Verdict.NOT_RUNNING, attempt.seat, attempt.stamp, now_ns, attempt.card)
