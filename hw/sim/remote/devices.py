"""The devices of a table in another process: they pass on what the world reports and the table shows."""

from __future__ import annotations

from typing import Generic, TypeVar

from hw.mailbox import Mailbox
from hw.ports import Edge, Gap
from hw.sim.remote.link import Link

T = TypeVar("T")


class RemoteReports(Generic[T]):
    """The reports of readers about tags, or of devices about their health."""

    def __init__(self, mailbox: Mailbox[T]) -> None:
        self._mailbox = mailbox

    def read(self) -> list[T]:
        return self._mailbox.take()

    def fileno(self) -> int:
        return self._mailbox.fileno()

    def close(self) -> None:
        self._mailbox.close()


class RemoteLines(RemoteReports[Edge | Gap]):
    """All lines of the table."""

    def __init__(self, link: Link) -> None:
        super().__init__(link.edges)
        self._link = link

    @property
    def uncertainty_ns(self) -> int:
        return self._link.uncertainty_ns

    def levels(self) -> dict[int, bool]:
        return dict(self._link.levels)


class RemoteLeds:
    """All lamps of the table."""

    def __init__(self, link: Link, length: int) -> None:
        self._link = link
        self._length = length

    def show(self, frame: bytes) -> None:
        if len(frame) != self._length:
            raise ValueError(f"a frame of {len(frame)} lamps for a panel of {self._length}")
        self._link.send("frame", frame.hex())

    def dim(self, level: int | None) -> None:
        """Burn that brightly, from 0 to 15; None is the brightness at the start."""
        self._link.send("dim", level)

    def close(self) -> None:
        self._link.send("frame", bytes(self._length).hex())


class RemoteScoreboard:
    """The scoreboard of the table."""

    def __init__(self, link: Link, columns: int) -> None:
        self.columns = columns
        self._link = link

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        self._link.send("page", lines)

    def close(self) -> None:
        self._link.send("page", ("", ""))
