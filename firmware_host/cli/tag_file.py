"""The tags file on its disk: read as it is, replaced as a whole, and never over somebody else's changes."""

from __future__ import annotations

from pathlib import Path

from firmware_host.config.files import Missing, Unreadable
from firmware_host.enrolment.registry_text import RegistryText
from firmware_host.errors import BadSettings, TableError
from firmware_host.files.input_files import decoded, read_bytes
from firmware_host.files.whole_files import READABLE, replace_whole


class ChangedMeanwhile(TableError):
    """Somebody else has written to the file."""


class TagFile:
    """One tags file; `text` is what stood in it when it was read or written last ('' if there was none)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = read_text(path, missing="")

    @property
    def registry_text(self) -> RegistryText:
        """What it says; BadSettings has a line for each fault in it."""
        return RegistryText(self.text, str(self.path))

    def replace(self, text: str) -> None:
        """Put this in its place, all at once: whatever happens, one of the two texts is there, and whole."""
        if read_text(self.path, missing="") != self.text:
            raise ChangedMeanwhile(f"{self.path} was changed by somebody else in the meantime; start again")
        try:
            replace_whole(self.path, text.encode(), new_mode=READABLE)  # the daemon is somebody else
        except OSError as error:
            raise _unwritable(self.path, error) from None
        self.text = text

    def back_up(self) -> Path | None:
        """A copy beside it, under a name that was free; None if there is nothing to copy."""
        if not self.text:
            return None
        for number in range(1, 1000):
            copy = self.path.with_name(f"{self.path.name}.bak{number if number > 1 else ''}")
            try:
                replace_whole(copy, self.text.encode(), new_mode=READABLE, must_be_new=True)
            except FileExistsError:
                continue
            except OSError as error:
                raise _unwritable(copy, error) from None
            return copy
        raise TableError(f"{self.path}: there are too many copies of it (*.bak); remove some")


def read_text(path: Path, missing: str | None = None) -> str:
    """The text of a file with its line ends as they are; `missing` is what it is if there is no such file."""
    try:
        return decoded(read_bytes(path), path)
    except Unreadable as error:
        if missing is None or not isinstance(error, Missing):
            raise BadSettings([str(error)]) from None
        return missing


def _unwritable(path: Path, error: OSError) -> BadSettings:
    return BadSettings([f"{path}: can't be written: {error.strerror or error}"])
