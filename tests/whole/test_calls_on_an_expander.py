"""Call buttons on the pins of an expander: a whole match on the simulated registers of its chip."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.lab.chips_table import ChipTable, chip_table
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.model.effects import RoundFinished
from firmware_host.model.events import StartMatch
from firmware_host.model.places import Button, Call
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, exactly
from firmware_host.run.table_files import table_of
from tests.profile.test_cards import profile_with_calls_on_an_expander
from tests.whole.recording import Story

PROFILE = profile_with_calls_on_an_expander()
START_NS = 4 * S


@pytest.fixture
def table() -> ChipTable:
    """A round of cards runs on a table whose call buttons are on an expander."""
    table = chip_table(
        PROFILE,
        table=table_of(PROFILE, expert=True),
        settings=Settings(),
        draws=Random(1),
        chance=Random(1),
    )
    table.shell.put(StartMatch((10, 10, 10, 10), exactly(1 * MS)), 1 * MS)
    table.loop.run(START_NS)
    assert table.shell.referee.session.phase is Phase.PLAY
    return table


def press(table: ChipTable, source: Button | Call, t_ns: int) -> None:
    contact = table.contacts[source]
    table.agenda.at(t_ns, lambda: contact.set(True))
    table.agenda.at(t_ns + 100 * MS, lambda: contact.set(False))


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_call_behind_an_expander_ends_the_round(table: ChipTable, seat: int) -> None:
    press(table, Call(seat), START_NS + 500 * MS)
    table.loop.run(START_NS + 700 * MS)
    session = table.shell.referee.session
    assert session.phase is Phase.SETTLE
    assert session.round is not None and session.round.end is not None
    assert session.round.end.seats == (seat,)
    table.close()


def test_a_call_counts_though_the_interrupt_of_its_expander_does_not_work(table: ChipTable) -> None:
    """The chip is looked at ten times a second anyway; a stop needs no exact moment."""
    table.site.interrupt_ends["calls"].hold(True)
    press(table, Call(2), START_NS + 500 * MS)
    table.loop.run(START_NS + 900 * MS)
    assert table.shell.referee.session.phase is Phase.SETTLE
    assert not table.shell.referee.news.unjudged
    table.close()


def test_people_play_a_match_on_such_a_table() -> None:
    story = Story()
    asked = Invitation(profile=PROFILE, deal=even_deal(PROFILE, 2), rounds=1)
    party = hold_party(asked, 4, onlookers=[story.observe], chips=True)
    while not story.has_ended:
        assert party.table.loop.step() < 1800 * S, "the match does not end"
    party.close()
    assert story.of_kind(RoundFinished)
