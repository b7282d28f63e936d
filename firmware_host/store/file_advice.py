"""Advice about a store that can't be read or written: whose it is, and what to do."""

from __future__ import annotations

import errno
import os
import pwd
import sqlite3
import stat
from pathlib import Path

from firmware_host.store.damage import is_damage

ANOTHER = "name another one in [store] file"
_FULL = ("disk is full", "No space left")
_FAILS = ("disk I/O error", os.strerror(errno.EIO))
_COMPANIONS = ("", "-wal", "-shm")


def to_write(path: str, trouble: object = "") -> str:
    """How this user can write a store that could not be opened, made or written."""
    words = str(trouble)
    if any(word in words for word in _FULL):
        return "free some space"
    if any(word in words for word in _FAILS):
        return f"check the disk: the card may be worn out; or {ANOTHER}"
    if os.strerror(errno.ELOOP) in words:
        return f"remove the link {path}, which leads to itself"
    name = getattr(trouble, "sqlite_errorname", "")
    if isinstance(trouble, sqlite3.NotSupportedError) or name == "SQLITE_ERROR":
        return f"the disk is not the cause: please report it, with SQLite's version, {sqlite3.sqlite_version}"
    if os.path.isdir(path):
        return f"it is a folder: name a file in [store] file, such as {os.path.join(path, 'table.db')}"
    there = _nearest(Path(path).parent)
    if not there.is_dir():
        return f"{there} is no folder: {ANOTHER}"
    for each in (str(there), *(f"{path}{ending}" for ending in _COMPANIONS)):
        rights = os.W_OK | (os.X_OK if os.path.isdir(each) else 0)
        if os.path.exists(each) and not os.access(each, rights, effective_ids=True):
            return _advice_on(each)
    return f"check the disk and its permissions, or {ANOTHER}"


def to_read(path: str, error: Exception) -> str:
    """How this user can read a store that could not be read."""
    if os.path.isdir(path):
        return f"it is a folder: the store is a file in it, such as {os.path.join(path, 'table.db')}"
    kind = getattr(error, "sqlite_errorname", "")
    if kind == "SQLITE_NOTADB":
        return "it is no store: --store is for the store itself, and --config for a table.toml"
    if not os.access(path, os.R_OK, effective_ids=True):
        if _is_own(path):
            return f"nobody may read it, not even its owner: chmod u+r {path}"
        return f"it belongs to {_owner(path)}: sudo -u {_owner(path)} ligretto-table ..."
    if is_damage(error) or kind == "SQLITE_ERROR":  # damage may have changed a name
        return "the daemon keeps it aside when it starts: sudo systemctl restart ligretto-table"
    return "try again; if it stays so, check the disk"


def _advice_on(path: str) -> str:
    """The advice about a file or folder that this user may not write to."""
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return f"the disk under {path} can only be read: {ANOTHER}"
    owner, user = _owner(path), _user(os.geteuid())
    if _is_own(path):
        closed = os.geteuid() != 0 and not os.stat(path).st_mode & stat.S_IWUSR
        hint = f"chmod u+w {path}" if closed else f"see its attributes (lsattr -d {path})"
        return f"not even {user} may write to {path}: {hint}, or {ANOTHER}"
    as_owner = f"run it as its owner (sudo -u {owner} ligretto-table ...), or "
    return f"{path} belongs to {owner}, and this is {user}: {'' if owner == 'root' else as_owner}{ANOTHER}"


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest thing above it that exists."""
    return next((each for each in (folder, *folder.parents) if os.path.exists(each)), Path("/"))


def _is_own(path: str) -> bool:
    """Whether it belongs to this user, or this user is root: no other user could do more with it."""
    return os.geteuid() in (0, os.stat(path).st_uid)


def _owner(path: str) -> str:
    return _user(os.stat(path).st_uid)


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
