"""`tell`: what an operator tells a running table, in a process of its own; and the feed, from a shell."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import FEED_SOCKET, TELL_SOCKET
from firmware_host.feed.feed_client import FeedLost, FeedReader
from tests.browser.tables import PATIENCE_S, wait_for
from tests.cli.commands import run
from tests.cli.services import daemon, empty_world
from tests.left_out import needs
from tests.web.processes import next_line

DOCS = Path(__file__).parents[2] / "docs" / "feed.md"


@dataclass(frozen=True, slots=True)
class Table:
    """A simulated table at which nobody plays yet."""

    folder: Path
    config: Path

    def tell(self, *words: str) -> Any:
        return run("tell", "--config", str(self.config), *words)

    def until(self, so: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Read the feed until that is so; the state then."""
        end_s = time.monotonic() + PATIENCE_S
        with closing(FeedReader(self.folder / FEED_SOCKET)) as reader:
            for _ in reader:
                assert time.monotonic() < end_s
                if reader.state and so(reader.state):
                    return reader.state
        raise AssertionError


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder = tmp_path_factory.mktemp("table")
    config = folder / "table.toml"
    config.write_text(f'wiring = "dice4"\n[store]\nfile = "{folder}/table.db"\n')
    with pytest.MonkeyPatch.context() as patch, empty_world(folder / "world"):
        patch.delenv("RUNTIME_DIRECTORY", raising=False)
        with daemon(config, folder / "world") as process:
            wait_for("its page", (folder / "health.json").exists)
            yield Table(folder, config)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
            assert not (folder / FEED_SOCKET).exists() and not (folder / TELL_SOCKET).exists()


def test_a_match_is_started_and_ended(table: Table) -> None:
    started = table.tell("start", "12,12,0,0", "dealt")
    assert (started.exit_code, started.stdout) == (0, "done\n")
    assert table.until(lambda state: state["phase"] == "countdown")["seats"]["1"]["dealt"] == 12
    assert table.tell("end").exit_code == 0
    table.until(lambda state: state["phase"] == "attract")


def test_what_is_refused_is_told_with_what_is_possible(table: Table) -> None:
    refused = table.tell("resume")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == ("ligretto-table: resume is not possible in ATTRACT; possible now: start\n")


def test_each_setting_is_apart_from_its_value(table: Table) -> None:
    lines = table.tell("settings").stdout.splitlines()
    assert [line.split()[:2] for line in lines if line.startswith("player-names")] == [["player-names", "on"]]


def test_the_answer_as_json(table: Table) -> None:
    assert json.loads(table.tell("--json", "set", "volume", "3").stdout) == {
        "ok": True,
        "takes_effect": "now",
    }
    refused = table.tell("--json", "pauze")
    assert refused.exit_code == 1 and json.loads(refused.stdout)["ok"] is False


def test_a_negative_handicap_is_no_option(table: Table) -> None:
    told = table.tell("set", "handicap", "-1,0,0,0")
    assert told.exit_code == 0 and told.stdout.startswith("done; takes effect ")
    assert table.tell("set", "handicap", "0,0,0,0").exit_code == 0


def test_nobody_is_there_to_be_told_anything(tmp_path: Path) -> None:
    refused = run("tell", "--store", str(tmp_path / "other.db"), "pause")
    assert refused.exit_code == 2 and "no daemon runs this table" in refused.stderr


def test_nothing_is_told_without_words() -> None:
    assert run("tell").exit_code == 2


def test_a_table_that_is_watched_is_known_from_its_feed(table: Table) -> None:
    command = [sys.executable, "-m", "firmware_host.cli", "status", "--watch", "--json"]
    with subprocess.Popen(
        [*command, "--config", str(table.config)], stdout=subprocess.PIPE, text=True
    ) as watching:
        try:
            phases = iter(lambda: json.loads(next_line(watching))["phase"], None)
            assert next(phases) == "attract"
            table.tell("start", "12,12,0,0")
            assert "clear" in phases
            table.tell("end")
            assert "attract" in phases
        finally:
            watching.kill()


@needs("socat", "jq")
def test_the_example_in_shell_follows_a_match(table: Table, tmp_path: Path) -> None:
    """The script of docs/feed.md, as it stands there."""
    (script,) = re.findall(r"```sh\n(#!/bin/sh\n.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(script.splitlines()) <= 20
    (tmp_path / "watch.sh").write_text(script)
    with subprocess.Popen(
        ["sh", str(tmp_path / "watch.sh"), str(table.folder)], stdout=subprocess.PIPE, text=True
    ) as watching:
        try:
            assert next_line(watching) == "attract\n"
            table.tell("start", "12,12,0,0")
            assert next_line(watching) == "clear\n"
            table.tell("end")
            assert next_line(watching) == "attract\n"
        finally:
            watching.kill()


def test_the_feed_ends_when_the_table_does(table: Table) -> None:
    """The last test of this file asks nothing more of the table than to be read."""
    with closing(FeedReader(table.folder / FEED_SOCKET)) as reader:
        assert next(iter(reader))["is"] == "hello"
    with pytest.raises(FeedLost):
        FeedReader(table.folder / "no.sock")
