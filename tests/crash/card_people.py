"""Careful people with cards."""

from __future__ import annotations

from random import Random

from firmware_host.lab.bots.page_reading import Wish
from firmware_host.lab.bots.person import WHITE, Actions
from firmware_host.lab.hands import SimulatedTable
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.places import Card, Pad
from firmware_host.model.times import MS
from tests.crash.people import GLANCE_NS, REST_NS, TAP_NS, Look, People
from tests.crash.plans import SEATS, FalseClaim, MatchPlan, Play, SideShow, WrongCard, WrongStop

KNOWN_NS = 1200 * MS
GONE_NS = 500 * MS
SCAN_NS = 600 * MS
WORDS = ("not your card", "already played")
_REFUTED = say("en", Phrase.REFUTED)


class CardPeople(People):
    """They hold cards to pads, slap, and call stop."""

    def __init__(self, world: SimulatedTable, plan: MatchPlan, chance: Random) -> None:
        super().__init__(world, plan, chance)
        self._lying: dict[int, Card] = {}

    def taken(self, counts: tuple[int, ...]) -> int:
        return sum(counts)

    def _make(self, play: Play, counts: tuple[int, ...]) -> Actions:
        card, rival_card = play.what, play.rival_card
        assert isinstance(card, Card)
        held = {play.seat: card} | ({play.rival: rival_card} if rival_card is not None else {})
        yield from self._put_right(0)  # nothing else may lie there
        self._hold_to(held)
        if (yield from self._until(lambda: self._known(*held) or not self._running(), KNOWN_NS)):
            yield play.slap_ns
            if self._running():
                self._tap(play.seat)
                if rival_card is not None:
                    self._world.after(play.lag_ns, lambda: self._tap(play.rival))
                yield play.lag_ns + GLANCE_NS
                counted = yield from self._until_counted(counts)
                if counted and rival_card is not None and self._running():
                    yield from self._watch_rival(play)
                elif not counted:
                    self.diary.repeated += 1
        yield from self._put_right(0)

    def _known(self, *seats: int) -> bool:
        """Whether the lamps say that the table knows these seats' cards, and that they fit."""
        return all(WHITE in self._world.panel_light(seat, GLANCE_NS) for seat in seats)

    def _put_right(self, index: int) -> Actions:
        """Take the cards back from the pads."""
        if self._lying:
            for seat, card in self._lying.items():
                self._world.withdraw(Pad(seat), card)
            self._lying = {}
            yield GONE_NS
        yield GLANCE_NS

    def _hold_to(self, cards: dict[int, Card]) -> None:
        self._lying = dict(cards)
        for seat, card in cards.items():
            self._world.show(Pad(seat), card)

    def _end(self) -> Actions:
        """The finisher calls stop."""
        yield from self._call(self.round.finisher)

    def _call(self, seat: int) -> Actions:
        yield from self._put_right(0)
        self._world.press_call(seat)
        yield TAP_NS
        self._world.release_call(seat)
        yield REST_NS

    # -- what comes to nothing

    def _show_off(self, show: SideShow) -> Look:
        if isinstance(show, FalseClaim):
            return (yield from self._claim_falsely(show))
        if isinstance(show, WrongStop):
            return (yield from self._stop_wrongly(show))
        assert isinstance(show, WrongCard)
        yield from self._put_right(0)
        self._hold_to({show.pad: show.card})
        told = [f"{show.pad}: {words}" for words in WORDS]
        seen = yield from self._until(lambda: self._world.lines[0] in told, 1500 * MS)
        yield from self._put_right(0)
        return seen

    def _stop_wrongly(self, show: WrongStop) -> Look:
        """Call stop with Ligretto cards left: they are shown, all agree, and the round goes on."""
        yield from self._call(show.seat)
        return (yield from self._until_refuted())

    def _until_refuted(self) -> Look:
        """See it through to the words that the stop was wrong; give up when anything else comes of it."""
        for _ in range(60):
            if self._world.lines[0] == _REFUTED:
                return True
            reading = self._read()
            if reading.wish is Wish.CHECK:
                yield from self._check(reading)
            elif reading.wish is not Wish.STOP:
                return False
            yield GLANCE_NS
        return False

    def _miscount(self, counts: tuple[int, ...]) -> None:
        """Some cards are not counted yet: they are shown once more."""

    def _show_left(self, counts: tuple[int, ...]) -> Actions:
        """Each seat shows its Ligretto cards to its pad until the table has counted all."""
        yield from self._put_right(0)
        if len(counts) != len(SEATS) or counts == self.round.left:
            return
        most = max(map(len, self.round.left_cards))
        for turn in range(most):
            cards = {
                seat: left[turn]
                for seat, left in zip(SEATS, self.round.left_cards, strict=True)
                if turn < len(left)
            }
            self._hold_to(cards)
            yield SCAN_NS
            yield from self._put_right(0)
            if self._read().wish is not Wish.CHECK:
                return
