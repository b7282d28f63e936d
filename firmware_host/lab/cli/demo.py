"""`demo`: a table without hardware, to play at in the browser or to watch.

It is the product on a simulated table: a real daemon with its store, a simulated world, and pages in a
browser. What the terminal shows comes from the table's feed.
"""

from __future__ import annotations

import ctypes
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urljoin

import click

from firmware_host.cli import INTERRUPTED
from firmware_host.cli.feed_view import (
    PICTURES_A_SECOND,
    LineView,
    View,
    can_show_picture,
    drawn,
    show_news,
    told_by,
)
from firmware_host.cli.run import simulated_table_options
from firmware_host.cli.table_view import SeenTable
from firmware_host.cli.terminal import stopped_by_signals
from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.lab.cli.options import table_for
from firmware_host.lab.cli.simulated_run import Simulation
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.run.daemon import health_folder_of
from firmware_host.run.devices import SPEAKER
from firmware_host.run.health import running_in

# The processes of a demo: the daemon with its simulated world, and the web process. They end with the demo.
#
# Both are started again when they die, as systemd does for a real table.


LOCAL = "127.0.0.1"
PORT = 8080
READY_S = 30.0
END_S = 15.0
RESTART_S = 1.0
LOOK_S = 0.05
_PR_SET_PDEATHSIG = 1
_REFUSALS = (2, 3, 4)
"""Exit codes of a program that has said why it can't run."""


class DemoRefused(TableError):
    """A process of the demo can't run, and has said why."""


class DemoProcess:
    """One command of this program in a process of its own; what it prints goes into a file."""

    def __init__(self, words: Sequence[str], log: Path) -> None:
        self._command = [sys.executable, "-m", "firmware_host.cli", *words]
        self._log = log
        self._died_s: float | None = None
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the demo alone, which then ends this
                preexec_fn=_end_with_parent,
            )

    def look(self) -> str:
        """Start it again if it has died; what happened, or nothing. DemoRefused if it refuses to run."""
        code = self.process.poll()
        if code is None:
            return ""
        if code in _REFUSALS:
            raise DemoRefused(self._reason())
        if self._died_s is None:
            self._died_s = time.monotonic()
            return f"it has died ({code}), and is started again"
        if time.monotonic() - self._died_s > RESTART_S:
            self._died_s = None
            self.process = self._started()
        return ""

    def end(self) -> None:
        """Ask it to end, and wait until it has."""
        self.process.terminate()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _reason(self) -> str:
        """The last line with a reason that it has printed."""
        lines = self._log.read_text(errors="replace").splitlines()
        said = [line.partition(": ")[2] for line in lines if line.startswith("ligretto-table: ")]
        return said[-1] if said else f"see {self._log}"


class DemoProcesses:
    """All processes of one demo."""

    def __init__(self, folder: Path) -> None:
        """`folder` is that of the store; the sockets are there, too."""
        self.folder = folder
        self.link = ""
        self._named: dict[str, DemoProcess] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> DemoProcesses:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in reversed(self._named.values()):
            each.end()

    def start_table(self, words: Sequence[str], sockets: Path) -> None:
        """Start the daemon, and wait until it plays."""
        table = self._start("table", ["run", "--simulated", *words])
        end_s = time.monotonic() + READY_S
        while time.monotonic() < end_s:
            running = running_in(sockets)
            if running is not None and running.page["pid"] == table.process.pid:
                return
            table.look()
            time.sleep(LOOK_S)
        raise DemoRefused(f"the table does not start; see {self._log('table')}")

    def start_web(self, store: str, host: str, port: int) -> str:
        """Start the web process; its trouble if it does not run, else nothing, and `link` is known."""
        missing = next((name for name in ("starlette", "uvicorn", "segno") if find_spec(name) is None), None)
        if missing is not None:
            return f"no page in a browser: {missing} is missing; pip install 'ligretto-table[web]'"
        found = port if _is_free(host, port) else _free_port(host)
        words = ["web", "--store", store, "--host", host, "--port", str(found)]
        web = self._start("web", words)
        near = LOCAL if host in ("0.0.0.0", "") else host
        end_s = time.monotonic() + READY_S
        try:
            while not _answers(near, found):
                web.look()
                if time.monotonic() > end_s:
                    raise DemoRefused(f"it does not answer; see {self._log('web')}")
                time.sleep(LOOK_S)
        except DemoRefused as error:
            self._named.pop("web").end()
            return f"no page in a browser: {error}"
        self.link = f"http://localhost:{found}/play" if near == LOCAL else f"http://{near}:{found}/play"
        return "" if found == port else f"port {port} is taken, so it is port {found}"

    def look(self) -> list[str]:
        """Start again what has died; what happened."""
        return [f"{name}: {words}" for name, each in self._named.items() if (words := each.look())]

    def _start(self, name: str, words: Sequence[str]) -> DemoProcess:
        log = self._log(name)
        log.write_bytes(b"")
        self._named[name] = DemoProcess(words, log)
        return self._named[name]

    def _log(self, name: str) -> Path:
        return self.folder / f"demo-{name}.log"


def _end_with_parent() -> None:
    """Have this process asked to end when the demo dies, even by kill -9."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _is_free(host: str, port: int) -> bool:
    try:
        with socket.create_server((host, port)):
            return True
    except OSError:
        return False


def _free_port(host: str) -> int:
    try:
        with socket.create_server((host, 0)) as listening:
            port: int = listening.getsockname()[1]
    except OSError as error:
        raise DemoRefused(f"--host {host}: {error.strerror or error}") from None
    return port


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=1.0):
            return True
    except OSError:
        return False


# -- what is shown


class _Troubles:
    """Whether the table keeps what is played, and can be heard, as its feed has told last."""

    def __init__(self) -> None:
        self._lost = self._silent = ""

    def look(self, seen: SeenTable | None) -> Iterator[str]:
        """A line for each that has changed."""
        if seen is not None and seen.lost_store != self._lost:
            self._lost = seen.lost_store
            yield f"nothing of this is kept: {self._lost}" if self._lost else "all of this is kept again"
        if seen is not None and seen.trouble_of(SPEAKER) != self._silent:
            self._silent = seen.trouble_of(SPEAKER)
            yield f"no sound: {self._silent}" if self._silent else "sounds are heard again"

    @property
    def last_words(self) -> str:
        if self._lost:
            return f"stopped; what was played last is not kept: {self._lost}"
        return "stopped; the same command resumes the match; past rounds: ligretto-table recall"


def _play(chosen: Simulation, picture: bool, web: bool, open_browser: bool, host: str, port: int) -> None:
    """Play until Ctrl-C; without a terminal and without pages, until the match is over."""
    config = chosen.config(None)
    chosen.deal(config, config.profile)  # whatever can't be is said before anything is started
    sockets, store = health_folder_of(config), config.store.file
    troubles = _Troubles()
    with stopped_by_signals(), DemoProcesses(Path(store).parent) as processes:
        try:
            processes.start_table(chosen.words, sockets)
            trouble = processes.start_web(store, host, port) if web else ""
            if trouble:
                click.echo(trouble)
            if processes.link:
                click.echo(f"play at {processes.link}")
                finishes = urljoin(processes.link, "/finish")
                if chosen.dead_heats:
                    click.echo(f"photo finishes at {finishes}")
                if open_browser:
                    _open(finishes if chosen.dead_heats else processes.link)
            click.echo("Ctrl-C ends it; the same command resumes the match")
            _show(processes, sockets / FEED_SOCKET, chosen.speed or 1.0, picture, troubles)
        except KeyboardInterrupt:
            click.echo(troubles.last_words)
            raise SystemExit(INTERRUPTED) from None


def _show(processes: DemoProcesses, feed: Path, speed: float, picture: bool, troubles: _Troubles) -> None:
    told = told_by(feed)
    title = f"play at {processes.link}" if processes.link else "LIGRETTO TABLE, simulated"
    lines: View = LineView(endless=bool(processes.link))
    with drawn(title, speed) if picture else nullcontext(lines) as view:
        while not view.over:
            show_news(told, view, 1 / PICTURES_A_SECOND)
            for line in [*troubles.look(view.seen), *processes.look()]:
                view.say(line)


def _open(link: str) -> None:
    """Show the page in whatever browser there is."""
    command = [sys.executable, "-m", "webbrowser", link]
    nowhere = subprocess.DEVNULL
    subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)


# -- the command

PAGE_OPTIONS = {"open_browser": "--open", "host": "--host", "port": "--port"}
DEAD_HEAT_SPEED = 3.0
"""Nobody wants to wait for the first slap."""
FIRST_SKILL = "beginner"
"""Against these people somebody who plays for the first time can win."""


@click.command()
@simulated_table_options(FIRST_SKILL)
@click.option(
    "--dead-heat",
    is_flag=True,
    help="Dice: every few seconds let two hands slap at the same microsecond, and show why one wins.",
)
@click.option("--plain", is_flag=True, help="Print line by line, as in a pipe.")
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@click.option("--web/--no-web", default=True, help="Whether one can play in a browser.  [default: web]")
@click.option("--host", default=LOCAL, show_default=True, help="Where pages are; 0.0.0.0 for phones, too.")
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True)
@click.pass_context
def demo(
    context: click.Context,
    /,
    skill: str | None,
    speed: float | None,
    dead_heat: bool,
    plain: bool,
    open_browser: bool,
    web: bool,
    host: str,
    port: int,
    **options: Any,
) -> None:
    """Play in the browser on a simulated table, or watch simulated people play.

    It is the real daemon with its store, on a table whose contacts bounce. It prints the link of a page where
    anybody can take a seat. Ctrl-C ends it; the same command resumes the match.

    For a match that repeats exactly, and to record one: ligretto-table simulate --record

    \b
    Examples:
      ligretto-table demo --open
      ligretto-table demo --game cards --seats 12 --skill regular
      ligretto-table demo --host 0.0.0.0
      ligretto-table demo --dead-heat --sound
      ligretto-table demo --seats 2 --lang fr --speed 4 --no-web
    """
    given = click.core.ParameterSource.COMMANDLINE
    pages = [option for name, option in PAGE_OPTIONS.items() if context.get_parameter_source(name) is given]
    if pages and not web:
        raise BadSettings(
            [f"{option} can't be combined with --no-web: then there are no pages" for option in pages]
        )
    if dead_heat and table_for(options["game"], options["profile"], options["seats"]).game != "dice":
        raise BadSettings(["--dead-heat is simulated with dice; leave --game cards out"])
    chosen = Simulation(
        **options,
        skill=skill or FIRST_SKILL,
        speed=speed or (DEAD_HEAT_SPEED if dead_heat else None),
        dead_heats=dead_heat or None,
    )
    _play(chosen, not plain and can_show_picture(), web, open_browser, host, port)
