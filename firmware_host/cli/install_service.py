"""`install-service`: the daemon becomes a service of this machine.

Its files are shipped as they stand in the folder `systemd` of the sources. A wheel carries them as data
beside the packages and not among them: a package of that name belongs to somebody else.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import socket
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path, PurePath

import click

import wiring
from firmware_host.feed.addresses import DAEMON, UNIT, UNIT_FILE, WEB_UNIT, WEB_UNIT_FILE
from firmware_host.files import MOST_LINKS, READABLE, replace_whole
from firmware_host.model.errors import TableError
from firmware_host.profile.keys import example_table

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


RUNS_SYSTEMD = Path("/run/systemd/system")
SUBSYSTEMS = ("gpio", "i2c-dev", "tty")

Command = tuple[str, ...]

USERS: Command = ("systemd-sysusers", USERS_FILE)
WEB_USERS: Command = ("systemd-sysusers", WEB_USERS_FILE)
RULES: Command = ("udevadm", "control", "--reload")
DEVICES: Command = ("udevadm", "trigger", "--settle", *(f"--subsystem-match={name}" for name in SUBSYSTEMS))
UNITS: Command = ("systemctl", "daemon-reload")
ENABLE: Command = ("systemctl", "enable", UNIT)
RESTART: Command = ("systemctl", "restart", UNIT)  # starts it too; a new version is to run at once
DISABLE: Command = ("systemctl", "disable", "--now", UNIT)
WEB_ENABLE: Command = ("systemctl", "enable", WEB_UNIT)
WEB_RESTART: Command = ("systemctl", "restart", WEB_UNIT)
WEB_DISABLE: Command = ("systemctl", "disable", "--now", WEB_UNIT)

WHY = {
    RESTART: f"see its log: journalctl -u {UNIT} -n 20",
    WEB_RESTART: f"see its log: journalctl -u {WEB_UNIT} -n 20",
}
FILES = (WEB_UNIT_FILE, WEB_USERS_FILE, UNIT_FILE, RULES_FILE, USERS_FILE)
"""All that may have been written, except the configuration."""


@click.command()
@click.option("--dry-run", is_flag=True, help="Show every file and every command; change nothing.")
@click.option(
    "--prefix",
    type=click.Path(path_type=Path, file_okay=False),
    default=ROOT,
    help="Write below this folder and run no commands: for the image of another machine.",
)
@click.option("--user", default=DAEMON, show_default=True, help="The daemon's user; created if missing.")
@click.option(
    "--command",
    metavar="PATH",
    help=f"What the service runs.  [default: this command; with --prefix {IMAGE_COMMAND}]",
)
@click.option(
    "--web",
    "reach",
    type=click.Choice([each.name.lower() for each in Reach]),
    help="Also show the table in browsers: of this machine only (local), or of the whole network (lan).",
)
@click.option("--no-start", is_flag=True, help="Start it with the machine, but not now.")
@click.option("--uninstall", is_flag=True, help="Stop and remove it; configuration and results stay.")
def install_service(
    dry_run: bool,
    prefix: Path,
    user: str,
    command: str | None,
    reach: str | None,
    no_start: bool,
    uninstall: bool,
) -> None:
    """Install the daemon as a service that starts with this machine.

    It writes a unit, udev rules, a user and, if there is none, a configuration; then it starts the
    service. Running it again does no harm; that is how a new version is put into service.

    \b
    Examples:
      sudo /opt/ligretto-table/bin/ligretto-table install-service
      sudo /opt/ligretto-table/bin/ligretto-table install-service --web lan
      ligretto-table install-service --dry-run
      ligretto-table install-service --prefix /mnt/card
      ligretto-table install-service --prefix /mnt/card --command /usr/bin/ligretto-table
      sudo /opt/ligretto-table/bin/ligretto-table install-service --uninstall
    """
    image = os.path.realpath(prefix) != str(ROOT)
    if not (dry_run or image):
        _check_machine()
    if uninstall:
        _uninstall(prefix, dry_run, image)
        return
    runs = command or (IMAGE_COMMAND if image else own_command())
    web = None if reach is None else Reach[reach.upper()]
    if web is not None and not (image or command):
        _check_web()
    files = system_files(runs, user, example_table(wiring.profile_names()), web)
    commands = _commands(web is not None, no_start)
    check_reach([runs] if command or image else parts_of_the_service(), prefix)
    lacking = _lacking(runs, prefix)
    fates = [fate(file, prefix) for file in files]
    if dry_run:
        _show(files, fates, [] if image else commands, prefix)
    else:
        for file in files:
            _print_fate(write(file, prefix), file, prefix)
    if lacking:
        click.echo(f"ligretto-table: {lacking}", err=True)
    if dry_run:
        return
    if image:
        _print_rest(prefix, web is not None)
    else:
        _run(commands)
        _print_end(no_start, web)


def _check_machine() -> None:
    """Raise unless this process may install services, on a machine that has them."""
    if os.geteuid() != 0:
        raise NotInstallable("only root may install a service: run it with sudo, or try --dry-run")
    if not RUNS_SYSTEMD.is_dir():
        raise NotInstallable("systemd is not running here: for the image of another machine use --prefix")


def _check_web() -> None:
    """Raise if the libraries of the web process are missing."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise NotInstallable(
            f"--web needs more libraries: {sys.executable} -m pip install 'ligretto-table[web]'"
        )


def _commands(web: bool, no_start: bool) -> list[Command]:
    users, enable, restart = [USERS], [ENABLE], [RESTART]
    if web:
        users.append(WEB_USERS)
        enable.append(WEB_ENABLE)
        restart.append(WEB_RESTART)
    return [*users, RULES, DEVICES, UNITS, *enable, *([] if no_start else restart)]


def _lacking(runs: str, prefix: Path) -> str:
    """What an image still lacks, if anything; raises where it is needed at once."""
    command = below(prefix, runs)
    if os.path.lexists(command):  # a link of an image leads to a file of that image
        return ""
    if prefix == ROOT:
        raise NotInstallable(f"there is no {runs}: install the wheel there first")
    return f"{command} is not there yet; without it the service can't start"


def _uninstall(prefix: Path, dry_run: bool, image: bool) -> None:
    """Remove what `install-service` made, but no configuration and no results."""
    units = {WEB_UNIT_FILE: WEB_DISABLE, UNIT_FILE: DISABLE}
    before = [command for path, command in units.items() if below(prefix, path).exists()]
    after = [UNITS, RULES]
    files = [
        path for path in FILES if path not in (WEB_UNIT_FILE, WEB_USERS_FILE) or below(prefix, path).exists()
    ]
    if dry_run:
        steps = [f"remove {below(prefix, path)}" for path in files]
        runs = [[], []] if image else [[f"run {shlex.join(one)}" for one in some] for some in (before, after)]
        click.echo("\n".join([*runs[0], *steps, *runs[1]]))
        return
    if not image:
        _run(before)
    for path in files:
        if remove(path, prefix):
            click.echo(f"removed {below(prefix, path)}")
    if not image:
        _run(after)
    click.echo(f"{below(prefix, CONFIG_FILE)}, the results in /var/lib/ligretto-table and the user were kept")


def _show(files: list[SystemFile], fates: list[Fate], commands: list[Command], prefix: Path) -> None:
    """All that would be done."""
    for file, what in zip(files, fates, strict=True):
        click.echo(f"{what.value} {below(prefix, file.path)}")
        click.echo("".join(f"    {line}".rstrip() + "\n" for line in file.text.splitlines()))
    for command in commands:
        click.echo(f"run {shlex.join(command)}")


def _print_fate(what: Fate, file: SystemFile, prefix: Path) -> None:
    path = below(prefix, file.path)
    lines = {
        Fate.NEW: f"wrote {path}",
        Fate.REPLACED: f"wrote {path}; the old one is {path}{BACKUP}",
        Fate.SAME: f"{path} is up to date",
        Fate.KEPT: f"left {path} as it is",
    }
    click.echo(lines[what])


def _run(commands: list[Command]) -> None:
    """Run one after the other; the first that fails ends it."""
    for command in commands:
        click.echo(f"$ {shlex.join(command)}")
        run_command(command)


def run_command(command: Command) -> None:
    """Run a command quietly; if it fails, raise with what it said."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except (FileNotFoundError, PermissionError):  # the latter if a folder of PATH is closed
        raise NotInstallable(f"there is no {command[0]} here; it belongs to systemd and udev") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"it ended with {done.returncode}"]
        raise NotInstallable(f"`{shlex.join(command)}` failed: {WHY.get(command, said[0])}")


def _print_end(no_start: bool, web: Reach | None) -> None:
    click.echo(f"the table {'starts with the machine' if no_start else 'runs'}; see: systemctl status {UNIT}")
    click.echo(f"the table is configured in {CONFIG_FILE}; after a change:")
    click.echo(f"  systemctl {'start' if no_start else 'reload'} {UNIT}")
    if web is not None:
        host = socket.gethostname() if web is Reach.LAN else "localhost"
        click.echo(f"the table in a browser: http://{host}:8080/")


def _print_rest(prefix: Path, web: bool) -> None:
    """What only a machine with systemd can do for the image."""
    click.echo("no command was run; still to do for the image:")
    root = f"--root={shlex.quote(str(prefix))}"
    for file in [USERS_FILE, *([WEB_USERS_FILE] if web else [])]:
        click.echo(f"  systemd-sysusers {root} {Path(file).name}")
    for unit in [UNIT, *([WEB_UNIT] if web else [])]:
        click.echo(f"  systemctl {root} enable {unit}")
