"""The same contacts on bare lines and on simulated chips: a longer way, and the same verdicts."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from firmware_host.games.games import Table
from firmware_host.lab.chips_table import chip_table
from firmware_host.lab.party import Invitation, Misbehaviour, even_deal, hold_party
from firmware_host.model.effects import (
    Corrected,
    Effect,
    Judged,
    MatchEnded,
    RoundFinished,
    RoundScored,
    SlotChanged,
    TieBroken,
)
from firmware_host.model.settings import Settings
from firmware_host.model.times import S
from firmware_host.run.equipment import Report
from firmware_host.run.table_files import load_profile
from hw.ports import Edge
from tests.whole.recording import Story

PROFILE = load_profile("dice4")
ALL_BOUNCE = Misbehaviour(bounce=frozenset(PROFILE.lines.values()))
ROUNDS = 2


def played(seed: int) -> tuple[list[Edge], Story, int]:
    """A match on bare lines: what the contacts did, what the table said, and when it was over."""
    edges: list[Edge] = []
    story = Story()

    def remember(now_ns: int, report: Report) -> None:
        assert isinstance(report, Edge)
        edges.append(report)

    asked = Invitation(profile=PROFILE, deal=even_deal(PROFILE, 4), rounds=ROUNDS, misbehaviour=ALL_BOUNCE)
    party = hold_party(asked, seed, onlookers=[story.observe])
    party.table.loop.witnesses.append(remember)
    while not story.has_ended:
        party.table.loop.step()
    until_ns = party.table.agenda.now_ns
    party.close()
    return edges, story, until_ns


def decisions(story: Story) -> list[Effect]:
    """All that was decided about dice and slaps, without the moments: a burst of edges ends a little later
    where a chip has missed some of them."""
    told: list[Effect] = []
    for _, effect in story.effects:
        if isinstance(effect, Judged):
            told.append(replace(effect, decided_ns=0))
        elif isinstance(effect, SlotChanged):
            told.append(replace(effect, t_ns=0))
        elif isinstance(effect, TieBroken | RoundFinished | Corrected | RoundScored | MatchEnded):
            told.append(effect)
    return told


@pytest.mark.parametrize("seed", range(3))
def test_chips_change_no_verdict(seed: int) -> None:
    edges, story, until_ns = played(seed)
    heard = Story()
    table = chip_table(
        PROFILE,
        table=Table(seats=4, rounds=ROUNDS, deal=even_deal(PROFILE, 4)),
        settings=Settings(),
        draws=Random(seed),
        chance=Random(0),
        onlookers=[heard.observe],
    )
    for edge in edges:
        end = table.site.end(edge.line)
        table.agenda.at(edge.t_ns, end.drive_high if edge.high else end.drive_low)
    table.loop.run(until_ns)
    table.close()
    assert decisions(heard) == decisions(story)
    assert len(heard.of_kind(Judged)) > 20 and until_ns > 20 * S
