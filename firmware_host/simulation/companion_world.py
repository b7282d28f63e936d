"""The process of a world that accompanies a daemon: `python -m ... DESCRIPTOR ORDERS`; see `companion`.

It shows on standard output what the scoreboard says, and in a terminal its keys are the operator's hands.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from types import FrameType

from firmware_host.errors import TableError
from firmware_host.players.crowd import Crowd
from firmware_host.players.page_reading import PageReader
from firmware_host.players.skill import SKILLS
from firmware_host.runtime.assembly.shipped_profiles import load_profile
from firmware_host.settings import LANGUAGES
from firmware_host.simulation.companion import REFUSED, Orders, orders_from
from firmware_host.simulation.hands import SimulatedTable
from firmware_host.simulation.operator import Operator
from firmware_host.simulation.party import Invitation, people_of
from firmware_host.simulation.world.ground import Ground
from firmware_host.simulation.world.server import Happening, Server
from firmware_host.simulation.world.things import COMES_TO_REST_NS, ThingsFile

LOOK_S = 1.0


class _Closed(Exception):
    """The terminal was closed."""


def live(connected: socket.socket, orders: Orders, say: Callable[[str], None]) -> None:
    """Let people play on a table until whoever is at the other end of the connection has gone."""
    profile = load_profile(orders.profile)
    ground = Ground(profile, Random(f"{orders.seed} wires"))
    world = SimulatedTable(ground.agenda, ground.contacts, ground.leds, ground.sign, ground, profile.piles)
    asked = Invitation(profile=profile, deal=orders.deal, skills=(SKILLS[orders.skill],))
    reader = PageReader(LANGUAGES, str)
    guests, things = people_of(asked, world, reader, Random(f"{orders.seed} people"))
    crowd = Crowd(world, guests)
    with closing(ThingsFile(Path(orders.things), orders.deal)) as file:
        file.lay_out(things, world)
        ground.agenda.run(COMES_TO_REST_NS)
        crowd.arrive()
        server = Server(ground, connected, orders.speed)
        with closing(server), Operator(world, crowd, reader, profile.seats, say) as operator:
            try:
                while server.step(LOOK_S, operator.descriptors) is not Happening.LEFT:
                    operator.look()
                    file.keep_now_and_then(things)
            finally:
                file.keep(things)


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
