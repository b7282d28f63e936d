"""The transition table: what leads where, and that nothing else leads anywhere."""

from __future__ import annotations

import re

import pytest

from firmware_host.errors import IllegalEvent
from firmware_host.table.phases import TRANSITIONS, Phase, Turn, draw, follow

NO_WAYS = [(phase, turn) for phase in Phase for turn in Turn if turn not in TRANSITIONS[phase]]


def reachable(start: Phase) -> set[Phase]:
    """Every phase that some turns lead to from there."""
    found: set[Phase] = set()
    edge = {start}
    while edge:
        found |= edge
        edge = {target for phase in edge for target in TRANSITIONS[phase].values()} - found
    return found


@pytest.mark.parametrize(("phase", "turn"), NO_WAYS, ids=lambda value: value.name)
def test_what_is_not_in_the_table_is_refused_by_name(phase: Phase, turn: Turn) -> None:
    with pytest.raises(IllegalEvent) as refused:
        follow(phase, turn)
    assert (refused.value.event, refused.value.state) == (turn.name, phase.name)
    assert str(refused.value) == f"{turn.name} is not possible in {phase.name}"


def test_a_match_goes_through_all_phases() -> None:
    phase = Phase.ATTRACT
    way = [phase]
    for turn in (
        Turn.SEATED,
        Turn.CALLED,
        Turn.COUNTED,
        Turn.STOPPED,
        Turn.RESUMED,
        Turn.FINISHED,
        Turn.SETTLED,
        Turn.SHOWN,
        Turn.READY,
        Turn.COUNTED,
        Turn.FINISHED,
        Turn.SETTLED,
        Turn.SHOWN,
        Turn.OVER,
        Turn.SHOWN,
    ):
        phase = follow(phase, turn)
        way.append(phase)
    assert " ".join(phase.name for phase in way) == (
        "ATTRACT JOIN COUNTDOWN PLAY PAUSED PLAY SETTLE SCORES CLEAR "
        "COUNTDOWN PLAY SETTLE SCORES CLEAR RESULT ATTRACT"
    )


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_can_be_left_and_comes_back_to_attract(phase: Phase) -> None:
    assert set(TRANSITIONS[phase].values()) - {phase}
    assert Phase.ATTRACT in reachable(phase)


def test_every_phase_can_be_reached() -> None:
    assert reachable(Phase.ATTRACT) == set(Phase)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.ATTRACT])
def test_a_match_can_be_given_up_in_every_phase(phase: Phase) -> None:
    assert follow(phase, Turn.ABANDONED) is Phase.ATTRACT


def test_every_turn_leads_somewhere() -> None:
    assert {turn for turns in TRANSITIONS.values() for turn in turns} == set(Turn)


def test_the_drawing_has_an_arrow_for_every_way_and_no_other() -> None:
    first, start, *lines = draw().splitlines()
    assert (first, start) == ("stateDiagram-v2", "    [*] --> ATTRACT")
    drawn = set()
    for line in lines:
        arrow = re.fullmatch(r"    (\w+) --> (\w+): (.+)", line)
        assert arrow is not None, line
        drawn |= {(arrow[1], cause, arrow[2]) for cause in arrow[3].split("<br/>")}
    assert drawn == {
        (phase.name, turn.value, target.name)
        for phase, turns in TRANSITIONS.items()
        for turn, target in turns.items()
    }


def test_two_causes_of_one_way_share_an_arrow() -> None:
    assert draw().count("JOIN --> ATTRACT") == 1
