"""Whole matches on simulated chips: what is heard of them, when, and that nothing hangs on it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.party import Invitation, Party, hold_party
from firmware_host.model.effects import WINNING, Judged, MatchEnded, PhaseEntered, RoundStarted
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.referee import Step
from firmware_host.run.equipment import STALE_NS
from firmware_host.run.table_files import load_profile
from firmware_host.show.sounds import MOST_AT_ONCE, Sound
from hw.sim.outputs import PlayedClip, SimSpeaker


class Match:
    """A match to its end, its steps, and what was heard."""

    def __init__(self, game: str = "dice4", seed: int = 3, sound: bool = True) -> None:
        profile = load_profile(game)
        deal = (3, 3, 0, 0) if profile.game == "dice" else (4, 4, 0, 0)
        self.steps: list[Step] = []
        asked = Invitation(profile=profile, deal=deal, rounds=1)
        self.party: Party = hold_party(asked, seed, onlookers=[self.steps.append], chips=True)
        table = self.party.table
        assert isinstance(table, ChipTable) and table.shell.soundboard is not None
        speaker = table.shell.soundboard.speaker
        assert isinstance(speaker, SimSpeaker)
        if not sound:
            table.shell.soundboard = None
        while not any(isinstance(effect, MatchEnded) for effect in self.effects):
            table.loop.step(self.party.world.now_ns + 1 * S)
        self.heard: list[PlayedClip] = list(speaker.history)
        self.party.close()

    @property
    def effects(self) -> list[object]:
        return [effect for step in self.steps[-200:] for effect in step.effects]

    def all(self, kind: type) -> list[tuple[int, object]]:
        """All effects of a kind, with the time of each."""
        return [(step.t_ns, each) for step in self.steps for each in step.effects if isinstance(each, kind)]

    def times(self, name: str) -> list[int]:
        """When a clip was played."""
        return [played.t_ns for played in self.heard if played.clip.name == name]


@pytest.fixture(scope="module", params=["dice4", "cards4"])
def match(request: pytest.FixtureRequest) -> Match:
    return Match(request.param)


def test_three_pips_lead_to_each_start(match: Match) -> None:
    starts = match.times("start")
    assert starts == [t_ns for t_ns, _ in match.all(RoundStarted)]
    for start_ns in starts:
        pips = [t_ns for t_ns in match.times("countdown") if start_ns - 3 * S <= t_ns < start_ns]
        assert [later - sooner for sooner, later in pairwise([*pips, start_ns])] == [1 * S] * 3


def test_what_counts_is_heard_at_once_with_the_pitch_of_its_seat(match: Match) -> None:
    wins = [(t_ns, each) for t_ns, each in match.all(Judged) if isinstance(each, Judged)]
    wins = [(t_ns, each) for t_ns, each in wins if each.verdict in WINNING]
    assert wins
    for t_ns, won in wins:
        assert t_ns in match.times(f"counted {won.seat}")


def test_the_end_of_round_and_match_is_heard(match: Match) -> None:
    assert match.times("stop")
    assert match.times("match-won") == [t_ns for t_ns, _ in match.all(MatchEnded)]
    settled = [t_ns for t_ns, each in match.all(PhaseEntered) if each == PhaseEntered(Phase.SCORES, t_ns)]
    assert match.times("round-scored") == settled


def test_nothing_else_is_heard_and_never_too_much_at_once(match: Match) -> None:
    at_once: dict[int, int] = {}
    for played in match.heard:
        assert played.clip.name.split()[0] in {sound.value for sound in Sound}
        at_once[played.t_ns] = at_once.get(played.t_ns, 0) + 1
    assert max(at_once.values()) <= MOST_AT_ONCE
    assert match.times("felt"), "a press is heard at once"


def test_a_table_without_a_speaker_plays_as_before() -> None:
    assert Match().steps == Match(sound=False).steps


def test_after_a_stall_nothing_is_made_up_for() -> None:
    profile = load_profile("dice4")
    party = hold_party(Invitation(profile=profile, deal=(3, 3, 0, 0), rounds=1), 3, chips=True)
    table = party.table
    assert isinstance(table, ChipTable)
    speaker = table.site.speaker
    table.loop.step(100 * MS)
    table.shell.advance(party.world.now_ns + 60 * S)
    latest_ns = table.shell.referee.advanced_ns
    assert all(latest_ns - STALE_NS <= played.t_ns for played in speaker.history)
    party.close()
