"""What a picture of a round shows, and the picture in the terminal, sign by sign."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.history.scene import (
    BESIDE_NS,
    LEAST_NS,
    LETTERS,
    SIGNS,
    Scene,
    Tone,
    around,
    draw_lanes,
    letter_of,
    nearest,
    plain,
    whole,
)
from firmware_host.model import effects as e
from firmware_host.model.effects import Verdict
from firmware_host.model.places import Button
from firmware_host.model.states import AwayReason, Condition, Corrector, DeviceCondition, MaskReason, Phase
from firmware_host.model.times import MS, US, S, parse_duration
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    RED_2,
    START_NS,
    TIED,
    TOO_LATE,
    Decided,
    entered,
    finished,
    judged,
    lost,
    real_stories,
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
    assert whole(told([started()])).length_ns > 0, "though only the start is known"


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


def picture(scene: Scene, columns: int = 80) -> str:
    return "\n".join(plain(line) for line in draw_lanes(scene, columns))


def seconds(effects: list[Decided], count: int = 10) -> Scene:
    """So many seconds from the start call on."""
    return Scene(told(effects), START_NS, START_NS + count * S)


def test_a_round_looks_like_this() -> None:
    effects = [
        started(),
        judged(ACCEPTED, 1, 1 * S, RED_1),
        lost(TOO_LATE, 2, 1100 * MS, RED_1, (1, 1 * S)),
        judged(Verdict.FALSE_CLAIM, 4, 2 * S),
        judged(Verdict.LOCKED, 4, 2500 * MS),
        entered(Phase.PAUSED, 3 * S),
        (START_NS + 4 * S, e.DeviceReported(DeviceCondition("left", Condition.LOST), True, 0)),
        entered(Phase.COUNTDOWN, 4500 * MS),
        entered(Phase.PLAY, 5 * S),
        judged(Verdict.ILLEGAL, 1, 6 * S),
        finished(2, 8 * S),
        entered(Phase.SETTLE, 8050 * MS),
        judged(Verdict.NOT_RUNNING, 4, 9 * S),
        (START_NS + 9500 * MS, e.Corrected(1, 2, 1, Corrector.PLAYERS)),
        scored(9800 * MS),
    ]
    assert picture(seconds(effects), 48).splitlines() == [
        "        0s                  5s",
        "        +-------------------+-------------------",
        "seat 1  ----o-------::::::::----x--------",
        "seat 2  ---->-------::::::::-------------",
        "seat 4  --------!-#-::::::::-------------   .",
        "table   S           P   D               E     C",
        "        > too late",
        "        ! false claim",
        "        x illegal",
        "        # locked",
        "        o accepted",
        "        . not running",
        "        E end called",
        "        S start call",
        "        P pause",
        "        C count corrected",
        "        D device or contact",
        "        :: stands still",
    ]
    assert picture(seconds(effects)).splitlines()[6:] == [
        "        > too late            ! false claim         x illegal",
        "        # locked              o accepted            . not running",
        "        E end called          S start call          P pause",
        "        C count corrected     D device or contact   :: stands still",
    ]


def test_a_close_finish_is_drawn_to_scale() -> None:
    assert picture(around(told(CLOSE), START_NS + 1 * S), 60).splitlines() == [
        "                0                 +1ms             +2ms",
        "        --------+-----------------+----------------+--------",
        "seat 1  ------[_o_]-----------------------------------------",
        "seat 2  -------------[_>_]----------------------------------",
        "seat 4  -----------------------------------------[_>_]------",
        "                |------| 400us",
        "                |--------------2.0ms---------------|",
        "        > too late            o accepted",
        "        [___] its stamp",
    ]


def test_a_dead_heat_shows_where_the_stamps_overlap() -> None:
    assert picture(around(told(TIED), START_NS + 2 * S), 60).splitlines() == [
        "                      -100us         0               +100us",
        "        --------------+--------------+---------------+------",
        "seat 1  --------------[______________=_______________]------",
        "seat 2  ------[_______________~______________]--------------",
        "seat 4  ----------------------------------------------------",
        "                              |-50us-|",
        "        ~ dead heat lost      = dead heat won",
        "        [___] its stamp",
    ]


def test_a_margin_that_does_not_fit_beside_it_stands_before_it() -> None:
    scene = around(told(CLOSE), START_NS + 1 * S)
    squeezed = Scene(scene.story, scene.from_ns - 40 * MS, scene.to_ns, scene.contests, close=True)
    lines = picture(squeezed, 50).splitlines()
    assert [line for line in lines if "us" in line or "2.0ms" in line][-2:] == [
        " " * 41 + "400us |",
        " " * 41 + "2.0ms |-|",
    ]


def test_equal_stamps_are_one_stroke_apart_from_nothing() -> None:
    exact = [
        started(),
        judged(Verdict.DEAD_HEAT_WON, 1, 1 * S, RED_1, half_ns=0),
        lost(Verdict.DEAD_HEAT_LOST, 2, 1 * S, RED_1, (1, 1 * S), half_ns=0),
    ]
    scene = around(told(exact), START_NS + 1 * S)
    assert scene.length_ns > 0 and scene.from_ns < stamp(1 * S, 0).earliest_ns < scene.to_ns
    lines = picture(scene, 50).splitlines()
    assert [line.strip() for line in lines if "us" in line][-1] == "| 0us" and "[" not in lines[2]


def test_a_stamp_that_is_cut_off_by_the_edge_is_drawn_as_far_as_it_is_seen() -> None:
    t_ns = START_NS + 1 * S
    scene = Scene(told(CLOSE), t_ns + 50 * US, t_ns + 350 * US, close=True)
    lines = picture(scene, 38).splitlines()
    assert lines[2] == "seat 1  _____]------------------------"
    assert lines[3] == "seat 2  -------------------------[____"


def test_where_several_fall_together_the_gravest_is_drawn() -> None:
    effects = [
        started(),
        *(judged(verdict, 1, 1 * S + n * MS) for n, verdict in enumerate(reversed(SIGNS))),
        (START_NS + 1 * S, e.EdgesLost(1, stamp(1 * S))),
        (START_NS + 1 * S, e.Corrected(1, 2, 1, Corrector.PLAYERS)),
    ]
    lines = picture(seconds(effects), 28).splitlines()
    assert lines[2] == "seat 1  --~"
    assert lines[5] == "table   S C"


def test_before_the_start_call_there_is_no_ground() -> None:
    early = [entered(Phase.COUNTDOWN, -3 * S), judged(Verdict.NOT_RUNNING, 2, -1 * S), started()]
    scene = Scene(told([*early, scored(9 * S)]), START_NS - 2 * S, START_NS + 8 * S)
    lines = picture(scene, 28).splitlines()
    assert lines[2] == "seat 1      ----------------"
    assert lines[3] == "seat 2    . ----------------"
    assert lines[0] == "            0s        5s"


def test_names_of_ticks_do_not_run_into_each_other() -> None:
    t_ns = START_NS + 5 * S
    scene = Scene(told(CLOSE), t_ns - 2 * US, t_ns + 2 * US, close=True)
    names, ticks = picture(scene, 80).splitlines()[:2]
    assert names.split() == ["4.999998s", "4.999999s", "5s", "5.0000005s", "5.0000015s"]
    assert ticks.count("+") == 8


@pytest.mark.parametrize("columns", [40, 80, 133])
def test_no_line_is_wider_than_asked_for(club: Path, columns: int) -> None:
    """Real rounds, whole and around verdicts."""
    for story in real_stories(club):
        for scene in [whole(story), *(around(story, each.t_ns) for each in story.verdicts[::7])]:
            assert all(len(plain(line)) <= columns for line in draw_lanes(scene, columns))
            assert {kind for line in draw_lanes(scene, columns) for _, kind in line} <= {*Verdict, *Tone}


def test_pieces_say_what_they_are() -> None:
    lane = draw_lanes(seconds([started(), judged(ACCEPTED, 1, 1 * S)]), 28)[2]
    assert lane[0] == ("seat 1  ", Tone.LABEL)
    assert lane[1:3] == (("--", Tone.GROUND), ("o", ACCEPTED))


def test_every_verdict_has_a_sign_of_its_own() -> None:
    assert set(SIGNS) == set(Verdict) and len(set(SIGNS.values())) == len(Verdict)
    assert not set(SIGNS.values()) & set(LETTERS)


@pytest.mark.parametrize(
    ("effect", "letter"),
    [
        (e.RoundFinished(1, stamp(0)), "E"),
        (e.RoundStuck(0), "E"),
        (e.RoundStarted(1, (), 0), "S"),
        (e.WasInterrupted(AwayReason.POWER, 0), "I"),
        (e.PhaseEntered(Phase.PAUSED, 0), "P"),
        (e.PhaseEntered(Phase.PLAY, 0), ""),
        (e.Corrected(1, 2, 1, Corrector.PLAYERS), "C"),
        (e.EdgesLost(1, stamp(0)), "L"),
        (e.LateSignal(RED_1, stamp(0), 1), "L"),
        (e.DeviceReported(DeviceCondition("left", Condition.OK), True, 0), "D"),
        (e.SourceMasked(Button(1), MaskReason.STUCK, 0), "D"),
        (e.SourceUnmasked(Button(1), 0), "D"),
        (e.SeatTaken(1), ""),
    ],
)
def test_what_happens_to_the_table_has_a_letter(effect: e.Effect, letter: str) -> None:
    assert letter_of(effect) == letter
    assert not letter or letter in LETTERS
