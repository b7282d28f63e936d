"""What hands do while answers are timed gets the answers that it should.

Here it is done in virtual time, in which no other work of the machine can hold up a hand or the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from firmware_host.lab.benchmark.answers import SETTINGS, HandLog, drill_for
from firmware_host.lab.bots.person import Actions
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.party import Misbehaviour, even_deal
from firmware_host.lab.simulated_table import Behaviour, Simulated, simulated_table
from firmware_host.model.effects import Judged, Verdict
from firmware_host.model.events import StartMatch
from firmware_host.model.states import Phase
from firmware_host.model.times import S, exactly
from firmware_host.profile.profile import Profile
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile, table_of


def drilled(profile: Profile, for_ns: int = 6 * S) -> tuple[HandLog, Counter[Verdict]]:
    """What hands did in a round of that length, and all verdicts on it."""
    log, verdicts = HandLog(), Counter[Verdict]()

    def observe(step: Step) -> None:
        verdicts.update(effect.verdict for effect in step.effects if isinstance(effect, Judged))

    table = simulated_table(
        profile,
        table=table_of(profile),
        settings=SETTINGS,
        draws=Random(0),
        chance=Random(0),
        behaviour=Behaviour(Misbehaviour(bounce=frozenset(profile.lines.values())).habits),
        onlookers=[observe],
    )
    world = SimulatedTable(table)
    drill = drill_for(profile, world, log, Random(0))
    table.shell.command(StartMatch(even_deal(profile, profile.seats), exactly(table.loop.now_ns)))
    while table.shell.referee.session.phase is not Phase.PLAY:
        table.loop.step()
    let(table, drill.prepare())
    let(table, drill.play(for_ns))
    table.close()
    return log, verdicts


def let(table: Simulated, all_actions: Iterable[Actions]) -> None:
    """Hands do these things at the same time, and the table sees it."""
    under_way: list[Actions] = []

    def go_on(actions: Actions) -> None:
        delay_ns = next(actions, None)
        if delay_ns is None:
            under_way.remove(actions)
        else:
            table.agenda.after(delay_ns, lambda: go_on(actions))

    for actions in all_actions:
        under_way.append(actions)
        go_on(actions)
    while under_way:
        table.loop.step()


@pytest.mark.parametrize("name", ["dice4", "dice4-rfid", "cards4", "cards12"])
def test_each_slap_for_something_is_accepted_and_each_for_nothing_is_a_false_claim(name: str) -> None:
    profile = load_profile(name)
    log, verdicts = drilled(profile)
    presses = sum(map(len, log.presses.values()))
    for_nothing = profile.seats
    assert verdicts == {Verdict.ACCEPTED: presses - for_nothing, Verdict.FALSE_CLAIM: for_nothing}
    assert presses > 2 * for_nothing


@pytest.mark.parametrize(
    "profile",
    [load_profile("cards2-piles"), replace(load_profile("dice4-rfid"), ownership="tag")],
    ids=["cards", "dice"],
)
def test_where_tags_tell_whose_it_is_all_that_is_laid_is_accepted(profile: Profile) -> None:
    log, verdicts = drilled(profile)
    assert not log.presses
    assert verdicts == {Verdict.ACCEPTED: len(log.laid)}
    assert len(log.laid) > 2
