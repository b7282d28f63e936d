"""What the operator wrote: every fault of the configuration, every tag that is missing."""

from __future__ import annotations

from firmware_host.model.places import Card, Colour, DieFace
from firmware_host.profile.tags import Registry
from firmware_host.run.table_files import simulated_registry
from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.machine_findings import judge_config, judge_tags
from tests.workshop.doctor.finding import one, states
from tests.workshop.doctor.profiles import CARDS, DICE, TAGGED

SEATS = (1, 2, 3, 4)


def test_each_fault_of_the_configuration_is_told() -> None:
    findings = list(judge_config("table.toml", ["one", "two"]))
    assert [(finding.state, finding.seen) for finding in findings] == [
        (State.FAIL, "one"),
        (State.FAIL, "two"),
    ]
    assert all("ligretto-table check" in finding.advice for finding in findings)
    assert states(judge_config("table.toml", [])) == {"table.toml": State.OK}


def test_all_tags_are_there() -> None:
    for profile in (CARDS, TAGGED):
        findings = list(judge_tags(simulated_registry(profile), [profile], SEATS))
        assert states(findings) == {"registry": State.OK}


def test_a_table_without_readers_needs_no_tags() -> None:
    assert states(judge_tags(Registry({}), [DICE], SEATS)) == {"registry": State.OK}


def test_an_empty_registry_is_told_once() -> None:
    (finding,) = judge_tags(Registry({}), [CARDS], SEATS)
    assert finding.state is State.FAIL
    assert "tags enrol" in finding.advice


def test_missing_cards_are_told_seat_by_seat_for_the_seats_in_play() -> None:
    whole = simulated_registry(CARDS)
    lacking = {Card(3, Colour.RED, 7), Card(3, Colour.BLUE, 1), Card(4, Colour.GREEN, 2)}
    registry = Registry({uid: tag for uid, tag in whole.items() if tag not in lacking})
    findings = list(judge_tags(registry, [CARDS], (1, 2, 3)))
    assert states(findings) == {"cards of seat 3": State.FAIL}
    assert findings[0].seen == "2 have no tag: red 7, blue 1"


def test_of_two_games_all_tags_are_looked_for() -> None:
    cards = simulated_registry(CARDS)
    findings = list(judge_tags(cards, [CARDS, TAGGED]))
    assert [finding.subject for finding in findings] == ["red dice", "yellow dice", "green dice", "blue dice"]
    (nothing,) = judge_tags(Registry({}), [CARDS, TAGGED])
    assert nothing.seen == "no tag is enrolled"
    both = Registry({**cards, **simulated_registry(TAGGED)})
    (fine,) = judge_tags(both, [CARDS, TAGGED])
    assert fine.seen == "304 tags, and none is missing"
    (one_reads,) = judge_tags(cards, [DICE, CARDS])
    assert one_reads.state is State.OK


def test_missing_faces_are_told_colour_by_colour() -> None:
    whole = simulated_registry(TAGGED)
    registry = Registry({uid: tag for uid, tag in whole.items() if tag != DieFace(8, 3)})
    finding = one(judge_tags(registry, [TAGGED], SEATS), "yellow dice")
    assert finding.seen == "1 have no tag: die 8 face 3"
