"""Every word of service mode: in six languages, short enough, and none like another."""

from __future__ import annotations

import pytest

from firmware_host.service.labels import AUDIT_WORD, CONDITION_WORD, TINT_WORD
from firmware_host.service.lamp_checks import TINTS, lamp_groups, lamp_name
from firmware_host.service.words import Word, say
from firmware_host.settings import LANGUAGES
from firmware_host.show.lamps import Tint
from hw.ports import Condition
from hw.scoreboard.charset import ASCII, to_ascii
from hw.scoreboard.spelling import respelled

COLUMNS = 20
LARGEST: dict[Word, dict[str, object]] = {
    Word.BRIGHTNESS: {"n": 15},
    Word.SEAT_OPEN: {"seat": 12},
    Word.SEAT_CLOSED: {"seat": 12},
    Word.FEWEST: {"n": 2},
    Word.HANDICAP: {"seat": 12, "n": 11},
    Word.BOUNCES: {"n": 99},
    Word.PILE: {"n": 48},
    Word.PILE_HEAD: {"n": 48},
}
TINTED = (Word.ALL, Word.SYMBOL)
HINTS = (Word.NEXT, Word.OK, Word.CHANGE, Word.PREVIOUS, Word.JUMP, Word.BACK, Word.EXIT, Word.NO, Word.YES)


def plain(language: str, text: str) -> str:
    """The text on a display that has only ASCII, however long it gets."""
    return to_ascii(respelled(text, language, ASCII, 99))


def largest(language: str, word: Word) -> list[str]:
    """The word with the largest numbers, or with every colour, filled in."""
    if word in TINTED:
        tints = TINT_WORD[language].values()
        return [say(language, word, tint=tint) for tint in tints]
    return [say(language, word, **LARGEST.get(word, {}))]


def names_of(language: str) -> list[list[str]]:
    """Counters, colours and conditions."""
    return [
        list(AUDIT_WORD[language].values()),
        list(TINT_WORD[language].values()),
        list(CONDITION_WORD[language].values()),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("word", Word)
def test_every_word_fits_in_a_line_with_the_largest_numbers(language: str, word: Word) -> None:
    for text in largest(language, word):
        assert 0 < len(text) <= len(plain(language, text)) <= COLUMNS
        assert "{" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("word", LARGEST)
def test_every_number_is_shown(language: str, word: Word) -> None:
    (text,) = largest(language, word)
    assert all(str(number) in text for number in LARGEST[word].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_words_look_alike_even_without_accents(language: str) -> None:
    texts = [plain(language, largest(language, word)[0]) for word in Word]
    assert sorted(set(texts)) == sorted(texts)
    for names in names_of(language):
        assert len({plain(language, name) for name in names}) == len(names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_can_be_spelled_on_the_plainest_display(language: str) -> None:
    for text in [text for word in Word for text in largest(language, word)]:
        assert to_ascii(text).count("?") == text.count("?") + text.count("¿")
    assert not any("?" in to_ascii(name) for names in names_of(language) for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_name_their_button_and_no_other(language: str) -> None:
    for word in HINTS:
        seat = "1" if word in (Word.NEXT, Word.BACK, Word.EXIT, Word.NO) else "2"
        assert [letter for letter in say(language, word) if letter.isdigit()] in ([], [seat])
    assert all("1" in say(language, word) for word in (Word.NEXT, Word.NO))


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_fit_in_a_line_alone(language: str) -> None:
    assert all(len(plain(language, f"{name}:")) <= COLUMNS for name in AUDIT_WORD[language].values())
    assert set(TINTS) == set(TINT_WORD[language]) == set(Tint) - {Tint.OFF}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("seats", "piles"), [(4, 0), (12, 48), (2, 8)])
def test_every_lamp_has_a_name_of_its_own_that_fits(language: str, seats: int, piles: int) -> None:
    names = [lamp_name(language, place) for group in lamp_groups(seats, piles) for place in group]
    assert all(len(plain(language, name)) <= COLUMNS for name in names)
    assert len(set(names)) == len(names)


def test_conditions_are_those_that_devices_tell() -> None:
    known = {condition.value for condition in Condition if condition is not Condition.OK}
    assert all(set(CONDITION_WORD[language]) == known for language in LANGUAGES)
