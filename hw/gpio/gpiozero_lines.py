"""Edges through any gpiozero pin factory: the mock one here, lgpio or RPi.GPIO on a Pi.

gpiozero calls back on a thread of its own (the mock factory: on the caller's), holds the
callback weakly and passes it the factory's ticks but not the pin. So each line is an
object of its own that this driver keeps alive, and what it is told goes into a queue.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from hw.mailbox import Mailbox
from hw.ports import Edge


class GpiozeroLines:
    """Input lines of one pin factory. `stamp_ns` turns the factory's ticks into nanoseconds."""

    def __init__(
        self,
        factory: Any,
        lines: Iterable[int],
        pull: str,
        stamp_ns: Callable[[Any], int],
        uncertainty_ns: int,
    ) -> None:
        self.uncertainty_ns = uncertainty_ns
        self._factory = factory
        self.mailbox: Mailbox[Edge] = Mailbox()
        numbers = itertools.count()
        self._lines = {
            line: _Line(self, factory.pin(f"GPIO{line}"), line, pull, stamp_ns, numbers) for line in lines
        }

    def read(self) -> list[Edge]:
        return self.mailbox.take()

    def levels(self) -> dict[int, bool]:
        return {line: bool(each.pin.state) for line, each in self._lines.items()}

    def fileno(self) -> int:
        return self.mailbox.fileno()

    def close(self) -> None:
        for line in self._lines.values():
            line.pin.when_changed = None
            line.pin.close()
        self._lines.clear()
        self.mailbox.close()


class _Line:
    """One pin and the bound method that gpiozero calls."""

    def __init__(
        self,
        owner: GpiozeroLines,
        pin: Any,
        number: int,
        pull: str,
        stamp_ns: Callable[[Any], int],
        numbers: Iterable[int],
    ) -> None:
        self.pin = pin
        self._post = owner.mailbox.post
        self._number = number
        self._stamp_ns = stamp_ns
        self._next = iter(numbers).__next__
        pin.input_with_pull(pull)
        pin.edges = "both"
        pin.when_changed = self.changed

    def changed(self, ticks: Any, state: Any) -> None:
        self._post(Edge(self._number, bool(state), self._stamp_ns(ticks), self._next()))
