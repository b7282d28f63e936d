"""Worlds to connect to: a server that lives on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from firmware_host.lab.surface import Surface
from firmware_host.lab.world.server import Happening, Server
from firmware_host.run.table_files import load_profile

STEP_S = 0.005


@contextmanager
def world(folder: Path, profile: str = "cards4", speed: float | None = None) -> Iterator[Server]:
    """A world that answers until the end of the block."""
    server = Server(Surface(load_profile(profile), Random(1)), folder / "world", speed)
    over = threading.Event()

    def live() -> None:
        while not over.is_set():
            server.step(STEP_S)

    thread = threading.Thread(target=live)
    thread.start()
    try:
        yield server
    finally:
        over.set()
        thread.join()
        server.close()


def step_until(server: Server, happening: Happening) -> None:
    """Step a world that no thread steps, until that has happened."""
    for _ in range(1000):
        if server.step(0.01) is happening:
            return
    raise AssertionError(f"never {happening}")
