"""The files that make the daemon a service: where each belongs, and what it says on this machine.

They are shipped as they stand in the folder `systemd` of the sources. A wheel carries them as data beside
the packages and not among them: a package of that name belongs to somebody else.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePath

from firmware_host.feed.addresses import UNIT, UNIT_FILE, WEB_UNIT_FILE
from firmware_host.files import MOST_LINKS, READABLE, replace_whole
from firmware_host.model.errors import TableError

RULES_FILE = "/etc/udev/rules.d/70-ligretto-table.rules"  # after the rules that find out serial numbers
USERS_FILE = "/etc/sysusers.d/ligretto-table.conf"
WEB_USERS_FILE = "/etc/sysusers.d/ligretto-table-web.conf"
ROOT = Path("/")
IMAGE_COMMAND = "/opt/ligretto-table/bin/ligretto-table"
"""The command in the image of another machine, if nobody says otherwise."""
CONFIG_FILE = "/etc/ligretto-table/table.toml"

SHIPPED = {
    UNIT_FILE: "ligretto-table.service",
    RULES_FILE: "ligretto-table.rules",
    USERS_FILE: "ligretto-table.sysusers",
}
"""Which of the shipped files goes where."""
SHIPPED_FOR_WEB = {
    WEB_UNIT_FILE: "ligretto-table-web.service",
    WEB_USERS_FILE: "ligretto-table-web.sysusers",
}
"""Those of the web process, which not every table has."""


class Reach(Enum):
    """From where the pages can be opened: what the web process listens at, and who gets through to it."""

    LOCAL = ("127.0.0.1", "localhost")
    LAN = ("0.0.0.0", "localhost 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16")

    @property
    def words(self) -> dict[str, str]:
        """What is put into the unit."""
        host, addresses = self.value
        return {"@host@": host, "@addresses@": addresses}


SHARED = Path("share/ligretto-table/systemd")
BACKUP = ".bak"

USER_NAME = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
COMMAND = re.compile(r"/[A-Za-z0-9/._+-]+")
CLOSED = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")
"""What the unit shuts the service out of, or gives it another of."""
TO_OPT = (
    "install it where services may go, such as /opt: sudo python3 -m venv /opt/ligretto-table && "
    "sudo /opt/ligretto-table/bin/pip install WHEEL"
)


class NotInstallable(TableError):
    """The service can't be installed like that; says why, and what to do."""


@dataclass(frozen=True, slots=True)
class SystemFile:
    """One file of the service; what belongs to the operator is never written over."""

    path: str
    text: str
    operators: bool = False


class Fate(Enum):
    """What becomes of a file."""

    NEW = "write"
    REPLACED = "replace"  # the old one is kept with .bak behind its name
    SAME = "leave"  # it says that already
    KEPT = "keep"  # it is the operator's


def system_files(command: str, user: str, example: str, web: Reach | None = None) -> list[SystemFile]:
    """All files of a service that runs this command as this user, and a configuration for who has none."""
    faults = []
    if not COMMAND.fullmatch(command):
        faults.append(f"'{command}' can't be used in a unit: give a full path without special characters")
    if not USER_NAME.fullmatch(user):
        faults.append(f"'{user}' is not a valid user name: lower-case letters, digits, - and _, at most 31")
    if user == "root":
        faults.append("the service must not run as root: name another user, or none")
    if faults:
        raise NotInstallable("\n".join(faults))
    words = {"@command@": command, "@user@": user} | (web.words if web is not None else {})
    names = SHIPPED | (SHIPPED_FOR_WEB if web is not None else {})
    files = [SystemFile(path, _filled_in(shipped(name), words)) for path, name in names.items()]
    return [*files, SystemFile(CONFIG_FILE, example, operators=True)]


def _filled_in(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def shipped(name: str) -> str:
    """A file of the folder `systemd`, from the checkout or from where the wheel put it."""
    for folder in _folders(name):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            return (folder / name).read_text(encoding="utf-8")
    raise NotInstallable(f"{name} is missing: install the wheel again (pip install --force-reinstall)")


def _folders(name: str) -> Iterator[Path]:
    root = Path(__file__).parents[2]
    yield root / "systemd"  # a checkout, also one that is installed as editable
    yield root / SHARED  # pip install --target
    with contextlib.suppress(PackageNotFoundError):
        for path in distribution("ligretto-table").files or ():
            if path.name == name:
                yield Path(str(path.locate())).parent
    yield Path(sys.prefix) / SHARED


def fate(file: SystemFile, prefix: Path) -> Fate:
    """What `write` will make of a file."""
    path = within(prefix, file.path)
    if path.is_symlink():
        if file.operators:
            return Fate.KEPT
        raise NotInstallable(
            f"{path} is a link to {path.readlink()}: remove it first (a masked unit: systemctl unmask {UNIT})"
        )
    if not path.exists():
        return Fate.NEW
    if file.operators:
        return Fate.KEPT
    if not path.is_file():
        raise NotInstallable(f"{path} is not a regular file: remove it first")
    return Fate.SAME if path.read_bytes() == file.text.encode() else Fate.REPLACED


def write(file: SystemFile, prefix: Path) -> Fate:
    """Write a file, whole or not at all, and say what became of it."""
    what = fate(file, prefix)
    if what in (Fate.SAME, Fate.KEPT):
        return what
    path = within(prefix, file.path)
    try:
        _make_folder(path.parent)
        if what is Fate.REPLACED:
            _keep(path)
        replace_whole(path, file.text.encode(), READABLE)
    except OSError as error:
        raise NotInstallable(f"{path} can't be written: {error.strerror}") from None
    return what


def remove(path: str, prefix: Path) -> bool:
    """Remove a file and what `write` kept of the one before; whether there was one."""
    found = False
    for each in (path, path + BACKUP):
        with contextlib.suppress(FileNotFoundError):
            within(prefix, each).unlink()
            found = True
    return found


def below(prefix: Path, path: str) -> Path:
    """Where a path of the table's machine is on this one."""
    return prefix / path.lstrip("/")


def within(prefix: Path, path: str) -> Path:
    """The same with every folder as that machine sees it: no link and no `..` leads out of the prefix.

    What the last name means is left to whoever asks.
    """
    *steps, name = PurePath(path).parts[1:]
    steps.reverse()
    root = Path(os.path.realpath(prefix))
    folder, links = root, 0
    while steps:
        step = steps.pop()
        here = folder / step
        if step == "..":
            folder = folder if folder == root else folder.parent
        elif here.is_symlink():
            links += 1
            if links > MOST_LINKS:
                raise NotInstallable(f"{below(prefix, path)}: its links lead in a circle")
            target = here.readlink()
            folder = root if target.is_absolute() else folder
            steps += reversed(target.parts[target.is_absolute() :])
        else:
            folder = here
    return folder / name


def own_command() -> str:
    """The command `ligretto-table` as it was started, or the one beside this Python."""
    for path in (Path(sys.argv[0]), Path(sys.executable).with_name("ligretto-table")):
        if path.name == "ligretto-table" and path.is_file():
            return os.path.abspath(path)
    raise NotInstallable(
        f"there is no command ligretto-table beside {sys.executable}: install the wheel there"
    )


def check_reach(paths: Iterable[str], prefix: Path = ROOT) -> None:
    """Raise if a service can't get to one of these files, wherever links of this machine lead."""
    asked = ["/" + os.path.normpath(path).lstrip("/") for path in paths]
    # Links in the image of another machine lead to files of that machine: they are not followed.
    ends = asked if prefix != ROOT else [os.path.realpath(path) for path in asked]
    for path in dict.fromkeys([*asked, *ends]):
        closed = next((folder for folder in CLOSED if path.startswith(f"{folder}/")), None)
        if closed is not None:
            raise NotInstallable(f"the service could not reach {path}, {closed} is closed to it: {TO_OPT}")
    for path in ends:
        for folder in Path(path).parents[:-1]:
            if _is_shut(below(prefix, str(folder))):
                raise NotInstallable(
                    f"the service could not reach {path}, not everybody may enter {folder}: {TO_OPT}"
                )


def _is_shut(folder: Path) -> bool:
    """Whether a folder is there and not everybody may enter it."""
    try:
        return not folder.stat().st_mode & stat.S_IXOTH
    except FileNotFoundError:
        return False


def parts_of_the_service() -> list[str]:
    """The files that have to be within its reach: the command, its Python, and the packages."""
    return [own_command(), sys.executable, str(Path(__file__))]


def _keep(path: Path) -> None:
    """Copy what is there to a name beside it; a link of that name is replaced, not followed."""
    backup = path.with_name(path.name + BACKUP)
    if backup.is_symlink():
        backup.unlink()
    replace_whole(backup, path.read_bytes(), stat.S_IMODE(path.stat().st_mode))


def _make_folder(folder: Path) -> None:
    """A folder that everybody may enter, whatever root's own files are like."""
    if not folder.exists():
        _make_folder(folder.parent)
        folder.mkdir()
        folder.chmod(0o755)
