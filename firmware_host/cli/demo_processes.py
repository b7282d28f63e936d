"""The processes of a demo: the daemon with its simulated world, and the web process. They end with the demo.

Both are started again when they die, as systemd does for a real table.
"""

from __future__ import annotations

import ctypes
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

from firmware_host.errors import TableError
from firmware_host.runtime.running_daemon import running_in

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
