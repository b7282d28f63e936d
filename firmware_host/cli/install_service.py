"""`install-service`: the daemon becomes a service of this machine."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

import wiring
from firmware_host.feed.addresses import DAEMON, UNIT, UNIT_FILE, WEB_UNIT, WEB_UNIT_FILE
from firmware_host.profile.examples import example_table
from firmware_host.run.service_files import (
    BACKUP,
    CONFIG_FILE,
    IMAGE_COMMAND,
    ROOT,
    RULES_FILE,
    USERS_FILE,
    WEB_USERS_FILE,
    Fate,
    NotInstallable,
    Reach,
    SystemFile,
    below,
    check_reach,
    fate,
    own_command,
    parts_of_the_service,
    remove,
    system_files,
    write,
)

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
