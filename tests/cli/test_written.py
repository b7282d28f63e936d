"""Every command that writes a file on request keeps to the same rules about where it may be."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.lab.truth.witness import TruthWitness
from firmware_host.model.times import S
from firmware_host.referee import Step
from tests.cli.commands import run

NOBODY = 65534
TOLD_APART = "it is a named pipe: name a file, or a new one"

Words = list[str]


@pytest.fixture
def tags(tmp_path: Path) -> Path:
    path = tmp_path / "tags.csv"
    path.write_text("uid,tag\n04a1b2c3,card 1 red 1\n", encoding="utf-8")
    return path


@pytest.fixture(params=["export", "recall", "tags", "plot", "record", "bundle"])
def words(request: pytest.FixtureRequest, club: Path, tags: Path) -> Words:
    """A command that writes a file; its name comes last."""
    short = ["--seats", "2", "--rounds", "1", "--seed", "6"]
    return {
        "export": ["export", "--what", "rounds", "--store", str(club)],
        "recall": ["recall", "1", "--store", str(club), "--svg"],
        "tags": ["tags", "export", "--force", "--profile", "cards4", "--file", str(tags)],
        "plot": ["simulate", "--matches", "1", "--workers", "1", *short, "--plot"],
        "record": ["simulate", *short, "--record"],
        "bundle": ["doctor", "--profile", "dice4", "--page", "0", "--bundle"],
    }[request.param]


def refused(words: Words, path: Path) -> str:
    """Why the command writes no such file."""
    result = run(*words, str(path))
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    prefix = f"ligretto-table: {path} can't be written: "
    assert line.startswith(prefix)
    return line.removeprefix(prefix)


def test_it_is_written(words: Words, tmp_path: Path) -> None:
    path = tmp_path / "out" / "a.svg"
    path.parent.mkdir()
    assert run(*words, str(path)).exit_code in (0, 1)  # the doctor finds a lot here
    assert path.stat().st_size > 20
    assert os.listdir(path.parent) == ["a.svg"]


def test_a_pipe_stays_one(words: Words, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    os.mkfifo(path)
    assert refused(words, path) == TOLD_APART
    assert path.is_fifo()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give links away")
def test_a_link_of_somebody_else_is_not_followed(words: Words, tmp_path: Path) -> None:
    path, mine = tmp_path / "a.svg", tmp_path / "mine"
    mine.write_text("mine")
    path.symlink_to(mine)
    os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    assert refused(words, path).startswith("'a.svg' is a link of nobody, and only your own are followed")
    assert mine.read_text() == "mine"


def test_what_a_shell_has_opened_is_written_to(tags: Path) -> None:
    export = [*("tags", "export", "--profile", "cards4"), "--file", str(tags)]
    command = [sys.executable, "-m", "firmware_host.cli", *export]
    for name in ("-", "/dev/stdout", "/dev/fd/1"):
        done = subprocess.run([*command, name], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("uid,tag\n04a1b2c3,card 1 red 1\n")
    lost = subprocess.run([*command, "/dev/fd/77"], capture_output=True, text=True, check=False)
    assert lost.returncode == 2
    assert lost.stderr == "ligretto-table: /dev/fd/77 can't be written: Bad file descriptor\n"


def test_a_match_that_can_not_be_recorded_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.lab.scenarios.running.profile_names", lambda: ("cards4",))
    record = tmp_path / "match.txt"
    result = run("simulate", "--game", "dice", "--seats", "2", "--record", str(record))
    assert result.exit_code == 2 and "can't be recorded" in result.stderr
    assert os.listdir(tmp_path) == []


def test_what_was_played_until_ctrl_c_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(story: TruthWitness, step: Step) -> None:
        if step.t_ns > 20 * S:
            raise KeyboardInterrupt

    monkeypatch.setattr(TruthWitness, "observe", interrupted)
    record = tmp_path / "match.txt"
    result = run("simulate", "--seats", "2", "--seed", "6", "--record", str(record))
    assert result.exit_code == 130
    assert record.read_text().startswith("# A match of simulated people, recorded with seed 6.\n")
    assert os.listdir(tmp_path) == ["match.txt"]


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_a_store_is_never_replaced(words: Words, tmp_path: Path, ending: str) -> None:
    store, link = tmp_path / "table.db", tmp_path / "a.svg"
    link.symlink_to(f"{store}{ending}")
    with closing(sqlite3.connect(store)) as connection:
        connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE played (round INTEGER)")
        before = link.read_bytes()
        told = "it is a database, such as a store, which is never replaced: name another file"
        assert refused(words, link) == told
        assert link.read_bytes() == before


def test_an_export_spares_the_store_that_it_reads(club: Path, tmp_path: Path) -> None:
    store, link = tmp_path / "table.db", tmp_path / "rounds.csv"
    store.write_bytes(club.read_bytes())
    link.symlink_to(store)
    for path in (store, link):
        refused(["export", "--what", "rounds", "--store", str(store)], path)
    assert store.read_bytes() == club.read_bytes()


def test_a_configuration_is_never_replaced(words: Words, tmp_path: Path) -> None:
    path, link = tmp_path / "table.toml", tmp_path / "a.svg"
    path.write_text("# ours\n")
    link.symlink_to(path)
    told = "it is a configuration, which is never replaced: name another file"
    assert refused(words, link) == told
    assert path.read_text() == "# ours\n"
