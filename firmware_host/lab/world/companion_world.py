"""The process of a world that accompanies a daemon: `python -m ... DESCRIPTOR ORDERS`; see `companion`.

It shows on standard output what the scoreboard says, and in a terminal its keys are the operator's hands.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Protocol

from firmware_host.lab.bots.dice_set import Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.person import Crowd
from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.faults import FaultSocket
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.operator import Operator, RivalHand
from firmware_host.lab.party import Invitation, Misbehaviour, people_of
from firmware_host.lab.simulated_table import Behaviour
from firmware_host.lab.surface import Surface
from firmware_host.lab.world.companion import REFUSED, Orders, orders_from
from firmware_host.lab.world.server import Happening, Server
from firmware_host.lab.world.things import COMES_TO_REST_NS, ThingsFile
from firmware_host.lab.world.visitor_desk import VisitorDesk, hands_at
from firmware_host.model.errors import TableError
from firmware_host.model.settings import LANGUAGES
from firmware_host.run.line_server import SocketUnusable
from firmware_host.run.table_files import load_profile

LOOK_S = 1.0


class _Closed(Exception):
    """The terminal was closed."""


def live(connected: socket.socket, orders: Orders, say: Callable[[str], None]) -> None:
    """Let people play on a table until whoever is at the other end of the connection has gone."""
    profile = load_profile(orders.profile)
    bouncing = Misbehaviour(bounce=frozenset(profile.lines.values()))
    surface = Surface(profile, Random(f"{orders.seed} wires"), Behaviour(bouncing.habits))
    world = SimulatedTable(surface)
    asked = Invitation(profile=profile, deal=orders.deal, skills=(SKILLS[orders.skill],))
    reader = PageReader(LANGUAGES, str)
    people, things = people_of(asked, world, reader, Random(f"{orders.seed} people"))
    crowd = Crowd(world, people)
    if orders.dead_heats and isinstance(things, Dice):
        RivalHand(world, crowd, things, reader)
    with closing(ThingsFile(Path(orders.things), orders.deal)) as file:
        file.lay_out(things, world)
        surface.agenda.run(COMES_TO_REST_NS)
        crowd.arrive()
        server = Server(surface, connected, orders.speed)
        hand_of = hands_at(profile, things, world, Random(f"{orders.seed} visitors"))
        with (
            closing(server),
            Operator(world, crowd, reader, profile.seats, say) as operator,
            _desk(
                orders.hands,
                partial(VisitorDesk, crowd, hand_of, world, reader, server.come_up),
                "nobody can sit down here",
                say,
            ) as visitor_desks,
            _desk(
                orders.faults,
                partial(FaultSocket, surface, server.come_up),
                "no faults can be injected here",
                say,
            ) as fault_desks,
        ):
            desks = [*visitor_desks, *fault_desks]
            others = [*operator.descriptors, *(each for desk in desks for each in desk.descriptors)]
            try:
                while server.step(LOOK_S, others) is not Happening.LEFT:
                    operator.look()
                    for desk in desks:
                        desk.look()
                    file.keep_now_and_then(things)
            finally:
                file.keep(things)


class Desk(Protocol):
    """A socket at which the world is moved from outside."""

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""

    def look(self) -> None:
        """Do what is wanted."""

    def close(self) -> None:
        """Hang up on all."""


@contextmanager
def _desk(
    path: str, opened: Callable[[Path], Desk], without: str, say: Callable[[str], None]
) -> Iterator[list[Desk]]:
    """That desk; none if there can be none, and then people play without."""
    try:
        desks = [opened(Path(path))] if path else []
    except SocketUnusable as error:
        say(f"{without}: {error}")
        desks = []
    try:
        yield desks
    finally:
        for desk in desks:
            desk.close()


def main(words: list[str]) -> int:
    """Run the world that the words describe; the exit code."""
    descriptor, text = words
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the daemon is asked to end, and then hangs up
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _close)
    for number in (signal.SIGTTIN, signal.SIGTTOU):
        signal.signal(number, signal.SIG_IGN)  # in the background there are no keys
    try:
        live(socket.socket(fileno=int(descriptor)), orders_from(text), _say)
    except _Closed:
        return 0
    except (TableError, OSError) as error:
        print(f"ligretto-table: {error}", file=sys.stderr)
        return REFUSED
    return 0


def _close(number: int, frame: FrameType | None) -> None:
    raise _Closed


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
