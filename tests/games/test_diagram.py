"""What the docs show is what the tables of the phases draw."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_host.games.phases import draw, draw_check, draw_commands

PAGE = Path(__file__).parents[2] / "docs" / "session.md"


@pytest.mark.parametrize(
    ("name", "drawing"),
    [
        ("transition table", f"```mermaid\n{draw()}\n```"),
        ("commands", draw_commands()),
        ("steps of the leftover check", f"```mermaid\n{draw_check()}\n```"),
    ],
)
def test_the_docs_show_each_table_as_it_is(name: str, drawing: str) -> None:
    head = f"<!-- drawn from the {name}: do not edit -->\n"
    shown = re.findall(re.escape(head) + r"(.*?)\n\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert shown == [drawing], f"{PAGE.name} does not show the {name}; redraw it with: make docs"
