"""The two sockets of a running table: the feed for everybody, and the desk for its operators."""

from __future__ import annotations

from pathlib import Path

from firmware_host.runtime.command_desk import CommandDesk
from firmware_host.runtime.feed_outlet import FeedOutlet
from firmware_host.states import Condition, DeviceCondition

_ADVICE = "it comes back by itself as soon as that is possible"


class TableSockets:
    """Both sockets, in one folder. The table plays on without one that can't be had, and tries again."""

    def __init__(self, folder: Path | None) -> None:
        """Without a folder there are none."""
        self.feed = FeedOutlet(folder, must_listen=False) if folder is not None else None
        self.desk = CommandDesk(folder, must_listen=False) if folder is not None else None

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""
        return [each.fileno() for each in (self.feed, self.desk) if each is not None]

    @property
    def faults(self) -> dict[str, DeviceCondition]:
        """The sockets to which nobody can connect, by their names."""
        servers = [each.server for each in (self.feed, self.desk) if each is not None]
        return {
            each.path.name: DeviceCondition(each.path.name, Condition.LOST, each.fault, _ADVICE)
            for each in servers
            if each.fault
        }

    def look(self) -> None:
        """Take care of all who want something; called at least once a second."""
        if self.desk is not None:
            self.desk.look()
        if self.feed is not None:
            self.feed.look()

    def close(self) -> None:
        """Hang up on everybody."""
        for each in (self.feed, self.desk):
            if each is not None:
                each.close()
