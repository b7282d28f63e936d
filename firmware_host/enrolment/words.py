"""What the scoreboard says while tags are enrolled, in six languages.

Each text with its numbers filled in fits in the twenty columns of a scoreboard's line.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.config.tags import Enrolled
from firmware_host.places import Card, Pad, Pile, Spot
from firmware_host.show.phrases import COLOUR_WORD


class Word(Enum):
    """What can be said; braces are filled in."""

    CARD = "card"  # this card of a seat's set
    FACE = "face"  # this die, with this face up
    PAD = "pad"  # the reader at a seat
    PILE = "pile"  # the reader at a pile
    ANY_PAD = "any-pad"  # hold it to any pad
    ANY_READER = "any-reader"
    HOLD_TO = "hold-to"  # hold it to this reader
    PROGRESS = "progress"  # the n-th of so many
    SAVED = "saved"  # take it off
    TAKE_OFF = "take-off"
    TAKE_ONE = "take-one"  # two are too many
    ALREADY = "already"  # what lies there stands for this, on the line below
    LEAVE = "leave"  # it is changed when it is left there
    DONE = "done"
    LEFT = "left"  # so many have no tag


_WORDS: dict[str, dict[Word, str]] = {
    "de": {
        Word.CARD: "Platz {seat}: {colour} {number}",
        Word.FACE: "Würfel {die}: {face} oben",
        Word.PAD: "Platz {seat}",
        Word.PILE: "Stapel {number}",
        Word.ANY_PAD: "An irgendeinen Platz",
        Word.ANY_READER: "An irgendeinen Leser",
        Word.HOLD_TO: "Halten an {reader}",
        Word.PROGRESS: "{n} von {of}",
        Word.SAVED: "Gemerkt, wegnehmen",
        Word.TAKE_OFF: "Bitte wegnehmen",
        Word.TAKE_ONE: "Bitte nur eins",
        Word.ALREADY: "Das ist schon",
        Word.LEAVE: "Anders? Liegenlassen",
        Word.DONE: "Fertig",
        Word.LEFT: "Ohne Tag: {n}",
    },
    "en": {
        Word.CARD: "seat {seat}: {colour} {number}",
        Word.FACE: "die {die}: {face} up",
        Word.PAD: "pad {seat}",
        Word.PILE: "pile {number}",
        Word.ANY_PAD: "Hold to any pad",
        Word.ANY_READER: "Hold to any reader",
        Word.HOLD_TO: "Hold to {reader}",
        Word.PROGRESS: "{n} of {of}",
        Word.SAVED: "Saved: take it off",
        Word.TAKE_OFF: "Please take it off",
        Word.TAKE_ONE: "Leave only one",
        Word.ALREADY: "This already is",
        Word.LEAVE: "Change? Leave it on",
        Word.DONE: "Done",
        Word.LEFT: "Without a tag: {n}",
    },
    "fr": {
        Word.CARD: "place {seat}: {colour} {number}",
        Word.FACE: "dé {die}: {face} en haut",
        Word.PAD: "place {seat}",
        Word.PILE: "pile {number}",
        Word.ANY_PAD: "Présentez: une place",
        Word.ANY_READER: "Présentez au lecteur",
        Word.HOLD_TO: "Présentez: {reader}",
        Word.PROGRESS: "{n} sur {of}",
        Word.SAVED: "Noté, retirez",
        Word.TAKE_OFF: "Retirez-le",
        Word.TAKE_ONE: "N'en laissez qu'un",
        Word.ALREADY: "C'est déjà",
        Word.LEAVE: "Changer ? Laissez-le",
        Word.DONE: "Terminé",
        Word.LEFT: "Sans puce: {n}",
    },
    "it": {
        Word.CARD: "posto {seat}: {colour} {number}",
        Word.FACE: "dado {die}: {face} sopra",
        Word.PAD: "posto {seat}",
        Word.PILE: "pila {number}",
        Word.ANY_PAD: "Accosta a un posto",
        Word.ANY_READER: "Accosta a un lettore",
        Word.HOLD_TO: "Accosta: {reader}",
        Word.PROGRESS: "{n} di {of}",
        Word.SAVED: "Salvato, togli",
        Word.TAKE_OFF: "Togli, per favore",
        Word.TAKE_ONE: "Lasciane solo uno",
        Word.ALREADY: "Questo è già",
        Word.LEAVE: "Cambiare? Lascialo",
        Word.DONE: "Finito",
        Word.LEFT: "Senza tag: {n}",
    },
    "nl": {
        Word.CARD: "plek {seat}: {colour} {number}",
        Word.FACE: "steen {die}: {face} boven",
        Word.PAD: "plek {seat}",
        Word.PILE: "stapel {number}",
        Word.ANY_PAD: "Houd bij een plek",
        Word.ANY_READER: "Houd bij een lezer",
        Word.HOLD_TO: "Houd bij {reader}",
        Word.PROGRESS: "{n} van {of}",
        Word.SAVED: "Bewaard, haal weg",
        Word.TAKE_OFF: "Haal het weg",
        Word.TAKE_ONE: "Laat er maar één",
        Word.ALREADY: "Dit is al",
        Word.LEAVE: "Wijzigen? Laat staan",
        Word.DONE: "Klaar",
        Word.LEFT: "Zonder tag: {n}",
    },
    "es": {
        Word.CARD: "sitio {seat} {colour} {number}",
        Word.FACE: "dado {die}: {face} arriba",
        Word.PAD: "sitio {seat}",
        Word.PILE: "pila {number}",
        Word.ANY_PAD: "Acerca a un sitio",
        Word.ANY_READER: "Acerca a un lector",
        Word.HOLD_TO: "Acerca a {reader}",
        Word.PROGRESS: "{n} de {of}",
        Word.SAVED: "Guardado, quita",
        Word.TAKE_OFF: "Quita, por favor",
        Word.TAKE_ONE: "Deja solo uno",
        Word.ALREADY: "Esto ya es",
        Word.LEAVE: "¿Cambiar? Déjalo ahí",
        Word.DONE: "Terminado",
        Word.LEFT: "Sin etiqueta: {n}",
    },
}


def word(language: str, which: Word, **numbers: object) -> str:
    """The text in that language with its numbers filled in."""
    return _WORDS[language][which].format(**numbers)


def item_text(language: str, item: Enrolled) -> str:
    """A card or a face as the scoreboard calls it."""
    if isinstance(item, Card):
        colour = COLOUR_WORD[language][item.colour]
        return word(language, Word.CARD, seat=item.seat, colour=colour, number=item.number)
    return word(language, Word.FACE, die=item.die, face=item.face)


def spot_text(language: str, spot: Spot) -> str:
    """A reader as the scoreboard calls it."""
    if isinstance(spot, Pad):
        return word(language, Word.PAD, seat=spot.seat)
    if isinstance(spot, Pile):
        return word(language, Word.PILE, number=spot.number)
    return f"{COLOUR_WORD[language][spot.colour]} {spot.number}"
