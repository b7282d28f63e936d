"""Wrong configurations: each file begins with what has to be said of it, and nothing else may be said.

Lines that begin with `#:` are the messages; the rest is a table.toml with one mistake or more.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.run.table_files import load_config

WRONG = Path(__file__).parent / "wrong"
CASES = sorted(WRONG.glob("*.toml"))
ABOUT_TAGS = "own/bad-tags.csv"
WITHOUT_ALLOWED = (
    "more faults from here on are not shown",
    "it is there a second time",
    "the quote at the end of a text is missing",
    "write \\\\ for \\",
    "windows is called timing now",
)
WITHOUT_A_LINE = (
    "lists are nested too deeply; allowed: up to 16 brackets",
    "a number is too long; allowed: up to 100 digits",
)


def messages_of(case: Path) -> list[str]:
    """The messages that its first lines ask for."""
    lines = case.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("#: ") for line in lines if line.startswith("#: ")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_it_gets_exactly_its_messages(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(WRONG)
    with pytest.raises(BadSettings) as error:
        load_config(Path(case.name))
    assert error.value.faults == messages_of(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_message_has_file_and_line_and_says_what_is_allowed(case: Path) -> None:
    for message in messages_of(case):
        match = re.fullmatch(r"([\w./-]+):(?:([0-9]+):)? (.+)", message)
        assert match and (WRONG / match[1]).exists()
        assert 1 <= int(match[2] or 1) <= len((WRONG / match[1]).read_bytes().splitlines())
        assert match[2] or match[3] in WITHOUT_A_LINE
        right = ("allowed: ", "expected ", *WITHOUT_ALLOWED)
        assert any(words in match[3] for words in right) or match[1] == ABOUT_TAGS
