"""Whatever stands in a file, a name or the environment: no command sends it to the terminal as it is."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.files import MOST_BYTES
from firmware_host.model.plain_text import visible
from firmware_host.run.health import since_boot_ns
from firmware_host.run.table_files import VARIABLE
from tests.cli.commands import run
from tests.cli.stores import config_for

HOSTILE = "X\x1b]0;pwned\x07\x1b[2J\x9b31m\u202eY\x7f"
IN_TOML = json.dumps(HOSTILE).replace("\\x7f", "\\u007f").replace("\x7f", "\\u007f")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

Words = list[str]
END = "-- this was one command --"
ONE_AFTER_ANOTHER = f"""
import json, os, sys
from firmware_host.cli import COMMANDS, main
commands = json.loads(sys.argv[1])
for name in sorted({{words[0] for words in commands}} & set(COMMANDS)):
    main.get_command(None, name)  # what they import is imported once for all of them
for words in commands:
    child = os.fork()
    if not child:
        sys.argv = ["ligretto-table", *words]
        main()
    os.waitpid(child, 0)
    print("{END}", flush=True)
"""


def on_terminal(*commands: Words, term: str = "dumb", **environment: str) -> list[str]:
    """All that each of these commands sends to a terminal, on both streams."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": term, **environment},
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            said += os.read(ours, 65536)
        except OSError:  # the last one that had it open has ended
            break
    os.close(ours)
    assert process.wait(60) == 0
    *all_said, rest = said.decode("utf-8", errors="surrogateescape").replace("\r\n", "\n").split(f"{END}\n")
    assert len(all_said) == len(commands) and not rest, rest
    return all_said


def assert_harmless(said: str) -> None:
    assert said == visible(said), said
    assert "Traceback" not in said


@pytest.fixture
def store(club: Path, tmp_path: Path) -> Path:
    """A store in which somebody has put hostile texts wherever a text can be."""
    path = tmp_path / "table.db"
    shutil.copy(club, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE matches SET event = ?", (HOSTILE,))
        connection.execute("INSERT INTO log (at, kind, text) VALUES (?1, ?1, ?1)", (HOSTILE,))
        connection.execute("INSERT INTO audits VALUES ('device', ?1, 3, ?1, 1)", (HOSTILE,))
        connection.execute("INSERT INTO choices VALUES (?1, ?1)", (HOSTILE,))
        connection.execute("UPDATE rounds SET state = 'void', void_reason = ? WHERE n = 1", (HOSTILE,))
        connection.commit()
    return path


def of_store(folder: Path, store: Path) -> dict[str, Words]:
    asked = ["--store", str(store)]
    return {
        "recall": ["recall", *asked],
        "recall json": ["recall", "--json", *asked],
        "recall one": ["recall", "1", "-v", *asked],
        "recall void": ["recall", "--round", "1", *asked],
        "audits": ["audits", "--all", *asked],
        "export": ["export", "--what", "matches", *asked],
        "export event": ["export", "--what", "rounds", "--event", f"no {HOSTILE}", *asked],
        "replay": ["replay", "-v", "--last", *asked],
    }


def test_texts_of_a_store(store: Path, tmp_path: Path) -> None:
    commands = of_store(tmp_path, store)
    for name, said in zip(commands, on_terminal(*commands.values()), strict=True):
        assert_harmless(said)
        if name in ("recall json", "audits", "export", "export event"):
            assert re.search(r"\\(?:u00|x)1b\]0;pwned\\(?:u00|x)07", said), name


def test_a_picture_in_colours_has_no_other_commands(store: Path) -> None:
    (said,) = on_terminal(["recall", "1", "--store", str(store)], term="xterm-256color")
    assert COLOUR.search(said)
    assert_harmless(COLOUR.sub("", said))


def test_an_export_into_a_file_is_harmless_when_it_is_shown(store: Path, tmp_path: Path) -> None:
    files = {form: tmp_path / f"matches.{form}" for form in ("csv", "json")}
    export = ["export", "--what", "matches", "--store", str(store), "--format"]
    on_terminal(*([*export, form, str(path)] for form, path in files.items()))
    for path in files.values():
        text = path.read_text(encoding="utf-8", errors="strict")
        assert_harmless(text)
        assert r"\u001b]0;pwned\u0007" in text


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


FILES: dict[str, Callable[[Path], Words]] = {
    "event": lambda at: ["check", written(at, "table.toml", f'wiring = "dice4"\nevent = {IN_TOML}\n')],
    "key": lambda at: ["check", written(at, "table.toml", f'wiring = "dice4"\n{IN_TOML} = 3\n')],
    "raw": lambda at: ["check", written(at, "table.toml", f'wiring = "{HOSTILE}"\n')],
    "file name": lambda at: ["check", str(at / HOSTILE)],
    "bytes": lambda at: ["check", str(at / "caf\udce9\udc9b2J")],
    "profile": lambda at: [
        "doctor",
        "--json",
        "--profile",
        written(at, "own.toml", f"title = {IN_TOML}\n{HOSTILE}"),
    ],
    "profile name": lambda at: ["simulate", "--profile", HOSTILE],
    "fault": lambda at: ["simulate", "--record", "-", "--fault", f"unplug {HOSTILE}"],
    "scenario": lambda at: ["replay", written(at, "a.txt", f"profile dice4\n1.0 {HOSTILE} 3\n")],
    "scenario name": lambda at: ["replay", written(at, f"{HOSTILE}.txt", "profile dice4\n1.0 press 3\n")],
    "tags": lambda at: ["tags", "check", "--profile", "cards4", "--file", tags_file(at)],
    "tags list": lambda at: ["tags", "list", "--profile", "cards4", "--file", tags_file(at)],
    "tags import": lambda at: [
        *("tags", "import", tags_file(at), "--profile", "cards4"),
        *("--file", str(at / "mine.csv")),
    ],
    "user": lambda at: ["install-service", "--prefix", str(at), "--user", HOSTILE],
    "command": lambda at: [HOSTILE],
    "option": lambda at: ["recall", f"--{HOSTILE}"],
    "log": lambda at: [
        "run",
        "--config",
        str(config_for(at / "no" / "table.db", at)),
        "--simulated",
        HOSTILE,
    ],
}


def tags_file(folder: Path) -> str:
    return written(folder, "tags.csv", f"uid,tag\n{HOSTILE},card 1 red 1\n04a1b2c3,{HOSTILE}\n")


def test_texts_of_files_and_names(tmp_path: Path) -> None:
    commands = {}
    for name, words in FILES.items():
        folder = tmp_path / name
        folder.mkdir()
        commands[name] = words(folder)
    for name, said in zip(commands, on_terminal(*commands.values()), strict=True):
        assert said.strip(), name
        assert_harmless(said)


def test_texts_of_the_environment(tmp_path: Path) -> None:
    (said,) = on_terminal(["check"], **{VARIABLE: str(tmp_path / HOSTILE)})
    assert "pwned" in said
    assert_harmless(said)


def test_a_page_of_health(tmp_path: Path) -> None:
    store = str(tmp_path / "table.db")
    page = {"pid": os.getpid(), "stamp_ns": since_boot_ns(), "store": store, "config": "", "masked": {}}
    page |= {"phase": HOSTILE, "devices": {HOSTILE: {"condition": "lost", "words": HOSTILE}}}
    (tmp_path / "health.json").write_text(json.dumps(page), encoding="utf-8")
    (said,) = on_terminal(["status", "--json", "--store", store])
    assert "pwned" in said
    assert_harmless(said)


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
