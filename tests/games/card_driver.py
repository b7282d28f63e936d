"""A driver whose hands know cards: they show them to pads, lay them on piles, and call.

Tags reach the session as `firmware_host/timing/lanes.py` hands them on; a reader that looks often is
taken, so that a card counts a little more than the settle time of tags after it has come.
"""

from __future__ import annotations

from firmware_host.games.cards.card_phases import CardSettle
from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.cards.cards import parse_position
from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.effects import CardPlayed, Cue, Judged, TagRefused, Verdict
from firmware_host.model.events import Pressed, Released, StartMatch, TagSeen, Withdrawn
from firmware_host.model.places import Call, Card, Pad, Pile, Spot, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, Stamp
from tests.games.driver import MOMENT_NS, TAP_NS, Driver

LOOK_NS = 40 * MS
CALL_BUTTONS = Table(game=CARD_GAME, seats=4, pads=True, call_buttons=True, expert=True)
LONG_PRESS = Table(game=CARD_GAME, seats=4, pads=True, expert=True)
PILE_READERS = Table(game=CARD_GAME, seats=4, expert=True)
PILES_AND_CALLS = Table(game=CARD_GAME, seats=4, call_buttons=True, expert=True)


class CardDriver(Driver):
    """One session of a table of cards that time passes for."""

    def __init__(self, table: Table = CALL_BUTTONS, settings: Settings | None = None, seed: int = 1) -> None:
        super().__init__(table, settings, seed)

    # -- hands

    def show(self, at: Spot, tag: Tag, look_ns: int = LOOK_NS) -> Stamp:
        """A tag comes before a reader now, and the reader's next look finds it."""
        stamp = Stamp(self.now_ns, self.now_ns + look_ns)
        self.referee.put(TagSeen(at, tag, stamp), stamp.latest_ns)
        return stamp

    def withdraw(self, at: Spot, tag: Tag, look_ns: int = LOOK_NS) -> Stamp:
        """A tag goes away now."""
        stamp = Stamp(self.now_ns, self.now_ns + look_ns)
        self.referee.put(Withdrawn(at, tag, stamp), stamp.latest_ns)
        return stamp

    def arm(self, *cards: Card) -> None:
        """Cards are held to their owners' pads, each until it counts."""
        for card in cards:
            self.show(Pad(card.seat), card)
            self.wait(self.counts_after_ns)

    def miss(self, *seats: int) -> None:
        """Taps with no card on the pad, until no card can be read for them any more."""
        self.tap(*seats)
        self.wait(self.settings.card_late_ns + self.settings.tag_settle_ns)

    def disarm(self, card: Card) -> None:
        """A card is taken off the pad, until that counts."""
        self.withdraw(Pad(card.seat), card)
        self.wait(self.counts_after_ns)

    def swap(self, old: Card, new: Card) -> None:
        """One card is taken off the pad, and another one held to it."""
        self.disarm(old)
        self.arm(new)

    def play_card(self, card: Card) -> None:
        """A card is held to the pad, slapped, and laid into the centre."""
        self.arm(card)
        self.tap(card.seat)
        self.disarm(card)

    def lay(self, place: int, card: Card) -> None:
        """A card is laid on a pile, until it has been judged."""
        self.show(Pile(place), card)
        self.wait(self.judged_after_ns)

    def call(self, seat: int) -> Stamp:
        """A seat's call button goes down and comes up."""
        stamp = self.call_down(seat)
        self.wait(TAP_NS)
        self._soon(Call(seat), Released(seat, self.stamp, call=True))
        return stamp

    def call_down(self, seat: int) -> Stamp:
        """A seat's call button goes down, and stays so for now."""
        return self._soon(Call(seat), Pressed(seat, self.stamp, call=True))

    def stop(self, seat: int) -> None:
        """A seat calls stop by its call button, until the table knows."""
        self.wait(MOMENT_NS)
        self.call(seat)
        self.wait(self.known_after_ns)

    # -- time

    @property
    def counts_after_ns(self) -> int:
        """How long after now a card counts that comes now."""
        return LOOK_NS + self.settings.tag_settle_ns + self.contacts.delay_ns

    @property
    def judged_after_ns(self) -> int:
        """How long after now a card is judged that is laid on a pile now."""
        return self.counts_after_ns + self.settings.tag_settle_ns

    # -- what a test asks

    @property
    def round(self) -> CardRound:
        assert isinstance(self.session.round, CardRound)
        return self.session.round

    @property
    def settle(self) -> CardSettle:
        assert isinstance(self.session.state, CardSettle)
        return self.session.state

    @property
    def centre(self) -> list[str]:
        """The piles, each as the text of a position has it."""
        return ["-" if pile is None else str(pile) for pile in self.round.position.piles]

    @property
    def cues(self) -> list[Cue]:
        """What was wrong with the tags that were refused so far."""
        return [refused.cue for refused in self.all_of(TagRefused)]

    @property
    def played(self) -> list[Card]:
        return [effect.card for effect in self.all_of(CardPlayed)]

    def verdicts_of(self, seat: int) -> list[Verdict]:
        return [judged.verdict for judged in self.all_of(Judged) if judged.seat == seat]

    # -- ways to begin

    def count_down_from_here(self) -> None:
        """The round that was interrupted is called again."""
        self.until_deadline()
        assert self.phase() is Phase.PLAY, self.phase()
        self.wait(100 * MS)

    def start_cards(self, text: str) -> None:
        """Play on from a position of cards."""
        self.command(StartMatch(parse_position(text).dealt, self.exactly, text))
        self.count_down()


def playing(
    text: str = "10,10,10,10", table: Table = CALL_BUTTONS, settings: Settings | None = None, seed: int = 1
) -> CardDriver:
    """A session in which a round of cards runs since a moment, from that position."""
    driver = CardDriver(table, settings, seed)
    driver.start_cards(text)
    driver.wait(100 * MS)
    return driver
