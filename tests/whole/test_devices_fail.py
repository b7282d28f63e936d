"""Whole matches on simulated chips while a device fails: the match gets to its end, and all is well again."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

import pytest

import wiring
from firmware_host.config.reading import parse_profile
from firmware_host.durations import MS, S
from firmware_host.effects import (
    DeviceReported,
    EdgesLost,
    Effect,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    SourceMasked,
    SourceUnmasked,
)
from firmware_host.runtime.assembly import ChipTable, load_profile
from firmware_host.simulation.mishaps import KINDS, Mishap, plan
from firmware_host.simulation.party import Invitation, Party, even_deal, hold_party
from tests.whole.recording import ALL_BOUNCE

PROFILE = load_profile("dice4")
READERS = "".join(
    f'\n[readers.pad-{seat}]\nseat = {seat}\nport = "/dev/ttyUSB{seat}"\ngroup = 1\n' for seat in (1, 2)
)
WITH_READERS = parse_profile(wiring.profile_file("dice4").read_text(encoding="utf-8") + READERS, "table.toml")
START_NS = 16 * S  # in the middle of the first round
LENGTH_NS = 6 * S
SEED = 5
ROUNDS = 2
LONGEST_NS = 1200 * S
MOST_TRANSFERS_A_SECOND = 400
"""Two banks looked at ten times a second, lamps, and a hundred interrupts."""


UNKNOWABLE = {
    ("silence", "scoreboard"),
    ("garbage", "scoreboard"),
    ("slow", "scoreboard"),
    ("reset", "rows"),
}
"""A sign never answers, and an LED chip is never asked: nobody can know, and they are painted anew."""


@dataclass(slots=True)
class Told:
    """What the table said, and when."""

    devices: list[DeviceReported] = field(default_factory=list)
    masked: list[SourceMasked] = field(default_factory=list)
    unmasked: list[SourceUnmasked] = field(default_factory=list)
    phases: list[PhaseEntered] = field(default_factory=list)
    scores: list[RoundScored] = field(default_factory=list)
    ended: list[MatchEnded] = field(default_factory=list)
    gaps: int = 0

    def observe(self, t_ns: int, effects: list[Effect]) -> None:
        self.devices += [effect for effect in effects if isinstance(effect, DeviceReported)]
        self.masked += [effect for effect in effects if isinstance(effect, SourceMasked)]
        self.unmasked += [effect for effect in effects if isinstance(effect, SourceUnmasked)]
        self.phases += [effect for effect in effects if isinstance(effect, PhaseEntered)]
        self.scores += [effect for effect in effects if isinstance(effect, RoundScored)]
        self.gaps += sum(isinstance(effect, EdgesLost) for effect in effects)
        self.ended += [effect for effect in effects if isinstance(effect, MatchEnded)]

    def of(self, device: str) -> list[str]:
        """The conditions of a device, one after the other."""
        conditions = [report.condition for report in self.devices if report.device == device]
        return [condition for condition, _ in groupby(conditions)]


def play(*mishaps: Mishap, seed: int = SEED) -> tuple[Told, Party, ChipTable]:
    """A match in which that happens; it stays open."""
    told = Told()
    reader = any(mishap.target.startswith("pad-") for mishap in mishaps)
    profile = WITH_READERS if reader else PROFILE
    asked = Invitation(profile=profile, deal=even_deal(profile, 4), rounds=ROUNDS, misbehaviour=ALL_BOUNCE)
    party = hold_party(asked, seed, observers=[told.observe], chips=True)
    table = party.table
    assert isinstance(table, ChipTable)
    plan(list(mishaps), table)
    while not told.ended:
        assert table.loop.step() < LONGEST_NS, "the match does not end"
    return told, party, table


def all_mishaps() -> list[Mishap]:
    asked = Invitation(profile=WITH_READERS, deal=even_deal(PROFILE, 4))
    table = hold_party(asked, SEED, chips=True).table
    assert isinstance(table, ChipTable)
    # The readers stand beside each other; one of them is enough.
    few = {"storm": ("seat 2", "red 3"), "stuck": ("seat 3",), "lost-presses": ("seat 1",)}
    return [
        Mishap(kind, target, START_NS, 40 * S if kind == "stuck" else LENGTH_NS)
        for kind, row in KINDS.items()
        for target in few.get(kind) or row.targets(table)
        if target != "pad-2"
    ]


@pytest.mark.parametrize("mishap", all_mishaps(), ids=str)
def test_the_match_comes_to_its_end_and_the_table_recovers_by_itself(mishap: Mishap) -> None:
    told, party, table = play(mishap)
    assert len(told.scores) == ROUNDS
    for scored in told.scores:
        assert sum(scored.scores) == 0
    assert table.agenda.now_ns > mishap.start_ns + mishap.length_ns
    names = {report.device for report in told.devices} | {str(mask.source) for mask in told.masked}
    if mishap.kind == "lost-presses":
        assert told.gaps > 0 and names == set()
    elif (mishap.kind, mishap.target) in UNKNOWABLE:
        assert names == set()
    else:
        assert mishap.target in names or (mishap.target == "i2c" and {"left", "right", "rows"} <= names)
    table.loop.run(table.agenda.now_ns + 40 * S)  # devices that are tried again now and then
    troubles = table.pipeline.session.troubles.all
    assert troubles == ()
    last = {report.device: report.condition for report in told.devices}
    assert set(last.values()) <= {"ok"}, last
    assert {mask.source for mask in told.masked} == {unmask.source for unmask in told.unmasked}
    seconds = table.agenda.now_ns / S
    assert table.site.bus.transfers < MOST_TRANSFERS_A_SECOND * seconds
    party.close()
    assert not any(table.leds.frame)
    assert not any(table.display.lines)


def test_without_a_fault_nothing_is_told_of_devices() -> None:
    told, party, _ = play()
    assert told.devices == [] and told.masked == []
    party.close()


def test_a_row_of_lost_sensors_pauses_the_round_until_they_are_back() -> None:
    told, party, _ = play(Mishap("unplug", "left", START_NS, LENGTH_NS))
    assert told.of("left")[:1] == ["lost"]
    lost_ns = told.devices[0].t_ns
    assert lost_ns - START_NS < 500 * MS
    names = [phase.phase for phase in told.phases if phase.t_ns >= lost_ns]
    assert names[:3] == ["PAUSED", "COUNTDOWN", "PLAY"]
    party.close()


@pytest.mark.parametrize("target", ["rows", "scoreboard"])
def test_lost_lamps_and_signs_do_not_stop_a_round(target: str) -> None:
    told, party, _ = play(Mishap("unplug", target, START_NS, LENGTH_NS))
    assert told.of(target) == ["lost", "ok"] or told.of(target) == ["lost", "degraded", "ok"]
    assert "PAUSED" not in [phase.phase for phase in told.phases]
    party.close()


def test_while_a_bank_is_lost_the_scoreboard_says_what_to_look_at() -> None:
    told = Told()
    asked = Invitation(profile=PROFILE, deal=even_deal(PROFILE, 4), rounds=1)
    party = hold_party(asked, SEED, observers=[told.observe], chips=True)
    table = party.table
    assert isinstance(table, ChipTable)
    plan([Mishap("unplug", "right", START_NS, LENGTH_NS)], table)
    table.loop.run(START_NS + 2 * S)
    assert table.display.lines == ("Check: right", "Hold to go on")
    party.close()
