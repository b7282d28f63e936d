"""The place of a file that is to be written: a folder held open, and a name in it.

Whoever may write in a folder on the way can put a link there and so choose where a file goes. That is
harmless with one's own links and those of root, and a trap with anybody else's: those are not followed.
The folder is held open, so what is changed on the way afterwards changes nothing any more.
"""

from __future__ import annotations

import errno
import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath

from firmware_host.file_kinds import KINDS

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
