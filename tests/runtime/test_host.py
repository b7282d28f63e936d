"""One table at work: when a chapter ends and another begins, and what goes on after the table was off."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.config.tags import Registry
from firmware_host.durations import MS, S
from firmware_host.effect_text import format_effect, parse_effect
from firmware_host.effects import Judged
from firmware_host.events import EndMatch, Pause
from firmware_host.places import Button, Card, Colour, Pad, Slot, Stranger
from firmware_host.runtime.assembly import load_profile
from firmware_host.runtime.host import LONG, TOO_LONG
from firmware_host.settings import Settings
from firmware_host.stamps import exactly
from firmware_host.store.head import Head
from firmware_host.table.dice_round import SlotState
from firmware_host.table.phases import Phase
from hw.ports import Condition, Health
from hw.sim.rfid.pn532 import SimTag
from tests.runtime.evenings import Evening, evening

R1, R2, R3, B1 = (Slot(Colour.RED, 1), Slot(Colour.RED, 2), Slot(Colour.RED, 3), Slot(Colour.BLUE, 1))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    with evening(tmp_path) as each:
        yield each


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[Evening]:
    with evening(tmp_path, "cards4") as each:
        yield each


def chapter_of(table: Evening) -> int:
    """The chapter that is being written now."""
    with table.book() as book:
        chapter = book.last_chapter()
    assert chapter is not None
    return chapter.id


def head_of(table: Evening) -> Head:
    """What the present chapter began with, as it is written."""
    with table.book() as book:
        return book.head(chapter_of(table))


def end_match(table: Evening) -> None:
    """The operator ends the match; whatever lies there is taken away."""
    pipeline = table.host._playing.pipeline
    pipeline.command(EndMatch(exactly(table.host.loop.now_ns)))
    table.room.empty(R1, R2, R3, B1)
    table.until_phase(Phase.ATTRACT)


# -- chapters


def test_a_table_that_is_switched_on_attracts(table: Evening) -> None:
    table.start()
    table.wait(1 * S)
    assert table.phase is Phase.ATTRACT and table.host.phase == "attract"
    assert table.room.sign == ("Press to play", "")
    assert any(table.room.frame)
    assert table.log("resume") == []


def test_a_chapter_lasts_as_long_as_its_match_and_another_one_follows(table: Evening) -> None:
    table.start()
    first = chapter_of(table)
    table.play()
    table.wait(10 * S)
    assert chapter_of(table) == first
    end_match(table)
    table.wait(1 * S)
    second = chapter_of(table)
    assert second != first
    table.wait(100 * S)
    assert chapter_of(table) == second  # nobody has played in it yet


def test_a_match_that_never_came_about_ends_no_chapter(table: Evening) -> None:
    table.start()
    first = chapter_of(table)
    table.wait(500 * MS)
    table.tap(1)
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    assert chapter_of(table) == first


def test_each_chapter_draws_its_own_lots(table: Evening) -> None:
    table.start()
    seeds = {head_of(table).seed}
    for _ in range(2):
        table.play()
        end_match(table)
        table.wait(1 * S)
        seeds.add(head_of(table).seed)
    assert len(seeds) == 3


def test_no_chapter_begins_while_somebody_touches_the_table(table: Evening) -> None:
    table.start()
    first = chapter_of(table)
    table.play()
    table.room.press(3)
    table.wait(200 * MS)
    end_match(table)
    table.room.fill(B1)
    table.wait(20 * MS)
    assert chapter_of(table) == first  # a die is on its way through the table
    table.wait(3 * S)
    assert chapter_of(table) == first  # a button is down still
    table.room.release(3)
    table.wait(1 * S)
    assert chapter_of(table) != first
    assert head_of(table).active == (B1,)


def test_a_button_that_is_jammed_does_not_keep_the_chapter_from_ending(table: Evening) -> None:
    table.start()
    first = chapter_of(table)
    table.play()
    table.room.press(3)
    table.wait(200 * MS)
    end_match(table)
    table.wait(40 * S)
    assert chapter_of(table) != first
    assert head_of(table).active == (Button(3),)


def test_a_table_at_which_a_wire_is_loose_begins_a_chapter_now_and_then(table: Evening) -> None:
    table.start()
    first = chapter_of(table)
    flutter(table, LONG // 2 + 10)
    table.wait(5 * S)
    assert chapter_of(table) != first


def flutter(table: Evening, times: int) -> None:
    """A magnet comes and goes so often."""
    agenda, contact = table.room.site.agenda, table.room.table.contacts[R1]
    start_ns = table.room.clock.now_ns()
    for n in range(2 * times):
        agenda.at(start_ns + n * 60 * MS, lambda active=n % 2 == 0: contact.set(active))  # type: ignore[misc]
    table.wait(2 * times * 60 * MS)


def test_a_wire_that_never_rests_can_not_keep_the_chapter_from_ending(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.runtime.host.TOO_LONG", LONG + 100)
    assert TOO_LONG > LONG
    table.start()
    first = chapter_of(table)
    flutter(table, LONG // 2 + 20)
    assert chapter_of(table) == first
    flutter(table, 60)
    assert chapter_of(table) != first


def test_the_standings_of_the_last_match_go_from_chapter_to_chapter(table: Evening) -> None:
    play_to_the_end(table)
    first = chapter_of(table)
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    assert chapter_of(table) != first
    last = table.host.session.last_match
    assert last is not None and last.winners == (1,) and head_of(table).last_match == last
    assert table.room.sign[0] == "Press to play" and table.room.sign[1] in ("1:+1 2:-1", "Winner: 1")
    table.restart()
    table.wait(1 * S)
    assert table.host.session.last_match == last


def play_to_the_end(table: Evening) -> None:
    """Seat 1 wins a match of one round with a single die."""
    table.start(replace(table.config, rounds=1, handicap=(23, 11)))
    table.play()
    assert table.left == (1, 1, 0, 0)
    table.place(1, R1)
    table.until_phase(Phase.SETTLE)
    table.until_phase(Phase.SCORES)
    table.until_phase(Phase.CLEAR)
    table.room.empty(R1)
    table.until_phase(Phase.RESULT)


# -- what a chapter takes over


def test_settings_are_taken_over_when_the_match_is_over_and_not_before(table: Evening) -> None:
    table.start()
    table.play()
    new = replace(
        table.config,
        settings=Settings(language="de"),
        handicap=(3,),
        open_seats=(1, 2),
        rounds=5,
        brightness=4,
        event="spring cup",
    )
    table.host.reconfigure(new, None)
    table.wait(10 * S)
    session = table.host.session
    assert session.settings.language == "en" and session.table.handicap == ()
    assert table.room.dimmed == []
    end_match(table)
    table.wait(1 * S)
    session = table.host.session
    assert session.settings.language == "de"
    assert (session.table.handicap, session.table.closed, session.table.rounds) == ((3,), {3, 4}, 5)
    assert table.room.dimmed == [4]
    assert table.room.sign[0] == table.room.table.spell("Zum Spielen drücken")
    assert head_of(table).event == "spring cup"


def test_at_a_table_where_nobody_plays_they_are_taken_over_at_once(table: Evening) -> None:
    table.start()
    table.wait(1 * S)
    first = chapter_of(table)
    table.host.reconfigure(replace(table.config, settings=Settings(language="nl")), None)
    table.wait(1 * S)
    assert table.host.session.settings.language == "nl"
    assert chapter_of(table) != first
    second = chapter_of(table)
    table.wait(10 * S)
    assert chapter_of(table) == second


def test_the_last_of_several_changes_counts(table: Evening) -> None:
    table.start()
    table.play()
    for language in ("de", "fr"):
        table.host.reconfigure(replace(table.config, settings=Settings(language=language)), None)
    end_match(table)
    table.wait(1 * S)
    assert table.host.session.settings.language == "fr"


def test_no_settings_are_taken_over_while_people_sit_down(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.tap(1)
    table.host.reconfigure(replace(table.config, settings=Settings(language="nl")), None)
    table.wait(5 * S)
    assert table.phase is Phase.JOIN and table.host.session.settings.language == "en"
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    assert table.host.session.settings.language == "nl"


def test_the_table_never_claims_to_know_more_than_its_drivers(table: Evening) -> None:
    fine = Settings(stamp_uncertainty_ns=1_000)
    table.start(replace(table.config, settings=fine))
    assert table.host.session.settings.stamp_uncertainty_ns == table.host.equipment.doubt_ns > 1_000


def test_another_game_needs_other_equipment(table: Evening) -> None:
    both = {**table.config.profiles, "cards": load_profile("cards4")}
    config = replace(table.config, profiles=both)
    table.start(config)
    table.play()
    assert not table.host.wants_other_game
    table.host.reconfigure(replace(config, game="cards", settings=Settings(language="de")), None)
    table.wait(5 * S)
    assert not table.host.wants_other_game  # a match is being played
    end_match(table)
    table.until(lambda: table.host.wants_other_game)
    table.wait(5 * S)
    session = table.host.session
    assert session.table.game.name == "dice" and session.settings.language == "en"


def test_an_other_game_that_is_taken_back_is_not_set_up(table: Evening) -> None:
    both = {**table.config.profiles, "cards": load_profile("cards4")}
    config = replace(table.config, profiles=both)
    table.start(config)
    table.wait(500 * MS)
    table.tap(1)
    table.host.reconfigure(replace(config, game="cards"), None)
    table.host.reconfigure(config, None)
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    assert not table.host.wants_other_game


# -- devices and tags at the beginning of a chapter


def test_what_is_wrong_with_devices_is_told_to_each_chapter(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.room.tell(Health("left", Condition.LOST, "no answer"))
    table.room.tell(Health("leds-2", Condition.DEGRADED, "garbled"))
    table.room.tell(Health("leds", Condition.LOST, "no answer"))
    table.room.tell(Health("leds", Condition.OK))
    table.wait(500 * MS)
    table.host.reconfigure(table.config, None)
    first = chapter_of(table)
    table.wait(1 * S)
    assert chapter_of(table) != first
    troubles = table.host.session.troubles
    assert [(each.name, each.needed, each.words) for each in troubles.all] == [("left", True, "no answer")]
    with table.book() as book:
        chapter = book.last_chapter()
    assert chapter is not None
    told = [str(each.seen) for each in chapter.entries]
    assert sum("leds-2" in each for each in told) == 1 and not any("'leds'" in each for each in told)
    table.room.tell(Health("left", Condition.OK))
    table.wait(500 * MS)
    assert troubles.all == ()


def test_what_lies_on_readers_is_told_to_each_chapter(cards: Evening) -> None:
    cards.start()
    card = Card(1, Colour.RED, 1)
    cards.room.hold_to(Pad(1), card)
    cards.wait(2 * S)
    cards.host.reconfigure(cards.config, None)
    first = chapter_of(cards)
    cards.wait(2 * S)
    assert chapter_of(cards) != first
    assert cards.host.session.tags.everywhere == {Pad(1): {card}}
    cards.room.take_from(Pad(1), card)
    cards.wait(2 * S)
    assert cards.host.session.tags.everywhere == {}


def test_a_tag_that_is_enrolled_while_it_lies_on_a_reader_is_known_from_then_on(cards: Evening) -> None:
    cards.start()
    uid = bytes.fromhex("04a1b2c3")
    antenna = cards.room.site.antennas[Pad(1)]
    antenna.put(SimTag(uid))
    cards.wait(2 * S)
    assert cards.host.session.tags.everywhere == {Pad(1): {Stranger("04a1b2c3")}}
    card = Card(1, Colour.RED, 1)
    cards.host.reconfigure(cards.config, Registry({uid.hex(): card}))
    cards.wait(2 * S)
    assert cards.host.session.tags.everywhere == {Pad(1): {card}}
    antenna.take(uid)
    cards.wait(2 * S)
    assert cards.host.session.tags.everywhere == {}
    cards.host.reconfigure(cards.config, None)  # the registry stays
    cards.wait(2 * S)
    assert cards.host.session.tags.everywhere == {}
    antenna.put(SimTag(uid))
    cards.wait(2 * S)
    assert cards.host.session.tags.everywhere == {Pad(1): {card}}


def test_a_button_that_is_jammed_is_found_in_the_next_chapter_too(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.room.press(3)
    table.wait(40 * S)
    jammed = [str(Button(3))]
    assert [each.name for each in table.host.session.troubles.all] == jammed
    table.host.reconfigure(table.config, None)
    first = chapter_of(table)
    table.wait(5 * S)
    assert chapter_of(table) != first
    table.wait(40 * S)
    assert [each.name for each in table.host.session.troubles.all] == jammed


# -- going on after the table was off


def test_a_match_goes_on_where_it_was(table: Evening) -> None:
    table.start()
    table.play()
    table.place(1, R1)
    first = chapter_of(table)
    table.restart()
    assert table.log("resume") == ["the match goes on where it was: play"]
    assert chapter_of(table) == first
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
    table.host._playing.pipeline.observers.append(
        lambda t_ns, effects: seen.extend(each for each in effects if isinstance(each, Judged))
    )
    table.until_phase(Phase.PLAY, 8 * S)
    assert table.state(R1) is SlotState.COUNTED and table.state(R2) is SlotState.LAPSED
    assert seen == []


def test_dice_that_came_and_went_meanwhile_are_waited_for(table: Evening) -> None:
    table.start()
    table.play()
    table.place(1, R1)
    table.stop()
    table.room.empty(R1)
    table.room.fill(B1)
    table.room.wait()
    table.start()
    table.wait(30 * S)
    assert table.phase is Phase.PAUSED
    assert (table.state(R1), table.state(B1)) == (SlotState.MISSING, SlotState.ILLEGAL)
    table.room.empty(B1)
    table.room.fill(R1)
    table.until_phase(Phase.PLAY, 6 * S)
    assert table.left == (11, 12, 0, 0)


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


def test_a_device_that_works_again_after_the_start_is_back(table: Evening) -> None:
    table.start()
    table.play()
    table.room.tell(Health("left", Condition.LOST, "no answer"))
    table.until_phase(Phase.PAUSED)
    table.restart()
    table.until_phase(Phase.PLAY, 10 * S)
    assert table.host.session.troubles.all == ()


def test_a_pause_of_the_operator_stays(table: Evening) -> None:
    table.start()
    table.play()
    table.host._playing.pipeline.command(Pause(exactly(table.host.loop.now_ns)))
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
    table.until_phase(Phase.PLAY)


def test_it_goes_on_in_every_phase_in_between(tmp_path: Path) -> None:
    with evening(tmp_path) as table:
        table.start(replace(table.config, rounds=1, handicap=(23, 11)))
        table.play()
        table.place(1, R1)
        table.until_phase(Phase.SETTLE)
        for phase in (Phase.SETTLE, Phase.SCORES, Phase.CLEAR, Phase.RESULT):
            table.until_phase(phase)
            if phase is Phase.CLEAR:
                table.room.empty(R1)
            table.wait(300 * MS)
            now = table.phase
            table.restart()
            table.wait(2 * S)
            assert table.phase is now, phase
        table.until_phase(Phase.ATTRACT)
        with table.book() as book:
            (match,) = book.matches()
        assert (match.state, match.winners) == ("finished", (1,))
        assert len(table.log("resume")) == 4


def test_a_table_at_which_nobody_played_begins_afresh(table: Evening) -> None:
    table.start()
    table.wait(1 * S)
    first = chapter_of(table)
    table.restart()
    assert chapter_of(table) != first and table.log("resume") == []


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


def test_a_match_that_was_resumed_may_be_played_to_its_end_and_is_one_match(table: Evening) -> None:
    play_on(table)
    with table.book() as book:
        (match,) = book.matches()
        (only,) = book.rounds()
        chapter = book.chapter(match.chapter)
    assert (match.state, match.totals[:2]) == ("finished", (1, -1))
    assert only.state == "scored"
    assert sum("Interrupted" in str(each.seen) for each in chapter.entries) == 1


def play_on(table: Evening) -> None:
    table.start(replace(table.config, rounds=1, handicap=(23, 11)))
    table.play()
    table.restart()
    table.until_phase(Phase.PLAY)
    table.wait(100 * MS)
    table.place(1, R1)
    table.until_phase(Phase.CLEAR)
    table.room.empty(R1)
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)


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


def test_it_counts_even_if_the_match_never_begins(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.tap(1)
    table.restart(config=replace(table.config, settings=Settings(language="de")))
    table.wait(2 * S)
    assert table.phase is Phase.JOIN and table.host.session.settings.language == "en"
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    assert table.host.session.settings.language == "de"


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


def tamper(table: Evening, change: str) -> None:
    """Somebody or something has changed the file while the table was off."""
    connection = sqlite3.connect(table.file)
    with connection:
        connection.execute(change)
    connection.close()


def cut_off(table: Evening) -> None:
    """A round that is being played is cut off."""
    table.start()
    table.play()
    table.place(1, R1)
    table.stop()
    table.room.wait()


def test_a_journal_that_says_something_else_is_not_gone_on_with(table: Evening) -> None:
    cut_off(table)
    connection = sqlite3.connect(table.file)
    rows = connection.execute("SELECT chapter, n, text FROM effects").fetchall()
    ((chapter, n, judged),) = [
        (chapter, n, effect) for chapter, n, text in rows if isinstance(effect := parse_effect(text), Judged)
    ]
    with connection:
        connection.execute(
            "UPDATE effects SET text = ? WHERE chapter = ? AND n = ?",
            (format_effect(replace(judged, seat=2)), chapter, n),
        )
    connection.close()
    table.start()
    assert table.phase is Phase.ATTRACT
    (said,) = table.log("resume")
    assert said.startswith("the last match can't go on: the journal was written by ")
    assert f"decision {n} was Judged" in said
    table.wait(1 * S)
    assert table.room.sign == ("Press to play", "")


def test_settled_results_stay_though_the_match_can_not_go_on(table: Evening) -> None:
    table.start(replace(table.config, rounds=2, handicap=(23, 11)))
    table.play()
    table.place(1, R1)
    table.until_phase(Phase.SCORES)
    table.stop()
    table.room.wait()
    tamper(table, "UPDATE inputs SET arrived_ns = arrived_ns + 60000000000 WHERE n > 4")
    table.start()
    assert table.phase is Phase.ATTRACT and len(table.log("resume")) == 1
    with table.book() as book:
        (only,) = book.rounds()
    assert (only.state, only.totals) == ("scored", (1, -1, 0, 0))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE inputs SET text = 'nonsense' WHERE n = 2",
        "UPDATE effects SET text = 'nonsense' WHERE n = 2",
        "UPDATE chapters SET head = replace(head, 'dice', 'chess')",
        "UPDATE inputs SET text = replace(text, 'on seat 1', 'on seat 9')",
        "DELETE FROM inputs WHERE n = 1",
        "DELETE FROM inputs",
    ],
)
def test_whatever_was_done_to_the_journal_the_table_starts(table: Evening, change: str) -> None:
    cut_off(table)
    tamper(table, change)
    table.start()
    table.wait(1 * S)
    assert table.phase is Phase.ATTRACT
    table.room.empty(R1)
    table.play()
    assert table.left == (12, 12, 0, 0)


def test_a_table_that_is_wired_otherwise_begins_afresh(table: Evening, tmp_path: Path) -> None:
    cut_off(table)
    with evening(tmp_path, "dice4-rfid") as other:
        other.start()
        assert other.phase is Phase.ATTRACT
        assert other.log("resume") == ["the last match can't go on: the table is wired otherwise now"]


def test_a_match_of_another_game_does_not_go_on(table: Evening, tmp_path: Path) -> None:
    play_to_the_end(table)
    table.stop()
    with evening(tmp_path, "cards4") as other:
        other.start()
        other.wait(1 * S)
        assert other.phase is Phase.ATTRACT
        assert other.host.session.last_match is None


def test_the_same_table_on_other_lines_goes_on(table: Evening, tmp_path: Path) -> None:
    cut_off(table)
    direct = load_profile("dice4-direct")
    with evening(tmp_path, direct) as other:
        other.start()
        other.until_phase(Phase.PAUSED)
        other.room.fill(R1)
        other.until_phase(Phase.PLAY)
        assert other.left == (11, 12, 0, 0)
