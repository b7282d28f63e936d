"""Rounds that do not count, and whose hands have said so."""

from __future__ import annotations

from firmware_host import effects as e
from firmware_host.durations import MS, S
from firmware_host.effects import Verdict
from firmware_host.recall.drawing import draw_svg
from firmware_host.recall.lanes import draw_lanes, plain
from firmware_host.recall.record import record_of
from firmware_host.recall.scene import whole
from firmware_host.recall.voiding import voiding
from firmware_host.table.phases import Phase
from tests.recall.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    START_NS,
    Told,
    entered,
    finished,
    judged,
    started,
    told,
)


def voided(t_ns: int, reason: str, *seats: int) -> list[Told]:
    return [
        (START_NS + t_ns, e.RoundVoided(1, reason, START_NS + t_ns, seats)),
        entered(Phase.CLEAR, t_ns),
    ]


STUCK = [
    entered(Phase.PLAY, 0),
    started(),
    judged(Verdict.FALSE_CLAIM, 1, 1 * S),
    judged(ACCEPTED, 2, 2 * S, RED_1),
    judged(Verdict.FALSE_CLAIM, 1, 5 * S),
    judged(Verdict.LOCKED, 2, 5100 * MS),
    judged(Verdict.FALSE_CLAIM, 4, 5200 * MS),
    *voided(6200 * MS, "stuck", 1, 2),
]


def test_the_last_press_of_each_who_held_has_made_it_void() -> None:
    assert voiding(told(STUCK)) == (4, 5)


def test_presses_of_another_phase_have_not() -> None:
    effects = [
        entered(Phase.PLAY, 0),
        started(),
        judged(Verdict.FALSE_CLAIM, 1, 2 * S),
        entered(Phase.PAUSED, 3 * S),
        judged(Verdict.NOT_RUNNING, 2, 4 * S),
        *voided(5 * S, "interrupted", 1, 2),
        judged(Verdict.NOT_RUNNING, 2, 6 * S),
    ]
    assert voiding(told(effects)) == (4,)


def test_who_has_won_something_meanwhile_was_not_judged_for_holding() -> None:
    effects = [started(), judged(ACCEPTED, 1, 1 * S, RED_1), *voided(3 * S, "stuck", 1)]
    assert voiding(told(effects)) == ()


def test_a_round_that_counts_was_made_void_by_nobody() -> None:
    assert told(CLOSE).voided is None and voiding(told(CLOSE)) == ()
    assert record_of(told(CLOSE))["voided"] is None


def test_programs_are_told_why_and_by_whom() -> None:
    assert record_of(told(STUCK))["voided"] == {
        "t_ns": 6200 * MS,
        "reason": "stuck",
        "seats": [1, 2],
        "verdicts": [4, 5],
    }


def test_pictures_show_when_it_became_void_even_if_that_was_after_its_end() -> None:
    story = told([started(), finished(1, 3 * S), entered(Phase.SETTLE, 3 * S), *voided(20 * S, "unsettled")])
    scene = whole(story)
    assert scene.to_ns > START_NS + 20 * S
    lines = [plain(line) for line in draw_lanes(scene)]
    (letters,) = [line for line in lines if line.startswith("table")]
    assert letters.split() == ["table", "S", "E", "V"] and any("V round is void" in line for line in lines)
    assert ">V</text>" in draw_svg(scene, "A round", lambda effect: "told")


def test_a_match_that_is_given_up_is_in_the_picture() -> None:
    given_up = (START_NS + 4 * S, e.MatchAbandoned("paused", START_NS + 4 * S))
    scene = whole(told([started(), entered(Phase.PAUSED, 1 * S), given_up]))
    assert any("A match given up" in plain(line) for line in draw_lanes(scene))
