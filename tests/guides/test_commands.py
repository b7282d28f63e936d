"""The commands that the guides for makers tell to type exist, with those options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from firmware_host.cli import main

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = ("breadboard", "building", "buying", "power-up", "safety", "trouble")


def _typed() -> list[str]:
    """Commands in blocks and in backticks, without comments and pipes."""
    found: set[str] = set()
    for guide in GUIDES:
        text = (DOCS / f"{guide}.md").read_text(encoding="utf-8")
        for line in re.findall(
            r"(?m)^(?:\$ )?(?:sudo )?(ligretto-table .*)$|`(?:sudo )?(ligretto-table [^`]*)`", text
        ):
            found.add(re.split(r"\s#| \| | >", line[0] or line[1])[0].strip())
    return sorted(found)


def _parse(command: click.Command, words: list[str], parent: click.Context | None) -> None:
    context = command.make_context(command.name, words, parent=parent)
    if isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        _, inner, others = command.resolve_command(context, rest)
        assert inner is not None
        _parse(inner, others, context)


@pytest.mark.parametrize("typed", _typed())
def test_a_command_of_the_guides_is_understood(typed: str) -> None:
    _parse(main, shlex.split(typed)[1:], None)


def test_there_are_commands_in_the_guides() -> None:
    assert len(_typed()) > 15
