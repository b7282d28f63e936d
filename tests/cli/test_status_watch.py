"""`status --watch`: current until Ctrl-C, in place on a terminal, and change by change in a pipe."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.status_report import changes, page_now
from firmware_host.feed.known_state import State
from firmware_host.feed.teller import Surroundings, table_state
from firmware_host.model.places import Slot
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.run.health import health_page
from tests.cli.services import at_work
from tests.cli.stores import config_for
from tests.cli.terminals import CTRL_C, TerminalProcess
from tests.games.driver import RED, Driver, reach
from tests.show.cards import playing
from tests.web.processes import next_line

WATCH = [sys.executable, "-m", "firmware_host.cli", "status", "--watch"]
LEFT = DeviceCondition("left", Condition.LOST, "no answer", "look at its cable")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return config_for(tmp_path / "table.db", tmp_path)


@contextmanager
def piped(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen([*WATCH, *arguments], stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line_with(process: subprocess.Popen[str], text: str) -> str:
    """The next line that has this in it."""
    while text not in (line := next_line(process)):
        pass
    return line.rstrip("\n")


def test_a_terminal_is_redrawn_in_place_until_ctrl_c(tmp_path: Path, config: Path) -> None:
    with TerminalProcess([*WATCH, "--config", str(config)], 60, 24) as child:
        with at_work(tmp_path, tmp_path / "table.db", config):
            child.wait_for("this round has taken 0:01 so far")
            child.wait_for("this round has taken 0:02 so far")
        child.wait_for("no daemon runs this table")
        with at_work(tmp_path, tmp_path / "table.db", config, LEFT, driver=reach(Phase.SCORES)):
            child.wait_for("seat 1 leads")
            child.wait_for("check left: lost")
        child.press(CTRL_C)
        assert child.end() == 130
    assert "\x1b[2K" in child.seen and "\x1b[?1049h" not in child.seen
    assert child.seen.rindex("\x1b[?25h") > child.seen.rindex("\x1b[?25l")
    assert "Traceback" not in child.seen
    assert max(len(line) for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", child.seen).split("\r\n")) <= 60


def test_a_pipe_gets_each_change_as_a_line(tmp_path: Path, config: Path) -> None:
    with piped("--config", str(config)) as process:
        first = line_with(process, "no daemon runs this table")
        assert re.match(r"\d\d:\d\d:\d\d  no daemon", first)
        with at_work(tmp_path, tmp_path / "table.db", config, LEFT):
            line_with(process, "dice for 4: play, round 1 of 6")
            line_with(process, "check left: lost: no answer; look at its cable")
        line_with(process, "no daemon runs this table")
        process.terminate()
        _, told = process.communicate(timeout=20)
        assert process.returncode == 130 and "Traceback" not in told


def test_a_pipe_gets_each_change_as_an_object(tmp_path: Path, config: Path) -> None:
    with piped("--json", "--config", str(config)) as process:
        absent = json.loads(next_line(process))
        with at_work(tmp_path, tmp_path / "table.db", config):
            playing = json.loads(line_with(process, '"answers": true'))
        assert absent["condition"] == "not running" and playing["condition"] == "ok"
        process.terminate()
        process.communicate(timeout=20)
        assert process.returncode == 130


def test_what_is_told_of_a_change() -> None:
    same = {"game": "play", "daemon": "since 19:00"}
    lost = {**same, "left": "check left: lost: no answer", "counts": "rounds 1"}
    well = {**same, "devices": "all devices are ok", "counts": "rounds 1"}
    assert changes({}, lost) == list(lost.values())
    assert changes(lost, lost) == []
    assert changes(lost, well) == ["left is ok again", "all devices are ok"]
    assert changes(lost, {"absence": "no daemon runs"}) == ["no daemon runs"]
    assert changes(lost, {**lost, "counts": "rounds 2"}) == ["rounds 2"]


def test_whoever_has_read_enough_ends_it(tmp_path: Path, config: Path) -> None:
    with piped("--config", str(config)) as process:
        line_with(process, "no daemon runs this table")
        assert process.stdout is not None
        process.stdout.close()
        with at_work(tmp_path, tmp_path / "table.db", config):
            assert process.wait(20) == 0


# -- what it knows from the feed is what the next health page will say


DEVICES = {"left": DeviceCondition("left", Condition.OK), "sign": DeviceCondition("sign", Condition.OK)}


def page_of(driver: Driver, devices: dict[str, DeviceCondition] | None = None) -> dict[str, Any]:
    phase, began, written = driver.phase().value, "2026-11-18", "2026-11-18T20:00:00"
    return health_page(
        driver.session, phase, driver.now_ns, devices or DEVICES, {"rounds": 3}, began, written
    )


def state_of(driver: Driver, devices: dict[str, DeviceCondition] | None = None) -> State:
    return table_state(driver.referee, Surroundings(devices=devices or DEVICES), {})


@pytest.mark.parametrize("phase", Phase)
def test_a_page_that_is_new_says_the_same(phase: Phase) -> None:
    driver = reach(phase)
    page = page_of(driver)
    assert page_now(page, state_of(driver), 0) == page


def test_the_same_with_cards() -> None:
    driver = playing()
    page = page_of(driver)
    assert page_now(page, state_of(driver), 0) == page and "cards_laid" in page["round"]


@pytest.mark.parametrize("phase", Phase)
def test_of_an_old_page_only_the_times_are_kept(phase: Phase) -> None:
    driver = reach(phase)
    now = page_now(page_of(Driver()), state_of(driver), 0)
    new = page_of(driver)
    for about in ("round", "match"):
        for page in (now, new):
            if page[about]:
                page[about].pop("seconds", None)
    assert now == new


def test_a_device_that_is_lost_since_then_and_a_contact_that_is_not_listened_to() -> None:
    driver = reach(Phase.PLAY)
    before = page_of(driver)
    driver.mask(Slot(RED, 6))
    driver.wait(1_000_000_000)
    now = page_now(before, state_of(driver, DEVICES | {"left": LEFT}), 0)
    new = page_of(driver, DEVICES | {"left": LEFT})
    assert (now["devices"], now["masked"]) == (new["devices"], new["masked"])
    assert now["devices"]["left"]["condition"] == "lost" and now["masked"]
