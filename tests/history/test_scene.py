"""Scenes: what is shown, and at which scale."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.history.scene import BESIDE_NS, LEAST_NS, Scene, around, nearest, whole
from firmware_host.model import effects as e
from firmware_host.model.effects import Verdict
from firmware_host.model.states import Corrector
from firmware_host.model.times import MS, US, S, parse_duration
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    RED_2,
    START_NS,
    TIED,
    TOO_LATE,
    finished,
    judged,
    lost,
    scored,
    stamp,
    started,
    told,
)

STORY = told(CLOSE)


def test_a_whole_round_is_seen_from_its_start_to_its_end() -> None:
    scene = whole(STORY)
    assert scene.from_ns == START_NS and not scene.close
    assert START_NS + 9 * S < scene.to_ns < START_NS + 9 * S + 500 * MS
    assert len(scene.verdicts) == 4 and len(scene.contests) == 1


def test_a_slap_before_the_start_and_one_after_the_end_are_in_it() -> None:
    early, late = judged(Verdict.NOT_RUNNING, 2, -1 * S), judged(Verdict.NOT_RUNNING, 1, 10 * S)
    scene = whole(told([started(), finished(1, 9 * S), late]))
    assert scene.to_ns > START_NS + 10 * S
    assert Scene(told([started(), early]), START_NS - 2 * S, START_NS).verdicts != ()


def test_a_round_of_which_only_the_start_is_known_has_a_picture() -> None:
    scene = whole(told([started()]))
    assert scene.length_ns > 0 and scene.place(scene.from_ns, 80) == 0


@pytest.mark.parametrize("t_ns", [1 * S, 1 * S + 1 * MS, 1 * S - 200 * MS, 1 * S + 250 * MS])
def test_around_a_contest_all_of_it_is_seen_and_little_else(t_ns: int) -> None:
    scene = around(STORY, START_NS + t_ns)
    hull = scene.contests[0].hull
    assert scene.close and scene.from_ns < hull.earliest_ns and scene.to_ns > hull.latest_ns
    assert scene.length_ns < 2 * (hull.latest_ns - hull.earliest_ns)
    assert scene.zero_ns == START_NS + 1 * S


def test_the_nearest_of_several_contests_is_chosen() -> None:
    story = told(
        [
            started(),
            judged(ACCEPTED, 1, 1 * S, RED_1),
            lost(TOO_LATE, 2, 1 * S + 1 * MS, RED_1, (1, 1 * S)),
            judged(ACCEPTED, 2, 1 * S + 100 * MS, RED_2),
            lost(TOO_LATE, 1, 1 * S + 101 * MS, RED_2, (2, 1 * S + 100 * MS)),
        ]
    )
    assert around(story, START_NS + 1 * S + 40 * MS).contests[0].winner.judged.seat == 1
    assert around(story, START_NS + 1 * S + 60 * MS).contests[0].winner.judged.seat == 2


def test_far_from_any_contest_the_moment_itself_is_in_the_middle() -> None:
    t_ns = START_NS + 5 * S
    scene = around(STORY, t_ns)
    assert (t_ns - scene.from_ns, scene.to_ns - t_ns) == (BESIDE_NS, BESIDE_NS)
    assert scene.contests == () and [given.judged.what for given in scene.verdicts] == [RED_2]
    assert scene.middle_ns == t_ns
    assert scene.zero_ns == START_NS


def test_the_nearest_verdict_to_a_moment_is_found() -> None:
    for verdict in STORY.verdicts:
        assert nearest(STORY, verdict.t_ns) == verdict
    assert nearest(STORY, START_NS + 60 * S) == STORY.verdicts[-1]
    assert nearest(told([started()]), START_NS) is None


def test_a_span_that_is_asked_for_is_shown() -> None:
    t_ns = START_NS + 1 * S
    scene = around(STORY, t_ns, 20 * MS)
    assert (scene.from_ns, scene.to_ns) == (t_ns - 10 * MS, t_ns + 10 * MS)
    assert len(scene.contests) == 1
    assert around(STORY, t_ns, 1 * MS).contests == (), "seat 4 is not in it"
    assert around(STORY, t_ns, 0).length_ns == LEAST_NS


def test_a_stamp_that_reaches_into_it_is_seen() -> None:
    first, _, last = (given.t_ns for given in STORY.verdicts[:3])
    scene = Scene(STORY, first + 90 * US, last - 90 * US)
    assert [given.judged.seat for given in scene.verdicts] == [1, 2, 4]
    assert len(Scene(STORY, first + 110 * US, last - 110 * US).verdicts) == 1


def test_moments_outside_are_outside() -> None:
    scene = Scene(STORY, START_NS, START_NS + 10 * S)
    assert [scene.place(START_NS + t_ns, 10) for t_ns in (-1, 0, 5 * S, 10 * S - 1, 10 * S, 99 * S)] == [
        *(-1, 0, 5, 9, 10, 10)
    ]


@given(st.integers(1, 10**13), st.integers(1, 40), st.integers(-(10**10), 10**10))
def test_ticks_are_round_few_and_inside(length_ns: int, most: int, offset_ns: int) -> None:
    scene = Scene(STORY, START_NS + offset_ns, START_NS + offset_ns + length_ns)
    ticks = scene.ticks(most)
    assert len(ticks) <= most + 1
    assert all(scene.from_ns <= tick_ns <= scene.to_ns for tick_ns in ticks)
    steps = {after - before for before, after in pairwise(ticks)}
    assert len(steps) <= 1
    for step in steps:
        assert str(step).strip("0") in ("1", "2", "5")
        assert all((tick_ns - START_NS) % step == 0 for tick_ns in ticks)


def test_what_is_before_and_after_the_round_is_beside_it() -> None:
    correction = (START_NS + 11 * S, e.Corrected(4, 2, 1, Corrector.PLAYERS))
    late = judged(Verdict.NOT_RUNNING, 1, 20 * S)
    story = told([*CLOSE[:-1], correction, late, scored(30 * S)])
    beside = [t_ns for t_ns in range(-2, 40) if around(story, START_NS + t_ns * S).is_beside]
    assert beside == [-2, -1, 10, *range(12, 20), *range(21, 40)]
    assert not around(story, START_NS + 40 * S, 70 * S).is_beside


def test_a_round_without_an_end_lasts_as_long_as_something_is_known_of_it() -> None:
    story = told(CLOSE[:5])
    assert [t_ns for t_ns in range(9) if around(story, START_NS + t_ns * S).is_beside] == [6, 7, 8]


def test_ticks_are_called_by_seconds_since_the_start() -> None:
    scene = Scene(STORY, START_NS, START_NS + 10 * S)
    assert [scene.tick_text(tick_ns) for tick_ns in scene.ticks(5)] == ["0s", "2s", "4s", "6s", "8s", "10s"]
    fine = Scene(STORY, START_NS, START_NS + 1 * S)
    assert [fine.tick_text(tick_ns) for tick_ns in fine.ticks(2)] == ["0s", "0.5s", "1s"]


def test_close_to_a_contest_they_count_from_the_slap_that_won() -> None:
    scene = around(STORY, START_NS + 1 * S)
    texts = [scene.tick_text(tick_ns) for tick_ns in scene.ticks(6)]
    assert texts == ["0", "+500us", "+1ms", "+1.5ms", "+2ms"]
    tied = around(told(TIED), START_NS + 2 * S)
    texts = [tied.tick_text(tick_ns) for tick_ns in tied.ticks(8)]
    assert texts[0].startswith("-") and "0" in texts
    assert [parse_duration(text[1:]) for text in texts if text != "0"]


def test_beside_several_contests_they_count_from_the_start_call() -> None:
    again = [
        judged(ACCEPTED, 2, 2 * S, RED_2),
        lost(TOO_LATE, 1, 2 * S + 1 * MS, RED_2, (2, 2 * S)),
    ]
    scene = around(told([*CLOSE[:3], *again]), START_NS + 1500 * MS, 2 * S)
    assert len(scene.contests) == 2 and scene.zero_ns == START_NS
    assert [scene.tick_text(tick_ns) for tick_ns in scene.ticks(4)] == ["0.5s", "1s", "1.5s", "2s", "2.5s"]


def test_a_contest_of_equal_stamps_has_a_picture() -> None:
    exact = told(
        [
            started(),
            judged(Verdict.DEAD_HEAT_WON, 1, 1 * S, RED_1, half_ns=0),
            lost(Verdict.DEAD_HEAT_LOST, 2, 1 * S, RED_1, (1, 1 * S), half_ns=0),
        ]
    )
    scene = around(exact, START_NS + 1 * S)
    assert scene.length_ns > 0 and scene.from_ns < stamp(1 * S, 0).earliest_ns < scene.to_ns
