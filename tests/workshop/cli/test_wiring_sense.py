"""`wiring` says what is electrically wrong, beside what it was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import wiring
from tests.cli.commands import run
from tests.workshop.electrical.derived import derived


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def own(changes: str) -> None:
    Path("own.toml").write_text(derived(changes), encoding="utf-8")


@pytest.mark.parametrize("name", wiring.profile_names())
def test_a_profile_that_ships_is_shown_and_nothing_is_wrong(name: str) -> None:
    result = run("wiring", name, "--only", "header")
    assert (result.exit_code, result.stderr) == (0, "")


def test_an_error_is_told_after_the_tables_and_sets_the_exit_code() -> None:
    own('base = "dice4"\n[build]\nhall = "us1881"')
    result = run("wiring", "own.toml", "--only", "addresses")
    assert result.exit_code == 2
    assert "0x70" in result.stdout
    assert result.stderr.splitlines() == [
        "",
        "electrical sense of own.toml:",
        "error: build.hall: US1881 latches",
        "  why: a latch releases only at the other pole of a magnet, so it goes on seeing a die that was",
        "      taken away",
        '  right: a switch, not a latch: hall = "a3144"',
    ]


def test_files_are_written_whatever_is_wrong() -> None:
    own('base = "dice4"\n[build]\nhall = "us1881"')
    result = run("wiring", "own.toml", "--out", "made")
    assert result.exit_code == 2
    assert (Path("made") / "checklist.txt").exists()
    assert "US1881 latches" in result.stderr


def test_a_warning_leaves_the_exit_code_and_a_csv_as_they_are() -> None:
    asked = ("wiring", "own.toml", "--only", "addresses", "--csv")
    own('base = "dice4"')
    clean = run(*asked)
    own('base = "dice4"\n[build]\nhall = "drv5032-20"')
    result = run(*asked)
    assert (result.exit_code, result.stdout) == (0, clean.stdout)
    assert result.stderr.startswith("\nelectrical sense of own.toml:\nwarning: build.hall: DRV5032-20 looks")
