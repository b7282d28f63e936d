"""The devices of a simulated world, which is a process of its own at the other end of a socket.

It may be there already, and go on when this process ends. Or it is a child of this process, and ends when the
socket is closed, whatever became of this one; what lies on its table, and in people's hands, it keeps in a
file for the next time. Its tags are those that simulated tables have: cards in the world have no others.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from firmware_host.profile.profile import Profile
from firmware_host.run.equipment import Equipment
from firmware_host.run.table_files import simulated_registry
from firmware_host.show.lamps import frame_length
from hw.sim.link import Link, NoWorld, RemoteLeds, RemoteLines, RemoteReports, RemoteScoreboard, connected_to

ENDS_WITHIN_S = 3.0
MODULE = "firmware_host.lab.world"
NAME = "the simulated table"
REFUSED = 2
"""The exit code of a world that has said why it can't begin."""


class WorldRefused(NoWorld):
    """The world can't begin, and has said why on standard error itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """The arguments of a world that is started."""

    profile: str
    """The name of a wiring profile, or its path."""
    deal: tuple[int, ...]
    """How much each seat is dealt; 0 where nobody sits."""
    skill: str
    seed: int
    speed: float
    """How many times real time."""
    things: str
    """The file for what lies on the table, and in people's hands, between two runs."""
    hands: str = ""
    """The socket at which visitors can sit down; empty for none."""
    faults: str = ""
    """The socket at which an operator lets things go wrong; empty for none."""
    dead_heats: bool = False
    """Whether a rival slaps at the same microsecond, every now and then."""

    @property
    def text(self) -> str:
        """For the command line of the process."""
        return json.dumps(asdict(self))


def orders_from(text: str) -> Orders:
    """What `Orders.text` was made of."""
    values = json.loads(text)
    return Orders(**{**values, "deal": tuple(values["deal"])})


def accompanied_equipment(orders: Orders, profile: Profile, wakers: Sequence[int] = ()) -> Equipment:
    """The devices of a new world that lives as long as they do; NoWorld if it can't be had."""
    here, there = socket.socketpair()
    with there:
        command = [sys.executable, "-m", MODULE, str(there.fileno()), "--orders", orders.text]
        world = subprocess.Popen(command, pass_fds=[there.fileno()])

    def end() -> None:
        here.close()
        try:
            world.wait(ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            world.kill()
            world.wait()

    try:
        return connected_equipment(here, NAME, profile, wakers, end)
    except NoWorld as error:
        end()
        if world.returncode == REFUSED:
            raise WorldRefused(str(error)) from None
        raise


def file_of_things(folder: Path, profile: str) -> Path:
    """Where the world of that profile keeps its things."""
    return folder / f"{Path(profile).stem}.things.json"


def remote_equipment(path: Path, profile: Profile, wakers: Sequence[int] = ()) -> Equipment:
    """The devices of a simulated world that listens at that socket; NoWorld if none does."""
    return connected_equipment(connected_to(path), str(path), profile, wakers)


def connected_equipment(
    connected: socket.socket,
    name: str,
    profile: Profile,
    wakers: Sequence[int] = (),
    then: Callable[[], None] | None = None,
) -> Equipment:
    """The devices of the simulated world at the other end; messages call it by that name.

    `wakers` are descriptors that end the wait for its greeting, and `then` is called when all is closed.
    """
    lamps = frame_length(profile.seats, profile.piles)
    readers = [each.name for each in profile.readers]
    link = Link(connected, name, sorted(profile.lines), lamps, profile.columns, readers, wakers)
    leds = RemoteLeds(link, lamps)
    tags, health = RemoteReports(link.tags), RemoteReports(link.health)
    scoreboard = RemoteScoreboard(link, profile.columns)

    def close() -> None:
        with suppress(NoWorld):  # a world that has gone shows nothing any more
            scoreboard.close()
            leds.close()
        link.close()
        if then is not None:
            then()

    return Equipment(
        profile,
        link,
        link.uncertainty_ns,
        lines=[RemoteLines(link)],
        leds=leds,
        scoreboard=scoreboard,
        registry=simulated_registry(profile),
        others=[tags, health],
        dim=leds.dim,
        close=close,
    )
