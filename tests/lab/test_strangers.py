"""Simulated people in situations that they have not brought about: their lives must go on all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from firmware_host.lab.bots.belongings import Centre, Decks, Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.person import GREEN, Crowd
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.party import Invitation, even_deal, hold_party, people_of
from firmware_host.model.effects import Effect, MatchEnded, RoundScored
from firmware_host.model.events import EndMatch, VoidRound
from firmware_host.model.places import Card, Slot
from firmware_host.model.states import Phase
from firmware_host.model.times import S, exactly
from firmware_host.run.table_files import load_profile
from tests.run.evenings import Evening, evening
from tests.thoroughness import some

SEATS = 4
SET = 40


@contextmanager
def table_of(profile: str, folder: Path) -> Iterator[Evening]:
    with evening(folder, profile) as each:
        each.start()
        yield each


def seat_people(at: Evening, players: int = SEATS, seed: int = 1) -> Dice | Decks:
    """People come to a table that may be in the middle of something."""
    table = at.room.table
    world = SimulatedTable(table)
    asked = Invitation(profile=at.room.profile, deal=even_deal(at.room.profile, players))
    people, things = people_of(asked, world, PageReader("en", table.spell), Random(seed))
    Crowd(world, people).arrive()
    return things


# -- a verdict that nobody sees


@pytest.mark.parametrize("missed", [0.3, 1.0])
@pytest.mark.parametrize("seed", some(1, range(3)))
def test_whoever_misses_a_verdict_holds_up_nobody(
    seed: int, missed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow machine a lamp may tell of a card when nobody looks at it any more.

    The card goes back to its owner though it counts, and whoever has won with the next one can't lay it down.
    """
    blink(monkeypatch, seed, missed)
    effects: list[Effect] = []
    profile = load_profile("cards4")
    asked = Invitation(profile=profile, deal=even_deal(profile, SEATS), rounds=3)
    party = hold_party(asked, seed, onlookers=[lambda step: effects.extend(step.effects)])
    while not any(isinstance(each, MatchEnded) for each in effects):
        party.table.loop.step()
        assert party.world.now_ns < 3600 * S, party.world.lines
    party.close()
    assert sum(isinstance(each, RoundScored) for each in effects) == asked.rounds
    assert isinstance(party.things, Decks) and party.things.count() == SEATS * SET


def test_a_match_may_end_while_a_card_waits_for_the_one_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All cards are dealt again meanwhile, and the fingers hold none of the new ones."""
    waiting: list[Card] = []
    deals: list[Decks] = []
    place_for, deal = Centre.place_for, Decks.deal

    def place_later(centre: Centre, card: Card) -> int | None:
        if not waiting:
            waiting.append(card)
        return None if card in waiting and len(deals) < 2 else place_for(centre, card)

    def count_deals(decks: Decks) -> None:
        deals.append(decks)
        deal(decks)

    monkeypatch.setattr(Centre, "place_for", place_later)
    monkeypatch.setattr(Decks, "deal", count_deals)
    with table_of("cards4", tmp_path) as table:
        things = seat_people(table)
        table.until_phase(Phase.PLAY, 300 * S)
        table.until(lambda: bool(waiting))
        table.host.recorded.shell.command(EndMatch(exactly(table.host.loop.now_ns)))
        table.until(lambda: len(deals) == 2)
        table.wait(60 * S)
        assert things.count() == SEATS * SET


def blink(monkeypatch: pytest.MonkeyPatch, seed: int, missed: float) -> None:
    """From now on people miss so many of the lights that tell that they have won."""
    chance = Random(seed)
    seen = SimulatedTable.panel_light

    def blinking(table: SimulatedTable, seat: int, for_ns: int) -> tuple[int, ...]:
        light = seen(table, seat, for_ns)
        return () if GREEN in light and chance.random() < missed else light

    monkeypatch.setattr(SimulatedTable, "panel_light", blinking)


# -- a match that other people have begun


@pytest.mark.parametrize("players", [2, SEATS])
@pytest.mark.parametrize("profile", some(2, ["dice4", "cards4", "dice4-rfid"]))
def test_people_call_a_round_off_that_others_have_begun(profile: str, players: int, tmp_path: Path) -> None:
    with table_of(profile, tmp_path) as table:
        table.play(*range(1, players + 1))
        things = seat_people(table, players)
        table.until(lambda: things.dealt, 300 * S)
        table.until_phase(Phase.PLAY, 300 * S)
        table.wait(20 * S)
        assert table.phase is not Phase.ATTRACT


@pytest.mark.parametrize("profile", ["dice4", "cards4"])
def test_a_match_with_other_seats_comes_to_an_end(profile: str, tmp_path: Path) -> None:
    """Seats 1 and 4 play; people sit at 1 to 4, and two of them have no part in it."""
    with table_of(profile, tmp_path) as table:
        table.play(1, 4)
        things = seat_people(table)
        table.until(lambda: things.dealt, 900 * S)
        table.wait(60 * S)


@pytest.mark.parametrize("profile", ["dice4", "cards4"])
def test_a_round_may_end_at_any_moment(profile: str, tmp_path: Path) -> None:
    chance = Random(profile)
    with table_of(profile, tmp_path) as table:
        things = seat_people(table)
        for command in (EndMatch, VoidRound) * 4:
            table.until_phase(Phase.PLAY, 300 * S)
            table.wait(chance.randrange(15 * S))
            table.host.recorded.shell.command(command(exactly(table.host.loop.now_ns)))
        assert things.count() == (24 if profile == "dice4" else SEATS * SET)


# -- a table that was off


def test_people_go_on_with_a_round_when_the_table_is_back(tmp_path: Path) -> None:
    with table_of("dice4", tmp_path) as table:
        seat_people(table)
        table.until_phase(Phase.PLAY)
        table.wait(10 * S)
        for off_ns in (0, 1 * S, 5 * S):
            table.restart(off_ns)
            table.until_phase(Phase.PLAY)
            table.wait(4 * S)
        assert [text for text in table.log("resume") if "is resumed" in text]
        assert not [text for text in table.log("match") if "void" in text]


def test_people_go_on_though_a_die_lies_otherwise(tmp_path: Path) -> None:
    with table_of("dice4", tmp_path) as table:
        things = seat_people(table)
        assert isinstance(things, Dice)
        table.until_phase(Phase.PLAY)
        table.until(lambda: len(things.board) >= 3)
        table.wait(3 * S)
        moved: Slot = next(iter(things.board))
        table.room.empty(moved)
        table.restart(0)
        table.until_phase(Phase.PAUSED)
        table.until_phase(Phase.PLAY)
        table.wait(5 * S)
        assert not [text for text in table.log("match") if "void" in text]
