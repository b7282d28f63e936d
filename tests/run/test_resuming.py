"""What goes on after the table was off, what does not, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from firmware_host.model.effects import Judged
from firmware_host.model.events import Pause
from firmware_host.model.places import Card, Colour, Pad
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S, exactly
from firmware_host.run.recorded_sessions import MOST_RESUMES
from firmware_host.run.table_files import load_profile
from tests.run.evenings import R1, R2, Evening, end_match, evening, play_to_the_end, session_of

# -- going on after the table was off


def test_a_match_goes_on_where_it_was(table: Evening) -> None:
    table.start()
    table.play()
    table.place(1, R1)
    first = session_of(table)
    table.restart()
    assert table.log("resume") == ["the match is resumed: play"]
    assert session_of(table) == first
    table.until_phase(Phase.PAUSED)
    assert table.room.sign == ("Table was off", "")
    table.until_phase(Phase.PLAY)
    assert table.left == (11, 12, 0, 0) and table.state(R1) is SlotState.COUNTED
    table.place(2, R2)
    assert table.left == (11, 11, 0, 0)


def test_nobody_thinks_that_the_round_runs_while_the_table_listens(table: Evening) -> None:
    table.start()
    table.play()
    table.restart()
    table.wait(1 * S)
    assert table.room.sign == ("Table was off", "")
    assert not any(table.room.frame)
    assert table.phase is Phase.PLAY
    table.until_phase(Phase.PAUSED)
    table.wait(200 * MS)
    assert any(table.room.frame)


def test_dice_behind_an_expander_lie_as_they_lay_though_it_is_slow_to_tell(table: Evening) -> None:
    """Its levels are not known when the program begins: nothing must look as if it had been taken away."""
    table.start()
    table.play()
    table.place(1, R1)
    table.room.fill(R2)
    table.wait(300 * MS)
    assert table.state(R2) is SlotState.OPEN
    seen: list[Judged] = []
    table.restart()
    table.host.recorded.shell.onlookers.append(
        lambda step: seen.extend(each for each in step.effects if isinstance(each, Judged))
    )
    table.until_phase(Phase.PLAY, 8 * S)
    assert table.state(R1) is SlotState.COUNTED and table.state(R2) is SlotState.LAPSED
    assert seen == []


def test_a_card_on_its_pad_is_armed_still(cards: Evening) -> None:
    cards.start()
    cards.play()
    card = Card(1, Colour.RED, 1)
    cards.room.hold_to(Pad(1), card)
    cards.wait(1 * S)
    cards.restart()
    cards.until_phase(Phase.PLAY)
    cards.wait(100 * MS)
    cards.tap(1)
    assert cards.left[0] == 1  # one card of seat 1 lies in the centre


def test_a_pause_of_the_operator_stays(table: Evening) -> None:
    table.start()
    table.play()
    table.host.recorded.shell.command(Pause(exactly(table.host.loop.now_ns)))
    table.wait(1 * S)
    table.restart()
    table.wait(30 * S)
    assert table.phase is Phase.PAUSED and table.room.sign == ("Paused", "")


def test_people_who_were_sitting_down_sit_still(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.tap(2)
    table.restart()
    table.wait(3 * S)
    assert table.phase is Phase.JOIN and table.host.session.seated == {2}
    table.tap(1)
    table.hold(1)
    table.until_phase(Phase.CLEAR)
    table.tap(1, 2)
    table.until_phase(Phase.PLAY)


def test_a_table_at_which_nobody_played_begins_afresh(table: Evening) -> None:
    table.start()
    table.wait(1 * S)
    first = session_of(table)
    table.restart()
    assert session_of(table) != first and table.log("resume") == []


def test_it_may_be_off_again_before_it_has_gone_on(table: Evening) -> None:
    table.start()
    table.play()
    table.place(1, R1)
    for listened_ns in (0, 700 * MS, 2 * S):
        table.restart()
        table.wait(listened_ns)
    table.restart()
    table.until_phase(Phase.PLAY)
    assert table.left == (11, 12, 0, 0)
    assert len(table.log("resume")) == 4


def test_what_was_configured_while_it_was_off_counts_when_the_match_is_over(table: Evening) -> None:
    table.start()
    table.play()
    table.restart(config=replace(table.config, settings=Settings(language="de"), open_seats=(1, 2)))
    table.until_phase(Phase.PLAY)
    assert table.host.session.settings.language == "en"
    end_match(table)
    table.wait(1 * S)
    assert table.host.session.settings.language == "de"
    assert table.host.session.table.closed == {3, 4}


def test_lamps_that_were_counted_before_are_not_counted_again(tmp_path: Path) -> None:
    def lit(name: str, *, restarts: int) -> dict[str, int]:
        folder = tmp_path / name
        folder.mkdir()
        with evening(folder) as table:
            table.start(replace(table.config, rounds=2, handicap=(23, 11)))
            table.play()
            table.place(1, R1)
            table.until_phase(Phase.CLEAR)
            for _ in range(restarts):
                table.restart()
                table.wait(2 * S)
            end_match(table)
            with table.book() as book:
                return {each.name: each.count for each in book.audits() if each.kind == "lamp"}

    assert lit("often", restarts=3) == lit("once", restarts=0) != {}


# -- what can't go on


def cut_off(table: Evening) -> None:
    """A round that is being played is cut off."""
    table.start()
    table.play()
    table.place(1, R1)
    table.stop()
    table.room.wait()


def test_a_match_that_ends_the_daemon_again_and_again_is_given_up(table: Evening) -> None:
    """Even if each start comes as far as to let the round go on."""
    cut_off(table)
    for _ in range(MOST_RESUMES):
        table.start()
        table.until_phase(Phase.PLAY)
        table.stop()
        table.room.wait()
    table.start()
    assert table.phase is Phase.ATTRACT
    assert (
        table.log("resume")[-1]
        == f"the last match can't be resumed: it was resumed {MOST_RESUMES} times, and nothing was played"
    )


def test_a_match_that_goes_on_may_be_cut_off_as_often_as_one_likes(table: Evening) -> None:
    cut_off(table)
    for number in range(MOST_RESUMES + 1):
        table.start()
        table.until_phase(Phase.PLAY)
        if number % 2 == 0:
            table.tap(2)  # for nothing, which is a verdict as well
            table.wait(1 * S)
        table.stop()
        table.room.wait()
    table.start()
    assert table.log("resume")[-1].startswith("the match is resumed")


def test_a_table_that_is_wired_otherwise_begins_afresh(table: Evening, tmp_path: Path) -> None:
    cut_off(table)
    with evening(tmp_path, "dice4-rfid") as other:
        other.start()
        assert other.phase is Phase.ATTRACT
        assert other.log("resume") == ["the last match can't be resumed: the wiring of the table has changed"]


def test_a_match_of_another_game_does_not_go_on(table: Evening, tmp_path: Path) -> None:
    play_to_the_end(table)
    table.stop()
    with evening(tmp_path, "cards4") as other:
        other.start()
        other.wait(1 * S)
        assert other.phase is Phase.ATTRACT
        assert other.host.news.last_match is None


def test_the_same_table_on_other_lines_goes_on(table: Evening, tmp_path: Path) -> None:
    cut_off(table)
    direct = load_profile("dice4-direct")
    with evening(tmp_path, direct) as other:
        other.start()
        other.until_phase(Phase.PAUSED)
        other.room.fill(R1)
        other.until_phase(Phase.PLAY)
        assert other.left == (11, 12, 0, 0)
