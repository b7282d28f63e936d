"""What the docs show is what docs/draw.py makes of the tables of the phases."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from firmware_host.games.phases import TRANSITIONS

DOCS = Path(__file__).parents[2] / "docs"


def _drawn() -> dict[str, str]:
    """What the script draws, which is in no package."""
    spec = importlib.util.spec_from_file_location("docs_draw", DOCS / "draw.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    drawings: dict[str, str] = module.session_drawings()
    return drawings


DRAWN = _drawn()


@pytest.mark.parametrize("name", DRAWN)
def test_the_docs_show_each_table_as_it_is(name: str) -> None:
    head = f"<!-- drawn from the {name}: do not edit -->\n"
    page = (DOCS / "session.md").read_text(encoding="utf-8")
    shown = re.findall(re.escape(head) + r"(.*?)\n\n", page, re.DOTALL)
    assert shown == [DRAWN[name]], f"session.md does not show the {name}; redraw it with: make docs"


def test_the_drawing_has_an_arrow_for_every_way_and_no_other() -> None:
    _, first, start, *lines, _ = DRAWN["transition table"].splitlines()
    assert (first, start) == ("stateDiagram-v2", "    [*] --> ATTRACT")
    drawn = set()
    for line in lines:
        arrow = re.fullmatch(r"    (\w+) --> (\w+): (.+)", line)
        assert arrow is not None, line
        drawn |= {(arrow[1], cause, arrow[2]) for cause in arrow[3].split("<br/>")}
    assert drawn == {
        (phase.name, transition.value, target.name)
        for phase, transitions in TRANSITIONS.items()
        for transition, target in transitions.items()
    }


def test_two_causes_of_one_way_share_an_arrow() -> None:
    assert DRAWN["transition table"].count("JOIN --> ATTRACT") == 1
