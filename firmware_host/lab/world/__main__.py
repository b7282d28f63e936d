"""`python -m firmware_host.lab.world SOCKET`: a table for `ligretto-table run --simulated`.

A world that comes with a daemon (see `companion`) gets a connection and its orders in place of a socket and
options. It prints what the scoreboard says, and in a terminal its keys are the operator's hands.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Protocol

import click

from firmware_host.cli.terminal import visible_output
from firmware_host.lab.bots.belongings import Decks, Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.person import Crowd
from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.faults import FaultSocket
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.operator import Operator, RivalHand
from firmware_host.lab.party import Invitation, Misbehaviour, even_deal, people_of
from firmware_host.lab.simulated_table import Behaviour
from firmware_host.lab.surface import Surface
from firmware_host.lab.world.companion import REFUSED, Orders, orders_from
from firmware_host.lab.world.server import Happening, Server
from firmware_host.lab.world.things import COMES_TO_REST_NS, ThingsFile
from firmware_host.lab.world.visitors import VisitorSocket, hands_at
from firmware_host.model.errors import TableError
from firmware_host.model.settings import LANGUAGES
from firmware_host.run.line_server import SocketUnusable
from firmware_host.run.table_files import load_profile

LOOK_S = 1.0
READER = PageReader(LANGUAGES, str)


def _people_at(
    surface: Surface, deal: tuple[int, ...], skill: str, seed: int
) -> tuple[SimulatedTable, Crowd, Dice | Decks]:
    """The people around a table, who have not begun to live yet, and their dice or cards."""
    world = SimulatedTable(surface)
    asked = Invitation(profile=surface.profile, deal=deal, skills=(SKILLS[skill],))
    people, things = people_of(asked, world, READER, Random(f"{seed} people"))
    return world, Crowd(world, people), things


# -- with a daemon, and no longer than it


class _Closed(Exception):
    """The terminal was closed."""


def accompany(connected: socket.socket, orders: Orders) -> None:
    """Let people play on a table until whoever is at the other end of the connection has gone."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the daemon is asked to end, and then hangs up
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _close)
    for number in (signal.SIGTTIN, signal.SIGTTOU):
        signal.signal(number, signal.SIG_IGN)  # in the background there are no keys
    profile = load_profile(orders.profile)
    bouncing = Misbehaviour(bounce=frozenset(profile.lines.values()))
    surface = Surface(profile, Random(f"{orders.seed} wires"), Behaviour(bouncing.habits))
    world, crowd, things = _people_at(surface, orders.deal, orders.skill, orders.seed)
    if orders.dead_heats and isinstance(things, Dice):
        RivalHand(world, crowd, things, READER)
    with ExitStack() as stack:
        file = stack.enter_context(closing(ThingsFile(Path(orders.things), orders.deal)))
        file.lay_out(things, world)
        surface.agenda.run(COMES_TO_REST_NS)
        crowd.arrive()
        server = stack.enter_context(closing(Server(surface, connected, orders.speed)))
        operator = stack.enter_context(Operator(world, crowd, READER, profile.seats, _say))
        hand_of = hands_at(profile, things, world, Random(f"{orders.seed} visitors"))
        visitors = partial(VisitorSocket, crowd, hand_of, world, READER, server.come_up)
        faults = partial(FaultSocket, surface, server.come_up)
        open_at = partial(_opened, stack)
        sockets = [
            *open_at(orders.hands, visitors, "nobody can sit down here"),
            *open_at(orders.faults, faults, "no faults can be injected here"),
        ]
        others = [*operator.descriptors, *(each for one in sockets for each in one.descriptors)]
        try:
            while server.step(LOOK_S, others) is not Happening.LEFT:
                operator.look()
                for one in sockets:
                    one.look()
                file.keep_now_and_then(things)
        finally:
            file.keep(things)


class WorldSocket(Protocol):
    """A socket at which the world is moved from outside."""

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""

    def look(self) -> None:
        """Do what is wanted."""

    def close(self) -> None:
        """Hang up on all."""


def _opened(
    stack: ExitStack, path: str, at: Callable[[Path], WorldSocket], without: str
) -> Iterator[WorldSocket]:
    """That socket; none if there can be none, and then people play without."""
    try:
        if path:
            yield stack.enter_context(closing(at(Path(path))))
    except SocketUnusable as error:
        _say(f"{without}: {error}")


def _close(number: int, frame: FrameType | None) -> None:
    raise _Closed


def _say(line: str) -> None:
    print(line, flush=True)


# -- by itself, for one daemon after the other


def serve(path: Path, profile: str, players: int, skill: str, seed: int, speed: float) -> None:
    """Let people play on a table until Ctrl-C."""
    surface = Surface(load_profile(profile), Random(f"{seed} wires"))
    if players:
        deal = even_deal(surface.profile, players)
        _people_at(surface, deal, skill, seed)[1].arrive()
    with closing(Server(surface, path, speed)) as server:
        click.echo(f"a table of {profile} listens at {path}")
        while True:
            happening = server.step()
            if happening is Happening.CAME:
                click.echo(f"daemon {server.pid} plays")
            elif happening is Happening.LEFT:
                why = f": {server.trouble}" if server.trouble else ""
                click.echo(f"daemon {server.pid} has gone{why}")


class _World(click.Command):
    """Prints one line for each fault, as all commands do."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        with visible_output():
            return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (TableError, OSError) as error:
            who = "ligretto-table" if ctx.params["orders"] else "world"
            for fault in str(error).splitlines():
                click.echo(f"{who}: {fault}", err=True)
            ctx.exit(REFUSED)
        except (KeyboardInterrupt, _Closed):
            return None


@click.command(cls=_World)
@click.argument("path", metavar="SOCKET", type=click.Path(path_type=Path))
@click.option("--profile", default="dice4", show_default=True, help="Wiring profile of the table.")
@click.option(
    "--players",
    type=click.IntRange(min=0),
    default=4,
    show_default=True,
    help="How many people play at it; 0 for none.",
)
@click.option("--skill", type=click.Choice(sorted(SKILLS)), default="regular", show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    default=1.0,
    show_default=True,
    help="How many times real time.",
)
@click.option("--orders", hidden=True, help="From a daemon that starts it; SOCKET is a descriptor then.")
def world(
    path: Path, profile: str, players: int, skill: str, seed: int, speed: float, orders: str | None
) -> None:
    """A simulated table with people around it, for `ligretto-table run --simulated SOCKET`.

    It goes on when the daemon ends or is killed, and takes the next one. Ctrl-C ends it.

    \b
    Examples:
      python -m firmware_host.lab.world /tmp/table &
      ligretto-table run --config table.toml --simulated /tmp/table
    """
    if orders is not None:
        return accompany(socket.socket(fileno=int(str(path))), orders_from(orders))
    return serve(path, profile, players, skill, seed, speed)


if __name__ == "__main__":
    world()
