"""Dice and cards that lie where they lay when a world begins again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.lab.bots.belongings import Decks, Dice
from firmware_host.lab.bots.card_area import LIGRETTO
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.surface import Surface
from firmware_host.lab.world import things
from firmware_host.lab.world.things import (
    COMES_TO_REST_NS,
    OtherBelongings,
    TakenThings,
    ThingsFile,
    UnusableThings,
    kept,
    restore,
)
from firmware_host.model.places import Colour, Slot
from firmware_host.run.table_files import load_profile
from tests.another_user import NOBODY, needs_root

DEAL = (6, 6, 6, 6)
RED_1 = Slot(Colour.RED, 1)


def a_table() -> tuple[Dice, SimulatedTable]:
    surface = Surface(load_profile("dice4"), Random(1))
    world = SimulatedTable(surface)
    return Dice(DEAL, Random(1)), world


def played() -> Dice:
    dice, _ = a_table()
    dice.deal()
    dice.put(1, dice.hands[1][0], RED_1)
    return dice


def test_a_die_closes_its_contact_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "dice.json"
    with closing(ThingsFile(path, DEAL)) as file:
        file.keep(Dice(DEAL, Random(3)))
        file.keep(played())
    dice, world = a_table()
    with closing(ThingsFile(path, DEAL)) as file:
        assert file.lay_out(dice, world)
    world.agenda.run(COMES_TO_REST_NS)
    assert world.is_filled(RED_1) and RED_1 in dice.board and len(dice.hands[1]) == 5


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-5],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace('"red 1"', '"red 9"'),
        lambda text: text.replace("[6, 6, 6, 6]", "[12, 12, 0, 0]"),
    ],
)
def test_what_does_not_fit_is_not_laid_out(spoil: Callable[[str], str], tmp_path: Path) -> None:
    path = tmp_path / "dice.json"
    with closing(ThingsFile(path, DEAL)) as file:
        file.keep(played())
    path.write_text(spoil(path.read_text()))
    dice, world = a_table()
    with closing(ThingsFile(path, DEAL)) as file:
        assert not file.lay_out(dice, world)
    assert dice.cleared and not world.is_filled(RED_1) and len(dice.bag) == 24


def test_they_are_kept_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "dice.json"
    with closing(ThingsFile(path, DEAL)) as file:
        file.keep_now_and_then(played())
        assert not path.exists()
        monkeypatch.setattr(things, "KEEP_S", 0.0)
        file.keep_now_and_then(played())
        assert "red 1" in path.read_text()


def test_two_worlds_never_have_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(things, "PATIENCE_S", 0.1)
    path = tmp_path / "dice.json"
    with closing(ThingsFile(path, DEAL)):
        holder = rf"another simulated table uses it .*: kill -KILL {os.getpid()}$"
        with pytest.raises(TakenThings, match=holder):
            ThingsFile(path, DEAL)
        monkeypatch.setattr(things, "LOCKS", tmp_path / "no procfs")
        with pytest.raises(TakenThings, match=r"does not stop; stop it first$"):
            ThingsFile(path, DEAL)
    ThingsFile(path, DEAL).close()


@pytest.mark.parametrize("name", ["dice.json", "dice.lock"])
@needs_root
def test_a_link_of_somebody_else_is_not_followed(tmp_path: Path, name: str) -> None:
    victim, link = tmp_path / "victim", tmp_path / name
    victim.write_text("precious")
    link.symlink_to(victim)
    os.lchown(link, NOBODY, NOBODY)
    told = pytest.raises(UnusableThings, match=f"'{name}' is a link of nobody")
    with told, closing(ThingsFile(tmp_path / "dice.json", DEAL)) as file:
        file.keep(played())
    assert victim.read_text() == "precious"


def test_they_are_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "dice.json"
    with closing(ThingsFile(path, DEAL)) as file:
        file.keep(played())
        before = path.read_text()
        monkeypatch.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            file.keep(Dice(DEAL, Random(3)))
    assert path.read_text() == before


def killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


SEATED = (6, 6, 0, 6)


FIRST = Slot(Colour.RED, 1)


def some_dice() -> Dice:
    dice = Dice(SEATED, Random(1))
    dice.deal()
    dice.throw(1)
    dice.put(1, dice.hands[1][0], FIRST)
    return dice


def some_cards() -> Decks:
    decks = Decks((10, 0, 10), 8, Random(1))
    decks.deal()
    for seat in (1, 3):
        area = decks.areas[seat]
        area.turn()
        area.take(LIGRETTO)
        decks.centre.put(area.lay_in_centre(), seat)
    decks.areas[1].take(LIGRETTO)
    decks.areas[1].put_back()
    return decks


def as_written(things: Dice | Decks) -> Any:
    return json.loads(json.dumps(kept(things)))


def test_dice_are_where_they_were() -> None:
    before, after = some_dice(), Dice(SEATED, Random(2))
    restore(after, as_written(before))
    assert as_written(after) == as_written(before)
    assert (after.board[FIRST].number, after.board[FIRST].face) == (
        before.board[FIRST].number,
        before.board[FIRST].face,
    )
    assert after.dealt and after.count() == 24 and len(after.hands[1]) == 5
    after.clear(FIRST)
    after.deal()
    assert after.count() == 24


def test_dice_that_nobody_has_dealt_are_in_the_bag() -> None:
    after = some_dice()
    restore(after, as_written(Dice(SEATED, Random(1))))
    assert len(after.bag) == 24 and not after.hands and not after.dealt


def test_cards_are_where_they_were() -> None:
    before, after = some_cards(), Decks((10, 0, 10), 8, Random(2))
    restore(after, as_written(before))
    assert as_written(after) == as_written(before)
    assert after.centre.wanted == before.centre.wanted and after.centre.wanted
    assert after.dealt and after.count() == 80 and sorted(after.areas) == [1, 3]


def test_a_card_in_the_fingers_goes_back_and_one_beside_the_piles_stays_there() -> None:
    before, after = some_cards(), Decks((10, 0, 10), 8, Random(2))
    area = before.areas[3]
    area.take(LIGRETTO)
    before.centre.put(area.lay_in_centre(), None)
    card = area.take(LIGRETTO)
    restore(after, as_written(before))
    assert after.areas[3].held is None and after.areas[3].ligretto[-1] == card
    assert len(after.centre.beside) == 1 and after.count() == 80


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda data: data.pop("dice"),
        lambda data: data["dice"].pop(),
        lambda data: data["dice"][0].pop(),
        lambda data: data["dice"][0].__setitem__(1, "nowhere"),
        lambda data: data["dice"][0].__setitem__(1, "9"),
        lambda data: [die.__setitem__(1, "red 2") for die in data["dice"][:2]],
        lambda data: data.__setitem__("seats", 7),
    ],
)
def test_other_dice_are_refused(spoilt: Any) -> None:
    data, dice = as_written(some_dice()), some_dice()
    before = as_written(dice)
    spoilt(data)
    with pytest.raises(OtherBelongings, match="not the things of this table"):
        restore(dice, data)
    assert as_written(dice) == before


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda data: data.pop("areas"),
        lambda data: data["areas"].append("not cards"),
        lambda data: data["piles"].pop(),
        lambda data: data["piles"][0].append([1, 9, 1]),
        lambda data: data["piles"][0].clear(),
        lambda data: data["beside"].append([1, 0, 10]),
    ],
)
def test_other_cards_are_refused(spoilt: Any) -> None:
    data, decks = as_written(some_cards()), some_cards()
    before = as_written(decks)
    spoilt(data)
    with pytest.raises(OtherBelongings):
        restore(decks, data)
    assert as_written(decks) == before


def test_cards_are_no_dice() -> None:
    with pytest.raises(OtherBelongings):
        restore(some_dice(), as_written(some_cards()))
    with pytest.raises(OtherBelongings):
        restore(some_cards(), as_written(some_dice()))
