"""Files that are replaced as a whole: whatever happens, either what was there is there, or all of the new."""

from __future__ import annotations

import errno
import os
import pwd
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from firmware_host.model.errors import BadSettings
from firmware_host.model.plain_text import KINDS
from firmware_host.profile.table import Missing, Unreadable

# The place of a file that is to be written: a folder held open, and a name in it.
#
# Whoever may write in a folder on the way can put a link there and so choose where a file goes. That is
# harmless with one's own links and those of root, and a trap with anybody else's: those are not followed.
# The folder is held open, so what is changed on the way afterwards changes nothing any more.


MOST_LINKS = 40
"""The kernel gives up after as many."""
_LOOK = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A name in an open folder, and what is there: a file, or nothing yet."""

    folder: int
    name: str
    old: os.stat_result | None


@contextmanager
def file_place(path: Path) -> Iterator[FilePlace]:
    """The place of a file, behind all links; OSError says why no file may be written there."""
    folder, name = _walked(path)
    try:
        yield FilePlace(folder, name, _old_file(folder, name))
    finally:
        os.close(folder)


def _walked(path: Path) -> tuple[int, str]:
    """An open folder, and the name of a file in it that is no link."""
    steps = list(reversed(path.parts)) or ["."]
    links = 0
    folder = os.open(".", os.O_PATH | os.O_CLOEXEC)
    try:
        while True:
            step = steps.pop()
            here = _opened(step, folder, last=not steps)
            if here is None:
                return folder, step
            status = os.fstat(here)
            if stat.S_ISLNK(status.st_mode):
                target = _target(here, step, status)
                os.close(here)
                links += 1
                if links > MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                steps += reversed(PurePath(target).parts)
            elif steps:
                os.close(folder)
                folder = here
            else:
                os.close(here)
                return folder, step
    except BaseException:
        os.close(folder)
        raise


def _opened(step: str, folder: int, *, last: bool) -> int | None:
    """What has this name, links as such; None if it is the file and is not there yet."""
    try:
        return os.open(step, _LOOK, dir_fd=folder)
    except FileNotFoundError:
        if last:
            return None
        raise


def _target(link: int, name: str, status: os.stat_result) -> str:
    """Where a link leads that may be followed."""
    if status.st_uid not in (0, os.geteuid()):
        whose = _user_name(status.st_uid)
        words = f"'{name}' is a link of {whose}, and only your own are followed: name the file it leads to"
        raise PermissionError(errno.EPERM, words)
    return os.readlink("", dir_fd=link)


def _old_file(folder: int, name: str) -> os.stat_result | None:
    """The file that is there, if one is; OSError if it must not be replaced."""
    try:
        old = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    kind = stat.S_IFMT(old.st_mode)
    if kind != stat.S_IFREG:
        raise OSError(errno.EINVAL, f"it is {KINDS.get(kind, 'not a file')}: name a file, or a new one")
    there = os.fstat(folder)
    if there.st_mode & stat.S_IWOTH and old.st_uid not in (there.st_uid, os.geteuid()):
        words = f"it belongs to {_user_name(old.st_uid)}, in a folder that everybody may write in"
        raise PermissionError(errno.EPERM, f"{words}: name another file")
    return old


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


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


# Files that somebody names as input: read at once, and never without an end.
#
# A path may lead to anything: a named pipe that nobody writes to, a device without an end, a disk image. So
# only regular files are read, up to a size that makes sense, and nothing is waited for.


MOST_BYTES = 100_000
"""Far more than any profile, registry of tags or table.toml needs."""


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """What a file holds; Missing or Unreadable says why it can't be had."""
    content = read_start(path, most + 1)
    if len(content) > most:
        raise Unreadable(f"{path}: longer than {most // 1000} kB")
    return content


def read_start(path: str | Path, most: int) -> bytes:
    """Up to so many bytes of a file; Missing or Unreadable says why they can't be had."""
    try:
        _check_kind(path, os.stat(path).st_mode)  # opening a device may do something already
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            _check_kind(path, os.fstat(descriptor).st_mode)
            return _read(descriptor, most)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise Missing(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    except ValueError:  # each version of Python says it in other words
        raise Unreadable(f"{path}: no file can have this name") from None


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """The text of a file without a byte order mark; BadSettings has the line of what is not UTF-8."""
    return decoded(read_bytes(path, most), path).removeprefix("\ufeff")


def decoded(content: bytes, path: str | Path) -> str:
    """The text of a file's bytes; BadSettings has the line of what is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        letter = f"0x{content[error.start]:02x} is not UTF-8"
        raise BadSettings([f"{path}:{line}: {letter}; allowed: text in UTF-8"]) from None


def kind_of(path: str | Path) -> str:
    """What there is in place of a regular file, such as 'a named pipe'; empty for a folder or nothing."""
    try:
        return _special(os.stat(path).st_mode)
    except (OSError, ValueError):
        return ""


def _check_kind(path: str | Path, mode: int) -> None:
    if kind := _special(mode):
        raise Unreadable(f"{path}: {kind}, not a regular file")


def _special(mode: int) -> str:
    """What it is in place of a regular file or a folder; empty if it is one of those."""
    return "" if stat.S_ISDIR(mode) else KINDS.get(stat.S_IFMT(mode), "")


def _read(descriptor: int, most: int) -> bytes:
    pieces: list[bytes] = []
    while most > 0 and (piece := os.read(descriptor, min(most, 1 << 16))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)
