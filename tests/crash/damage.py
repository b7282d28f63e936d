"""What may happen to the file of the store while nobody writes it: bytes are cut off, or overwritten."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

COMPANIONS = ("", "-wal", "-shm")
MOST_BYTES = 300
HEADER_BYTES = 100


@dataclass(frozen=True, slots=True)
class Damage:
    """What was done to a file."""

    words: str

    def __str__(self) -> str:
        return self.words


def cut(store: Path, chance: Random) -> Damage:
    """Cut one of the store's files off at a random byte."""
    path = _victim(store, chance)
    size = path.stat().st_size
    length = chance.randint(0, size)
    with path.open("r+b") as file:
        file.truncate(length)
    return Damage(f"{path.name} cut from {size} to {length} bytes")


def scribble(store: Path, chance: Random) -> Damage:
    """Overwrite random bytes of one of the store's files, sometimes of its very beginning."""
    path = _victim(store, chance)
    size = path.stat().st_size
    if not size:
        return Damage(f"{path.name} is empty and stays so")
    start = chance.randrange(min(size, HEADER_BYTES) if chance.random() < 0.25 else size)
    data = chance.randbytes(min(chance.randint(1, MOST_BYTES), size - start))
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data)
    return Damage(f"{path.name} of {size} bytes overwritten from {start} on with {len(data)} bytes")


def _victim(store: Path, chance: Random) -> Path:
    files = [Path(f"{store}{companion}") for companion in COMPANIONS]
    there = [file for file in files if file.exists()]
    filled = [file for file in there if file.stat().st_size]
    return chance.choice(filled or there)
