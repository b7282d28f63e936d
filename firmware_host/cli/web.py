"""`web`: the table in a browser."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_host.cli.status import Asked, asked_for, look
from firmware_host.cli.status_report import Absent
from firmware_host.cli.store_options import store_options
from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.feed_client import NotTold, tell_table
from firmware_host.model.errors import TableError
from firmware_host.run import health
from firmware_host.run.system import Notifier, logging_to

if TYPE_CHECKING:
    from firmware_host.web.web_table import FoundTable, WebSettings

ACCESS_FILE = "web-access.json"
SERVICE_FOLDER = Path("/var/lib/ligretto-table-web")
"""Where systemd lets the web process keep who may use the console."""
ANY = ("0.0.0.0", "::", "")


class WebMissing(TableError):
    """The libraries for the web are not installed."""


@click.command()
@store_options
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@click.option(
    "--names/--no-names", default=True, help="Whether public pages show the players' names.  [default: names]"
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Another name by which browsers call this machine, such as table.example.org; repeatable.",
)
@click.option("--new-pin", is_flag=True, help="Make a new PIN for the console, show it at the sign, and end.")
def web(
    config: Path | None,
    store: Path | None,
    host: str,
    port: int,
    names: bool,
    allowed: tuple[str, ...],
    new_pin: bool,
) -> None:
    """Show the running table in browsers, and let an operator run it from a phone.

    It is a process of its own: it may be stopped and started at any time, and waits for a table. Only
    this machine can connect unless --host says otherwise. Spectators only watch; the console needs a PIN.

    \b
    Examples:
      ligretto-table web
      ligretto-table web --host 0.0.0.0 --no-names
      ligretto-table web --new-pin
    """
    try:
        from firmware_host.web.web_server import listen, serve, with_port
        from firmware_host.web.web_table import WebSettings
    except ImportError as error:
        raise WebMissing(
            f"{error.name} is missing; install what the web needs: pip install 'ligretto-table[web]'"
        ) from None
    asked = asked_for(config, store)
    settings = WebSettings(access_file(), host, port, names, tuple(each.lower() for each in allowed))
    if new_pin:
        _new_pin(asked, settings)
        return
    notifier = Notifier()
    listening = listen(host, port)
    settings = with_port(settings, listening)
    click.echo(f"the table in a browser: {link(settings)}")
    if not settings.local:
        click.echo("everybody in this network can watch; the console needs a PIN (docs/web.md)")
    if found(asked) is None:
        click.echo("no table is running yet; the pages wait for it")
    notifier.ready()
    with logging_to():
        logging.getLogger("uvicorn").setLevel(logging.ERROR)  # not each odd request of a stranger
        serve(listening, settings, lambda: found(asked), on_alive=notifier.watchdog)


def found(asked: Asked) -> FoundTable | None:
    """The running table that is meant."""
    from firmware_host.web.web_table import FoundTable

    running = look(asked)
    if isinstance(running, Absent):
        return None
    return FoundTable(running.folder, running.store, running.folder == health.SERVICE_FOLDER)


def access_file() -> Path:
    """Where the hash of the PIN is kept: the folder of the service, or the user's own."""
    folder = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if folder:
        return Path(folder) / ACCESS_FILE
    if os.geteuid() == 0 and SERVICE_FOLDER.is_dir():
        return SERVICE_FOLDER / ACCESS_FILE
    from firmware_host.run.table_files import own_folder

    return own_folder() / ACCESS_FILE


def link(settings: WebSettings) -> str:
    """What to type into a browser."""
    from firmware_host.web.web_table import own_address

    name = own_address() if settings.host in ANY else settings.host
    return f"http://{f'[{name}]' if ':' in name else name}:{settings.port}/"


@contextmanager
def _as_owner_of(folder: Path) -> Iterator[None]:
    """Root writes there as the one whose folder it is, so that it can be read."""
    owner = folder.stat() if os.geteuid() == 0 and folder.is_dir() else None
    if owner is None or owner.st_uid == 0:
        yield
        return
    group = os.getegid()
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)


def _new_pin(asked: Asked, settings: WebSettings) -> None:
    """Make a PIN; it is shown at the table's sign, or here if there is none to show it at."""
    from firmware_host.web.access import Access

    with _as_owner_of(settings.access_file.parent):
        pin = Access(settings.access_file).new_pin()
    table = found(asked)
    try:
        answer = tell_table(table.folder / TELL_SOCKET, f"show-pin {pin}") if table else {}
        why = str(answer.get("why", "no table is running"))
    except NotTold as error:
        answer, why = {}, str(error)
    if answer.get("ok") is True:
        click.echo("the new PIN is at the table's sign for a minute; whoever was logged in is no longer")
    else:
        click.echo(f"the new PIN is {pin} (it can't be shown at the sign: {why})")
