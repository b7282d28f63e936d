"""Each colour and each condition has a name, and hints name the right button."""

from __future__ import annotations

import pytest

from firmware_host.model.phrases import Phrase, say
from firmware_host.model.settings import LANGUAGES
from firmware_host.service.checks import CONDITION_NAMES, TINT_NAMES, TINTS
from firmware_host.show.lamps import Tint
from hw.ports import Condition

FIRST = (Phrase.NEXT, Phrase.BACK, Phrase.EXIT, Phrase.NO)
SECOND = (Phrase.OK, Phrase.CHANGE, Phrase.PREVIOUS, Phrase.JUMP, Phrase.YES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_name_their_button_and_no_other(language: str) -> None:
    for seat, hints in (("1", FIRST), ("2", SECOND)):
        for hint in hints:
            assert [letter for letter in say(language, hint) if letter.isdigit()] == [seat]


def test_every_colour_and_every_condition_has_a_name() -> None:
    assert set(TINTS) == set(TINT_NAMES) == set(Tint) - {Tint.OFF}
    assert set(CONDITION_NAMES) == {condition.value for condition in Condition} - {Condition.OK.value}
