"""`wiring --out DIR --png`: drawings become PNG files by a program that is there, or a message says "
"what to install."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.workshop.cli.wiring import find_renderer, render
from tests.cli.commands import run

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="254mm" height="127mm"/>'


def program(folder: Path, name: str, script: str) -> None:
    """An executable of that name."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    (tmp_path / "one.svg").write_text(SVG)
    return folder


def test_without_a_renderer_a_message_says_what_to_install(path: Path) -> None:
    with pytest.raises(BadSettings, match="apt install librsvg2-bin"):
        find_renderer()


def test_rsvg_convert_comes_first_and_gets_the_resolution(path: Path, tmp_path: Path) -> None:
    program(path, "chromium", "exit 1")
    program(path, "rsvg-convert", f'echo "$@" > {tmp_path}/one.png')
    render(find_renderer(), tmp_path / "one.svg", tmp_path / "one.png")
    said = (tmp_path / "one.png").read_text().split()
    assert said == ["--dpi-x=150", "--dpi-y=150", f"--output={tmp_path}/one.png", f"{tmp_path}/one.svg"]


@pytest.mark.parametrize("user", [0, 1000])
def test_chromium_gets_a_window_of_the_size_of_the_drawing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    program(path, "chromium", f'echo "$@" > {tmp_path}/one.png')
    render(find_renderer(), tmp_path / "one.svg", tmp_path / "one.png")
    said = (tmp_path / "one.png").read_text()
    assert "--window-size=960,480" in said and f"file://{tmp_path}/one.svg" in said
    assert ("--no-sandbox" in said) == (user == 0)


def test_a_renderer_that_fails_is_quoted(path: Path, tmp_path: Path) -> None:
    program(path, "rsvg-convert", "echo 'no memory' >&2; exit 3")
    with pytest.raises(BadSettings, match=r"one\.png: .*rsvg-convert failed: no memory"):
        render(find_renderer(), tmp_path / "one.svg", tmp_path / "one.png")


def test_a_renderer_that_writes_nothing_has_failed_even_if_there_is_an_old_file(
    path: Path, tmp_path: Path
) -> None:
    program(path, "rsvg-convert", "exit 0")
    (tmp_path / "one.png").write_text("old")
    with pytest.raises(BadSettings, match="no message"):
        render(find_renderer(), tmp_path / "one.svg", tmp_path / "one.png")
    assert not (tmp_path / "one.png").exists()


def test_a_renderer_that_can_not_be_started_is_an_error_too(path: Path, tmp_path: Path) -> None:
    program(path, "rsvg-convert", "")
    (path / "rsvg-convert").write_bytes(b"\x00")
    with pytest.raises(BadSettings, match="failed"):
        render(find_renderer(), tmp_path / "one.svg", tmp_path / "one.png")


def test_each_drawing_is_written_as_png_too(path: Path, tmp_path: Path) -> None:
    program(path, "rsvg-convert", 'for last in "$@"; do :; done; echo "$last" > "${last%.svg}.png"')
    folder = tmp_path / "built"
    result = run("wiring", "dice4-direct", "--out", str(folder), "--png")
    assert (result.exit_code, result.stderr) == (0, "")
    names = {file.name for file in folder.iterdir()}
    assert {name.replace(".svg", ".png") for name in names if name.endswith(".svg")} <= names
    assert result.stdout == f"wrote {len(names)} files to {folder}\n"


def test_a_png_file_that_is_there_stays(path: Path, tmp_path: Path) -> None:
    program(path, "rsvg-convert", "exit 1")
    (tmp_path / "header.png").write_text("mine")
    result = run("wiring", "dice4-direct", "--out", str(tmp_path), "--png")
    assert result.exit_code == 2 and "header.png: exists already" in result.stderr
    assert (tmp_path / "header.png").read_text() == "mine"


def test_nothing_is_written_without_a_renderer(path: Path, tmp_path: Path) -> None:
    result = run("wiring", "dice4-direct", "--out", str(tmp_path / "built"), "--png")
    assert result.exit_code == 2 and "rsvg-convert" in result.stderr
    assert not (tmp_path / "built").exists()
