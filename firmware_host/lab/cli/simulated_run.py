"""`run --simulated`: a table without table.toml and hardware, at which simulated people play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.run import TAKEN, USAGE, Opener, Refusals, RunningTable
from firmware_host.feed.addresses import FAULTS_SOCKET, HANDS_SOCKET
from firmware_host.lab.cli.options import USUAL_SEATS, seed_or_chance, table_for
from firmware_host.lab.world.companion import (
    Orders,
    WorldRefused,
    accompanied_equipment,
    file_of_things,
    remote_equipment,
)
from firmware_host.model.errors import BadSettings
from firmware_host.model.settings import Settings
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import SIMULATED, StoreConfig, TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.daemon import Setup, health_folder_of
from firmware_host.run.devices import card_soundboard
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.run.system import UnixSignals
from firmware_host.run.table_files import load_config, simulated_store, table_of
from firmware_host.store.store_lock import StoreTaken
from hw.sim.link import NoWorld


@dataclass(frozen=True, slots=True)
class Simulation:
    """The options as given; None for those that were not."""

    game: str | None
    profile: str | None
    seats: int | None
    skill: str | None
    language: str | None
    speed: float | None
    seed: int | None = None
    rounds: int | None = None
    dead_heats: bool | None = None
    sound: str | None = None

    @property
    def words(self) -> list[str]:
        """The same for the command line."""
        given = {
            "--game": self.game,
            "--profile": self.profile,
            "--seats": self.seats,
            "--skill": self.skill,
            "--lang": self.language,
            "--speed": self.speed,
            "--seed": self.seed,
            "--rounds": self.rounds,
            "--sound": self.sound,
        }
        words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
        return [*words, "--dead-heats"] if self.dead_heats else words

    def config(self, path: Path | None) -> TableConfig:
        """The table: that of a table.toml if one is named. Its store is this user's own in any case."""
        store = StoreConfig(file=str(simulated_store()))
        if path is None:
            profile = table_for(self.game, self.profile, self.seats)
            name = self.profile or f"{profile.game}{profile.seats}"
            return TableConfig(
                file=SIMULATED,
                profiles={profile.game: profile},
                wiring={profile.game: name},
                game=profile.game,
                settings=Settings(language=self.language or "en"),
                rounds=self.rounds,
                store=store,
            )
        if self.profile or self.language:
            raise BadSettings(["--profile and --lang can't be combined with --config: table.toml sets both"])
        config = load_config(path, tags=False).config
        if self.game not in (None, *config.profiles):
            raise BadSettings(
                [f"--game {self.game}: {path} has a wiring only for {' and '.join(config.profiles)}"]
            )
        rounds = self.rounds or config.rounds
        return replace(config, game=self.game or config.game, store=store, rounds=rounds)

    def introduction(self, config: TableConfig) -> list[str]:
        """What somebody who sees it for the first time should know."""
        people = sum(1 for count in self.deal(config, config.profile) if count)
        return [
            f"a simulated table ({config.wiring[config.game]}) with {people} simulated people",
            "Ctrl-C stops it; the same command resumes it",
            f"state: ligretto-table status --store {config.store.file}",
            f"past rounds: ligretto-table recall --store {config.store.file}",
        ]

    def deal(self, config: TableConfig, profile: Profile) -> tuple[int, ...]:
        """What each seat is dealt; nobody sits where the table is closed."""
        table = table_of(profile)
        is_open = [not config.open_seats or seat in config.open_seats for seat in range(1, profile.seats + 1)]
        many = min(self.seats or USUAL_SEATS, sum(is_open))
        if self.seats is not None and many < self.seats:
            raise BadSettings([f"--seats {self.seats}: this table has {many}"])
        present = [free and sum(is_open[:seat]) < many for seat, free in enumerate(is_open)]
        return replace(table, handicap=config.handicap).usual_deal(present)


def companions(
    chosen: Simulation, config: TableConfig, waker: int
) -> Callable[[Profile, Registry | None], Equipment]:
    """Opens the devices of a simulated table, each time with a world of its own."""
    seed = seed_or_chance(chosen.seed)

    def open_equipment(profile: Profile, registry: Registry | None) -> Equipment:
        name = config.wiring[profile.game]
        deal = chosen.deal(config, profile)
        orders = Orders(
            profile=name,
            deal=deal,
            skill=chosen.skill or "regular",
            seed=seed,
            speed=chosen.speed or 1.0,
            things=str(file_of_things(Path(config.store.file).parent, name)),
            hands=str(health_folder_of(config) / HANDS_SOCKET),
            faults=str(health_folder_of(config) / FAULTS_SOCKET),
            dead_heats=bool(chosen.dead_heats),
        )
        people = frozenset(seat for seat, count in enumerate(deal, 1) if count)
        equipment = accompanied_equipment(orders, profile, [waker])
        equipment.people = people
        return _with_sound(equipment, chosen.sound, profile.seats) if chosen.sound else equipment

    return open_equipment


def _with_sound(equipment: Equipment, card: str, seats: int) -> Equipment:
    """The same with a card of this machine; it is told if there is none."""
    health, close_devices = HealthBox(), equipment.close
    soundboard = card_soundboard(card, seats, health.tell)
    if soundboard is None:
        click.echo("no sound: there is no card that plays")
        health.close()
        return equipment

    def close() -> None:
        soundboard.close()
        close_devices()
        health.close()

    equipment.soundboard, equipment.close = soundboard, close
    equipment.others = [*equipment.others, health]
    return equipment


def table_of_its_own(options: dict[str, Any], config: Path | None) -> RunningTable:
    """A simulated table that comes with `run` and goes with it."""
    chosen = Simulation(**options)

    def opener(setup: Setup, signals: UnixSignals) -> Opener:
        for line in chosen.introduction(setup.config):
            click.echo(line)
        return companions(chosen, setup.config, signals.ending_fileno())

    again = "; the same command starts it again"
    refusals: Refusals = {StoreTaken: (TAKEN, ""), WorldRefused: (USAGE, None), NoWorld: (USAGE, again)}
    return RunningTable(lambda: Setup(chosen.config(config), None), opener, lambda config: refusals)


def table_at(socket: Path, path: Path) -> RunningTable:
    """The table of a table.toml with the devices of another process, which listens at a socket.

    It has tags of its own, whatever the tags file says.
    """

    def refusals(config: TableConfig) -> Refusals:
        world = f"python -m firmware_host.lab.world {socket} --profile {config.wiring[config.game]}"
        return {StoreTaken: (TAKEN, ""), NoWorld: (USAGE, f"; start one in another terminal: {world}")}

    def opener(setup: Setup, signals: UnixSignals) -> Opener:
        return lambda profile, registry: remote_equipment(socket, profile, [signals.ending_fileno()])

    return RunningTable(lambda: Setup(load_config(path, tags=False).config, None), opener, refusals)
