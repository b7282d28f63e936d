"""The command line as a whole: help, and what it says to a wrong word."""

from __future__ import annotations

import pytest

from firmware_host import __version__
from firmware_host.cli import COMMANDS
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


def test_the_version_is_told() -> None:
    assert __version__ in run("--version").output


def test_a_wrong_command_names_the_nearest() -> None:
    result = run("replya")
    assert result.exit_code == 2
    assert "no command 'replya'; did you mean 'replay'?" in result.stderr


def test_a_command_like_no_other_gets_the_list() -> None:
    assert f"there are: {', '.join(sorted(COMMANDS))}" in run("qqq").stderr
