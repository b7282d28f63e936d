"""Whatever somebody names as input, a command says at once why it can't be read, in one message."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.files import MOST_BYTES
from tests.cli.commands import run

ENDLESS = "/dev/zero"
NAMED = {
    "check": ("check", "--config"),
    "run": ("run", "--config"),
    "status": ("status", "--config"),
    "recall": ("recall", "--config"),
    "doctor": ("doctor", "--config"),
    "tags": ("tags", "list", "--config"),
    "scenario": ("replay",),
    "tags file": ("tags", "list", "--profile", "cards4", "--file"),
    "tags import": ("tags", "import", "--profile", "cards4", "--file", "mine.csv"),
    "log": ("doctor", "--bundle", "bundle.tar.gz", "--log"),
}


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def message_of(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code != 0
    line, *advice = result.output.splitlines()
    assert advice in ([], ["ligretto-table: or name the store file itself with --store"])
    return line


def fifo_at(path: str) -> str:
    os.mkfifo(path)
    return path


def long_file(path: str) -> str:
    with open(path, "wb") as file:
        file.truncate(600 * MOST_BYTES)
    return path


@pytest.mark.parametrize("what", NAMED)
def test_a_file_that_never_ends_is_refused(what: str) -> None:
    for path, why in (
        (ENDLESS, "a device, not a regular file"),
        (fifo_at("fifo.toml"), "a named pipe, not a regular file"),
        (long_file("long.toml"), "longer than "),
    ):
        assert f"{path}: {why}" in message_of(*NAMED[what], path)


@pytest.mark.parametrize(
    ("text", "line"),
    [('wiring = "cards4"\ntags = "odd"\n', 2), ('wiring = "odd.toml"\n', 1)],
)
def test_what_a_table_toml_names_is_refused_in_its_line(text: str, line: int) -> None:
    Path("table.toml").write_text(text, encoding="utf-8")
    for name in ("odd", "odd.toml"):
        fifo_at(name)
    (message,) = run("check").output.splitlines()
    assert message.startswith(f"ligretto-table: table.toml:{line}: ")
    assert "allowed: a file that can be read: " in message and message.endswith(
        "a named pipe, not a regular file"
    )


def test_a_profile_is_refused_wherever_it_is_named() -> None:
    for command in (("demo",), ("doctor",), ("simulate", "--matches", "1")):
        Path("odd.toml").unlink(missing_ok=True)
        path = fifo_at("odd.toml")
        assert message_of(*command, "--profile", path).endswith("odd.toml: a named pipe, not a regular file")
