"""The guides for makers show what the commands really print; `make docs` brings them up to date."""

from __future__ import annotations

import pytest

from tests.guides.pages import quoted
from tests.guides.quotes import QUOTES

SHOWN = quoted()


@pytest.mark.parametrize("name", QUOTES)
def test_a_quote_is_what_the_command_prints(name: str) -> None:
    printed = QUOTES[name]().rstrip()
    assert [text for _, text in SHOWN.get(name, [])] == [printed] * len(SHOWN[name])


def test_every_quote_has_a_command_behind_it() -> None:
    assert set(SHOWN) == set(QUOTES)
