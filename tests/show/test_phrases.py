"""Every word in six languages: complete, short enough, and the calls to the letter."""

from __future__ import annotations

import pytest

from firmware_host.effects import Cue, Verdict
from firmware_host.places import Colour
from firmware_host.settings import LANGUAGES
from firmware_host.show.phrases import COLOUR_WORD, VERDICT_WORD, Phrase, say
from firmware_host.show.words import CUE_WORD, PAD_VERDICT_WORD
from hw.scoreboard.charset import ASCII, to_ascii
from hw.scoreboard.spelling import respelled

COLUMNS = 20
CALLS = (Phrase.START, Phrase.STOP_DICE, Phrase.STOP_CARDS)
LARGEST: dict[Phrase, dict[str, object]] = {
    Phrase.ROUND: {"n": 12, "of": 12},
    Phrase.ENTER_DICE: {"seat": 4},
    Phrase.HOLDS: {"seat": 12, "n": 10},
    Phrase.DONE: {"seat": 12},
    Phrase.WINNER: {"seats": "1 2 3 4"},
    Phrase.CHECK: {"what": "scoreboard"},
    Phrase.SEAT: {"seat": 12},
    Phrase.CALL_BUTTON: {"seat": 12},
    Phrase.CALLED: {"seat": 12},
    Phrase.ENTER_CARDS: {"seat": 12},
}


def largest(language: str, phrase: Phrase) -> str:
    """The phrase with the largest numbers filled in."""
    return say(language, phrase, **LARGEST.get(phrase, {}))


def plain(language: str, text: str) -> str:
    """The text on a display that has only ASCII, however long it gets."""
    return to_ascii(respelled(text, language, ASCII, 99))


def news_words(language: str) -> list[str]:
    """All that can be said of a slap or a tag."""
    tags = CUE_WORD[language].values()
    return [*VERDICT_WORD[language].values(), *PAD_VERDICT_WORD[language].values(), *tags]


@pytest.mark.parametrize(
    ("language", "start", "stop_dice", "stop_cards"),
    [
        ("de", "Ligretto Start", "Ligretto Stopp", "Ligretto Stop!"),
        ("en", "Start Ligretto", "Ligretto STOP", "Ligretto, stop!"),
        ("fr", "Ligretto, c'est parti", "Ligretto, stop", "Ligretto, stop"),
        ("it", "Ligretto Via!", "Ligretto Stop!", "Ligretto Stop!"),
        ("nl", "Ligretto Start", "Ligretto stop", "Ligretto stop!"),
        ("es", "Ligretto Inicio", "Ligretto Fin", "¡Ligretto Fin!"),
    ],
)
def test_the_calls_are_those_of_the_game(language: str, start: str, stop_dice: str, stop_cards: str) -> None:
    assert tuple(say(language, call) for call in CALLS) == (start, stop_dice, stop_cards)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phrase", [phrase for phrase in Phrase if phrase not in CALLS])
def test_every_phrase_fits_in_a_line_with_the_largest_numbers(language: str, phrase: Phrase) -> None:
    text = largest(language, phrase)
    assert 0 < len(text) <= len(plain(language, text)) <= COLUMNS
    assert "{" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phrase", LARGEST)
def test_every_number_is_shown(language: str, phrase: Phrase) -> None:
    assert all(str(number) in largest(language, phrase) for number in LARGEST[phrase].values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_fits_in_a_line_after_its_seat(language: str, verdict: Verdict) -> None:
    assert 0 < len(plain(language, f"12 {VERDICT_WORD[language][verdict]}")) <= COLUMNS


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_with_a_card_fits_in_a_line_after_its_seat(language: str) -> None:
    assert set(CUE_WORD[language]) == set(Cue)
    assert all(0 < len(plain(language, f"12: {word}")) <= COLUMNS for word in CUE_WORD[language].values())
    words = PAD_VERDICT_WORD[language].values()
    assert all(0 < len(plain(language, f"12 {word}")) <= COLUMNS for word in words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phrase", [Phrase.SEAT, Phrase.CALL_BUTTON])
def test_the_name_of_every_button_fits_in_a_line_that_asks_to_check_it(language: str, phrase: Phrase) -> None:
    text = say(language, Phrase.CHECK, what=say(language, phrase, seat=12))
    assert len(plain(language, text)) <= COLUMNS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dispute_of_a_full_cup_fits_in_a_line(language: str) -> None:
    assert len(say(language, Phrase.HOLDS, seat=4, n=23)) <= COLUMNS


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_texts_look_alike_even_without_accents(language: str) -> None:
    phrases = {
        plain(language, largest(language, phrase)) for phrase in Phrase if phrase is not Phrase.STOP_CARDS
    }
    verdicts = {plain(language, word) for word in news_words(language)}
    colours = {plain(language, word) for word in COLOUR_WORD[language].values()}
    assert (len(phrases), len(verdicts), len(colours)) == (
        len(Phrase) - 1,  # both games may end with the same call
        len(Verdict) + 2 + len(Cue),
        len(Colour),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_can_be_spelled_on_the_plainest_display(language: str) -> None:
    for phrase in Phrase:
        text = largest(language, phrase)
        questions = text.count("?") + text.count("¿")
        assert to_ascii(text).count("?") == questions
    words = [*news_words(language), *COLOUR_WORD[language].values()]
    assert not any("?" in to_ascii(word) for word in words)
