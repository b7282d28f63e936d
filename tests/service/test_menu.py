"""A walk through every page of every menu, in every language, on small tables and on large ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.model.phrases import Phrase, say
from firmware_host.model.settings import LANGUAGES
from firmware_host.model.times import MS
from firmware_host.service.page import Outcome, PanelInfo
from tests.service.operator import CARDS, DICE, SMALL, TABLES, Operator

MAIN = [Phrase.TESTS, Phrase.AUDITS, Phrase.SETTINGS]
CHECKS = [Phrase.LAMPS, Phrase.COLOURS, Phrase.BUTTONS, Phrase.SENSORS, Phrase.SCOREBOARD, Phrase.DEVICES]
NO_SENSORS = [title for title in CHECKS if title is not Phrase.SENSORS]

walks = pytest.mark.parametrize("language", LANGUAGES)
tables = pytest.mark.parametrize("info", TABLES.values(), ids=TABLES)


def titles(language: str, phrases: list[Phrase]) -> list[str]:
    return [say(language, phrase) for phrase in phrases]


@walks
@pytest.mark.parametrize(
    ("info", "phrases"),
    [
        (DICE, [*MAIN, Phrase.VOID_ROUND, Phrase.END_MATCH, Phrase.LEAVE_SERVICE]),
        (CARDS, [*MAIN, Phrase.END_MATCH, Phrase.LEAVE_SERVICE]),
        (SMALL, [*MAIN, Phrase.LEAVE_SERVICE]),
    ],
)
def test_the_main_menu_has_what_makes_sense_now(
    language: str, info: PanelInfo, phrases: list[Phrase]
) -> None:
    operator = Operator(replace(info, language=language))
    assert operator.panel.language == language
    assert operator.ring() == titles(language, phrases)


@walks
@pytest.mark.parametrize(
    ("info", "phrases"),
    [
        (DICE, CHECKS),
        (CARDS, CHECKS),
        (SMALL, NO_SENSORS),
        (replace(SMALL, readers=True), CHECKS),
    ],
)
def test_the_tests_are_those_that_the_table_has_things_for(
    language: str, info: PanelInfo, phrases: list[Phrase]
) -> None:
    operator = Operator(replace(info, language=language))
    operator.go(Phrase.TESTS)
    assert operator.ring() == titles(language, phrases)


@walks
@tables
def test_every_test_can_be_entered_and_left_again(language: str, info: PanelInfo) -> None:
    operator = Operator(replace(info, language=language))
    operator.go(Phrase.TESTS)
    for title in operator.ring():
        assert operator.above == title
        assert operator.tap(2) != title
        assert say(language, Phrase.BACK) in " ".join(operator.said(line=1))
        operator.tap(1)
        operator.tap(2)
        for seat in range(1, info.seats + 1):
            operator.bounce(seat, 200)
            operator.bounce(seat, 1, call=True)
            operator.wait(500 * MS)
            operator.bounce(seat, 200, down=False)
            operator.bounce(seat, 1, call=True, down=False)
        operator.said(line=0)
        assert operator.hold(1) == title
        operator.tap(1)


@walks
@tables
def test_every_setting_can_be_changed_and_is_handed_back(language: str, info: PanelInfo) -> None:
    operator = Operator(replace(info, language=language))
    operator.go(Phrase.SETTINGS)
    pages = operator.ring()
    assert len(pages) == 5 + (len(info.games) > 1) + (info.volume is not None)
    for page in range(len(pages) - 2):
        before = operator.above
        assert say(operator_language(language, page), Phrase.CHANGE) in " ".join(operator.said(line=1))
        assert operator.tap(2) != before
        operator.tap(1)
    following = LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]
    for word in (Phrase.SEATS, Phrase.HANDICAPS):
        assert operator.above == say(following, word)
        operator.tap(2)
        assert len(operator.ring()) == info.seats
        operator.tap(1, info.seats - 1)
        operator.tap(2)
        operator.look()
        assert operator.hold(1) == say(following, word)
        operator.tap(1)
    operator.hold(1)
    operator.hold(1)
    outcome = operator.outcome
    assert outcome is not None
    all_seats = tuple(range(1, info.seats + 1))
    assert outcome.choices == {
        "language": following,
        "brightness": 15,
        **({"volume": 8} if info.volume is not None else {}),
        **({"game": "cards"} if len(info.games) > 1 else {}),
        "rounds": 1,
        **({"seats": all_seats[:-1]} if info.seats > 2 else {}),
        "handicap": (*[0] * (info.seats - 1), -1),
    }


def operator_language(language: str, page: int) -> str:
    """The language of a page, when the one before the second page has gone on to the next."""
    return LANGUAGES[(LANGUAGES.index(language) + (page > 0)) % len(LANGUAGES)]


@walks
@tables
def test_what_was_counted_can_be_read(language: str, info: PanelInfo) -> None:
    operator = Operator(replace(info, language=language))
    operator.go(Phrase.AUDITS)
    for _, value in info.audits or (("", ""),):
        told = " ".join(operator.said(line=0))
        assert all(word in told for word in value.split())
        operator.tap(1)
    assert operator.hold(1) == say(language, Phrase.AUDITS)


def test_leaving_hands_back_nothing_that_was_not_changed(operator: Operator) -> None:
    operator.go(Phrase.LEAVE_SERVICE)
    assert operator.outcome == Outcome()


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_name_their_button_and_no_other(language: str) -> None:
    first = (Phrase.NEXT, Phrase.BACK, Phrase.EXIT, Phrase.NO)
    second = (Phrase.OK, Phrase.CHANGE, Phrase.PREVIOUS, Phrase.JUMP, Phrase.YES)
    for seat, hints in (("1", first), ("2", second)):
        for hint in hints:
            assert [letter for letter in say(language, hint) if letter.isdigit()] == [seat]
