"""Whole matches on simulated chips while a device fails: the match gets to its end, and all is well again."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import pytest

import wiring
from firmware_host.lab.bots.belongings import Decks
from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.faults import CHIP_FAULTS, PlannedFault, plan
from firmware_host.lab.party import Invitation, Misbehaviour, Party, even_deal, hold_party
from firmware_host.model.effects import (
    DeviceReported,
    EdgesLost,
    Judged,
    LateSignal,
    PhaseEntered,
    RoundScored,
    SourceMasked,
    SourceUnmasked,
    Verdict,
)
from firmware_host.model.places import Call
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.model.times import MS, S
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.run.table_files import load_profile
from tests.thoroughness import one_of_each, some
from tests.whole.recording import Story

PROFILE = load_profile("dice4")
READERS = "".join(
    f'\n[readers.pad-{seat}]\nseat = {seat}\nport = "/dev/ttyUSB{seat}"\ngroup = 1\n' for seat in (1, 2, 3, 4)
)
WITH_READERS = parse_profile(wiring.profile_file("dice4").read_text(encoding="utf-8") + READERS, "table.toml")
CARDS = load_profile("cards4")
FIVE_EACH = (5,) * 4
"""Short Ligretto piles make short rounds."""
ALL_CARDS = 160
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


def conditions(story: Story, device: str) -> list[Condition]:
    """The conditions of a device, one after the other."""
    reports = (report.device for report in story.of_kind(DeviceReported))
    return [condition for condition, _ in groupby(each.condition for each in reports if each.name == device)]


def losses(story: Story) -> list[DeviceCondition]:
    """What was said whenever a device was lost."""
    reports = (report.device for report in story.of_kind(DeviceReported))
    return [device for device in reports if device.condition is Condition.LOST]


def play(*faults: PlannedFault) -> tuple[Story, Party, ChipTable]:
    """A match of dice in which that happens; it stays open."""
    reader = any(fault.target.startswith("pad-") for fault in faults)
    profile = WITH_READERS if reader else PROFILE
    bouncing = Misbehaviour(bounce=frozenset(profile.lines.values()))
    asked = Invitation(profile=profile, deal=even_deal(profile, 4), rounds=ROUNDS, misbehaviour=bouncing)
    return finish(*begin(asked, *faults))


def play_cards(*faults: PlannedFault, deal: tuple[int, ...] = FIVE_EACH) -> tuple[Story, Party, ChipTable]:
    """A short match of cards in which that happens; it stays open."""
    return finish(*begin(Invitation(profile=CARDS, deal=deal, rounds=1), *faults))


def begin(asked: Invitation, *faults: PlannedFault) -> tuple[Story, Party, ChipTable]:
    """A match that is about to begin, and in which that will happen."""
    story = Story()
    party = hold_party(asked, SEED, onlookers=[story.observe], chips=True)
    assert isinstance(party.table, ChipTable)
    plan(list(faults), party.table)
    return story, party, party.table


def finish(story: Story, party: Party, table: ChipTable) -> tuple[Story, Party, ChipTable]:
    """The same match when it is over."""
    while not story.has_ended:
        assert table.loop.step() < LONGEST_NS, "the match does not end"
    return story, party, table


def all_faults() -> list[PlannedFault]:
    asked = Invitation(profile=WITH_READERS, deal=even_deal(PROFILE, 4))
    _, _, table = begin(asked)
    # The readers stand beside each other; one of them is enough.
    few = {"storm": ("seat 2", "red 3"), "stuck": ("seat 3",), "lost-presses": ("seat 1",)}
    return [
        PlannedFault(kind, target, START_NS, 40 * S if kind == "stuck" else LENGTH_NS)
        for kind, row in CHIP_FAULTS.items()
        for target in few.get(kind) or row.targets(table)
        if target not in ("pad-2", "pad-3", "pad-4")
    ]


def check_all_well(told: Story, table: ChipTable) -> None:
    assert table.shell.referee.session.troubles.all == ()
    last = {report.device.name: report.device.condition for report in told.of_kind(DeviceReported)}
    assert set(last.values()) <= {"ok"}, last


def check_closes(party: Party, table: ChipTable) -> None:
    """Check that lamps and scoreboard are dark afterwards."""
    party.close()
    assert not any(table.leds.frame)
    assert not any(table.display.lines)


def kind_of(fault: PlannedFault) -> str:
    return fault.kind


@pytest.mark.parametrize("fault", one_of_each(kind_of, all_faults()), ids=str)
def test_the_match_comes_to_its_end_and_the_table_recovers_by_itself(fault: PlannedFault) -> None:
    told, party, table = play(fault)
    assert len(told.of_kind(RoundScored)) == ROUNDS
    for scored in told.of_kind(RoundScored):
        assert sum(scored.scores) == 0
    assert table.agenda.now_ns > fault.start_ns + fault.length_ns
    masked = {mask.source for mask in told.of_kind(SourceMasked)}
    names = {report.device.name for report in told.of_kind(DeviceReported)} | set(map(str, masked))
    if fault.kind == "lost-presses":
        assert told.of_kind(EdgesLost) and names == set()
    elif (fault.kind, fault.target) in UNKNOWABLE:
        assert names == set()
    else:
        assert fault.target in names or (fault.target == "i2c" and {"left", "right", "rows"} <= names)
    table.loop.run(table.agenda.now_ns + 40 * S)  # devices that are tried again now and then
    check_all_well(told, table)
    assert {unmask.source for unmask in told.of_kind(SourceUnmasked)} == masked
    seconds = table.agenda.now_ns / S
    assert table.site.bus.transfers < MOST_TRANSFERS_A_SECOND * seconds
    check_closes(party, table)


def test_without_a_fault_nothing_is_told_of_devices() -> None:
    told, party, _ = play()
    assert told.of_kind(DeviceReported) == [] and told.of_kind(SourceMasked) == []
    party.close()


def test_a_row_of_lost_sensors_pauses_the_round_until_they_are_back() -> None:
    told, party, _ = play(PlannedFault("unplug", "left", START_NS, LENGTH_NS))
    assert conditions(told, "left")[:1] == ["lost"]
    lost_ns = told.of_kind(DeviceReported)[0].t_ns
    assert lost_ns - START_NS < 500 * MS
    names = [phase.phase for phase in told.of_kind(PhaseEntered) if phase.t_ns >= lost_ns]
    assert names[:3] == [Phase.PAUSED, Phase.COUNTDOWN, Phase.PLAY]
    party.close()


@pytest.mark.parametrize("target", ["rows", "scoreboard"])
def test_lost_lamps_and_signs_do_not_stop_a_round(target: str) -> None:
    told, party, _ = play(PlannedFault("unplug", target, START_NS, LENGTH_NS))
    assert conditions(told, target) in (["lost", "ok"], ["lost", "degraded", "ok"])
    assert Phase.PAUSED not in [phase.phase for phase in told.of_kind(PhaseEntered)]
    party.close()


def test_while_a_bank_is_lost_the_scoreboard_says_what_to_look_at() -> None:
    asked = Invitation(profile=PROFILE, deal=even_deal(PROFILE, 4), rounds=1)
    _, party, table = begin(asked, PlannedFault("unplug", "right", START_NS, LENGTH_NS))
    table.loop.run(START_NS + 2 * S)
    assert table.display.lines == ("Check: right", "Hold to go on")
    party.close()


# -- tables of cards


def card_fault(kind: str, target: str) -> PlannedFault:
    """Something that happens in the middle of a short round of cards."""
    return PlannedFault(kind, target, 10 * S, 5 * S)


PAUSING = [
    card_fault("unplug", "pad-1"),
    card_fault("silence", "pad-2"),
    card_fault("garbage", "pad-3"),
    card_fault("slow", "pad-4"),
    card_fault("storm", str(Call(2))),
]
"""A seat without its pad or its call button can't play, so nobody does."""
HARMLESS = [
    card_fault("unplug", "piles-1"),
    card_fault("silence", "piles-2"),
    card_fault("hang", "i2c"),
    card_fault("unplug", "scoreboard"),
]
"""Lamps and the sign tell of the round; it is played with other things."""


def check_cards(told: Story, party: Party, table: ChipTable, cards: int = ALL_CARDS) -> None:
    """No card has gone, the table knows where each one lies, and all devices are ok again."""
    things = party.things
    assert isinstance(things, Decks) and things.count() == cards
    (scored,) = told.of_kind(RoundScored)
    in_centre = Counter(card.seat for pile in things.centre.piles for card in pile)
    for seat in scored.seats:
        left = len(things.areas[seat].ligretto)
        assert scored.leftovers[seat - 1] == left
        assert scored.scores[seat - 1] == in_centre[seat] - 2 * left
    assert told.of_kind(LateSignal) == []
    table.loop.run(table.agenda.now_ns + 10 * S)
    check_all_well(told, table)
    check_closes(party, table)


@pytest.mark.parametrize("fault", some(3, PAUSING), ids=str)
def test_a_round_of_cards_stands_still_until_what_a_seat_needs_is_back(fault: PlannedFault) -> None:
    told, party, table = play_cards(fault)
    phases = told.of_kind(PhaseEntered)
    names = [phase.phase for phase in phases]
    assert names.count(Phase.PAUSED) == 1
    paused = phases[names.index(Phase.PAUSED)]
    assert 0 <= paused.t_ns - fault.start_ns < 1500 * MS
    assert names[names.index(Phase.PAUSED) :][:3] == [Phase.PAUSED, Phase.COUNTDOWN, Phase.PLAY]
    end_ns = fault.start_ns + fault.length_ns
    back = phases[names.index(Phase.PAUSED) + 1]
    assert end_ns - 500 * MS < back.t_ns < end_ns + 8 * S
    for judged in told.of_kind(Judged):
        if paused.t_ns + 1 * S < judged.stamp.earliest_ns < back.t_ns:
            assert judged.verdict is Verdict.NOT_RUNNING
    check_cards(told, party, table)


@pytest.mark.parametrize("fault", some(2, HARMLESS), ids=str)
def test_a_round_of_cards_goes_on_without_lamps_or_sign(fault: PlannedFault) -> None:
    told, party, table = play_cards(fault)
    assert {lost.name for lost in losses(told)} == (
        {"piles-1", "piles-2"} if fault.target == "i2c" else {fault.target}
    )
    assert not any(report.needed for report in told.of_kind(DeviceReported))
    assert Phase.PAUSED not in [phase.phase for phase in told.of_kind(PhaseEntered)]
    assert not any(judged.doubtful for judged in told.of_kind(Judged))
    check_cards(told, party, table)


def test_the_pad_of_a_seat_that_does_not_play_is_not_waited_for() -> None:
    told, party, table = play_cards(card_fault("unplug", "pad-4"), deal=(5, 5, 5, 0))
    assert conditions(told, "pad-4") == ["lost", "ok"]
    assert Phase.PAUSED not in [phase.phase for phase in told.of_kind(PhaseEntered)]
    check_cards(told, party, table, cards=ALL_CARDS * 3 // 4)


def test_while_a_pad_is_silent_the_scoreboard_says_what_to_look_at() -> None:
    asked = Invitation(profile=CARDS, deal=FIVE_EACH, rounds=1)
    told, party, table = begin(asked, card_fault("silence", "pad-2"))
    table.loop.run(12 * S)
    assert table.display.lines == ("Check: pad-2", "Hold to go on")
    (lost,) = losses(told)
    assert lost.name == "pad-2" and lost.seen.startswith("does not answer")
    assert "check its power, its two data lines" in lost.advice
    party.close()


def test_without_a_fault_nothing_is_told_of_the_devices_of_a_table_of_cards() -> None:
    told, party, table = play_cards()
    assert told.of_kind(DeviceReported) == [] and told.of_kind(SourceMasked) == []
    check_cards(told, party, table)
