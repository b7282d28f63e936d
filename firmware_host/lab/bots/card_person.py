"""One person in a running round of cards: turning, showing, slapping, laying.

A card goes to the centre in steps. It is taken and shown: held to the own pad until the lamp says that
the table knows it, and slapped for, or laid on the reader of a pile. Then the own lamp shows the
verdict, and only then the card is laid down, or goes back where it came from.
"""

from __future__ import annotations

from collections.abc import Generator
from random import Random

from firmware_host.lab.bots.belongings import Decks
from firmware_host.lab.bots.card_area import DISCARD, LIGRETTO, CardArea, Origin, can_play
from firmware_host.lab.bots.page_reading import PageReader, PageReading, Wish
from firmware_host.lab.bots.person import (
    CYAN,
    GREEN,
    LONG_PRESS_NS,
    RED,
    WHITE,
    Actions,
    Fingers,
    Person,
    PlayersWorld,
)
from firmware_host.lab.bots.skill import Skill
from firmware_host.model.places import Card, Pad, Pile, Spot
from firmware_host.model.times import MS

PEEK_NS = 60 * MS
READ_NS = 200 * MS  # no reader knows a card sooner
KNOWN_NS = 900 * MS  # a card that the table does not know by then is held there again
SEEN_NS = 450 * MS  # a verdict is shown on the lamp by then
PILE_SEEN_NS = 1000 * MS  # ... that of a card on the reader of a pile, which is slow
LOOK_NS = 300 * MS
LAY_NS = 350 * MS  # from the pad to the pile
REFILL_NS = 400 * MS
TURN_NS = 550 * MS
GATHER_NS = 1800 * MS
LOCK_NS = 1100 * MS
CALL_NS = 1300 * MS
STUCK_NS = 2600 * MS
WAIT_NS = 200 * MS

_AFTERWARDS = (Wish.CHECK, Wish.ENTER, Wish.CONFIRM, Wish.DEAL, Wish.SIT)

Race = Generator[int, None, bool]
"""Something that a person does; its result is whether the card was won."""


class CardPlayer:
    """Plays the cards of one area; `pads` and `call_button` say whether the table has them."""

    def __init__(
        self,
        seat: int,
        skill: Skill,
        decks: Decks,
        world: PlayersWorld,
        reader: PageReader,
        chance: Random,
        fingers: Fingers,
        *,
        pads: bool,
        call_button: bool,
    ) -> None:
        self._seat = seat
        self._skill = skill
        self._decks = decks
        self._world = world
        self._reader = reader
        self._chance = chance
        self._fingers = fingers
        self._pads = pads
        self._call_button = call_button
        self._turned = 0  # cards turned since something could be done
        self._thought_of = -1  # the version of the centre at the last thought
        self._named = str(seat)  # as the display names where the card is shown
        self._old_news = False  # the display said 'already played' before the present card was shown

    @property
    def area(self) -> CardArea | None:
        """The own cards; None before the first deal."""
        return self._decks.areas.get(self._seat)

    def _running(self) -> bool:
        return self._reader.read(self._world.lines).wish is Wish.PLAY

    def _is_over(self) -> bool:
        """Whether the round has ended and all cards in fingers have been laid down."""
        return self._reader.read(self._world.lines).wish in _AFTERWARDS

    def _is_paused(self) -> bool:
        return self._reader.read(self._world.lines).wish is Wish.HOLD

    def look_on(self) -> Actions:
        """Let somebody else play these cards, and only say if nobody can play any more."""
        area = self.area
        if area is None:
            yield from self._fingers.hold(STUCK_NS)
        elif self._seat in self._decks.cannot:
            yield from self._wait_for_others(area)
        elif self._is_blocked(area):
            self._decks.cannot.add(self._seat)
        yield WAIT_NS

    # -- what to do next

    def play(self) -> Actions:
        """Do one thing that is possible now."""
        area, decks = self.area, self._decks
        if area is None:  # these people have not dealt for this round
            yield from self._fingers.hold(STUCK_NS)
            yield WAIT_NS
            return
        if area.finished or self._happens(self._skill.wrong_rate / 50):  # ... or not quite
            yield from self._call_stop()
            return
        if self._seat in decks.cannot:
            yield from self._wait_for_others(area)
            return
        move = self._choose(area)
        if move is not None:
            self._turned = 0
            yield self._skill.reaction.draw(self._chance)
            yield from self._try(area, move)
        elif gaps := area.gaps():
            yield REFILL_NS
            area.refill(gaps[0])
        elif lay := self._lay(area):
            yield REFILL_NS
            area.lay(*lay)
        elif self._turned > len(area.hand) + len(area.discard) and self._is_blocked(area):
            decks.cannot.add(self._seat)
        else:
            yield from self._turn(area)

    def _choose(self, area: CardArea) -> Origin | None:
        """The card to play, best one of the Ligretto pile."""
        fits = self._decks.centre.fits
        found = [origin for card, origin in area.playable() if fits(card)]
        if self._happens(self._skill.misplace_rate / 4):
            found = [origin for _, origin in area.playable()]
            return self._chance.choice(found) if found else None
        return min(found, key=_worth) if found else None

    def _lay(self, area: CardArea) -> tuple[Origin, int] | None:
        """As an expert, lay a card of the Ligretto pile onto the row, or one that makes room for it."""
        lays = area.lays()
        for lay in lays:
            if lay[0] == LIGRETTO:
                return lay
        if not area.ligretto:
            return None
        goal = area.ligretto[-1]
        for origin, stack in lays:
            card, top = area.discard[-1], area.row[stack][-1]
            if top.colour is goal.colour and card.colour is not goal.colour and card.number > goal.number:
                return origin, stack
        return None

    def _turn(self, area: CardArea) -> Actions:
        if area.hand:
            yield int(TURN_NS * self._pace())
            before = len(area.discard)
            area.turn()
            self._turned += len(area.discard) - before
        elif area.discard:
            yield GATHER_NS
            area.gather(self._chance)
        else:
            yield WAIT_NS
            self._turned += 1

    def _is_blocked(self, area: CardArea) -> bool:
        """Whether this person can never play with the present centre; found out once for each change."""
        centre = self._decks.centre
        if self._thought_of == centre.version:
            return False
        if can_play(area, centre.wanted):
            self._thought_of = centre.version
            return False
        return True

    def _wait_for_others(self, area: CardArea) -> Actions:
        """Wait; if nobody else can do anything either, all call stuck together."""
        decks = self._decks
        if can_play(area, decks.centre.wanted):
            decks.cannot.discard(self._seat)
            self._turned = 0
        elif decks.cannot >= decks.areas.keys() and self._running():
            yield from self._fingers.hold(STUCK_NS)
        yield WAIT_NS

    # -- how it is done

    def _try(self, area: CardArea, origin: Origin) -> Actions:
        """Take a card, race with it, and lay it down or put it back."""
        centre = self._decks.centre
        card = area.take(origin)
        at: Spot = Pad(self._seat)
        yield self._skill.reach.draw(self._chance) // 2
        if not self._pads:
            place = centre.place_for(card)
            if place is None:
                area.put_back()
                return
            at = Pile(place)
        self.present(card, at)
        won = yield from (self._slap(card) if self._pads else self.verdict_within(PILE_SEEN_NS))
        self._world.withdraw(at, card)
        if won:
            yield from self.lay_down(area, card)
        else:
            yield WAIT_NS
            area.put_back()

    def present(self, card: Card, at: Spot) -> None:
        """Bring the card before a reader."""
        self._named = f"#{at.number}" if isinstance(at, Pile) else str(self._seat)
        self._old_news = self._reader.says_played(self._world.lines, self._named)
        self._world.show(at, card)

    def _slap(self, card: Card) -> Race:
        """Hold the card to the pad, slap when the lamp burns, and wait for the verdict.

        Or lay it down and slap in one movement: the table reads the card a little later.
        """
        skill, chance, world = self._skill, self._chance, self._world
        if self._happens(skill.early_rate) and not self._shows_win():
            self._fingers.tap()
            return (yield from self.verdict_within(READ_NS + SEEN_NS))
        known_ns = world.now_ns + KNOWN_NS
        yield READ_NS
        while WHITE not in world.panel_light(self._seat, PEEK_NS):
            if self._says_played():
                return True  # its verdict was missed
            if world.now_ns > known_ns or not self._running():
                return False
            yield PEEK_NS
        yield skill.reaction.draw(chance) // 2
        if not self._running():
            return False
        if not self._decks.centre.fits(card) and not self._happens(skill.reflex_rate * 3):
            return False  # everybody can see that somebody was quicker
        self._fingers.tap()
        if self._happens(skill.twice_rate):
            world.after(180 * MS, self._fingers.tap)
        return (yield from self.verdict_within(SEEN_NS))

    def verdict_within(self, for_ns: int) -> Race:
        """Watch the own lamp: green or cyan means won."""
        yield for_ns
        if self._says_played():
            return True  # a verdict was missed, but the card counts
        if RED in self._world.panel_light(self._seat, LOOK_NS):
            yield LOCK_NS
            return False
        return self._shows_win()

    def _shows_win(self) -> bool:
        """Whether the own lamp says that the last card was won."""
        light = self._world.panel_light(self._seat, LOOK_NS)
        return GREEN in light or CYAN in light

    def _says_played(self) -> bool:
        """Whether the display says that the card just shown is in the centre already."""
        says = self._reader.says_played(self._world.lines, self._named)
        self._old_news = self._old_news and says
        return says and not self._old_news

    def lay_down(self, area: CardArea, card: Card) -> Actions:
        """Lay the card from the pad onto a pile that it fits, as soon as the card below it is there.

        The player of the card below may not know that it counts until the round is over, or pauses because
        everybody waits. Then nobody waits any longer: the table counts this card, so it is put beside the
        piles.
        """
        centre = self._decks.centre
        yield LAY_NS
        while (place := centre.place_for(card)) is None and not (self._is_over() or self._is_paused()):
            yield PEEK_NS
        if self.area is area:  # otherwise all cards have been dealt again, this one too
            centre.put(area.lay_in_centre(), place)

    def _call_stop(self) -> Actions:
        yield self._skill.reaction.draw(self._chance)
        if not self._running():
            return
        if self._call_button:
            self._world.press_call(self._seat)
            yield 150 * MS
            self._world.release_call(self._seat)
        else:
            yield from self._fingers.hold(CALL_NS)
        yield WAIT_NS

    def _pace(self) -> float:
        """How slow this person is in moves without a time of their own, compared to others."""
        return self._skill.reaction.median_ns / (300 * MS)

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self._chance.random() < rate


def _worth(origin: Origin) -> int:
    return 0 if origin == LIGRETTO else 2 if origin == DISCARD else 1


SCAN_NS = 550 * MS  # until a reader knows a card
NEXT_NS = 400 * MS  # until a reader knows that the card has gone


class CardPerson(Person):
    """Plays cards."""

    def __init__(
        self,
        seat: int,
        seats: list[int],
        skill: Skill,
        decks: Decks,
        world: PlayersWorld,
        reader: PageReader,
        chance: Random,
        *,
        pads: bool,
        call_button: bool,
    ) -> None:
        super().__init__(seat, seats, skill, decks, world, reader, chance)
        self._decks = decks
        self._pads = pads
        self._scanned = False
        self._player = CardPlayer(
            seat, skill, decks, world, reader, chance, self._fingers, pads=pads, call_button=call_button
        )

    @property
    def player(self) -> CardPlayer:
        """The cards of this seat at play."""
        return self._player

    @property
    def left(self) -> int:
        area = self._decks.areas.get(self.seat)
        return area.leftovers if area is not None else 0

    def _play(self, reading: PageReading) -> Actions:
        self._decks.dealt = False
        self._scanned = False
        yield from self._player.play()

    def _look_on(self, reading: PageReading) -> Actions:
        """Let the visitor play; but say if nobody can play any more, which few people can see."""
        self._decks.dealt = False
        self._scanned = False
        yield from self._player.look_on()

    def _stop(self, reading: PageReading) -> Actions:
        """Stop playing: the round is over."""
        yield self._skill_time(1)
        self._answer(reading)

    def _check(self, reading: PageReading) -> Actions:
        """Show each card of the Ligretto pile to the pad; without pads, say that there are some."""
        yield self._skill_time(1)
        area = self._decks.areas.get(self.seat)
        if self._pads and not self._scanned:
            self._scanned = True
            for card in reversed(area.ligretto if area is not None else []):
                self._world.show(Pad(self.seat), card)
                yield SCAN_NS
                self._world.withdraw(Pad(self.seat), card)
                yield NEXT_NS
            yield self._skill_time(2)
        if self._look().wish is not Wish.CHECK:
            return
        if not self._pads and self.left and not self._scanned:
            self._scanned = True
            yield from self._fingers.hold(LONG_PRESS_NS)
        else:
            self._fingers.tap()
        self._answer(reading)

    def _take_off(self, reading: PageReading) -> Actions:
        """Do nothing: people sort the cards when they deal."""
        yield self._skill_time(1)
