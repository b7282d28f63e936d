"""A real table with real sockets in a thread; tests tell it what happens, in its own time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from firmware_host.feed.teller import Surroundings
from firmware_host.model.times import S
from firmware_host.web.web_table import FoundTable
from tests.run.evenings import Evening, evening

T = TypeVar("T")
PATIENCE_S = 60.0
LOOK_EVERY_S = 0.005


class LiveTable:
    """A host with its sockets in a folder. `ask` does something at the table and returns what it gives."""

    def __init__(
        self, folder: Path, names: dict[int, str] | None = None, simulated: bool = False, **config: Any
    ) -> None:
        self.folder = folder
        self.names = names
        """Instead of those that the table knows."""
        self._config = config
        self._around = Surroundings(simulated=simulated)
        self._jobs: SimpleQueue[tuple[Callable[[Evening], Any], Future[Any]]] = SimpleQueue()
        self._begun: Future[None] = Future()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def found(self) -> FoundTable | None:
        """Where it is, while it runs."""
        return None if self._thread is None else FoundTable(self.folder, str(self.folder / "table.db"))

    def start(self) -> None:
        """Run it; what was in its store goes on."""
        self._begun, self._end = Future(), threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._begun.result(PATIENCE_S)

    def stop(self) -> None:
        """End it, as a daemon ends."""
        if self._thread is not None:
            self._end.set()
            self._thread.join()
            self._thread = None

    def ask(self, what: Callable[[Evening], T]) -> T:
        """Do this at the table."""
        result: Future[T] = Future()
        self._jobs.put((what, result))
        return result.result(PATIENCE_S)

    def _run(self) -> None:
        try:
            with evening(self.folder, **self._config) as table:
                table.sockets_in = self.folder
                host = table.start()
                sockets = table._sockets
                assert sockets is not None and sockets.feed is not None
                usual = sockets.feed.around
                sockets.feed.around = lambda: replace(
                    usual(),
                    names=usual().names if self.names is None else self.names,
                    simulated=self._around.simulated,
                )
                table.wait(1 * S)
                self._begun.set_result(None)
                while not self._end.is_set():
                    self._work(table)
                    host.step(host.loop.now_ns)
        except BaseException as error:
            if self._begun.done():
                raise
            self._begun.set_exception(error)

    def _work(self, table: Evening) -> None:
        try:
            what, result = self._jobs.get(timeout=LOOK_EVERY_S)
        except Empty:
            return
        try:
            result.set_result(what(table))
        except BaseException as error:
            result.set_exception(error)
