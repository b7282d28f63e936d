"""The lamps of the piles on a table of cards.

A pile shows its colour at its head, and its height as a number of steady lights. While a round runs, the
light for the next number blinks: slowly, or quickly when a card for it lies on a seat's pad, so everybody
sees where the race is. With a one on a pad, the place that it would open flickers. A light for a number
may have any single colour, so all this is shown by rhythm.

A pile can only look a few different ways. All of them are made beforehand, and a centre is put together
from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from firmware_host.engine.cards import CardPile
from firmware_host.places import CARD_NUMBERS, Colour
from firmware_host.show.lamps import DARK, LAMPS_A_PILE, ROW_TINT, Beat, Lamp, Tint

PileLamps = tuple[Lamp, ...]

FREE: PileLamps = (DARK,) * LAMPS_A_PILE


def _standing(colour: Colour, height: int, following: Beat) -> PileLamps:
    """The lamps of a pile of that height; `following` is the light for the next number."""
    tint = ROW_TINT[colour]
    here = Lamp(tint, Beat.WINK if height == CARD_NUMBERS else Beat.STEADY)
    burning = [Lamp(tint, Beat.STEADY), *[here] * height]
    if following is not Beat.DARK and height < CARD_NUMBERS:
        burning.append(Lamp(tint, following))
    return (*burning, *FREE[len(burning) :])


def _by_height(following: Beat) -> tuple[tuple[PileLamps, ...], ...]:
    heights = range(CARD_NUMBERS + 1)
    return tuple(tuple(_standing(colour, height, following) for height in heights) for colour in Colour)


def _opening(tint: Tint) -> PileLamps:
    """The lamps of a free place that a one is about to open."""
    return (Lamp(tint, Beat.FAST), Lamp(tint, Beat.FAST), *FREE[2:])


_AT_REST = _by_height(Beat.DARK)
_WANTING = _by_height(Beat.SLOW)
_AWAITING = _by_height(Beat.FAST)
_OPENING = tuple(_opening(ROW_TINT[colour]) for colour in Colour)
_OPENING_ANY = _opening(Tint.WHITE)


Piles = Sequence[CardPile | None]


def centre_at_rest(piles: Piles, places: int) -> list[Lamp]:
    """The lamps of all places while nothing can be played: only the heights of the piles."""
    return _joined([FREE if pile is None else _AT_REST[pile[0]][len(pile[1])] for pile in piles], places)


def centre_in_play(piles: Piles, places: int, awaited: Mapping[int, set[Colour]]) -> list[Lamp]:
    """The lamps of all places while a round runs.

    `awaited` has the places that cards on pads fit onto now, and the colours of those cards.
    """
    standing = [FREE if pile is None else _WANTING[pile[0]][len(pile[1])] for pile in piles]
    standing += [FREE] * (places - len(standing))
    for place, colours in awaited.items():
        pile = piles[place - 1] if place <= len(piles) else None
        if pile is not None:
            standing[place - 1] = _AWAITING[pile.colour][pile.height]
        else:
            standing[place - 1] = _OPENING[min(colours)] if len(colours) == 1 else _OPENING_ANY
    return _joined(standing, places)


def _joined(standing: list[PileLamps], places: int) -> list[Lamp]:
    return [*chain.from_iterable(standing), *FREE * (places - len(standing))]
