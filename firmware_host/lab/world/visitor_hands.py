"""What a visitor's hands can do at any table: the button of the seat, and being refused the impossible.

The referee judges what follows. Here only what no hand can do is refused: taking what is not there, or
putting two things onto one place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, TypeVar

from firmware_host.lab.bots.belongings import Decks, Dice, Die
from firmware_host.lab.bots.card_area import DISCARD, LIGRETTO, CardArea, Heap, Origin, PrivateMoveRefused
from firmware_host.lab.bots.card_person import PILE_SEEN_NS, SEEN_NS, CardPerson
from firmware_host.lab.bots.dice_person import DicePerson
from firmware_host.lab.bots.page_reading import Wish
from firmware_host.lab.bots.person import Actions, Person, PlayersWorld
from firmware_host.model.errors import TableError
from firmware_host.model.places import ALL_SLOTS, Card, Pad, Pile, Slot, Spot
from firmware_host.model.times import MS

TAP_NS = 80 * MS
CALL_NS = 150 * MS
LONG_PRESS_NS = 1300 * MS

Asked = Mapping[str, Any]
"""What a visitor wants done: `{"do": "put", "die": 3, "on": "red 2"}`."""
Seen = dict[str, Any]


class NotPossible(TableError):
    """No hand can do that: why. `code` is for programs, where they do something about it."""

    def __init__(self, why: str, code: str = "") -> None:
        super().__init__(why)
        self.code = code


class Hand(ABC):
    """The hands of a visitor at one seat; `person` has stepped aside."""

    def __init__(self, person: Person, world: PlayersWorld, call_button: bool = False) -> None:
        self._person = person
        self._world = world
        self._call_button = call_button
        self._pressed = False
        self._deeds: dict[str, Callable[[Asked], None]] = {
            "press": self._press,
            "release": self._release,
            "slap": self._slap,
            "stop": self._stop,
        }

    @property
    def seat(self) -> int:
        return self._person.seat

    @property
    def words(self) -> list[str]:
        """All that can be done."""
        return sorted(self._deeds)

    def do(self, asked: Asked) -> None:
        """Do it now; NotPossible says why not."""
        word = asked.get("do")
        deed = self._deeds.get(word) if isinstance(word, str) else None
        if deed is None:
            raise NotPossible(f"hands can't do that; they can: {', '.join(self.words)}")
        deed(asked)

    @abstractmethod
    def seen(self) -> Seen:
        """What the visitor has, and nobody else sees."""

    @property
    def at_rest(self) -> bool:
        """Whether nothing is under way that hands have to see through."""
        return True

    def look(self, wish: Wish) -> None:
        """Do by oneself what the table asks all hands for."""

    def leave(self) -> None:
        """Take the hands off the table."""
        self._release({})

    # -- the button

    def _press(self, asked: Asked) -> None:
        self._pressed = True
        self._world.press(self.seat)

    def _release(self, asked: Asked) -> None:
        if self._pressed:
            self._pressed = False
            self._world.release(self.seat)

    def _slap(self, asked: Asked) -> None:
        self._press(asked)
        self._world.after(TAP_NS, lambda: self._release({}))

    def _stop(self, asked: Asked) -> None:
        """Call stop: at the call button, or with a long press where there is none."""
        if self._call_button:
            self._world.press_call(self.seat)
            self._world.after(CALL_NS, lambda: self._world.release_call(self.seat))
        else:
            self._press(asked)
            self._world.after(LONG_PRESS_NS, lambda: self._release({}))

    # -- for what takes a while

    def _live(self, actions: Actions) -> None:
        """Do one action after the other."""
        delay_ns = next(actions, None)
        if delay_ns is not None:
            self._world.after(delay_ns, lambda: self._live(actions))


def text_of(asked: Asked, name: str) -> str:
    """A field that is a text; NotPossible if it is none."""
    value = asked.get(name)
    if not isinstance(value, str):
        raise NotPossible(f"'{name}' is missing, or is not a text")
    return value


def number_of(asked: Asked, name: str) -> int:
    """A field that is a whole number; NotPossible if it is none."""
    value = asked.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotPossible(f"'{name}' is missing, or is not a whole number")
    return value


THROW_NS = 600 * MS
SLOTS = {str(slot): slot for slot in ALL_SLOTS}


class DiceHand(Hand):
    """Throws all dice that are left, puts one onto a place, takes an own one back."""

    def __init__(self, person: DicePerson, dice: Dice, world: PlayersWorld) -> None:
        super().__init__(person, world)
        self._round = person.round
        self._dice = dice
        self._rolling = False
        self._thrown: list[Die] = []
        """What lies in front of the visitor for everybody to see; the others are in the cup."""
        self._dealt: list[Die] = []
        self._deeds |= {"throw": self._throw, "put": self._put, "back": self._back}

    def seen(self) -> Seen:
        hand = self._hand()
        return {
            "game": "dice",
            "cup": sum(1 for die in hand if self._rolling or die not in self._thrown),
            "rolling": self._rolling,
            "dice": [
                {"die": die.number, "colour": die.colour.word, "face": die.face}
                for die in hand
                if die in self._thrown and not self._rolling
            ],
            "own": [str(slot) for slot in self._round.own],
        }

    def _throw(self, asked: Asked) -> None:
        if not self._hand():
            raise NotPossible("no dice are left to throw")
        if self._rolling:
            raise NotPossible("the dice are still rolling")
        self._rolling = True
        self._world.after(THROW_NS, self._come_to_rest)

    def _come_to_rest(self) -> None:
        self._rolling = False
        if self._hand():  # they may have been collected meanwhile
            self._dice.throw(self.seat)
        self._thrown = list(self._hand())

    def _put(self, asked: Asked) -> None:
        number, slot = number_of(asked, "die"), _slot(text_of(asked, "on"))
        if self._rolling:
            raise NotPossible("the dice are still rolling")
        die = next((each for each in self._hand() if each.number == number), None)
        if die is None:
            raise NotPossible("that die is not in your hand")
        if slot in self._dice.board or self._world.is_filled(slot):
            raise NotPossible(f"a die lies on {slot} already")
        self._dice.reach(self.seat, slot)
        self._round.lay(die, slot)
        if die not in self._thrown:
            self._thrown.append(die)

    def _back(self, asked: Asked) -> None:
        slot = _slot(text_of(asked, "from"))
        if slot not in self._round.own:
            raise NotPossible(f"no die of yours lies on {slot}")
        self._round.lift(slot)

    def _hand(self) -> list[Die]:
        """The dice that the visitor has; those of a new deal are in the cup."""
        hand = self._dice.hands.get(self.seat, [])
        if hand is not self._dealt:
            self._dealt, self._thrown = hand, []
        return hand


def _slot(text: str) -> Slot:
    if text not in SLOTS:
        raise NotPossible(f"'{text[:20]}' is not a place; one is 'red 3'")
    return SLOTS[text]


# The hands of a visitor with cards: the own row and piles, and a card in the fingers.
#
# A card that is taken goes to the own pad. After a slap the hands do what everybody does by the lamp of the
# seat: lay the card onto a pile if it says that the card counts, and put it back if it does not.


LOOKS = 3
"""So often the lamp is looked at after a slap, before the card stays at the pad."""
T = TypeVar("T")
AFTERWARDS = frozenset({Wish.CHECK, Wish.ENTER, Wish.CONFIRM, Wish.SCORED, Wish.DEAL, Wish.SIT})
ORIGINS = {
    "ligretto": LIGRETTO,
    "discard": DISCARD,
    **{f"row{n}": Origin(Heap.ROW, n - 1) for n in range(1, 6)},
}


class CardHand(Hand):
    """Takes a card and slaps for it, turns the hand over by threes, fills gaps."""

    def __init__(
        self,
        person: CardPerson,
        decks: Decks,
        world: PlayersWorld,
        chance: Random,
        *,
        pads: bool,
        call_button: bool,
    ) -> None:
        super().__init__(person, world, call_button)
        self._player = person.player
        self._decks = decks
        self._chance = chance
        self._pads = pads
        self._shown: tuple[Spot, Card] | None = None
        """The card that is before a reader."""
        self._races = False
        """Whether the verdict on the card in the fingers is awaited."""
        self._deeds |= {
            "take": self._take,
            "back": self._put_back,
            "lay": self._lay,
            "fill": self._fill,
            "turn": self._turn,
        }

    def seen(self) -> Seen:
        area = self._player.area
        shown: Seen = {"game": "cards", "pads": self._pads, "call_button": self._call_button, "row": []}
        if area is None:
            return shown
        shown |= {
            "row": [[_card(card) for card in stack] for stack in area.row],
            "ligretto": {"count": len(area.ligretto), "top": _top(area.ligretto)},
            "hand": len(area.hand),
            "discard": {"count": len(area.discard), "top": _top(area.discard)},
            "finished": area.finished,
            "expert": area.expert,
        }
        if area.held is not None:
            shown["held"] = _card(area.held) | {"from": str(area.held_from), "races": self._races}
        return shown

    def leave(self) -> None:
        """Take the hands off the table; a card in them goes where it belongs."""
        super().leave()
        self._clear_fingers()

    @property
    def at_rest(self) -> bool:
        """Whether no verdict is awaited."""
        return not self._races

    def look(self, wish: Wish) -> None:
        """Put a card back when the round is over: the pad is needed to count what is left."""
        if wish in AFTERWARDS:
            self._clear_fingers()

    def _clear_fingers(self) -> None:
        if not self._races:
            self._withdraw()
            if (area := self._player.area) is not None and area.held is not None:
                area.put_back()

    # -- what the visitor does

    def _press(self, asked: Asked) -> None:
        super()._press(asked)
        area = self._player.area
        if self._pads and not self._races and area is not None and area.held is not None:
            self._live(self._race(area, area.held, SEEN_NS))

    def _take(self, asked: Asked) -> None:
        name = text_of(asked, "from")
        if name not in ORIGINS:
            raise NotPossible(f"'{name[:20]}' is none of your piles; they are {', '.join(ORIGINS)}")
        area = self._area()
        self._needs_rest()
        if area.held is not None:  # hands that take another card put this one back first
            self._put_back(asked)
        card = _allowed(lambda: area.take(ORIGINS[name]))
        if self._pads:
            self._present(card, Pad(self.seat))

    def _put_back(self, asked: Asked) -> None:
        area = self._area()
        self._needs_rest()
        self._withdraw()
        _allowed(area.put_back)

    def _lay(self, asked: Asked) -> None:
        """Lay the card in the fingers onto a pile with a reader, or, as an expert, one onto the own row."""
        area = self._area()
        self._needs_rest()
        if "stack" in asked:
            origin = ORIGINS.get(text_of(asked, "from"), LIGRETTO)
            stack = number_of(asked, "stack") - 1
            _allowed(lambda: area.lay(origin, stack))
            return
        number = number_of(asked, "on")
        if self._pads:
            raise NotPossible("the piles have no readers here: hold the card to your pad, and slap")
        if area.held is None:
            raise NotPossible("there is no card in your fingers")
        if not 1 <= number <= len(self._decks.centre.piles):
            raise NotPossible(f"there is no pile {number}")
        self._present(area.held, Pile(number))
        self._live(self._race(area, area.held, PILE_SEEN_NS))

    def _fill(self, asked: Asked) -> None:
        area = self._area()
        stack = number_of(asked, "stack") - 1
        _allowed(lambda: area.refill(stack))

    def _turn(self, asked: Asked) -> None:
        """Turn three cards; when the hand is used up, the discard pile is shuffled and becomes the hand."""
        area = self._area()
        if area.hand:
            _allowed(area.turn)
        else:
            _allowed(lambda: area.gather(self._chance))

    # -- the race for a pile

    def _race(self, area: CardArea, card: Card, seen_ns: int) -> Actions:
        """Look at the lamp of the seat for a while, and do what it says."""
        self._races = True
        won = lost = False
        for _ in range(LOOKS):
            before_ns = self._world.now_ns
            won = yield from self._player.verdict_within(seen_ns)
            lost = not won and self._world.now_ns > before_ns + seen_ns  # a red lamp takes its time
            if won or lost or not self._pads:
                break
        self._races = False
        if self._player.area is not area or area.held != card:
            self._withdraw()
            return
        if won:
            self._races = True
            self._withdraw()
            yield from self._player.lay_down(area, card)
            self._races = False
        elif lost or not self._pads:
            self._withdraw()
            area.put_back()

    def _present(self, card: Card, at: Spot) -> None:
        self._withdraw()
        self._shown = at, card
        self._player.present(card, at)

    def _withdraw(self) -> None:
        if self._shown is not None:
            (at, card), self._shown = self._shown, None
            self._world.withdraw(at, card)

    def _area(self) -> CardArea:
        area = self._player.area
        if area is None:
            raise NotPossible("no cards have been dealt yet")
        return area

    def _needs_rest(self) -> None:
        if self._races:
            raise NotPossible("the card in your fingers is being judged")


def _allowed(move: Callable[[], T]) -> T:
    """What the move yields; NotPossible if the rules of one's own cards forbid it."""
    try:
        return move()
    except PrivateMoveRefused as error:
        raise NotPossible(str(error).rpartition(": ")[2]) from None


def _card(card: Card) -> Seen:
    return {"colour": card.colour.word, "number": card.number}


def _top(cards: list[Card]) -> Seen | None:
    return _card(cards[-1]) if cards else None
