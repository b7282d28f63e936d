"""Pictures in the terminal, sign by sign."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.history.scene import (
    LETTERS,
    SIGNS,
    Scene,
    Tone,
    around,
    draw_lanes,
    letter_of,
    plain,
    whole,
)
from firmware_host.history.story import tell_story
from firmware_host.model import effects as e
from firmware_host.model.effects import Verdict
from firmware_host.model.places import Button
from firmware_host.model.states import AwayReason, Condition, Corrector, DeviceCondition, MaskReason, Phase
from firmware_host.model.times import MS, US, S
from firmware_host.store.store_reader import reading
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    START_NS,
    TIED,
    TOO_LATE,
    Decided,
    entered,
    finished,
    judged,
    lost,
    scored,
    stamp,
    started,
    told,
)


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
    lines = picture(around(told(exact), START_NS + 1 * S), 50).splitlines()
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
    with reading(str(club)) as book:
        for row in book.rounds():
            decisions = book.numbered(row.session_log, row.first_effect, row.last_effect)
            story = tell_story([(n, each.t_ns, each.effect) for n, each in decisions])
            assert story is not None
            scenes = [whole(story), *(around(story, given.t_ns) for given in story.verdicts[::7])]
            for scene in scenes:
                assert all(len(plain(line)) <= columns for line in draw_lanes(scene, columns))


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
