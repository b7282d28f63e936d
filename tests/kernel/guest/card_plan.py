"""Two rounds of cards for four: who shows what, who slaps when, what is left; and the same in plain words.

All cards of a wave are held to their pads at the same time, and slapped one after the other when the
table knows them. So a card may have to wait for the one below it, which is slapped just before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware_host.model.effects import Cue
from firmware_host.model.places import Card, Colour
from firmware_host.profile.tags import simulated_uid

SEATS = 4


class Wrong(NamedTuple):
    """A card on a pad where it means nothing, and what the sign says then."""

    pad: int
    card: Card
    cue: Cue
    words: str


class Wave(NamedTuple):
    """Whose card is slapped, which, and whose slap with the same card comes too late for it (0: nobody's).

    Before the slaps, the reader that is `silent` says nothing for a while. `wrong` is shown meanwhile.
    """

    plays: list[tuple[int, str, int]]
    wrong: Wrong | None = None
    silent: str = ""


class Cards(NamedTuple):
    """One round: what happens, who calls stop, and the Ligretto cards that seats have left."""

    waves: list[Wave]
    caller: int
    left: dict[int, list[str]]


FOREIGN = Wrong(3, Card(1, Colour.RED, 4), Cue.NOT_YOURS, "3: not your card")
AGAIN = Wrong(4, Card(4, Colour.BLUE, 2), Cue.IN_CENTRE, "4: already played")

ROUNDS = [
    Cards(
        [
            Wave([(1, "red 1", 0), (2, "yellow 1", 0), (4, "blue 1", 0)], wrong=FOREIGN),
            Wave([(1, "red 2", 2), (3, "green 1", 0), (4, "blue 2", 0)]),
            Wave([(1, "red 3", 0), (3, "green 2", 0)], wrong=AGAIN),
            Wave([(1, "red 4", 4), (2, "red 5", 0), (3, "yellow 2", 0)]),
        ],
        caller=2,
        left={1: ["blue 9", "yellow 7"], 4: ["red 10"]},
    ),
    Cards(
        [
            Wave([(1, "blue 1", 0), (2, "blue 1", 0), (3, "red 1", 0), (4, "yellow 1", 0)]),
            Wave([(1, "blue 2", 0), (2, "blue 2", 3), (4, "yellow 2", 0)]),
            Wave([(4, "yellow 3", 0), (1, "blue 3", 0), (2, "red 2", 0)], silent="pad-4"),
            Wave([(3, "red 3", 0), (1, "red 4", 0), (2, "blue 3", 4)]),
        ],
        caller=3,
        left={2: ["green 6"], 4: ["blue 3", "red 8"]},
    ),
]


def card_of(seat: int, text: str) -> Card:
    """The card of that seat that `red 4` names."""
    colour, number = text.split()
    return Card(seat, Colour[colour.upper()], int(number))


def uid_of(card: Card) -> str:
    return simulated_uid(card).hex()


def waves(rounds: list[Cards]) -> list[Wave]:
    """All waves of a match."""
    return [wave for each in rounds for wave in each.waves]


def wrongs(rounds: list[Cards]) -> list[Wrong]:
    """All that is wrong in a match."""
    return [wave.wrong for wave in waves(rounds) if wave.wrong is not None]


def shown(rounds: list[Cards]) -> set[tuple[int, str]]:
    """Each tag that comes to a seat's pad in a match."""
    pairs = {(wrong.pad, uid_of(wrong.card)) for wrong in wrongs(rounds)}
    for wave in waves(rounds):
        pairs |= {(seat, uid) for seat, uid, _ in _held(wave)}
    for each in rounds:
        pairs |= {(seat, uid_of(card_of(seat, text))) for seat, texts in each.left.items() for text in texts}
    return pairs


def in_plain_words(rounds: list[Cards]) -> list[dict[str, Any]]:
    """The rounds as hands need them, who know tags by their numbers only."""
    return [
        {
            "waves": [_wave(wave) for wave in each.waves],
            "caller": each.caller,
            "left": [
                [uid_of(card_of(seat, text)) for text in each.left.get(seat, [])]
                for seat in range(1, SEATS + 1)
            ],
        }
        for each in rounds
    ]


def _wave(wave: Wave) -> dict[str, Any]:
    wrong = wave.wrong
    return {
        "held": _held(wave),
        "slaps": [(seat, rival) for seat, _, rival in wave.plays],
        "wrong": None if wrong is None else (wrong.pad, uid_of(wrong.card), wrong.words),
        "silent": wave.silent,
    }


def _held(wave: Wave) -> list[tuple[int, str, str]]:
    """Who holds which card to the pad: its seat, its tag, and what it is."""
    return [
        (seat, uid_of(card_of(seat, text)), text)
        for owner, text, rival in wave.plays
        for seat in (owner, rival)
        if seat
    ]
