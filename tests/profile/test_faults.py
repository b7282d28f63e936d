"""Slips in profiles that ship: each gets exactly its messages, as `faults.txt` has them.

A case is a piece of the profile's text and what stands in its place, then the messages, each with its line.
What is in place of an empty piece stands at the end of the text.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.profile.profiles import SHIPPED, changed, faults_of


def cases() -> Iterator[tuple[str, str, str, list[str]]]:
    """Of each the profile, what is there, what comes instead, and what is said of it."""
    name = ""
    for block in (Path(__file__).parent / "faults.txt").read_text(encoding="utf-8").split("\n\n"):
        first, *messages = block.splitlines()
        if messages:
            before, after = map(literal_eval, first.split(" -> "))
            yield name, before, after, messages
        else:
            name = first.removeprefix("## ")


@pytest.mark.parametrize(("name", "before", "after", "messages"), [*cases()])
def test_it_gets_exactly_its_messages(name: str, before: str, after: str, messages: list[str]) -> None:
    text = SHIPPED[name]
    assert faults_of(changed(text, before, after) if before else text + after) == messages
