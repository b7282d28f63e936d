"""The reasons for a void round in words: who agreed on it, if the players did."""

from __future__ import annotations

import pytest

from firmware_host.model.states import MASKED, MaskReason, VoidReason, void_words


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
