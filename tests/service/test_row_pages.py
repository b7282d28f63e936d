"""Counters and devices are read page by page, forwards and backwards, whole."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.model.phrases import Phrase
from firmware_host.model.states import Condition, DeviceCondition
from tests.service.operator import DICE, SMALL, Operator


def test_counters_are_paged_through_both_ways(operator: Operator) -> None:
    operator.go(Phrase.AUDITS)
    assert operator.above == "Matches: 12"
    assert operator.said(line=1) == ["1:next 2:previous", "hold 1:back"]
    assert operator.tap(1) == "Dead heats: 123"
    operator.tap(1)
    assert operator.said(line=0) == ["Unused buttons: 2 3", "5 7 11 12"]
    assert operator.tap(1) == "hours: 9999"
    assert operator.tap(1) == "Matches: 12"
    assert operator.tap(2) == "hours: 9999"


def test_counters_are_named_in_the_language_of_the_table() -> None:
    operator = Operator(replace(DICE, language="it"))
    operator.go(Phrase.AUDITS)
    assert operator.above == "Partite: 12"


def test_a_single_counter_needs_no_paging() -> None:
    operator = Operator(replace(DICE, audits=(("rounds", "7"),)))
    operator.go(Phrase.AUDITS)
    assert operator.said(line=1) == ["hold 1:back"]
    assert operator.tap(1) == operator.tap(2) == "Rounds: 7"


def test_without_counters_it_says_so() -> None:
    operator = Operator(SMALL)
    operator.go(Phrase.AUDITS)
    assert operator.above == "Nothing counted yet"
    assert operator.tap(1) == operator.tap(2) == "Nothing counted yet"


def test_devices_that_are_not_well_are_named_with_what_to_do(operator: Operator) -> None:
    operator.go(Phrase.TESTS, Phrase.DEVICES)
    said = ["scoreboard: degraded", "garbled; look at the", "plug"]
    assert operator.said(line=0) == said
    operator.tap(1)
    assert " ".join(operator.said(line=0)) == "pad 12: lost no answer; check its cable and the supply"


def test_devices_come_and_go_while_somebody_reads() -> None:
    operator = Operator(replace(DICE, health=()))
    operator.go(Phrase.TESTS, Phrase.DEVICES)
    assert operator.above == "All devices are fine"
    operator.panel.health(DeviceCondition("leds", Condition.LOST, "no answer"))
    assert operator.above == "leds: lost no answer"
    operator.panel.health(DeviceCondition("i2c", Condition.DEGRADED, "slow"))
    operator.tap(1)
    assert operator.above == "i2c: degraded slow"
    operator.panel.health(DeviceCondition("i2c", Condition.OK))
    assert operator.above == "leds: lost no answer"
    operator.panel.health(DeviceCondition("leds", Condition.OK))
    assert operator.above == "All devices are fine"
