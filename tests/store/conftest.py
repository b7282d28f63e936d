"""Stores with matches in them, made once for all tests that only read, and a place for one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.store import writer
from tests.store.parties import COARSE, add_match, add_players


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two matches of dice, one of them with dead heats, and one of cards; each is a session.

    Anna was at all three, Ben with the dice, and the others were guests.
    """
    path = tmp_path_factory.mktemp("club") / "table.db"
    add_match(path, "dice4", 7, rounds=2, event="Club evening", day="2026-11-17", wrong=False)
    add_match(
        path, "dice4", 6, rounds=2, event="Club evening", day="2026-11-18", settings=COARSE, wrong=False
    )
    add_match(path, "cards4", 2, rounds=1, event="", day="2026-11-18", wrong=False)
    add_players(path, {1: "Anna", 2: "Ben", 3: "Wilhelmina"}, [{1: 1, 2: 2}, {1: 2, 3: 1}, {4: 1}])
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written is tried again soon."""
    monkeypatch.setattr(writer, "RETRY_S", (0.02, 0.05))
