"""The number of seats of a table, as most of its sections have it.

So a button that was forgotten is one fault, and not a fault of everything else at that seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from firmware_host.config.sections import Section
from firmware_host.engine.games import Game
from firmware_host.places import MOST_PILES_A_SEAT


def count_seats(game: Game, buttons: Section, calls: Section, root: Section) -> int:
    """The number of seats of a profile; 0 if no section has a number that can play the game."""
    said = (len(buttons), len(calls), *_votes(root))
    votes = Counter(vote for vote in said if game.fewest_seats <= vote <= game.most_seats)
    return max(votes, key=lambda seats: (votes[seats], seats), default=0)


def _votes(root: Section) -> Iterator[int]:
    lamps = _within(root, "lamps")
    yield _length(lamps.get("seats"))
    yield _length(lamps.get("piles")) // MOST_PILES_A_SEAT
    readers = [reader for reader in _within(root, "readers").values() if isinstance(reader, dict)]
    yield sum("seat" in reader for reader in readers)
    yield sum("pile" in reader for reader in readers) // MOST_PILES_A_SEAT
    piles = root["piles"].value
    yield piles // MOST_PILES_A_SEAT if isinstance(piles, int) else 0


def _within(root: Section, name: str) -> dict[str, object]:
    section = root[name].value
    return section if isinstance(section, dict) else {}


def _length(entries: object) -> int:
    return len(entries) if isinstance(entries, list) else 0
