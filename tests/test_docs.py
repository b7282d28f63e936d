"""The docs hold together: every link leads somewhere, and what is drawn from the program is current."""

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.games.phases import TRANSITIONS
from firmware_host.model.effects import Cue, Verdict
from firmware_host.show.lamps import BEATS, CUE_LAMP, VERDICT_LAMP, Lamp

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_heading_finds_it(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    aims = [(page.parent / file if file else page, heading) for file, heading in links if "://" not in file]
    assert [f"{aim.name}#{heading}" for aim, heading in aims if heading not in _headings(aim)] == []


def _headings(page: Path) -> set[str]:
    """The headings of a page as GitHub writes them in links."""
    found = re.findall(r"(?m)^#+ (.*)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", each.strip().lower()).replace(" ", "-") for each in found}


@pytest.fixture(scope="module")
def draw() -> Any:
    """docs/draw.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("docs_draw", ROOT / "docs" / "draw.py")
    assert spec is not None and spec.loader is not None
    script = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_each_drawn_part_of_a_page_is_as_the_program_draws_it_now(draw: Any) -> None:
    for part in draw.drawn_parts():
        text = (ROOT / "docs" / part.page).read_text(encoding="utf-8")
        assert part.put_into(text) == text, f"{part.page} is stale; draw it again with: make docs"


def test_the_diagram_of_the_session_has_an_arrow_for_every_way_and_no_other(draw: Any) -> None:
    _, first, start, *lines, _ = draw.session_drawings()["transition table"].splitlines()
    assert (first, start) == ("stateDiagram-v2", "    [*] --> ATTRACT")
    arrows = [re.fullmatch(r"    (\w+) --> (\w+): (.+)", line) for line in lines]
    ways = [(arrow[1], cause, arrow[2]) for arrow in arrows if arrow for cause in arrow[3].split("<br/>")]
    assert len({way[::2] for way in ways}) == len(lines), "two causes of one way share an arrow"
    assert sorted(ways) == sorted(
        (phase.name, transition.value, target.name)
        for phase, transitions in TRANSITIONS.items()
        for transition, target in transitions.items()
    )


OF_BOARDS = (Cue.WRONG_DIE, Cue.UNREAD)
NEVER_WITH_CARDS = (Verdict.TAKEN_BACK,)


def _rhythm(lamp: Lamp) -> str:
    return "".join("●" if lamp.beat >> (BEATS - 1 - eighth) & 1 else "·" for eighth in range(BEATS))


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict is not Verdict.REPEATED])
def test_the_pages_for_players_show_the_lamp_of_every_verdict(verdict: Verdict) -> None:
    lamp = VERDICT_LAMP[verdict]
    row = f"| {lamp.tint.name.lower()} | `{_rhythm(lamp)}` |"
    for page in ("playing.md",) if verdict in NEVER_WITH_CARDS else ("playing.md", "cards.md"):
        assert row in (ROOT / "docs" / page).read_text(encoding="utf-8"), page


@pytest.mark.parametrize("cue", Cue)
def test_the_pages_for_players_show_the_lamp_of_every_cue(cue: Cue) -> None:
    lamp = CUE_LAMP[cue]
    page = ROOT / "docs" / ("playing.md" if cue in OF_BOARDS else "cards.md")
    shown = re.findall(r"\b([a-z]+)\b[ |]+`([●·]+)`", page.read_text(encoding="utf-8").replace("\n", " "))
    assert (lamp.tint.name.lower(), _rhythm(lamp)) in shown
