"""The picture in the docs is the one that the transition table draws."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_host.table.phases import draw

PAGE = Path(__file__).parents[2] / "docs" / "session.md"
DRAWN = re.compile(
    r"^<!-- drawn from the transition table: do not edit -->\n```mermaid\n(.*?)\n```$",
    re.DOTALL | re.MULTILINE,
)


def test_the_docs_show_the_transition_table_as_it_is() -> None:
    pictures = DRAWN.findall(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else []
    assert pictures == [draw()], f"{PAGE.name} does not show the transition table; redraw it with: make docs"
