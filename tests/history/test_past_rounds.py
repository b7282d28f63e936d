"""Rounds from a store: their photo finishes, their records for programs, and rounds that do not count."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

from firmware_host.history.drawing import draw_svg
from firmware_host.history.exporting import EXPORTS, Wanted, checked, record_of
from firmware_host.history.finish import FinishRule
from firmware_host.history.round_account import (
    finishes_of,
    last_finishes,
    list_lines,
    list_record,
    stored_finish,
    stored_round,
    story_of,
)
from firmware_host.history.scene import draw_lanes, plain, whole
from firmware_host.model import effects as e
from firmware_host.model.effects import KINDS, Cue, Verdict
from firmware_host.model.states import (
    AbandonReason,
    AwayReason,
    Condition,
    DeviceCondition,
    Phase,
    VoidReason,
)
from firmware_host.model.times import MS, US, S
from firmware_host.store.store_reader import reading
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    HALF_NS,
    RED_1,
    START_NS,
    TIED,
    Decided,
    entered,
    finished,
    judged,
    stamp,
    started,
    told,
)
from tests.store.shelves import execute


def copied(store: Path, tmp_path: Path, *statements: str) -> str:
    """A copy of the store that was changed."""
    copy = tmp_path / "copy.db"
    copy.write_bytes(store.read_bytes())
    for statement in statements:
        execute(copy, statement)
    return str(copy)


def test_each_contest_of_a_round_is_a_photo_finish_with_its_arrivals(club: Path) -> None:
    rules = set()
    with reading(str(club)) as book:
        for row in book.rounds():
            story = story_of(book, row)
            assert story is not None
            for finish in finishes_of(book, row, story):
                assert finish.id.startswith(f"{row.session}-")
                assert sorted(each.arrived or 0 for each in finish.rivals) == list(
                    range(1, len(finish.rivals) + 1)
                )
                assert finish.first_to_arrive in [each.seat for each in finish.rivals]
                rules.add(finish.rule)
    assert {FinishRule.STAMPS, FinishRule.DRAW} <= rules


def test_the_last_finishes_are_those_of_the_last_rounds(club: Path) -> None:
    with reading(str(club)) as book:
        every = last_finishes(book, 1000)
        few = last_finishes(book, 2)
        of_one = last_finishes(book, 1000, rounds=1)
    assert few == every[-2:]
    assert len(of_one) < len(every)
    assert len({each.id for each in every}) == len(every)


def test_without_inputs_nobody_knows_who_arrived_first(club: Path, tmp_path: Path) -> None:
    with reading(copied(club, tmp_path, "DELETE FROM inputs")) as book:
        assert {each.first_to_arrive for each in last_finishes(book, 1000)} == {None}


def test_a_damaged_input_is_noted_and_the_rest_is_known(club: Path, tmp_path: Path) -> None:
    spoilt = copied(
        club, tmp_path, "UPDATE inputs SET text = 'x edge on y' WHERE n = 40 AND text LIKE '%edge on%'"
    )
    with reading(spoilt) as book:
        assert last_finishes(book, 1000)


def test_rounds_whose_decisions_are_gone_have_no_finishes(club: Path, tmp_path: Path) -> None:
    with reading(copied(club, tmp_path, "DELETE FROM effects")) as book:
        assert last_finishes(book, 1000) == ()


def test_a_round_without_contests_has_no_finishes(club: Path, tmp_path: Path) -> None:
    with reading(copied(club, tmp_path, "DELETE FROM effects WHERE text LIKE '%rival%'")) as book:
        (row, *_) = book.rounds()
        story = story_of(book, row)
        assert story is not None
        assert finishes_of(book, row, story) == ()


def test_the_list_names_sessions_by_their_numbers(club: Path) -> None:
    with reading(str(club)) as book:
        assert [row["chapter"] for row in list_record(book, 10)] == [3, 2, 2, 1, 1]


def test_a_contest_is_found_by_its_name(club: Path) -> None:
    with reading(str(club)) as book:
        for finish in last_finishes(book, 1000):
            session, n = map(int, finish.id.split("-"))
            assert stored_finish(book, session, n) == finish
        assert stored_finish(book, session, n + 1) is None
        assert stored_finish(book, 999, 1) is None


def test_a_contest_of_a_round_that_is_not_kept_is_not_found(club: Path, tmp_path: Path) -> None:
    with reading(str(club)) as book:
        session, n = map(int, last_finishes(book, 1)[0].id.split("-"))
    with reading(copied(club, tmp_path, "DELETE FROM effects")) as book:
        assert stored_finish(book, session, n) is None


def test_a_round_is_read_with_its_finishes_if_they_are_wanted(club: Path) -> None:
    with reading(str(club)) as book:
        assert stored_round(book, 3).finishes == ()
        assert stored_round(book, 3, with_finishes=True).finishes


def test_a_round_that_can_not_be_read_is_listed_in_narrow_lines_too(club: Path, tmp_path: Path) -> None:
    with reading(copied(club, tmp_path, "UPDATE rounds SET begun = x'ff' WHERE n = 5")) as book:
        assert any("can't be read" in line for line in list_lines(book, 10, 50))
        assert any("can't be read" in line for line in list_lines(book, 10, 80))


def test_verdicts_outside_all_rounds_are_not_exported(club: Path, tmp_path: Path) -> None:
    verdicts = EXPORTS["verdicts"]
    with reading(str(club)) as book:
        every = list(verdicts.rows(book, Wanted()))
    with reading(copied(club, tmp_path, "DELETE FROM rounds WHERE n = 2")) as book:
        assert 0 < len(list(verdicts.rows(book, Wanted()))) < len(every)


def test_audits_of_a_store_with_a_damaged_head_are_those_that_were_counted(
    club: Path, tmp_path: Path
) -> None:
    with reading(copied(club, tmp_path, "UPDATE sessions SET head = '{'")) as book:
        found = checked(book)
        assert found
        assert all(each.audit.count for each in found)
        assert len(book.losses)


def test_a_round_as_a_record() -> None:
    record = json.loads(json.dumps(record_of(told(CLOSE))))
    assert list(record) == [
        *("start_table_ns", "ended_ns", "voided", "seats", "verdicts", "contests", "pauses", "events")
    ]
    assert (record["start_table_ns"], record["ended_ns"], record["seats"]) == (START_NS, 9 * S, [1, 2, 4])
    assert record["verdicts"][1] == {
        "n": 2,
        "t_ns": 1 * S + 400 * US,
        "seat": 2,
        "verdict": "too-late",
        "what": "red 1",
        "earliest_ns": 1 * S + 300 * US,
        "latest_ns": 1 * S + 500 * US,
        "width_ns": 2 * HALF_NS,
        "decided_ns": 1 * S + 400 * US + 50 * MS,
        "margin_ns": 400 * US,
        "rival": 1,
        "doubtful": False,
        "cue": None,
        "locked_until_ns": None,
        "tied_seats": None,
        "ties_won_before": None,
        "drawn": None,
    }
    assert record["contests"] == [
        {
            "what": "red 1",
            "winner": 1,
            "losers": [
                {"verdict": 2, "margin_ns": 400 * US, "surely_apart_ns": 200 * US},
                {"verdict": 3, "margin_ns": 2 * MS, "surely_apart_ns": 1800 * US},
            ],
        }
    ]
    assert [event["effect"]["is"] for event in record["events"]] == [
        "RoundStarted",
        "RoundFinished",
        "RoundScored",
    ]
    assert record["events"][1]["t_ns"] == 9 * S and record["events"][1]["decided_ns"] == 9 * S + 50 * MS
    assert record["events"][0]["effect"]["t_ns"] == 0, "the effects have no other clock"
    assert record["events"][1]["effect"]["stamp"] == [9 * S - HALF_NS, 9 * S + HALF_NS]


def test_no_effect_has_a_moment_under_another_name() -> None:
    """The record of an effect has to count all its moments from the start call."""
    lengths = {"behind_ns", "margin_ns"}
    told_elsewhere = {"Judged"}
    for name, kind in KINDS.items():
        times = {each.name for each in fields(kind) if each.name.endswith("_ns") or each.type == "Stamp"}
        assert name in told_elsewhere or times <= {"t_ns", "stamp"} | lengths


def test_a_dead_heat_as_a_record() -> None:
    record = record_of(told(TIED))
    lost, won = record["verdicts"]
    assert (won["tied_seats"], won["ties_won_before"], won["drawn"]) == ([1, 2], [0, 0], True)
    assert lost["tied_seats"] is None and lost["t_ns"] < won["t_ns"]
    assert record["contests"][0]["losers"][0]["surely_apart_ns"] == 50 * US - 2 * HALF_NS
    assert record["ended_ns"] is None


def test_locks_cues_and_pauses() -> None:
    effects = [
        started(),
        judged(Verdict.FALSE_CLAIM, 1, 1 * S, locked_until_ns=START_NS + 2 * S),
        judged(Verdict.ILLEGAL, 2, 2 * S, cue=Cue.NOT_YOURS, doubtful=True),
        entered(Phase.PAUSED, 3 * S),
        entered(Phase.PLAY, 4 * S),
        entered(Phase.PAUSED, 5 * S),
        (START_NS + 5 * S, e.WasInterrupted(AwayReason.POWER, START_NS + 5 * S)),
    ]
    record = record_of(told(effects))
    locked, illegal = record["verdicts"]
    assert (locked["locked_until_ns"], locked["what"]) == (2 * S, None)
    assert (illegal["cue"], illegal["doubtful"]) == ("not-yours", True)
    assert record["pauses"] == [{"from_ns": 3 * S, "to_ns": 4 * S}, {"from_ns": 5 * S, "to_ns": None}]
    assert record["events"][-1]["effect"]["reason"] == "power" and RED_1


def test_what_a_device_reports_has_both_parts_and_the_whole_as_it_always_had() -> None:
    lost = DeviceCondition("left", Condition.LOST, "no answer", "check its cable")
    t_ns = START_NS + 1 * S
    record = record_of(told([started(), (t_ns, e.DeviceReported(lost, True, t_ns))]))
    event = record["events"][-1]["effect"]
    assert (event["is"], event["seen"], event["advice"]) == ("DeviceReported", "no answer", "check its cable")
    assert event["words"] == "no answer; check its cable"


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
