"""Texts with their numbers, and the names of places, cards, dice and readers."""

from __future__ import annotations

from firmware_host.effects import Verdict
from firmware_host.places import Card, DieFace, Pad, Pile, Slot, Spot
from firmware_host.texts.phrases import LANGUAGES, TEXTS, Phrase, TextKey

_TEXTS_IN: dict[str, dict[TextKey, str]] = {
    language: {what: row[column] for what, row in TEXTS.items()} for column, language in enumerate(LANGUAGES)
}

_BY_PADS = {Verdict.ILLEGAL: Phrase.FITS_NOWHERE, Verdict.FALSE_CLAIM: Phrase.NO_CARD}
"""The verdicts that have other texts where a slap plays the card on the pad."""


def say(language: str, what: TextKey, /, **numbers: object) -> str:
    """The text in that language, with its numbers."""
    text = _TEXTS_IN[language][what]
    return text.format(**numbers) if numbers else text


def verdict_key(verdict: Verdict, by_pads: bool) -> TextKey:
    """The row of a verdict. Where cards are played `by_pads`, nobody puts anything in a wrong place."""
    return _BY_PADS.get(verdict, verdict) if by_pads else verdict


def place_text(language: str, place: Slot | Card) -> str:
    """A place of the board, or a card whose owner is known: its colour and its number."""
    return f"{say(language, place.colour)} {place.number}"


def item_text(language: str, item: Card | DieFace) -> str:
    """The name of a card or a face on the scoreboard while tags are enrolled."""
    if isinstance(item, Card):
        colour = say(language, item.colour)
        return say(language, Phrase.CARD_OF_SEAT, seat=item.seat, colour=colour, number=item.number)
    return say(language, Phrase.FACE_OF_DIE, die=item.die, face=item.face)


def spot_text(language: str, spot: Spot) -> str:
    """The name of a reader on the scoreboard while tags are enrolled."""
    if isinstance(spot, Pad):
        return say(language, Phrase.PAD_READER, seat=spot.seat)
    if isinstance(spot, Pile):
        return say(language, Phrase.PILE_READER, number=spot.number)
    return place_text(language, spot)
