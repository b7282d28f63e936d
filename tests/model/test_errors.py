"""Errors, and the reasons for a void round in words."""

from __future__ import annotations

import pytest

from firmware_host.model.errors import (
    BadSettings,
    IllegalEvent,
    IllegalMove,
    MalformedText,
    TableError,
    fault_messages,
)
from firmware_host.model.states import MASKED, MaskReason, VoidReason, void_words


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (MalformedText("no text"), ValueError),
        (IllegalMove("no move"), ValueError),
        (IllegalEvent("Pause", "ATTRACT"), KeyError),
        (BadSettings(["one fault"]), ValueError),
    ],
)
def test_every_error_has_the_root_and_a_builtin(error: TableError, builtin: type[Exception]) -> None:
    assert isinstance(error, TableError)
    assert isinstance(error, builtin)


def test_an_illegal_event_names_the_event_and_the_state() -> None:
    error = IllegalEvent("Pause", "ATTRACT")
    assert (error.event, error.state) == ("Pause", "ATTRACT")
    assert str(error) == "Pause is not possible in ATTRACT"


def test_an_illegal_event_may_say_why() -> None:
    assert str(IllegalEvent("Resume", "PLAY", "nothing is paused")).endswith("in PLAY: nothing is paused")


def test_bad_settings_have_a_line_for_each_fault() -> None:
    error = BadSettings(["first fault", "second fault"])
    assert error.faults == ["first fault", "second fault"]
    assert str(error).splitlines() == error.faults


def test_many_faults_are_counted() -> None:
    faults = [(line, "wrong") for line in range(2000, 0, -1)]
    messages = fault_messages("table.toml", faults)
    assert messages[:-1] == [f"table.toml:{line}: wrong" for line in range(1, 31)]
    assert messages[-1] == "table.toml:31: 1970 more faults from here on are not shown"
    assert fault_messages("table.toml", faults[-30:]) == messages[:-1]


@pytest.mark.parametrize(
    ("reason", "seats", "words"),
    [
        (VoidReason.STUCK, (1, 2, 3, 4), "seats 1 to 4 agreed that nobody could play"),
        (VoidReason.STUCK, (1, 2, 4), "seats 1, 2 and 4 agreed that nobody could play"),
        (VoidReason.INTERRUPTED, (2, 3), "seats 2 and 3 agreed not to resume it"),
        (VoidReason.INTERRUPTED, (2,), "seat 2 agreed not to resume it"),
        (VoidReason.OPERATOR, (2,), "by the operator"),
        (VoidReason.UNSETTLED, (), "the counts were unclear"),
    ],
)
def test_void_words(reason: VoidReason, seats: tuple[int, ...], words: str) -> None:
    assert void_words(reason, seats) == words


def test_each_reason_has_words() -> None:
    assert all(map(void_words, VoidReason)) and MASKED.keys() == set(MaskReason)
