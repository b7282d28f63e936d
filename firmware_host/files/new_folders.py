"""The folders that a daemon made for its store: those of one that never came to play are removed again.

Else a first try by root would leave a folder in which the service's own user can't write.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_MADE = ("", "-wal", "-journal")
"""What a daemon puts into them, by what is added to the name of the store."""


def missing_folders(file: str) -> list[Path]:
    """The folders above a file that are not there yet, the innermost first."""
    return [folder for folder in Path(file).absolute().parents if not folder.exists()]


def remove_new(file: str, folders: list[Path]) -> None:
    """Remove these folders with the store in them; one that holds anything else stays."""
    if not folders:
        return
    with suppress(OSError):
        for end in _MADE:
            Path(file + end).unlink(missing_ok=True)
        for folder in folders:
            folder.rmdir()
