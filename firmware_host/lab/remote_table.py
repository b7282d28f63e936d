"""A table whose devices are simulated in another process, which goes on when this one ends."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from firmware_host.profile.profile import Profile
from firmware_host.run.equipment import Equipment, equip
from firmware_host.run.table_files import simulated_registry
from firmware_host.show.lamps import frame_length
from hw.sim.link import Link, RemoteLeds, RemoteLines, RemoteReports, RemoteScoreboard, connected_to
from hw.sim.link import NoWorld as NoWorld  # what opening may raise, for those who open


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

    Its tags are those that simulated tables have: cards in the world have no others. `wakers` are descriptors
    that end the wait for its greeting, and `then` is called when all is closed.
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

    return equip(
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
