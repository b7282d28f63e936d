"""The two sockets of a running table: the feed for everybody, and the desk for its operators."""

from __future__ import annotations

from pathlib import Path

from firmware_host.runtime.command_desk import CommandDesk, open_desk
from firmware_host.runtime.feed_outlet import FeedOutlet, open_feed


class TableSockets:
    """Both sockets, in one folder. The table plays on without one that can't be had."""

    def __init__(self, folder: Path | None) -> None:
        """Without a folder there are none."""
        self.feed: FeedOutlet | None = open_feed(folder)
        self.desk: CommandDesk | None = open_desk(folder)

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""
        return [each.fileno() for each in (self.feed, self.desk) if each is not None]

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
