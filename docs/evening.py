"""Makes the store that docs/recall.md is about, and writes what the commands say of it into that page:
`make docs` does so, and draws the pictures in it.

Simulated people play two matches of dice, each from a fixed seed. In the first somebody is 0.3 ms too late;
in the second two hands are 160 us apart, which is a dead heat.

    .venv/bin/python docs/evening.py
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.lab.bots.skill import SKILLS, with_rates
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.lab.simulated_table import Simulated
from firmware_host.model.effects import Effect, MatchEnded
from firmware_host.model.times import S
from firmware_host.run.recorded_sessions import begin_session
from firmware_host.run.table_files import load_profile
from firmware_host.store.head import Head
from firmware_host.store.result_rows import Audits
from firmware_host.store.store_reader import reading
from firmware_host.store.writer import Writer

DOCS = Path(__file__).parent
PAGE = DOCS / "recall.md"
STORE = "table.db"
DAMAGED = "damaged.db"
DRAWINGS = {"recall.svg": "--round 4", "finish.svg": "--round 4 --around 12.659"}
EAGER = with_rates(SKILLS["regular"], reflex=0.5, early=0.05)
"""People who often slap for what others have placed."""
_BLOCK = re.compile(
    r"^(?:<!-- (?P<most>\d+) lines -->\n)?"
    r"(?P<indent> *)```\n *\$ ligretto-table (?P<said>.*)\n(?:.*\n)*? *```$",
    re.MULTILINE,
)
"""A command and what it prints; the comment says how much of that is shown."""


def play(store: str, id: int, day: str, seed: int) -> None:
    """A match is played, and written as the daemon writes it."""
    profile = load_profile("dice4")
    asked = Invitation(profile=profile, deal=even_deal(profile, 4), rounds=2, skills=(EAGER,))
    party = hold_party(asked, seed)
    loop, simulated = party.table.loop, party.table.shell

    def now_text() -> str:
        seconds = loop.now_ns // S
        return f"{day}T20:{seconds // 60:02d}:{seconds % 60:02d}"

    head = Head(
        version="0.1.0",
        begun=now_text(),
        event="Club evening",
        table=simulated.referee.session.table,
        settings=simulated.referee.session.settings,
        columns=20,
        seed=seed,
        t_ns=loop.now_ns,
        active=tuple(loop.active),
    )
    games = 0
    if Path(store).exists():
        with reading(store) as book:
            games = book.games
    playing = begin_session(id, head, Audits(now_text, games), now_text)
    assert isinstance(party.table, Simulated)
    playing.shell.connect(party.table.leds, party.table.equipment.scoreboard)
    writer = Writer(store, lambda health: None, now_text, each_commit_safe=False)
    playing.journal.begin(writer)
    party.table.shell = playing.shell
    loop.feed(playing.shell)
    ended: list[Effect] = []
    playing.shell.onlookers.append(
        lambda step: ended.extend(e for e in step.effects if isinstance(e, MatchEnded))
    )
    while not ended:
        loop.step()
    playing.journal.flush()
    writer.close()
    party.close()


def make_store(store: str) -> None:
    """Two evenings at the club, and a copy of the store with damage in it."""
    play(store, 1, "2026-11-17", 722)
    play(store, 2, "2026-11-18", 1757)
    shutil.copyfile(store, Path(store).with_name(DAMAGED))
    with closing(sqlite3.connect(Path(store).with_name(DAMAGED))) as connection:
        connection.execute("UPDATE rounds SET scores = replace(scores, ',', ';') WHERE n = 3")
        connection.commit()


def said(arguments: str) -> list[str]:
    """What a command prints."""
    result = CliRunner().invoke(main, shlex.split(arguments), prog_name="ligretto-table")
    return result.output.rstrip("\n").split("\n")


def written(page: str) -> str:
    """The page with what its commands print now."""

    def block(found: re.Match[str]) -> str:
        lines, most = said(found["said"]), int(found["most"] or 0)
        shown = [*lines[:most], "..."] if 0 < most < len(lines) else lines
        block = ["```", f"$ ligretto-table {found['said']}", *shown, "```"]
        comment = f"<!-- {most} lines -->\n" if most else ""
        return comment + "\n".join(f"{found['indent']}{line}".rstrip() for line in block)

    return _BLOCK.sub(block, page)


def draw(folder: Path) -> None:
    """Draw the pictures of the page into a folder."""
    for name, arguments in DRAWINGS.items():
        said(f"recall {arguments} --store {STORE} --svg {folder / name}")


def write_page() -> None:
    """Write the page and the drawings in it anew."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            make_store(STORE)
            page = written(PAGE.read_text(encoding="utf-8"))
            draw(DOCS)
        finally:
            os.chdir(here)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write_page()
