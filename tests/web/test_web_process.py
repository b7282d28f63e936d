"""The process itself: how it starts, ends, and outlives the table, and how the table outlives it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.cli.commands import run
from tests.web.browsers import Browser, Event, until, wait_until
from tests.web.processes import environment, next_line, on_the_web, own_store, playing, web


def test_pages_stay_open_from_before_the_table_runs_until_the_web_process_ends(tmp_path: Path) -> None:
    with on_the_web(tmp_path) as (browser, process):
        assert next_line(process) == "no table is running yet; the pages wait for it\n"
        with browser.stream() as events:
            assert until(events, "lost")
            with playing(tmp_path) as table:
                snapshot = until(events, "snapshot")
                assert snapshot.told["state"]["table"]["simulated"] is True
                assert browser.get("/api/me").json["pin"] == "open"
                table.kill()
                table.wait(60)
                until(events, "lost")
            with playing(tmp_path):
                until(events, "snapshot")
                until(events, "step")
            until(events, "lost")
            process.send_signal(signal.SIGTERM)
            assert [each for each in events if each.told["is"] != "lost"] == []
            assert process.wait(60) in (0, -signal.SIGTERM)
            assert process.stderr is not None
            first, second = process.stderr.read().splitlines()
            assert first.endswith("the table is lost: the table has hung up") and second.endswith("hung up")


def test_a_killed_web_process_is_seen_by_nobody_at_the_table(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        page = Page()
        for _ in range(2):
            with on_the_web(tmp_path) as (browser, process), browser.stream(page.since) as events:
                page.hear(events, 5)
                process.kill()
                process.wait(60)
        assert table.poll() is None


class Page:
    """What a page has heard, from one web process after the other: there is no gap between two steps."""

    def __init__(self) -> None:
        self.since = ""
        self._session, self._n = "", 0

    def hear(self, events: Iterator[Event], steps: int) -> None:
        """Hear so many steps; each follows what was heard before it, or a snapshot that has all up to it."""
        while steps:
            each = next(events)
            told = each.told
            if told["is"] == "snapshot":
                assert told["session"] != self._session or told["n"] >= self._n
            elif told["is"] == "step":
                decided = len(told.get("effects", ()))
                assert (told["session"], told["n"] - decided) == (self._session, self._n)
                steps -= 1
            else:
                continue
            self.since, self._session, self._n = each.id, told["session"], told["n"]


def test_an_address_that_can_not_be_had_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        taken = refused(tmp_path, "--port", port)
    assert taken == (
        f"ligretto-table: can't listen at 127.0.0.1 port {port}: another program listens there; "
        "name another port with --port\n"
    )
    assert "this machine does not have that address" in refused(
        tmp_path, "--host", "192.0.2.7", "--port", "0"
    )
    assert refused(tmp_path, "--host", "no such host", "--port", "0").startswith(
        "ligretto-table: --host no such host: "
    )


def refused(state: Path, *options: str) -> str:
    """What is said of an address at which nobody can listen."""
    done = run("web", "--store", str(own_store(state)), *options)
    assert done.exit_code == 2
    return done.stderr


def test_a_new_pin_ends_all_sessions_and_is_printed_or_at_the_sign_of_a_running_table(tmp_path: Path) -> None:
    with on_the_web(tmp_path) as (browser, _):
        assert browser.get("/api/me").json["pin"] == "unset"
        pins = []
        for _ in range(2):
            done = web(tmp_path, "--new-pin")
            told = re.fullmatch(
                r"the new PIN is (\d{6}) \(it can't be shown .*no table is running\)\n", done.stdout
            )
            assert told is not None, done.stdout + done.stderr
            pins.append(told[1])
            before, browser = browser, Browser(browser.port)
            assert before.get("/api/me").json["operator"] is False
            assert browser.log_in(told[1]).status == 200
        assert Browser(browser.port).log_in(pins[0]).status == 403 or pins[0] == pins[1]
        with playing(tmp_path, "--speed", "1") as table:
            shown = "the new PIN is at the table's sign"  # but not while a round is played
            wait_until(lambda: web(tmp_path, "--new-pin").stdout.startswith(shown), patience_s=300)
            with browser.stream() as events:
                assert "PIN" not in json.dumps(until(events, "snapshot").told["page"])
            assert table.poll() is None


def test_the_table_itself_never_loads_it() -> None:
    script = (
        "import sys; sys.argv = ['ligretto-table', 'run']; import firmware_host.cli.run; "
        "import firmware_host.cli.tell, firmware_host.run.daemon, firmware_host.run.table_sockets; "
        "print([name for name in sys.modules if name.partition('.')[0] in "
        "('starlette', 'uvicorn', 'anyio', 'h11', 'segno', 'asyncio') or 'firmware_host.web' in name])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_missing_libraries_are_named_and_help_needs_none_of_them(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['uvicorn'] = None; "
        "from firmware_host.cli import main; main(['web', '--help'], standalone_mode=False); main(['web'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "--new-pin" in done.stdout
    assert "uvicorn is missing" in done.stderr and "pip install 'ligretto-table[web]'" in done.stderr
