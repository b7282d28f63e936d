"""Walks on whole simulated tables: every part, down to the registers of its chip, comes and is ticked off."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.lab.simulated_table import Behaviour
from firmware_host.model.places import Button, Call, Card, Colour, Pad, Slot, Stranger
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import Profile
from firmware_host.workshop.doctor.checks import CheckedTable
from firmware_host.workshop.doctor.findings import Area, Finding, State
from firmware_host.workshop.doctor.system import System
from firmware_host.workshop.doctor.walking import walked
from hw.gpio.gpio_chips import LineBusy
from hw.sim.contacts import Habits
from hw.sim.pn532 import SimTag
from tests.workshop.doctor.finding import CARDS, DICE
from tests.workshop.doctor.tables import Bench, Eyes

LIMIT_NS = 60 * S
BOUNCY = Habits(bounces=3, bounce_ns=2 * MS)


def walk(bench: Bench, profile: Profile, name: str, eyes: Eyes, limit_ns: int = LIMIT_NS) -> list[Finding]:
    system = System(equipment=bench.equipment)
    checked = CheckedTable(profile=profile, registry=bench.table.site.registry)
    return walked(name, system, checked, eyes, step_ns=100 * MS, limit_ns=limit_ns)


def state_of(findings: list[Finding], subject: str) -> list[State]:
    return [finding.state for finding in findings if finding.subject == subject]


def test_all_buttons_of_a_card_table() -> None:
    bench, eyes = Bench(CARDS, Behaviour(habits=lambda source: BOUNCY)), Eyes()
    order = [Button(seat) for seat in range(1, 5)] + [Call(seat) for seat in range(1, 5)]
    bench.touch(*order)
    findings = walk(bench, CARDS, "buttons", eyes)
    assert [finding.subject for finding in findings] == [f"buttons: {source}" for source in order]
    assert {finding.state for finding in findings} == {State.OK}
    assert any("bounce" in finding.seen and "no bounce" not in finding.seen for finding in findings)
    assert [line for line in eyes.news if line.startswith("[x]")] == [
        f"[x] {source} came (line {CARDS.line_of(source)})" for source in order
    ]
    assert bench.table.agenda.now_ns < 8 * S  # it ends as soon as all have come


def test_all_places_behind_expanders() -> None:
    bench, eyes = Bench(DICE, Behaviour(habits=lambda source: BOUNCY)), Eyes()
    places = [Slot(colour, number) for colour in Colour for number in range(1, 7)]
    bench.touch(*places)
    findings = walk(bench, DICE, "slots", eyes)
    assert {finding.state for finding in findings} == {State.OK}
    assert len(findings) == len(places)
    assert eyes.news[0] == "[x] red 1 came (left A0)"


def test_places_whose_interrupt_never_comes_are_found_by_looking() -> None:
    bench = Bench(DICE)
    bench.table.site.interrupt_ends["left"].hold(True)
    bench.touch(*(Slot(colour, number) for colour in Colour for number in range(1, 7)))
    findings = walk(bench, DICE, "slots", Eyes())
    assert state_of(findings, "slots: red 1") == [State.WARN]
    assert state_of(findings, "slots: green 1") == [State.OK]


def test_a_bank_that_is_gone_is_told_with_all_its_places() -> None:
    bench = Bench(DICE)
    bench.table.site.bus.gone.add(0x20)
    bench.touch(*(Slot(colour, number) for colour in Colour for number in range(1, 7)))
    findings = walk(bench, DICE, "slots", Eyes(), limit_ns=20 * S)
    assert state_of(findings, "slots: red 1") == [State.FAIL]
    assert state_of(findings, "slots: blue 6") == [State.OK]
    assert state_of(findings, "slots: left") == [State.FAIL]


def test_a_walk_that_is_broken_off_has_its_findings_and_leaves_nothing_lit() -> None:
    bench = Bench(DICE)
    bench.touch(Button(1), Button(2), Button(3))
    findings = walk(bench, DICE, "buttons", Eyes(stop_at="seat 2 came"))
    assert [finding.state for finding in findings] == [State.OK, State.OK, State.FAIL, State.FAIL]
    assert not any(bench.table.leds.frame)


def test_a_walk_ends_when_its_time_is_over() -> None:
    bench = Bench(DICE)
    findings = walk(bench, DICE, "buttons", Eyes(), limit_ns=2 * S)
    assert {finding.state for finding in findings} == {State.FAIL}
    assert 2 * S <= bench.table.agenda.now_ns < 2 * S + 300 * MS


def test_lamps_burn_one_after_another_on_their_chips() -> None:
    bench, eyes = Bench(DICE), Eyes()
    (finding,) = walk(bench, DICE, "leds", eyes)
    assert finding.state is State.NOTE
    assert finding.seen == f"{len(DICE.lamp_wires)} of {len(DICE.lamp_wires)} lights were lit, each alone"
    frames = [frame for _, frame in bench.table.leds.history]
    burning = [tuple((at, tint) for at, tint in enumerate(frame) if tint) for frame in frames]
    alone = [lit[0] for lit in burning if len(lit) == 1]
    assert {(wire.lamp, wire.mask) for wire in DICE.lamp_wires} <= set(alone)
    assert not any(frames[-1])
    assert all(one != other for one, other in pairwise(eyes.pictures[-3:]))


def test_enter_goes_on_to_the_next_lamp() -> None:
    slow, quick = Bench(DICE), Bench(DICE)
    walk(slow, DICE, "leds", Eyes())
    walk(quick, DICE, "leds", Eyes(presses=True))
    assert quick.table.agenda.now_ns < slow.table.agenda.now_ns


def test_readers_tell_which_card_they_see() -> None:
    bench, eyes = Bench(CARDS), Eyes()
    cards = {Pad(seat): Card(seat, Colour.RED, seat) for seat in range(1, 4)}
    for pad, card in cards.items():
        bench.then(lambda pad=pad, card=card: bench.table.hold_to(pad, card))  # type: ignore[misc]
        bench.then(lambda pad=pad, card=card: bench.table.take_from(pad, card))  # type: ignore[misc]
    bench.then(lambda: bench.table.site.antennas[Pad(4)].put(SimTag(bytes.fromhex("04a1b2c3"))))
    findings = walk(bench, CARDS, "readers", eyes)
    assert [finding.state for finding in findings] == [State.OK] * 4
    assert findings[0].seen == f"{bench.table.site.registry.uid_of(cards[Pad(1)]).hex()}: card 1 red 1"
    assert findings[3].seen == "04a1b2c3: not enrolled"
    assert str(Stranger("04a1b2c3")) not in eyes.news[-1]


def test_a_silent_reader_is_told_while_the_others_go_on() -> None:
    bench = Bench(CARDS)
    bench.table.site.readers["pad-2"].silent = True
    bench.then(lambda: bench.table.hold_to(Pad(1), Card(1, Colour.RED, 1)))
    findings = walk(bench, CARDS, "readers", Eyes(), limit_ns=5 * S)
    assert state_of(findings, "readers: pad 1") == [State.OK]
    assert state_of(findings, "readers: pad-2") == [State.FAIL]
    (device,) = [finding for finding in findings if finding.subject == "readers: pad-2"]
    assert (device.seen, "HSU" in device.advice) == ("lost: does not answer", True)


@pytest.mark.parametrize("name", ["leds", "buttons", "slots", "readers"])
def test_lines_that_cant_be_had_are_a_finding(name: str) -> None:
    def busy(profile: object, registry: object) -> None:
        raise LineBusy("line 5 is held by 'spi'", "stop that")

    system = System(equipment=busy)  # type: ignore[arg-type]
    (finding,) = walked(name, system, CheckedTable(profile=DICE), Eyes(), step_ns=1)
    assert finding == Finding(Area.WALK, name, State.FAIL, "line 5 is held by 'spi'", "stop that")
