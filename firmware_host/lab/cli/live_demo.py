"""`demo` as one plays it: a real daemon with its store, a simulated world, and pages in a browser.

What is shown here comes from the table's feed, as for anybody else.
"""

from __future__ import annotations

import ctypes
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import FrameType, TracebackType
from typing import Any, Protocol
from urllib.parse import urljoin

import click

from firmware_host.cli import INTERRUPTED
from firmware_host.cli.table_view import SeenTable, seen_by
from firmware_host.cli.terminal import columns_for, console, for_terminal
from firmware_host.feed.addresses import FEED_SOCKET, HANDS_SOCKET
from firmware_host.feed.feed_client import FeedLost, FeedReader
from firmware_host.games.games import ranking
from firmware_host.history.finish import ContestBook, Finish
from firmware_host.history.finish_lines import finish_lines
from firmware_host.lab.cli.simulated_run import Simulation
from firmware_host.lab.cli.terminal_seat import SIT_DOWN, TerminalSeat
from firmware_host.model.effect_text import parse_effect
from firmware_host.model.effects import Effect, MatchEnded, Noise, SlotChanged
from firmware_host.model.errors import MalformedText, TableError
from firmware_host.model.times import S
from firmware_host.run.daemon import health_folder_of
from firmware_host.run.health import running_in
from firmware_host.show.effect_sentences import effect_sentence

# The processes of a demo: the daemon with its simulated world, and the web process. They end with the demo.
#
# Both are started again when they die, as systemd does for a real table.


LOCAL = "127.0.0.1"
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


PICTURES_A_SECOND = 15
AGAIN_S = 0.5
STAMP_COLUMNS = 11
WIDTH = 80


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """How the demo is shown."""

    picture: bool
    """Whether there is a terminal to draw on."""
    open_browser: bool
    web: bool
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the feed has told, and the table after it."""

    effects: tuple[Effect, ...]
    seen: SeenTable | None
    """None while no table tells anything."""
    finishes: tuple[Finish, ...] = ()
    """The contests that are new, or have changed."""


class View(Protocol):
    """Shows what is told; `over` says that nothing more is to be shown."""

    over: bool

    def tell(self, told: Told) -> None: ...

    def say(self, line: str) -> None: ...

    def draw(self) -> None: ...


def play_live(chosen: Simulation, options: LiveOptions) -> None:
    """Play until Ctrl-C; without a terminal and without pages, until the match is over."""
    config = chosen.config(None)
    chosen.deal(config, config.profile)  # whatever can't be is said before anything is started
    sockets, store = health_folder_of(config), config.store.file
    keeping = _Keeping()
    with _ended_by_signals(), DemoProcesses(Path(store).parent) as processes:
        try:
            processes.start_table(chosen.words, sockets)
            trouble = processes.start_web(store, options.host, options.port) if options.web else ""
            if trouble:
                click.echo(trouble)
            if processes.link:
                click.echo(f"play at {processes.link}")
                finishes = urljoin(processes.link, "/finish")
                if chosen.dead_heats:
                    click.echo(f"photo finishes at {finishes}")
                if options.open_browser:
                    _open(finishes if chosen.dead_heats else processes.link)
            click.echo("Ctrl-C ends it; the same command resumes the match")
            _show(processes, sockets / FEED_SOCKET, chosen.speed or 1.0, options.picture, keeping)
        except KeyboardInterrupt:
            click.echo(keeping.last_words)
            raise SystemExit(INTERRUPTED) from None


def _show(processes: DemoProcesses, feed: Path, speed: float, picture: bool, keeping: _Keeping) -> None:
    told: SimpleQueue[Told] = SimpleQueue()
    Thread(target=_read, args=(feed, told), daemon=True).start()
    hands = feed.parent / HANDS_SOCKET
    with _picture(processes.link, speed, hands) if picture else _lines(bool(processes.link)) as view:
        while not view.over:
            with suppress(Empty):
                news = told.get(timeout=1 / PICTURES_A_SECOND)
                view.tell(news)
                if line := keeping.look(news.seen):
                    view.say(line)
            for line in processes.look():
                view.say(line)
            view.draw()


class _Keeping:
    """Whether the table keeps what is played, as its feed has told last."""

    def __init__(self) -> None:
        self._lost = ""

    def look(self, seen: SeenTable | None) -> str:
        """A line if that has changed, else nothing."""
        if seen is None or seen.lost_store == self._lost:
            return ""
        self._lost = seen.lost_store
        return f"nothing of this is kept: {self._lost}" if self._lost else "all of this is kept again"

    @property
    def last_words(self) -> str:
        if self._lost:
            return f"stopped; what was played last is not kept: {self._lost}"
        return "stopped; the same command resumes the match; past rounds: ligretto-table recall"


def _read(feed: Path, told: SimpleQueue[Told]) -> None:
    """Read the feed for ever: the table may die and come back."""
    since: tuple[str, int] | None = None
    contests = ContestBook()
    while True:
        try:
            reader = FeedReader(feed, since)
            for message in reader:
                finishes = contests.take(message)
                if reader.state:
                    seen = seen_by(reader, int(message.get("t_ns", 0)))
                    told.put(Told(_effects(message), seen, finishes))
        except FeedLost:
            told.put(Told((), None))
        time.sleep(AGAIN_S)


def _effects(message: dict[str, Any]) -> tuple[Effect, ...]:
    try:
        return tuple(parse_effect(json.dumps(record)) for record in message.get("effects", ()))
    except MalformedText:  # of a later version of the table
        return ()


# -- line by line


class _Lines:
    """Prints a line for each thing that happens; if nobody can sit down, to the end of the match."""

    def __init__(self, endless: bool) -> None:
        self.over = False
        self._endless = endless

    def tell(self, told: Told) -> None:
        t_ns = told.seen.t_ns if told.seen is not None else 0
        for effect in told.effects:
            if not isinstance(effect, SlotChanged | Noise):
                line = f"{t_ns / S:9.3f}  {effect_sentence(effect)}"
                click.echo("\n".join(for_terminal(line, STAMP_COLUMNS)))
            if isinstance(effect, MatchEnded):
                self.over = not self._endless
                _print_standings(effect, told.seen)
        if told.seen is not None:
            for finish in told.finishes:
                lines = finish_lines(finish, told.seen.table["language"], columns_for(WIDTH))
                click.echo("\n".join(["", *lines, ""]))

    def say(self, line: str) -> None:
        click.echo(line)

    def draw(self) -> None:
        sys.stdout.flush()


@contextmanager
def _lines(endless: bool) -> Iterator[View]:
    yield _Lines(endless)


def _print_standings(result: MatchEnded, seen: SeenTable | None) -> None:
    playing = [seen is None or seat in seen.seated for seat in range(1, len(result.totals) + 1)]
    click.echo("\nrank  seat  points")
    for rank, seat, total in ranking(result.totals, playing):
        click.echo(f"{rank:>4}  {seat:>4}  {total:>+6d}")


# -- as a picture


@contextmanager
def _picture(link: str, speed: float, hands: Path) -> Iterator[View]:
    from rich.live import Live

    terminal = console()
    with TerminalSeat(hands) as seat, Live(console=terminal, screen=True, auto_refresh=False) as live:
        yield _Picture(live, link, speed, seat)


class _Picture:
    """Draws the table again and again."""

    def __init__(self, live: Any, link: str, speed: float, seat: TerminalSeat) -> None:
        self.over = False
        self._live = live
        self._seat = seat
        self._title = f"play at {link}" if link else "LIGRETTO TABLE, simulated"
        self._speed = speed
        self._view: Any = None
        self._game = ""
        self._seen: SeenTable | None = None
        self._told_s = self._drawn_s = 0.0

    def tell(self, told: Told) -> None:
        if told.seen is None:
            return
        from firmware_host.cli.table_view import DemoView

        if told.seen.table["game"] != self._game:
            self._game = told.seen.table["game"]
            self._view = DemoView(self._game, self._title)
            if self._seat.has_keys:
                self._view.note(SIT_DOWN)
        if told.seen.t_ns:
            self._told_s = time.monotonic()
        elif self._seen is not None:
            told = Told(told.effects, told.seen.at(self._seen.t_ns))
        self._seen = told.seen
        self._view.observe(told.effects, self._seen.t_ns if self._seen else 0)

    def say(self, line: str) -> None:
        if self._view is not None:
            self._view.note(line)

    def draw(self) -> None:
        now_s = time.monotonic()
        self._seat.look(self._seen)
        if self._seen is None or now_s - self._drawn_s < 1 / PICTURES_A_SECOND:
            return
        self._drawn_s = now_s
        now_ns = self._seen.t_ns + int((now_s - self._told_s) * self._speed * S)
        seen, size = self._seen.at(now_ns), self._live.console.size
        own = self._seat.line or (seen.lost_store and f"nothing of this is kept: {seen.lost_store}")
        self._live.update(self._view.render(seen, size, own), refresh=True)


# -- around it


def _open(link: str) -> None:
    """Show the page in whatever browser there is."""
    subprocess.Popen(
        [sys.executable, "-m", "webbrowser", link],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Inside, whoever asks this process to end has its children ended, too."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, _interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
