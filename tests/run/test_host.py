"""One table at work: when a session ends, when another begins, and what that one takes over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games.knowledge import LostDevice
from firmware_host.model import states
from firmware_host.model.places import Button, Card, Colour, Pad, Stranger
from firmware_host.model.settings import Settings
from firmware_host.model.states import DeviceCondition, Phase
from firmware_host.model.times import MS, S
from firmware_host.profile.tags import Registry
from firmware_host.run import host
from firmware_host.run.table_files import load_profile
from hw.ports import Condition, Health
from hw.sim.pn532 import SimTag
from tests.run.evenings import B1, R1, Evening, end_match, head_of, play_to_the_end, session_of

# -- sessions


def test_a_table_that_is_switched_on_attracts(table: Evening) -> None:
    table.start()
    table.wait(1 * S)
    assert table.phase is Phase.ATTRACT and table.host.phase == "attract"
    assert table.room.sign == ("Press to play", "")
    assert any(table.room.frame)
    assert table.log("resume") == []


def test_a_session_lasts_as_long_as_its_match_and_another_one_follows(table: Evening) -> None:
    table.start()
    ids, seeds = [session_of(table)], {head_of(table).seed}
    for _ in range(2):
        table.play()
        table.wait(10 * S)
        assert session_of(table) == ids[-1]
        end_match(table)
        table.wait(1 * S)
        ids.append(session_of(table))
        seeds.add(head_of(table).seed)  # each draws its own lots
    assert len(set(ids)) == len(seeds) == 3
    table.wait(100 * S)
    assert session_of(table) == ids[-1]  # nobody has played in it yet


def test_a_match_that_never_came_about_ends_no_session(table: Evening) -> None:
    table.start()
    first = session_of(table)
    table.wait(500 * MS)
    table.tap(1)
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    assert session_of(table) == first


def test_no_session_begins_while_somebody_touches_the_table(table: Evening) -> None:
    table.start()
    first = session_of(table)
    table.play()
    table.room.press(3)
    table.wait(200 * MS)
    end_match(table)
    table.room.fill(B1)
    table.wait(20 * MS)
    assert session_of(table) == first  # a die is on its way through the table
    table.wait(3 * S)
    assert session_of(table) == first  # a button is down still
    table.room.release(3)
    table.wait(1 * S)
    assert session_of(table) != first
    assert head_of(table).active == (B1,)


def test_a_button_that_is_jammed_keeps_no_session_from_ending_and_is_found_in_the_next_one(
    table: Evening,
) -> None:
    table.start()
    first = session_of(table)
    table.play()
    table.room.press(3)
    table.wait(200 * MS)
    end_match(table)
    table.wait(40 * S)
    assert session_of(table) != first
    assert head_of(table).active == (Button(3),)
    table.wait(40 * S)
    assert [each.name for each in table.host.session.troubles.all] == [str(Button(3))]


def test_a_table_at_which_a_wire_is_loose_begins_a_session_now_and_then(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.LONG == 5_000
    monkeypatch.setattr(host, "LONG", 200)
    table.start()
    first = session_of(table)
    flutter(table, 90)
    table.wait(5 * S)
    assert session_of(table) == first
    flutter(table, 20)
    table.wait(5 * S)
    assert session_of(table) != first


def flutter(table: Evening, times: int) -> None:
    """A magnet comes and goes so often."""
    agenda, contact = table.room.site.agenda, table.room.table.contacts[R1]
    start_ns = table.room.clock.now_ns()
    for n in range(2 * times):
        agenda.at(start_ns + n * 60 * MS, lambda active=n % 2 == 0: contact.set(active))  # type: ignore[misc]
    table.wait(2 * times * 60 * MS)


def test_a_wire_that_never_rests_can_not_keep_the_session_from_ending(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.TOO_LONG == 50_000 > host.LONG
    monkeypatch.setattr(host, "LONG", 200)
    monkeypatch.setattr(host, "TOO_LONG", 300)
    table.start()
    first = session_of(table)
    flutter(table, 120)
    assert session_of(table) == first
    flutter(table, 60)
    assert session_of(table) != first


def test_the_standings_of_the_last_match_go_from_session_to_session(table: Evening) -> None:
    play_to_the_end(table)
    first = session_of(table)
    table.until_phase(Phase.ATTRACT)
    table.wait(1 * S)
    assert session_of(table) != first
    assert table.log("match") == ["the match is over, totals seat 1: +1, seat 2: -1"]
    last = table.host.news.last_match
    assert last is not None and last.winners == (1,) and head_of(table).last_match == last
    assert table.room.sign[0] == "Press to play" and table.room.sign[1] in ("1:+1 2:-1", "Winner: 1")
    table.restart()
    table.wait(1 * S)
    assert table.host.news.last_match == last


# -- what a session takes over


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
        volume=2,
        event="spring cup",
    )
    table.host.reconfigure(new, None)
    table.wait(10 * S)
    session = table.host.session
    assert session.settings.language == "en" and session.table.handicap == ()
    assert table.room.dimmed == []
    assert table.room.site.speaker.volume == 10
    end_match(table)
    table.wait(1 * S)
    session = table.host.session
    assert session.settings.language == "de"
    assert session.table.handicap == (3,) and session.table.closed == {3, 4} and session.table.rounds == 5
    assert table.room.dimmed == [4]
    assert table.room.site.speaker.volume == 2
    assert table.room.sign[0] == table.room.table.spell("Zum Spielen drücken", "de")
    assert head_of(table).event == "spring cup"


def test_a_brightness_that_is_configured_no_more_is_that_of_the_profile_again(table: Evening) -> None:
    table.start(replace(table.config, brightness=3))
    table.host.equipment.dim(3)
    table.wait(1 * S)
    table.host.reconfigure(replace(table.config, brightness=None), None)
    table.wait(1 * S)
    assert table.room.dimmed == [3, None]
    usual = {chip.brightness for chip in table.config.profile.led_chips}
    assert {chip.brightness for chip in table.room.site.led_chips.values()} == usual == {12}


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
    assert table.host.session.settings.stamp_uncertainty_ns == table.host.equipment.uncertainty_ns > 1_000


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


# -- devices and tags at the beginning of a session


def test_what_is_wrong_with_devices_is_told_to_each_session(table: Evening) -> None:
    table.start()
    table.wait(500 * MS)
    table.room.tell(Health("left", Condition.LOST, "no answer"))
    table.room.tell(Health("leds-2", Condition.DEGRADED, "garbled"))
    table.room.tell(Health("leds", Condition.LOST, "no answer"))
    table.room.tell(Health("leds", Condition.OK))
    table.wait(500 * MS)
    table.host.reconfigure(table.config, None)
    first = session_of(table)
    table.wait(1 * S)
    assert session_of(table) != first
    troubles = table.host.session.troubles
    lost = LostDevice(DeviceCondition("left", states.Condition.LOST, "no answer"), True)
    assert list(troubles.all) == [lost]
    with table.book() as book:
        session_log = book.last_session()
    assert session_log is not None
    told = [str(each.seen) for each in session_log.entries]
    assert sum("leds-2" in each for each in told) == 1 and not any("'leds'" in each for each in told)
    table.room.tell(Health("left", Condition.OK))
    table.wait(500 * MS)
    assert troubles.all == ()


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
    first = session_of(cards)
    cards.host.reconfigure(cards.config, None)  # the registry stays, and what lies there is told again
    cards.wait(2 * S)
    assert session_of(cards) != first
    assert cards.host.session.tags.everywhere == {Pad(1): {card}}
    antenna.take(uid)
    cards.wait(2 * S)
    assert cards.host.session.tags.everywhere == {}


def test_tags_are_what_they_were_as_long_as_a_match_is_played(cards: Evening) -> None:
    cards.start()
    cards.play()
    intake = cards.host.equipment.intake
    before, new = intake.registry, Registry({"04a1b2c3": Card(1, Colour.RED, 1)})
    cards.host.reconfigure(cards.config, new)
    cards.wait(5 * S)
    assert intake.registry is before
    end_match(cards)
    cards.wait(1 * S)
    assert intake.registry is new


def test_a_table_that_nobody_comes_to_keeps_its_sessions_short(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has to be lived through again after a power cut must not take long, and nothing piles up."""
    assert host.IDLE_NS == 600 * S
    monkeypatch.setattr(host, "IDLE_NS", 20 * S)
    table.start()
    first = session_of(table)
    table.wait(22 * S)
    second = session_of(table)
    table.wait(28 * S)
    last = session_of(table)
    assert len({first, second, last}) == 3
    assert table.host.loop.now_ns - head_of(table).t_ns <= 21 * S
    with table.book() as book:
        assert list(book.session_ids().values()) == [last]
    table.sit_down(1, 2)
    assert session_of(table) == last
