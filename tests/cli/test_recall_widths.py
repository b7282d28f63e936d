"""`recall` in terminals of any width."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.stores import ask


@pytest.mark.parametrize("columns", [40, 64, 66])
def test_everything_fits_into_a_narrow_terminal(
    club: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    close = [["3", "--around", str(moment)] for moment in range(1, 12, 2)]
    for arguments in ([], ["2"], ["2", "-v"], *close):
        lines = ask("recall", club, *arguments).stdout.splitlines()
        told = lines if not arguments else lines[:-1]  # the last is a command to be copied
        assert max(map(len, told)) <= columns


def test_what_came_of_a_round_stands_below_it_in_a_narrow_terminal(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = ask("recall", club).stdout.split()
    monkeypatch.setenv("COLUMNS", "40")
    narrow = ask("recall", club).stdout
    assert narrow.split() == wide
    assert re.search(r"^  1       5  2026-11-\d\d 20:\d\d  cards   1\n     ", narrow, re.MULTILINE)


def test_a_pipe_is_as_wide_as_usual(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = ask("recall", club, "2").stdout
    monkeypatch.setenv("COLUMNS", "200")
    assert ask("recall", club, "2").stdout == usual  # a pipe
