"""Two hands that slap at the same microsecond: really so, in a clean contest, and settled by the rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.operator import REST_NS, RivalHand
from firmware_host.lab.party import Invitation, Party, even_deal, hold_party
from firmware_host.model.effects import Corrected, Effect, Judged, MatchEnded, TieBroken, Verdict
from firmware_host.model.events import Input, SourceEdge
from firmware_host.model.places import Button
from firmware_host.model.settings import LANGUAGES
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile


def race(seed: int, onlooker: Callable[[Step], None], **more: Any) -> Party:
    """Four people at a table of dice, and a hand that slaps when one of them does."""
    profile = load_profile("dice4")
    party = hold_party(
        Invitation(profile=profile, deal=even_deal(profile, 4), **more), seed, onlookers=[onlooker]
    )
    assert isinstance(party.things, Dice)
    RivalHand(party.world, party.crowd, party.things, PageReader(LANGUAGES, str))
    return party


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_rival_slaps_in_the_same_moment_and_the_table_calls_it_a_dead_heat(seed: int) -> None:
    ties: list[TieBroken] = []
    judged: list[Judged] = []
    presses: list[SourceEdge] = []

    def look_on(step: Step) -> None:
        ties.extend(effect for effect in step.effects if isinstance(effect, TieBroken))
        judged.extend(effect for effect in step.effects if isinstance(effect, Judged))

    def listen(seen: Input, now_ns: int) -> None:
        if isinstance(seen, SourceEdge) and seen.active and isinstance(seen.source, Button):
            presses.append(seen)

    party = race(seed, look_on)
    party.table.shell.on_input = listen
    while not ties:
        assert party.table.loop.step(300 * S) < 300 * S
    party.close()
    tie = ties[0]
    assert len(tie.seats) == 2
    by_seat = {each.seat: each for each in judged if each.what == tie.what}
    assert by_seat[tie.winner].verdict is Verdict.DEAD_HEAT_WON
    (loser,) = set(tie.seats) - {tie.winner}
    assert by_seat[loser].verdict is Verdict.DEAD_HEAT_LOST
    moments = {by_seat[seat].stamp for seat in tie.seats}
    assert len({stamp.middle_ns // 1000 for stamp in moments}) == 1, "not the same microsecond"
    for seat in tie.seats:
        mine = [each.stamp.middle_ns for each in presses if each.source == Button(seat)]
        at = by_seat[seat].stamp.middle_ns
        before = [t_ns for t_ns in mine if at - REST_NS < t_ns < at - 20 * MS]
        assert not before, "whoever has just slapped for something else is no clean rival"


def _collect(effects: list[Effect], step: Step) -> None:
    effects.extend(step.effects)


def test_the_counts_at_the_end_of_a_round_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever got the die has put it down, so nobody has to correct a count for that."""
    disputes = {True: 0, False: 0}
    for swaps in disputes:
        if not swaps:
            monkeypatch.setattr(RivalHand, "_swap", lambda *_: None)
        for seed in range(4):
            effects: list[Effect] = []
            party = race(seed, partial(_collect, effects), rounds=2)
            while not any(isinstance(effect, MatchEnded) for effect in effects):
                assert party.table.loop.step(3600 * S) < 3600 * S
            party.close()
            assert any(isinstance(effect, TieBroken) for effect in effects)
            disputes[swaps] += sum(isinstance(effect, Corrected) for effect in effects)
    assert disputes[True] < disputes[False] / 2


def test_nobody_slaps_for_a_visitor() -> None:
    """A visitor who only looks on has rested longest, and keeps the button all the same."""
    effects: list[Effect] = []
    pressed: list[int] = []

    def listen(seen: Input, now_ns: int) -> None:
        if isinstance(seen, SourceEdge) and seen.active and isinstance(seen.source, Button):
            pressed.append(seen.source.seat)

    party = race(1, partial(_collect, effects))

    def play() -> bool:
        return party.table.shell.referee.session.phase is Phase.PLAY

    while not play():
        party.table.loop.step()
    party.crowd.make_room(2)
    party.table.shell.on_input = listen
    while play():
        party.table.loop.step()
    party.close()
    assert any(isinstance(effect, TieBroken) for effect in effects)
    assert 2 not in pressed
