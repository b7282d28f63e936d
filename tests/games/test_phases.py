"""The transition table: what leads where, and that nothing else leads anywhere."""

from __future__ import annotations

import pytest

from firmware_host.games.phases import (
    CHECK_STEPS,
    COMMANDS,
    TRANSITIONS,
    CheckStep,
    CheckTransition,
    Transition,
    allow,
    next_phase,
)
from firmware_host.model.errors import IllegalEvent
from firmware_host.model.events import Command, EndMatch, Pause, Resume, SetLeftover, StartMatch, VoidRound
from firmware_host.model.states import Phase
from firmware_host.model.times import exactly
from tests.games.driver import reach

NOW = exactly(0)


def reachable(start: Phase) -> set[Phase]:
    """Every phase that some transitions lead to from there."""
    found: set[Phase] = set()
    edge = {start}
    while edge:
        found |= edge
        edge = {target for phase in edge for target in TRANSITIONS[phase].values()} - found
    return found


@pytest.mark.parametrize("phase", Phase)
def test_what_is_not_in_the_table_is_refused_by_name(phase: Phase) -> None:
    for transition in set(Transition) - set(TRANSITIONS[phase]):
        with pytest.raises(IllegalEvent) as refused:
            next_phase(phase, transition)
        assert (refused.value.event, refused.value.state) == (transition.name, phase.name)
        assert str(refused.value) == f"{transition.name} is not possible in {phase.name}"


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_can_be_reached_and_left_and_comes_back_to_attract(phase: Phase) -> None:
    assert phase in reachable(Phase.ATTRACT)
    assert set(TRANSITIONS[phase].values()) - {phase}
    assert Phase.ATTRACT in reachable(phase)
    if phase is not Phase.ATTRACT:
        assert next_phase(phase, Transition.ABANDONED) is Phase.ATTRACT


def test_every_transition_leads_somewhere() -> None:
    assert {each for transitions in TRANSITIONS.values() for each in transitions} == set(Transition)


# -- what an operator may say, and how the leftover check goes on

SAID: list[Command] = [
    StartMatch((6, 6), NOW),
    Pause(NOW),
    Resume(NOW),
    VoidRound(NOW),
    EndMatch(NOW),
    SetLeftover(1, 1, NOW),
]


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("command", SAID, ids=lambda command: type(command).__name__)
def test_a_command_is_allowed_where_the_table_says_so_and_refused_by_name_elsewhere(
    command: Command, phase: Phase
) -> None:
    if type(command) in COMMANDS[phase]:
        allow(phase, command)
        return
    with pytest.raises(IllegalEvent) as refused:
        allow(phase, command)
    assert str(refused.value) == f"{type(command).__name__} is not possible in {phase.name}"


@pytest.mark.parametrize("phase", Phase)
def test_what_a_command_leads_to_is_a_way_out_of_its_phase(phase: Phase) -> None:
    leads = {VoidRound: Transition.VOIDED, EndMatch: Transition.ABANDONED, Pause: Transition.STOPPED}
    ways = TRANSITIONS[phase]
    assert {kind for kind in COMMANDS[phase] if kind in leads} == {
        kind for kind, transition in leads.items() if transition in ways and phase is not Phase.ATTRACT
    }


def test_every_step_of_the_leftover_check_leads_back_to_the_counts() -> None:
    assert set(CHECK_STEPS) == set(CheckStep)
    assert {each for ways in CHECK_STEPS.values() for each in ways} == set(CheckTransition)
    for step, ways in CHECK_STEPS.items():
        assert CheckStep.CHECK in ways.values() or step is CheckStep.CHECK


def test_a_phase_that_is_given_what_it_has_no_use_for_changes_nothing() -> None:
    driver = reach(Phase.SCORES)
    driver.session.state.command(Pause(NOW), driver.now_ns)
    assert driver.phase() is Phase.SCORES and driver.session.out == []
