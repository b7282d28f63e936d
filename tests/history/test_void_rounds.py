"""Rounds that do not count, and whose hands have said so."""

from __future__ import annotations

from firmware_host.history.drawing import draw_svg
from firmware_host.history.exporting import record_of
from firmware_host.history.scene import draw_lanes, plain, whole
from firmware_host.model import effects as e
from firmware_host.model.effects import Verdict
from firmware_host.model.states import AbandonReason, Phase, VoidReason
from firmware_host.model.times import MS, S
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    HALF_NS,
    RED_1,
    START_NS,
    Decided,
    entered,
    finished,
    judged,
    stamp,
    started,
    told,
)


def voided(t_ns: int, reason: VoidReason, **held: int) -> list[Decided]:
    """The round is void: these seats held their buttons since so long after the start call."""
    seats = tuple(int(name.removeprefix("seat_")) for name in held)
    stamps = tuple(map(stamp, held.values()))
    return [
        (START_NS + t_ns, e.RoundVoided(1, reason, START_NS + t_ns, seats, stamps)),
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
    *voided(6200 * MS, VoidReason.STUCK, seat_1=5 * S, seat_2=5100 * MS),
]


def test_the_presses_of_those_who_held_have_made_it_void() -> None:
    assert told(STUCK).held == (4, 5)


def test_neither_a_later_press_of_the_same_seat_nor_one_at_the_same_moment_has() -> None:
    effects = [
        started(),
        judged(Verdict.FALSE_CLAIM, 1, 2 * S),
        judged(Verdict.FALSE_CLAIM, 2, 2 * S),
        judged(Verdict.LOCKED, 1, 3 * S),
        *voided(5 * S, VoidReason.STUCK, seat_1=2 * S),
    ]
    assert told(effects).held == (1,)


def test_a_press_that_won_something_and_was_held_is_one_of_them() -> None:
    effects = [started(), judged(ACCEPTED, 1, 1 * S, RED_1), *voided(3 * S, VoidReason.STUCK, seat_1=1 * S)]
    assert told(effects).held == (1,)


def test_an_earlier_version_did_not_write_since_when_they_held() -> None:
    earlier = (START_NS + 3 * S, e.RoundVoided(1, VoidReason.STUCK, START_NS + 3 * S, (1,)))
    story = told([started(), judged(Verdict.FALSE_CLAIM, 1, 1 * S), earlier])
    assert story.voided is not None and story.held == ()


def test_a_round_that_counts_was_made_void_by_nobody() -> None:
    assert told(CLOSE).voided is None and told(CLOSE).held == ()
    assert record_of(told(CLOSE))["voided"] is None


def test_programs_are_told_why_and_by_whom() -> None:
    assert record_of(told(STUCK))["voided"] == {
        "t_ns": 6200 * MS,
        "reason": "stuck",
        "seats": [1, 2],
        "verdicts": [4, 5],
    }
    effect = next(each["effect"] for each in record_of(told(STUCK))["events"] if "held" in each["effect"])
    assert effect["held"] == [[t_ns - HALF_NS, t_ns + HALF_NS] for t_ns in (5 * S, 5100 * MS)]


def test_pictures_show_when_it_became_void_even_if_that_was_after_its_end() -> None:
    story = told(
        [started(), finished(1, 3 * S), entered(Phase.SETTLE, 3 * S), *voided(20 * S, VoidReason.UNSETTLED)]
    )
    scene = whole(story)
    assert scene.to_ns > START_NS + 20 * S
    lines = [plain(line) for line in draw_lanes(scene)]
    (letters,) = [line for line in lines if line.startswith("table")]
    assert letters.split() == ["table", "S", "E", "V"] and any("V round is void" in line for line in lines)
    assert ">V</text>" in draw_svg(scene, "A round", lambda effect: "told")


def test_a_match_that_is_given_up_is_in_the_picture() -> None:
    given_up = (START_NS + 4 * S, e.MatchAbandoned(AbandonReason.PAUSED, START_NS + 4 * S))
    scene = whole(told([started(), entered(Phase.PAUSED, 1 * S), given_up]))
    assert any("A match given up" in plain(line) for line in draw_lanes(scene))
