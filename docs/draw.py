"""Draws again what the docs show: `make docs`.

The session diagram comes from the transition table, the picture of the demo from a real
match with a fixed seed.
"""

from __future__ import annotations

import inspect
import io
import re
from pathlib import Path

from rich.console import Console

from firmware_host.cli.view import View
from firmware_host.effects import Effect, Judged, Verdict
from firmware_host.runtime.assembly import load_profile
from firmware_host.simulation.party import Invitation, Misbehaviour, even_deal, hold_party
from firmware_host.table.phases import draw

DOCS = Path(__file__).parent
DRAWN = "<!-- drawn from the transition table: do not edit -->\n```mermaid\n"
PICTURE_SEED = 5
PICTURE_COLUMNS = 92


def draw_session() -> None:
    """Put the transition table into docs/session.md."""
    page = DOCS / "session.md"
    text = page.read_text(encoding="utf-8")
    drawing = f"{DRAWN}{draw()}\n```"
    pattern = re.escape(DRAWN) + r".*?^```$"
    page.write_text(re.sub(pattern, lambda _: drawing, text, count=1, flags=re.DOTALL | re.MULTILINE))


def draw_demo() -> None:
    """Take the demo's picture at a moment when something is going on."""
    profile = load_profile("dice4")
    asked = Invitation(
        profile=profile,
        deal=even_deal(profile, 4),
        misbehaviour=Misbehaviour(bounce=frozenset(profile.lines.values())),
    )
    view = View()
    lost: list[int] = []

    def watch(t_ns: int, effects: list[Effect]) -> None:
        view.observe(t_ns, effects)
        lost.extend(t_ns for e in effects if isinstance(e, Judged) and e.verdict is Verdict.TOO_LATE)

    party = hold_party(asked, PICTURE_SEED, observers=[watch])
    while len(lost) < 4 or not any(frame_lamps(party.world.leds.frame)):
        party.table.loop.step()
    party.table.loop.run(party.world.now_ns + 100_000_000)
    console = Console(record=True, width=PICTURE_COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(view.render(party))
    # A picture that loads nothing from elsewhere: the reader's own fixed-width font will do.
    usual = inspect.signature(Console.export_svg).parameters["code_format"].default
    template = re.sub(r"@font-face \{\{.*?\}\}", "", usual, flags=re.DOTALL)
    template = template.replace("Fira Code, monospace", "DejaVu Sans Mono, Menlo, Consolas, monospace")
    svg = console.export_svg(title="ligretto-table demo", code_format=template, unique_id="demo")
    (DOCS / "demo.svg").write_text(svg, encoding="utf-8")


def frame_lamps(frame: bytes) -> bytes:
    """The lamps of the places."""
    return frame[:24]


if __name__ == "__main__":
    draw_session()
    draw_demo()
