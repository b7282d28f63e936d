"""The hands of a visitor with cards: the own row and piles, and a card in the fingers.

A card that is taken goes to the own pad. After a slap the hands do what everybody does by the lamp of the
seat: lay the card onto a pile if it says that the card counts, and put it back if it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

from firmware_host.lab.bots.card_area import DISCARD, LIGRETTO, CardArea, Heap, Origin, PrivateMoveRefused
from firmware_host.lab.bots.card_person import PILE_SEEN_NS, SEEN_NS, CardPerson
from firmware_host.lab.bots.decks import Decks
from firmware_host.lab.bots.page_reading import Wish
from firmware_host.lab.bots.person import Actions, PlayersWorld
from firmware_host.lab.world.visitor_hands import Asked, Hand, NotPossible, Seen, number_of, text_of
from firmware_host.model.places import Card, Pad, Pile, Spot

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
