"""Service mode at a table that runs: in by the door, the game stands still, and back out again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.model.phrases import Phrase, say
from firmware_host.model.places import Card, Colour, Pad, Slot
from firmware_host.model.settings import LANGUAGES
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S
from firmware_host.service.panel import ALONE_NS, COMBINATION_NS
from hw.ports import Condition, Health
from tests.run.evenings import Evening, evening
from tests.run.rooms import TAP_NS

R1, R2, B1 = Slot(Colour.RED, 1), Slot(Colour.RED, 2), Slot(Colour.BLUE, 1)


def press(table: Evening, seat: int, times: int = 1) -> None:
    for _ in range(times):
        table.room.press(seat)
        table.wait(TAP_NS)
        table.room.release(seat)
        table.wait(200 * MS)


def hold(table: Evening, seat: int, for_ns: int) -> None:
    table.room.press(seat)
    table.wait(for_ns)
    table.room.release(seat)
    table.wait(200 * MS)


def go_to(table: Evening, word: Phrase) -> None:
    """The first button, until that is shown, in whatever language."""
    texts = {table.room.table.spell(say(language, word), language) for language in LANGUAGES}
    for _ in range(12):
        if table.room.sign[0] in texts:
            return
        press(table, 1)
    raise AssertionError(f"there is no '{say('en', word)}'")


def enter(table: Evening, *words: Phrase) -> None:
    for word in words:
        go_to(table, word)
        press(table, 2)


def leave(table: Evening) -> None:
    """Out of every page, with what was confirmed."""
    for _ in range(5):
        if not table.serves():
            return
        hold(table, 1, 1200 * MS)
    assert not table.serves()


def in_play(table: Evening) -> None:
    """Seats 2 and 3 play; seat 2 has placed a red 1."""
    table.start()
    table.play(2, 3)
    table.place(2, R1)


# -- the way in


@pytest.mark.parametrize(
    "phase", [Phase.PLAY, Phase.PAUSED, Phase.SETTLE, Phase.SCORES, Phase.CLEAR], ids=lambda phase: phase.name
)
def test_the_door_opens_in_every_phase_and_the_game_stands_still(table: Evening, phase: Phase) -> None:
    table.start(replace(table.config, rounds=2, handicap=(0, 11, 5)))
    table.play(2, 3)
    if phase is Phase.PAUSED:
        table.room.tell(Health("left", Condition.LOST, "no answer"))
    elif phase is not Phase.PLAY:
        table.place(2, R1)
        table.until_phase(phase)
    table.until_phase(phase)
    table.wait(300 * MS)
    table.open_door()
    assert table.host.phase == "service"
    assert table.phase is phase
    advanced_ns = table.host.recorded.shell.referee.advanced_ns
    assert table.room.sign[0] == "Tests"
    table.wait(40 * S)
    assert table.host.recorded.shell.referee.advanced_ns == advanced_ns
    leave(table)
    assert table.host.phase != "service"


def test_whoever_keeps_holding_does_not_come_in_again(table: Evening) -> None:
    in_play(table)
    table.room.press(1, 4)
    table.until(lambda: table.serves())
    table.until(lambda: not table.serves(), ALONE_NS + 5 * S)
    table.wait(20 * S)
    assert not table.serves()
    table.room.release(1, 4)
    table.wait(1 * S)
    table.open_door()
    assert table.serves()


def test_at_a_table_where_nobody_plays_it_leaves_no_match_behind(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.open_door()
    leave(table)
    table.wait(1 * S)
    assert table.phase is Phase.ATTRACT and table.host.session.seated == set()
    with table.book() as book:
        assert book.matches() == [] and book.rounds() == []


def test_where_a_match_runs_it_can_be_ended_and_where_none_does_not(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.open_door()
    with pytest.raises(AssertionError, match="there is no 'End match'"):
        go_to(table, Phrase.END_MATCH)
    leave(table)
    table.wait(1 * S)
    table.play(2, 3)
    table.open_door()
    go_to(table, Phrase.END_MATCH)


def test_a_round_that_is_over_can_not_be_made_void(table: Evening) -> None:
    table.start(replace(table.config, rounds=2, handicap=(0, 11, 5)))
    table.play(2, 3)
    table.place(2, R1)
    table.until_phase(Phase.SCORES)
    table.wait(300 * MS)
    table.open_door()
    with pytest.raises(AssertionError, match="there is no 'Void round'"):
        go_to(table, Phrase.VOID_ROUND)
    go_to(table, Phrase.END_MATCH)


# -- while it is open


def test_nothing_of_it_reaches_the_game_until_time_ends_it(table: Evening) -> None:
    in_play(table)
    table.room.press(1, 4)
    table.wait(COMBINATION_NS - 10 * MS)
    assert not table.serves()
    table.wait(20 * MS)
    assert table.serves()
    assert table.log("service") == ["service mode was entered in play"]
    table.room.release(1, 4)
    table.wait(1 * S)
    assert table.room.sign[0] == "Tests"  # the hands that came in have pressed nothing
    speaker, frame, effects = table.room.site.speaker, table.room.frame, table.host.recorded.journal.effects
    heard = len(speaker.history)
    table.wait(5 * S)
    assert table.room.frame == frame and table.room.sign[0] == "Tests"
    press(table, 2, 3)
    press(table, 3)
    table.room.fill(B1)
    table.wait(1 * S)
    assert table.host.recorded.journal.effects == effects and table.state(B1) is SlotState.FREE
    table.room.empty(B1)
    table.wait(ALONE_NS - 5 * S)
    assert table.serves() and len(speaker.history) == heard
    table.until(lambda: not table.serves(), 6 * S)
    assert table.log("service")[-1] == "service mode was left"
    table.until_phase(Phase.COUNTDOWN)
    table.wait(200 * MS)
    assert table.room.sign == ("Round 1/2", "3")
    assert table.room.frame != frame and len(speaker.history) > heard


def test_the_panel_tests_what_lies_on_readers(tmp_path: Path) -> None:
    with evening(tmp_path, "cards4") as table:
        table.start()
        table.play(2, 3)
        table.open_door()
        enter(table, Phrase.TESTS, Phrase.SENSORS)
        table.room.hold_to(Pad(3), Card(3, Colour.RED, 7))
        table.wait(2 * S)
        assert table.room.sign[0] == "seat 3: card 3 red 7"
        table.room.take_from(Pad(3), Card(3, Colour.RED, 7))
        table.wait(2 * S)
        leave(table)
        table.until_phase(Phase.PLAY)
        assert table.host.session.tags.everywhere == {}


# -- back in the game


def test_the_round_goes_on_after_a_countdown(table: Evening) -> None:
    in_play(table)
    table.open_door()
    table.wait(50 * S)
    leave(table)
    assert table.phase is Phase.PAUSED and table.room.sign == ("Paused", "")
    table.until_phase(Phase.PLAY, 8 * S)
    table.wait(100 * MS)
    assert table.left == (0, 11, 12, 0)
    table.place(3, R2)
    assert table.left == (0, 11, 11, 0)


def test_how_devices_are_meanwhile_reaches_the_game(table: Evening) -> None:
    in_play(table)
    table.room.tell(Health("left", Condition.LOST, "no answer"))
    table.until_phase(Phase.PAUSED)
    table.open_door()
    table.room.tell(Health("rows", Condition.LOST, "no answer"))
    table.room.tell(Health("right", Condition.LOST, "no answer"))
    table.wait(1 * S)
    table.room.tell(Health("right", Condition.OK))
    table.wait(1 * S)
    leave(table)
    table.wait(10 * S)
    assert table.phase is Phase.PAUSED
    assert {each.name for each in table.host.session.troubles.all} == {"left", "rows"}
    table.room.tell(Health("left", Condition.OK))
    table.room.tell(Health("rows", Condition.OK))
    table.until_phase(Phase.PLAY, 6 * S)


# -- what is decided there


def test_a_round_is_made_void(table: Evening) -> None:
    in_play(table)
    table.open_door()
    enter(table, Phrase.VOID_ROUND)
    hold(table, 2, 2200 * MS)
    assert not table.serves()
    table.until_phase(Phase.CLEAR, 2 * S)
    assert table.host.session.match is not None
    assert table.host.session.troubles.all == ()
    table.room.empty(R1)
    table.wait(500 * MS)
    table.tap(2, 3)
    table.until_phase(Phase.PLAY, 6 * S)
    assert table.left == (0, 12, 12, 0)


def test_a_match_is_ended(table: Evening) -> None:
    in_play(table)
    table.open_door()
    enter(table, Phrase.END_MATCH)
    hold(table, 2, 2200 * MS)
    table.until_phase(Phase.ATTRACT, 2 * S)
    assert table.host.session.match is None
    with table.book() as book:
        assert [match.state for match in book.matches()] == ["abandoned"]


def test_what_was_set_counts_when_the_match_is_over_and_is_known_at_the_next_start(table: Evening) -> None:
    in_play(table)
    table.open_door()
    enter(table, Phrase.SETTINGS)
    press(table, 2)  # the language
    assert table.room.sign[0] == table.room.table.spell(say("fr", Phrase.LANGUAGE), "fr")
    leave(table)
    assert table.log("service")[-2:] == ["language was set to fr", "service mode was left"]
    table.until_phase(Phase.PLAY, 8 * S)
    assert table.host.session.settings.language == "en"
    table.restart()
    table.wait(3 * S)
    assert table.host.session.settings.language == "en"  # it is that match still
    assert table.memory.was.choices == {"language": "fr"}


def test_seats_and_handicaps_that_were_set_count(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.open_door()
    enter(table, Phrase.SETTINGS, Phrase.SEATS)
    press(table, 2)  # seat 1 is closed
    hold(table, 1, 1200 * MS)
    enter(table, Phrase.HANDICAPS)
    press(table, 1)
    press(table, 2, 2)  # two more for seat 2
    leave(table)
    table.wait(1 * S)
    session = table.host.session
    assert session.table.closed == {1} and session.table.handicap == (0, -2, 0, 0)
    table.wait(500 * MS)
    table.tap(1)
    assert table.phase is Phase.ATTRACT
    table.play(2, 3)
    assert table.left == (0, 13, 11, 0)


def test_the_rounds_of_the_next_match_are_agreed_on_at_the_table(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.open_door()
    enter(table, Phrase.SETTINGS)
    press(table, 1, 3)
    press(table, 2)
    leave(table)
    table.wait(1 * S)
    assert table.memory.was.choices == {"rounds": "3"}
    table.restart()
    table.play(1, 2)
    match = table.host.session.match
    assert match is not None and match.rounds == 3


def at_the_brightness(table: Evening) -> None:
    """Somebody goes to the settings, past the language."""
    table.start(replace(table.config, brightness=3, volume=3))
    table.wait(500 * MS)
    table.open_door()
    enter(table, Phrase.SETTINGS)
    press(table, 1)


def test_brightness_and_volume_are_tried_at_once_and_kept_when_they_are_confirmed(table: Evening) -> None:
    at_the_brightness(table)
    press(table, 2, 2)
    assert table.room.dimmed == [4, 5]
    speaker = table.room.site.speaker
    before = len(speaker.history)
    press(table, 1)
    press(table, 2, 2)
    heard = [(played.clip.name, played.volume) for played in list(speaker.history)[before:]]
    assert heard == [("counted 1", 4), ("counted 1", 5)]
    leave(table)
    table.wait(1 * S)
    assert (table.room.dimmed[-1], speaker.volume) == (5, 5)
    assert table.memory.was.choices == {"brightness": "5", "volume": "5"}


@pytest.mark.parametrize("volume", [False, True])
def test_what_was_only_tried_is_taken_back(table: Evening, volume: bool) -> None:
    at_the_brightness(table)
    press(table, 1, int(volume))
    press(table, 2)

    def now() -> int | None:
        return table.room.site.speaker.volume if volume else table.room.dimmed[-1]

    assert now() == 4
    table.until(lambda: not table.serves(), ALONE_NS + 5 * S)
    assert now() == 3 and table.memory.was.choices == {}


def test_what_was_set_does_not_undo_what_was_configured_meanwhile(table: Evening) -> None:
    in_play(table)
    table.host.reconfigure(replace(table.config, event="spring cup"), None)
    table.open_door()
    enter(table, Phrase.SETTINGS)
    press(table, 2)
    hold(table, 1, 1200 * MS)
    enter(table, Phrase.END_MATCH)
    hold(table, 2, 2200 * MS)
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    with table.book() as book:
        session_log = book.last_session()
    assert session_log is not None
    assert (session_log.head.event, session_log.head.settings.language) == ("spring cup", "fr")


# -- the end of the program


def test_a_match_goes_on_though_the_power_went_while_the_table_was_in_service(table: Evening) -> None:
    in_play(table)
    table.open_door()
    table.wait(5 * S)
    table.restart()
    assert table.log("resume") == ["the match is resumed: play"]
    table.until_phase(Phase.PLAY)
    assert table.left == (0, 11, 12, 0)


def test_the_match_that_the_door_called_is_over_before_anything_can_go_wrong(table: Evening) -> None:
    """Two held buttons sit down and call a match; if the power goes in service mode, nobody plays it."""
    table.start()
    table.wait(500 * MS)
    table.open_door()
    assert table.phase is Phase.ATTRACT
    table.restart()
    table.wait(10 * S)
    assert table.phase is Phase.ATTRACT and table.host.session.match is None
    assert not any("goes on" in text for text in table.log("resume"))
