"""The store that is damaged: matches of both games, as the daemon writes them, with a log and choices."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.store.parties import COARSE, add_match, add_players

_MORE = """
    INSERT INTO log (at, kind, text) VALUES ('2026-11-18T20:00:00', 'service', 'language was set to fr');
    INSERT INTO choices VALUES ('language', 'fr');
    INSERT INTO named_seats VALUES (1, 1), (3, 2);
"""
_LATER = """
    UPDATE matches SET event = 'Late evening' WHERE n = 3;
    UPDATE rounds SET ended = '2026-11-18T23:59:59' WHERE n = 5;
    INSERT INTO log (at, kind, text) VALUES ('2026-11-18T23:59:59', 'service', 'language was set to de');
"""


def played(path: Path) -> Path:
    """A store with two matches of dice, one of them with dead heats, and one of cards; all in one file."""
    event = "Club evening"
    add_match(path, "dice4", 7, rounds=2, event=event, day="2026-11-17", wrong=False)
    add_match(path, "dice4", 6, rounds=2, event=event, day="2026-11-18", settings=COARSE, wrong=False)
    add_match(path, "cards4", 3, rounds=1, event="", day="2026-11-18", wrong=False)
    add_players(path, {1: "Anna", 2: "Ben"}, [{1: 1, 2: 2}, {1: 2, 3: 1}, {4: 1}])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"{_MORE} PRAGMA wal_checkpoint(TRUNCATE);")
    return path


def log_of(data: bytes, folder: Path) -> bytes:
    """The log of a store with changes that are not in the file yet."""
    path = folder / "logged.db"
    path.write_bytes(data)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; {_LATER}")
        assert path.read_bytes() == data
        return Path(f"{path}-wal").read_bytes()
