"""Files that are replaced as a whole: whatever happens, either what was there is there, or all of the new."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import ExitStack, suppress
from pathlib import Path

from firmware_host.files.file_places import FilePlace, file_place

READABLE, PRIVATE = 0o644, 0o600
_BY_UMASK = 0o666


class Draft:
    """A file that is written beside its place and put there at the end; OSError says what can't be done.

    Own links and those of root are followed and stay. With `mode` the file gets these permissions. Without,
    it keeps those that it has, and stays whose it is; a new one gets `new_mode`, or what the umask says.
    With `must_be_new` nothing is replaced: FileExistsError. Without `durable` it may be lost
    in a power cut, and the disk is spared.
    """

    def __init__(
        self,
        path: Path,
        mode: int | None = None,
        new_mode: int | None = None,
        *,
        must_be_new: bool = False,
        durable: bool = True,
    ) -> None:
        self._must_be_new = must_be_new
        self._durable = durable
        self._name = f".ligretto-{secrets.token_hex(8)}"
        with ExitStack() as opened:
            self._place = opened.enter_context(file_place(path))
            if must_be_new and self._place.old is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            first = PRIVATE if self._place.old is not None or mode is not None else _BY_UMASK
            self._file = open(  # noqa: SIM115  # it stays open for whoever writes
                os.open(self._name, how, first, dir_fd=self._place.folder), "wb"
            )
            opened.callback(self._remove)
            opened.callback(self._file.close)
            self._set_rights(new_mode if mode is None and self._place.old is None else mode)
            self._closing = opened.pop_all()

    def write(self, data: bytes) -> None:
        """Add to it."""
        self._file.write(data)

    def put(self) -> None:
        """Put it in its place, at once and for good."""
        with self._closing:
            self._file.flush()
            if self._durable:
                os.fsync(self._file.fileno())
            _put(self._place, self._name, must_be_new=self._must_be_new)
            if self._durable:
                _sync_folder(self._place.folder)

    def drop(self) -> None:
        """Leave everything as it was."""
        self._closing.close()

    def _remove(self) -> None:
        with suppress(FileNotFoundError):  # it is in its place
            os.unlink(self._name, dir_fd=self._place.folder)

    def _set_rights(self, mode: int | None) -> None:
        """Those that were asked for, or else those of the file that is replaced."""
        descriptor, old = self._file.fileno(), self._place.old
        if mode is None and old is not None:
            mine = os.fstat(descriptor)
            if (mine.st_uid, mine.st_gid) != (old.st_uid, old.st_gid):
                with suppress(PermissionError):  # only root may give a file away
                    os.fchown(descriptor, old.st_uid, old.st_gid)
            mode = old.st_mode & 0o777
        if mode is not None:
            os.fchmod(descriptor, mode)


def replace_whole(
    path: Path,
    data: bytes,
    mode: int | None = None,
    new_mode: int | None = None,
    *,
    must_be_new: bool = False,
    durable: bool = True,
) -> None:
    """Put this in its place, with the permissions of a `Draft`; OSError says why it can't be."""
    draft = Draft(path, mode, new_mode, must_be_new=must_be_new, durable=durable)
    try:
        draft.write(data)
        draft.put()
    finally:
        draft.drop()


def _put(place: FilePlace, draft: str, *, must_be_new: bool) -> None:
    """Give the draft its name."""
    if must_be_new:
        try:
            os.link(draft, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        except FileExistsError:
            raise
        except OSError:  # a memory stick knows no second names; it was free when we looked
            pass
        else:
            return
    os.replace(draft, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)


def _sync_folder(folder: int) -> None:
    """What a folder's list says of a file is written down apart from the file."""
    with suppress(PermissionError):  # one that may be written in and not be read
        descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
