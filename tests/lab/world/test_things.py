"""Dice and cards that lie where they lay when a world begins again."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.surface import Surface
from firmware_host.lab.world import things
from firmware_host.lab.world.things import COMES_TO_REST_NS, TakenThings, ThingsFile, UnusableThings
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
