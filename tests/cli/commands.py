"""Runs a command as a shell would, but in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from firmware_host.cli import main


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, list(arguments), prog_name="ligretto-table")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
