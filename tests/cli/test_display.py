"""`display`: a command does what the console does with displays, if its user runs the web process."""

from __future__ import annotations

import errno
import json
import signal
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.cli.display import NoWebProcess, found_pass
from tests.web.browsers import Browser
from tests.web.processes import COMMAND, environment, on_the_web

pytest.importorskip("uvicorn", reason="the extra 'web' is not installed")

KEY = "0123456789abcdef"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def screen(state: Path) -> Iterator[Browser]:
    """A browser that is a display; no table is needed for that."""
    with on_the_web(state) as (browser, _):
        browser.post("/api/displays/me", {"key": KEY})
        yield browser


def display(state: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "display", *words],
        env=environment(state),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str]:
    return done.returncode, done.stdout + done.stderr


def pass_of(state: Path, browser: Browser) -> Path:
    return state / "ligretto-table" / f"web-{browser.port}.json"


def test_it_lists_assigns_and_reloads(state: Path, screen: Browser) -> None:
    listed = display(state).stdout
    assert listed == ("display 1 shows table\neach can show: table, scores, standings, finish, next, join\n")
    assert said(display(state, "1", "finish")) == (0, "display 1 shows finish\n")
    assert said(display(state, "1", "reload")) == (0, "display 1 loads its page again\n")
    told = screen.post("/api/displays/me", {"key": KEY}).json
    assert told == {"name": "1", "shows": "finish", "reloads": 1}
    answer = json.loads(display(state, "--json", "--port", str(screen.port)).stdout)
    assert [each["shows"] for each in answer["displays"]] == ["finish"]


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("7", "table"), 1, "there is no such display; there are: 1"),
        (("1", "secrets"), 1, "a display shows table, scores, standings, finish, next, join"),
        (("1",), 2, "say what display 1 is to show, or reload"),
        (("--port", "1"), 2, "no web process of yours listens at 1"),
    ],
)
def test_what_is_not_possible_is_said(
    words: tuple[str, ...], code: int, why: str, state: Path, screen: Browser
) -> None:
    done = display(state, *words)
    assert (done.returncode, done.stdout) == (code, "") and why in done.stderr


def test_without_a_web_process_it_says_so(tmp_path: Path) -> None:
    why = "ligretto-table: no web process of yours runs; start it with: ligretto-table web\n"
    assert said(display(tmp_path)) == (2, why)
    assert not list(tmp_path.iterdir()), "looking makes nothing"
    with on_the_web(tmp_path) as (browser, process):
        browser.get("/api/me")
        process.kill()
        process.wait(60)
        assert pass_of(tmp_path, browser).exists()
        assert said(display(tmp_path)) == (2, why)


def test_who_may_not_ask_the_service_is_told_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoWebProcess, match="the one that runs as a service is asked with sudo"):
        found_pass(tmp_path, None, service=tmp_path / "service")

    def forbidden(_: Path) -> Iterator[Path]:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", forbidden)
    with pytest.raises(NoWebProcess, match="can't be read: Permission denied; use sudo"):
        found_pass(tmp_path, None)


def test_of_several_one_is_named(tmp_path: Path) -> None:
    with on_the_web(tmp_path) as (one, _), on_the_web(tmp_path) as (other, _):
        assert one.get("/api/me").status == other.get("/api/me").status == 200
        done = display(tmp_path, "1", "table")
        ports = ", ".join(map(str, sorted((one.port, other.port))))
        assert said(done) == (
            2,
            f"ligretto-table: several web processes run; name one with --port: {ports}\n",
        )
        assert "no display is there" in display(tmp_path, "--port", str(other.port)).stdout


def test_only_its_own_user_can_read_the_key_and_it_ends_with_the_process(tmp_path: Path) -> None:
    with on_the_web(tmp_path) as (browser, process):
        browser.get("/api/me")
        file = pass_of(tmp_path, browser)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        key = json.loads(file.read_text())["key"]
        for header in ({"X-Command-Key": key[:-1]}, {"X-Command-Key": ""}, {"X-CSRF": key}, {"Cookie": key}):
            assert browser.get("/api/displays", header).status == 401
        assert Browser(browser.port, "127.0.0.9").get("/api/displays", {"X-Command-Key": key}).status == 401
        assert browser.get("/api/displays", {"X-Command-Key": key}).status == 200
        order: dict[str, str | None] = {"X-Command-Key": key, "Origin": "http://evil.example"}
        assert browser.post("/api/displays", {"name": "1"}, order).status == 403
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        assert not file.exists()
