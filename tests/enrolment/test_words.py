"""Every text in six languages: short enough with the largest numbers, and no two alike."""

from __future__ import annotations

import pytest

from firmware_host.config.tags import Enrolled
from firmware_host.effects import Cue
from firmware_host.enrolment.words import Word, item_text, spot_text, word
from firmware_host.places import ALL_SLOTS, Card, Colour, DieFace, Pad, Pile, Spot
from firmware_host.settings import LANGUAGES
from firmware_host.show.phrases import Phrase, say
from firmware_host.show.words import CUE_WORD
from hw.scoreboard.charset import ASCII, to_ascii
from hw.scoreboard.spelling import respelled

COLUMNS = 20
LARGEST: dict[Word, dict[str, object]] = {
    Word.CARD: {"seat": 12, "colour": "X", "number": 10},
    Word.FACE: {"die": 24, "face": 6},
    Word.PAD: {"seat": 12},
    Word.PILE: {"number": 48},
    Word.HOLD_TO: {"reader": "X 12"},
    Word.PROGRESS: {"n": 624, "of": 624},
    Word.LEFT: {"n": 624},
}
SPOTS: list[Spot] = [Pad(12), Pile(48), *ALL_SLOTS]


def plain(language: str, text: str) -> str:
    """The text on a display that has only ASCII, however long it gets."""
    return to_ascii(respelled(text, language, ASCII, 99))


def largest(language: str, which: Word) -> str:
    return word(language, which, **LARGEST.get(which, {}))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("which", Word)
def test_every_text_fits_in_a_line_with_the_largest_numbers(language: str, which: Word) -> None:
    text = largest(language, which)
    assert 0 < len(text) <= len(plain(language, text)) <= COLUMNS
    assert "{" not in text
    assert all(str(number) in text for number in LARGEST.get(which, {}).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_face_fits_in_a_line_and_has_a_name_of_its_own(language: str) -> None:
    cards = [
        Card(seat, colour, number) for seat in range(1, 13) for colour in Colour for number in range(1, 11)
    ]
    faces = [DieFace(die, face) for die in range(1, 25) for face in range(1, 7)]
    items: list[Enrolled] = [*cards, *faces]
    texts = {plain(language, item_text(language, item)) for item in items}
    assert len(texts) == len(items)
    assert all(0 < len(text) <= COLUMNS for text in texts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spot", SPOTS, ids=str)
def test_every_reader_fits_in_a_line_that_names_it(language: str, spot: Spot) -> None:
    reader = spot_text(language, spot)
    assert str(spot.seat if isinstance(spot, Pad) else spot.number) in reader
    assert len(plain(language, word(language, Word.HOLD_TO, reader=reader))) <= COLUMNS
    assert len(plain(language, say(language, Phrase.CHECK, what=reader))) <= COLUMNS


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_texts_look_alike_even_without_accents(language: str) -> None:
    texts = [plain(language, largest(language, which)) for which in Word if which is not Word.PAD]
    texts += [plain(language, CUE_WORD[language][cue]) for cue in (Cue.TWO_TAGS, Cue.GONE)]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_can_be_spelled_on_the_plainest_display(language: str) -> None:
    for which in Word:
        text = largest(language, which)
        assert to_ascii(text).count("?") == text.count("?") + text.count("¿")
