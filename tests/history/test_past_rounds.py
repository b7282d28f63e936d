"""Rounds from a store, with their photo finishes and the order in which presses arrived."""

from __future__ import annotations

from pathlib import Path

from firmware_host.history.exporting import EXPORTS, Wanted, checked
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
from firmware_host.store.store_reader import reading
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
                assert finish.id.startswith(f"{row.session_log}-")
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
