"""How leftover Ligretto cards are counted and scored.

The table has not seen any of them. In the standard game it knows from the centre how many each seat has
left at least, and begins with these counts; the seat that called stop has said that it has none. Experts
may have laid any card into their row, so their counts begin at zero. Each seat shows its leftover cards to
its pad, one after the other, or enters their number as in any dispute. The card that was on its pad at the
end of the round may be any card, so only cards that are shown after the table has asked count. If the seat
that called stop has cards left, its call was wrong: the round goes on, and the seat is locked for a moment.
A round that was stuck is scored as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.games import card_scores
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phases import CheckStep, Transition
from firmware_host.model.effects import Effect, LeftoverScanned, TagRefused
from firmware_host.model.events import TagEvent, TagSeen
from firmware_host.model.places import Card, Pad
from firmware_host.model.states import Corrector

if TYPE_CHECKING:
    from firmware_host.games.session import Session


class CardSettle(Settle):
    """The leftover check of a table of cards."""

    round: CardRound

    def __init__(self, session: Session, now_ns: int) -> None:
        settings = session.settings
        # A card laid on a pile has a wide stamp, and a card on a pad may be read after its slap.
        self.late_ns = 3 * settings.tag_settle_ns + settings.card_late_ns
        super().__init__(session, now_ns)
        assert self.deadline_ns is not None
        self.deadline_ns = max(self.deadline_ns, now_ns + settings.stop_ns)  # a long press began long ago
        self._scanned: dict[int, set[Card]] = {}
        self._told: set[int] = set()
        self._asked_ns = 0

    def first_counts(self) -> tuple[int, ...]:
        least = enumerate(self.round.least_left, start=1)
        return tuple(0 if seat in self.end.seats else left for seat, left in least)

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        """Slaps from before the end may still play cards; the end itself is final."""

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        """A seat shows one of its leftover cards."""
        if self.step is CheckStep.LATE:
            super().tagged(event, now_ns)
        elif isinstance(event, TagSeen) and isinstance(event.at, Pad):
            cue = self.round.cue_of(event.tag, event.at.seat)
            if cue is not None:
                self.session.emit(TagRefused(event.at, event.tag, cue, now_ns))
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
            self.deadline_ns = now_ns + self.session.settings.leftover_ns
        self.session.emit(LeftoverScanned(card, len(scanned)))

    def correct(self, seat: int, count: int, by: Corrector) -> None:
        """An entered count is taken, whatever is shown to the pad before or after."""
        self._told.add(seat)
        super().correct(seat, count, by)

    def settle(self, now_ns: int) -> None:
        callers = self.end.seats
        right = [seat for seat in callers if not self.counts[seat - 1]]
        if callers and not right:
            self.round.reopen()
            self.session.follow(Transition.REFUTED, now_ns)
        else:
            finisher = right[0] if right else None
            self.score(finisher, card_scores(self.round.position.counts, self.counts), now_ns)

    def expire(self, now_ns: int) -> None:
        if self.step is CheckStep.LATE:
            self._asked_ns = now_ns
            self.counts = list(self.first_counts())  # slaps from before the end have played cards meanwhile
        super().expire(now_ns)
