"""The phases that are special for cards: calls while a round runs, the leftover check, how a round opens.

There are two calls, stop and stuck. Stop is called with the call button or with a long press, and is
dated by the moment at which the button went down (see card_round.py). Stuck is called by all seats
together, with a longer press. So where a long press may be either, it is stop as soon as the button of
another seat is up: at once if one is up already, else when the first one comes up. While all buttons are
down nobody can slap. Cards that are laid on piles meanwhile wait for the decision; if it is stuck, they
count up to when the first press was long enough. A seat with a masked button can't hold it, and nobody waits
for it.

In the leftover check the table has not seen any of the leftover cards. In the standard game it knows from
the centre how many each seat has left at least, and begins with these counts; the seat that called stop has
said that it has none. Experts may have laid any card into their row, so their counts begin at zero. Each
seat shows its leftover cards to its pad, one after the other, or enters their number as in any dispute. The
card that was on its pad at the end of the round may be any card, so only cards that are shown after the
table has asked count. If the seat that called stop has cards left, its call was wrong: the round goes on,
and the seat is locked for a moment. A round that was stuck is scored as it is.
"""

from __future__ import annotations

from firmware_host.games.cards import cards
from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.games import card_scores
from firmware_host.games.knowledge import Knowledge
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import Play
from firmware_host.games.phases import CheckStep, Transition
from firmware_host.model.effects import LeftoverScanned, TagRefused
from firmware_host.model.errors import IllegalMove
from firmware_host.model.events import Released, TagEvent, TagSeen
from firmware_host.model.places import Card, Pad
from firmware_host.model.states import Corrector
from firmware_host.model.times import Stamp, exactly
from firmware_host.timing.ties import TieBreaker


def open_card_round(known: Knowledge, deal: tuple[int, ...], ties: TieBreaker, text: str) -> CardRound:
    """A round from a deal, or from the text of a position."""
    position = cards.opening(deal)
    if text:
        position = cards.parse_position(text).at_table_of(known.table.seats)
        if position.dealt != deal or position.over:
            raise IllegalMove(f"no round can go on from '{position}'")
    return CardRound(known.settings, known.table, position, ties, known.out, known.tags)


class CardPlay(Play):
    """A round of cards."""

    round: CardRound

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self._long_press = not known.table.call_buttons
        self._undecided: Stamp | None = None
        """When the first press was long enough on a table of piles, while all are down."""

    def held(self, seat: int, now_ns: int) -> None:
        known = self.known
        self.round.was_long_press(seat)
        if not self._long_press or seat not in known.able:
            return
        since = known.holding[seat]
        hold_ns = known.settings.hold_ns
        stamp = Stamp(since.earliest_ns + hold_ns, since.latest_ns + hold_ns)
        if not known.down >= known.able:
            self.round.call_with_press(seat, stamp, known.known_ns)
        elif not known.table.pads and self._undecided is None and self.round.may_call(seat):
            self._undecided = stamp

    def released(self, event: Released, now_ns: int) -> None:
        """All buttons were down and one has come up: those that are still held, and may, call stop."""
        known = self.known
        self.round.judge_press(event.seat)
        if not self._long_press or event.seat not in known.able:
            return
        self._undecided = None
        if known.down >= known.able - {event.seat}:
            for seat in sorted(known.holding.keys() & known.able):
                if self.round.may_call(seat):
                    self.round.call_with_press(seat, event.stamp, known.known_ns)

    def decide(self, known_ns: int, now_ns: int) -> None:
        stuck_ns = self._stuck_ns()
        if stuck_ns is not None and stuck_ns <= known_ns:
            stamp = exactly(stuck_ns) if self._undecided is None else self._undecided
            self.round.call_stuck(stamp, now_ns)
            self.leave(Transition.STUCK)
        else:
            super().decide(known_ns, now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        moments = (super().awaits_after_ns(known_ns), self._stuck_ns())
        return min((each for each in moments if each is not None), default=None)

    def _stuck_ns(self) -> int | None:
        """When all will have held their buttons long enough for stuck; None if not all hold them."""
        known = self.known
        able = known.able
        if not able or not known.holding.keys() >= able:
            return None
        last_ns = max(known.holding[seat].latest_ns for seat in able)
        return last_ns + known.settings.all_hold_ns


class CardSettle(Settle):
    """The leftover check of a table of cards."""

    round: CardRound

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        settings = known.settings
        # A card laid on a pile has a wide stamp, and a card on a pad may be read after its slap.
        self.late_ns = 3 * settings.tag_settle_ns + settings.card_late_ns
        super().__init__(known, now_ns)
        assert self.deadline_ns is not None
        self.deadline_ns = max(self.deadline_ns, now_ns + settings.stop_ns)  # a long press began long ago
        self._scanned: dict[int, set[Card]] = {}
        self._told: set[int] = set()
        self._asked_ns = 0

    def first_counts(self) -> tuple[int, ...]:
        least = enumerate(self.round.least_left, start=1)
        return tuple(0 if seat in self.end.seats else left for seat, left in least)

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        """A seat shows one of its leftover cards."""
        if self.step is CheckStep.LATE:
            super().tagged(event, now_ns)
        elif isinstance(event, TagSeen) and isinstance(event.at, Pad):
            cue = self.round.cue_of(event.tag, event.at.seat)
            if cue is not None:
                self.known.emit(TagRefused(event.at, event.tag, cue, now_ns))
            elif isinstance(event.tag, Card) and event.stamp.latest_ns >= self._asked_ns:
                self._scan(event.tag, now_ns)

    def _scan(self, card: Card, now_ns: int) -> None:
        scanned = self._scanned.setdefault(card.seat, set())
        if card in scanned or len(scanned) == self.round.position.dealt[card.seat - 1]:
            return
        scanned.add(card)
        if card.seat not in self._told:
            self.counts[card.seat - 1] = max(len(scanned), self.first_counts()[card.seat - 1])
        if self.step is CheckStep.CHECK:
            self.agreed.discard(card.seat)
            self.deadline_ns = now_ns + self.known.settings.leftover_ns
        self.known.emit(LeftoverScanned(card, len(scanned)))

    def correct(self, seat: int, count: int, by: Corrector) -> None:
        """An entered count is taken, whatever is shown to the pad before or after."""
        self._told.add(seat)
        super().correct(seat, count, by)

    def settle(self, now_ns: int) -> None:
        callers = self.end.seats
        right = [seat for seat in callers if not self.counts[seat - 1]]
        if callers and not right:
            self.round.reopen()
            self.leave(Transition.REFUTED)
        else:
            finisher = right[0] if right else None
            self.score(finisher, card_scores(self.round.position.counts, self.counts), now_ns)

    def expire(self, now_ns: int) -> None:
        if self.step is CheckStep.LATE:
            self._asked_ns = now_ns
            self.counts = list(self.first_counts())  # slaps from before the end have played cards meanwhile
        super().expire(now_ns)
