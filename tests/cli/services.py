"""A daemon as the commands see it: its page and its lock on the store; and a real one in a world."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.model.states import DeviceCondition, Phase
from firmware_host.model.times import S
from firmware_host.run.health import SILENT_NS, HealthFile, health_page, since_boot_ns
from firmware_host.run.table_files import VARIABLE, load_profile
from tests.browser.tables import PATIENCE_S, wait_for
from tests.games.driver import Driver, reach
from tests.run.evenings import config_for
from tests.store.shelves import lock

FAULTY = 'wiring = "dice4"\nlangauge = "de"\n'
BROKEN = 'wiring = "dice4\n'


def use_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose service has this folder, and where somebody is in an empty one."""
    service, here = folder / "run", folder / "here"
    for each in (service, here, folder / "shm"):
        each.mkdir()
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(here)
    monkeypatch.setattr("firmware_host.run.health.SERVICE_FOLDER", service)
    monkeypatch.setattr("firmware_host.run.table_files.USUAL_FILES", (Path("table.toml"),))
    monkeypatch.setattr("firmware_host.run.health.ROOTS", (folder / "shm",))
    return service


@contextmanager
def working(
    page_folder: Path,
    store: Path,
    config: Path,
    *devices: DeviceCondition,
    counts: dict[str, int] | None = None,
    driver: Driver | None = None,
) -> Iterator[None]:
    """A daemon that shows its page, in a round if nothing else is said."""
    table = replace(config_for(load_profile("dice4"), store), file=str(config))
    driver = driver or reach(Phase.PLAY)
    phase, known = driver.phase().value, {each.name: each for each in devices}
    began, written = "2026-11-18T19:00:00", "2026-11-18T20:00:00"
    file = HealthFile(page_folder, table)
    file.write(health_page(driver.session, phase, driver.now_ns, known, counts or {}, began, written))
    try:
        yield
    finally:
        file.remove()


@contextmanager
def at_work(
    page_folder: Path,
    store: Path,
    config: Path,
    *devices: DeviceCondition,
    counts: dict[str, int] | None = None,
    driver: Driver | None = None,
) -> Iterator[Callable[[], None]]:
    """The same with the lock on its store; what is given makes it hang."""
    let_go = lock(str(store))

    def hang() -> None:
        page: dict[str, Any] = json.loads((page_folder / HEALTH_FILE).read_text())
        page["stamp_ns"] = since_boot_ns() - SILENT_NS - 1 * S
        (page_folder / HEALTH_FILE).write_text(json.dumps(page))

    try:
        with working(page_folder, store, config, *devices, counts=counts, driver=driver):
            yield hang
    finally:
        let_go()


@contextmanager
def empty_world(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A table of dice at which nobody plays, listening there; it ends cleanly if nobody has ended it."""
    command = [sys.executable, "-m", "firmware_host.lab.world", str(path), "--players", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            wait_for("the socket of the world", path.exists)
            yield process
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()  # else leaving the block would wait for ever


@contextmanager
def daemon(config: Path, world: Path) -> Iterator[subprocess.Popen[str]]:
    """A daemon as a process of its own, in that world; nothing is left of it."""
    command = [sys.executable, "-m", "firmware_host.cli", "run", "--config", str(config)]
    command += ["--simulated", str(world)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
