"""The command line as a whole: help, and what it says to a wrong word."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from firmware_host import __version__
from firmware_host.cli import COMMANDS, main
from tests.cli.commands import run


def test_help_lists_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert all(command in result.output for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"ligretto-table {command}" in result.output.split("Example", 1)[1]


def command_lines(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """What to type for this command, and for each command in it."""
    yield words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from command_lines(inner, (*words, name))


@pytest.mark.parametrize("words", [*command_lines(main)], ids=" ".join)
def test_help_has_no_control_characters(words: tuple[str, ...]) -> None:
    text = run(*words, "--help").output
    assert "\\u0008" not in text and "\\b" not in text
    assert not [char for char in text if ord(char) < 32 and char != "\n"]


def test_the_version_is_told() -> None:
    assert __version__ in run("--version").output


def test_a_wrong_command_names_the_nearest() -> None:
    result = run("replya")
    assert result.exit_code == 2
    assert "no command 'replya'; did you mean 'replay'?" in result.stderr


def test_a_command_like_no_other_gets_the_list() -> None:
    assert f"there are: {', '.join(sorted(COMMANDS))}" in run("qqq").stderr


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell runs it, in a process of its own."""
    program = f"{shlex.quote(sys.executable)} -m firmware_host.cli"
    return subprocess.run(
        command.format(program), shell=True, capture_output=True, text=True, check=False, timeout=60
    )


def test_what_the_system_refuses_is_told_with_its_path_and_what_to_do(tmp_path: Path) -> None:
    unit = tmp_path / "etc/systemd/system/ligretto-table.service"
    unit.mkdir(parents=True)
    done = shell(f"{{}} install-service --uninstall --prefix {tmp_path}")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"ligretto-table: {unit}: Is a directory; it is a folder: name a file, or move it away"
    )


def test_whoever_has_closed_the_output_is_not_bothered() -> None:
    done = shell("{} check --example >&-")
    assert (done.returncode, done.stderr) == (0, "")


def test_whoever_has_seen_enough_is_not_bothered() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "firmware_host.cli", "check", "--example"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
