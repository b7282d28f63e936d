"""One round of cards: pads, slaps, the piles in the centre, and the calls that end it.

Where seats have pads, a card on the seat's own pad is armed and a slap plays it: the slap says when, the
tag says which card. Where the piles have readers, laying a card on one plays it there, with the wide stamp
of a reader. Nothing else is sensed: heights and owners of the piles follow from the plays.

A card that has been played may stay on its pad for a while; it does not count as a second card beside
the next one. A call of stop ends the round at its stamp, and slaps from before that are still judged.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.arbiter.plays import Attempt, PlayRuling, Plays
from firmware_host.arbiter.ties import TieBreaker
from firmware_host.effects import (
    WINNING,
    CardArmed,
    CardPlayed,
    Cue,
    Judged,
    RoundStuck,
    TagRefused,
    Verdict,
)
from firmware_host.engine.cards import CardsPosition
from firmware_host.events import Pressed, Shown, TagEvent
from firmware_host.places import Card, Pad, Pile, Stranger, Tag
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, contenders
from firmware_host.table.lying_tags import Tags
from firmware_host.table.outbox import Outbox
from firmware_host.table.round import End, Round


class OnPad(NamedTuple):
    """What lies on a pad: the armed card and the place that it fits onto now, or what is wrong."""

    card: Card | None
    cue: Cue | None
    place: int | None


class StopCall(NamedTuple):
    """A seat has called stop."""

    seat: int
    stamp: Stamp


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
    ) -> None:
        super().__init__(out)
        self.position = position
        self._tally = position.counts  # it is read far more often than it changes
        self._settings = settings
        self._tags = tags
        self._pads = pads
        self._plays = Plays(settings, ties, wide_ns=0 if pads else settings.tag_settle_ns)
        self._excuses: dict[int, tuple[Cue | None, frozenset[Tag]]] = {}  # one slap for each state of a pad
        self._laid: list[tuple[Shown, Pile]] = []
        self._calls: list[StopCall] = []
        self._call_due_ns = 0

    @property
    def dealt(self) -> tuple[int, ...]:
        return self.position.dealt

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

    def cue(self, seat: int) -> Cue | None:
        """What is wrong with what lies on this seat's pad now."""
        return self.on_pad(seat).cue

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
        if not isinstance(event, Shown):
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

    def _judge_laid(self, now_ns: int) -> None:
        """Play the cards that were laid on the readers of piles, unless something is wrong with them."""
        laid, self._laid = self._laid, []
        cues = [self._cue_of_laid(event.tag, at, laid) for event, at in laid]
        for (event, at), cue in zip(laid, cues, strict=True):
            self._lay(event, at, cue, now_ns)

    def _lay(self, event: Shown, at: Pile, cue: Cue | None, now_ns: int) -> None:
        tag = event.tag
        if cue is not None:
            self.out.emit(TagRefused(at, tag, cue, now_ns))
            return
        assert isinstance(tag, Card)
        if self.running_at(event.stamp):
            self._plays.lay(tag, event.stamp, at.number, now_ns, doubtful=event.late)
        else:
            self.out.emit(Judged(Verdict.NOT_RUNNING, tag.seat, event.stamp, now_ns, tag))

    def _cue_of_laid(self, tag: Tag, at: Pile, laid: list[tuple[Shown, Pile]]) -> Cue | None:
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
        elif self._pads:
            self._slapped(seat, stamp)

    def _slapped(self, seat: int, stamp: Stamp) -> None:
        pad = Pad(seat)
        card, cue = self._read(seat, self._tags.at(pad, stamp))
        if card is not None:
            self._plays.slap(seat, stamp, card)
            return
        tags = self._tags.at(pad, stamp)
        if cue is None:
            gone = self._tags.gone_within(pad, stamp, self._settings.gone_ns)
            tags = [tag for tag in gone if not self._is_played(tag)]
            cue = Cue.GONE if tags else None
        excuse = (cue, frozenset(tags))
        self._plays.press(seat, stamp, cue, excused=self._excuses.get(seat) != excuse)
        self._excuses[seat] = excuse

    def judge_press(self, seat: int, now_ns: int) -> None:
        self._plays.let_go(seat, now_ns)

    def was_long_press(self, seat: int) -> None:
        self._plays.was_call(seat)

    def call_stop(self, seat: int, stamp: Stamp, now_ns: int) -> None:
        """A seat calls stop. The call is pending for a moment, since another one may be as early."""
        self.was_long_press(seat)
        if self.position.plays(seat) and self.running_at(stamp) and not self.position.over:
            self._calls.append(StopCall(seat, stamp))
            if len(self._calls) == 1:
                self._call_due_ns = now_ns + 2 * self._settings.stamp_uncertainty_ns + 1

    def call_stuck(self, stamp: Stamp, now_ns: int) -> None:
        """All seats call that nobody can play any more."""
        for seat in range(1, len(self.position.dealt) + 1):
            self._plays.was_call(seat)
        self._calls.clear()
        self.position = self.position.called_stuck()
        self._end(End(stamp, ()), now_ns)
        self.out.emit(RoundStuck(now_ns))

    def reopen(self) -> None:
        """The call was wrong: the round goes on."""
        self.position = self.position.reopened()
        self.go_on()

    # -- what comes out

    def tick(self, now_ns: int) -> None:
        if self._laid:
            self._judge_laid(now_ns)
        if self._calls:
            if now_ns < self._call_due_ns:
                return  # a slap that may have come after the call must not be judged before it
            self._stop(now_ns)
        while (ruling := self._plays.next_ruling(now_ns, self.position)) is not None:
            self._rule(ruling, now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        return self._call_due_ns if self._calls else self._plays.due_after_ns(now_ns)

    def _rule(self, ruling: PlayRuling, now_ns: int) -> None:
        attempt, play = ruling.attempt, ruling.play
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

    def _stop(self, now_ns: int) -> None:
        """The first call ends the round. It wins nothing, so calls at the same time need no tie-break."""
        first = contenders(self._calls, _stamp)
        call = min(first, key=lambda each: (each.stamp, each.seat))
        others = sorted(each.seat for each in first if each is not call)
        self._calls.clear()
        self.position = self.position.stopped(call.seat)
        self._end(End(call.stamp, (call.seat, *others)), now_ns)

    def _end(self, end: End, now_ns: int) -> None:
        self.end_at(end)
        for attempt in (*self._plays.close(end.stamp), *self._plays.take_pressed()):
            self.out.emit(_not_running(attempt, now_ns))


def _stamp(call: StopCall) -> Stamp:
    return call.stamp


def _not_running(attempt: Attempt, now_ns: int) -> Judged:
    return Judged(Verdict.NOT_RUNNING, attempt.seat, attempt.stamp, now_ns, attempt.card)
