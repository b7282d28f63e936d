"""A simulated table with its web process, as real processes, for the tests in a browser."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from firmware_host.feed.addresses import FEED_SOCKET, TELL_SOCKET
from firmware_host.feed.feed_client import FeedLost, FeedReader, tell_table

PATIENCE_S = 120.0
"""For a loaded machine: nothing is measured here."""


def wait_for(what: str, condition: Callable[[], Any], patience_s: float = PATIENCE_S) -> Any:
    """The first value of the condition that is true."""
    end_s = time.monotonic() + patience_s
    while time.monotonic() < end_s:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {patience_s:.0f} s for {what}")


class SimulatedTable:
    """`ligretto-table run --simulated` and `ligretto-table web` in a folder of their own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.sockets = folder / "ligretto-table"
        self._options = options
        self._daemon: subprocess.Popen[bytes] | None = None
        self._web: subprocess.Popen[bytes] | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """Where the pages are."""
        return f"http://127.0.0.1:{self._port}"

    def start_daemon(self) -> None:
        """Start it, and wait until it can be told something."""
        self._daemon = self._start(
            "daemon.log", "run", "--simulated", "--log-level", "warning", *self._options
        )
        wait_for("the daemon", lambda: self.tell("set volume 0").get("ok"))

    def start_web(self) -> None:
        """Start it, at the same port as before, and wait until it listens."""
        store = str(self.sockets / "simulated.db")
        self._web = self._start("web.log", "web", "--store", store, "--port", str(self._port))
        log = self.folder / "web.log"
        found = wait_for("the web process", lambda: re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text()))
        self._port = int(found[1])

    def _start(self, log: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder), "PYTHONUNBUFFERED": "1"}
        environment.pop("RUNTIME_DIRECTORY", None)
        with (self.folder / log).open("wb") as output:
            command = [sys.executable, "-m", "firmware_host.cli", *arguments]
            return subprocess.Popen(command, env=environment, stdout=output, stderr=output)

    def tell(self, text: str) -> dict[str, Any]:
        """What the table answers; nothing while it can't."""
        try:
            return tell_table(self.sockets / TELL_SOCKET, text)
        except Exception:
            return {}

    def kill_daemon(self) -> None:
        """As by a power cut."""
        _end(self._daemon, signal.SIGKILL)

    def kill_web(self) -> None:
        """As by the kernel when there is no memory left."""
        _end(self._web, signal.SIGKILL)

    def close(self) -> None:
        """End both."""
        _end(self._web, signal.SIGTERM)
        _end(self._daemon, signal.SIGTERM)


def _end(process: subprocess.Popen[bytes] | None, how: signal.Signals) -> None:
    if process is None or process.poll() is not None:
        return
    process.send_signal(how)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class HasSockets(Protocol):
    """A table with sockets."""

    sockets: Path
    """Their folder."""


class Moment(NamedTuple):
    """What the table told at one moment."""

    state: dict[str, Any]
    lamps: str
    page: tuple[str, ...]


class Witness:
    """Reads the same feed beside the browser, and keeps all that a page may have drawn."""

    def __init__(self, table: HasSockets) -> None:
        self.moments: dict[str, list[Moment]] = defaultdict(list)
        self.effects: list[dict[str, Any]] = []
        self._reader = FeedReader(table.sockets / FEED_SOCKET)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        wait_for("the feed", lambda: self.moments)

    def _read(self) -> None:
        try:
            for told in self._reader:
                if told["is"] not in ("snapshot", "step"):
                    continue
                reader = self._reader
                moment = Moment(json.loads(json.dumps(reader.state)), reader.lamps, reader.page)
                self.moments[f"{reader.session}:{reader.n}"].append(moment)
                self.effects += told.get("effects", [])
        except (FeedLost, OSError, ValueError):
            return

    def saw(self, kind: str) -> list[dict[str, Any]]:
        """All effects of that kind."""
        return [effect for effect in self.effects if effect["is"] == kind]

    def close(self) -> None:
        """Stop reading. The thread has to be gone before its socket is: another would get the same number."""
        with socket.socket(fileno=os.dup(self._reader.fileno())) as same:
            same.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE_S)
        self._reader.close()
