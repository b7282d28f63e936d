"""Results are kept for ever: what the commands say of them does not hang on what else is kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.stores import ask, tidied

RESULTS = (
    ("recall",),
    ("recall", "--json"),
    ("export", "--what", "matches"),
    ("export", "--what", "rounds"),
    ("export", "--what", "standings"),
    ("audits",),
)


@pytest.mark.parametrize("command", RESULTS, ids=" ".join)
def test_results_stay_as_they_were(club: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = Path(shutil.copy(club, tmp_path))
    before = ask(command[0], path, *command[1:]).stdout_bytes
    tidied(path, keep_rounds=1)
    assert ask(command[0], path, *command[1:]).stdout_bytes == before
    assert "its result is all that is left" in ask("recall", path, "--round", "1").stdout
