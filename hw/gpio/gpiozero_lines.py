"""Edges through any gpiozero pin factory: the mock one here, lgpio or RPi.GPIO on a Pi.

gpiozero calls back on a thread of its own (the mock factory: on the caller's), holds the
callback weakly and passes it the factory's ticks but not the pin. So each line is an
object of its own that this driver keeps alive, and its edges go into a queue.

An exception in a callback would end lgpio's only thread and silence every pin, so all are caught.
Some factories lose edges, and none reports it: call `resync` now and then.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

from hw.gpio.gpio_chips import ChipInfo, GpioError, check_lines
from hw.gpio.known_level import UNDER_WAY_NS, KnownLevel
from hw.ports import Condition, Edge, Gap, Health, Tell
from hw.work import Mailbox

LET_GO_ATTEMPTS = 50
LET_GO_PAUSE_S = 0.002


def check_pins(factory: Any, lines: Iterable[int], chip: ChipInfo | None) -> None:
    """Raise for the first line that is not free. Lines that the factory holds already are fine.

    The libraries only say that something is busy, and keep what they could get until then.
    """
    if chip is not None:
        held = {info.name for info in factory.pins}
        check_lines(chip, [line for line in lines if f"GPIO{line}" not in held])


def refused(error: Exception) -> GpioError:
    """The named error for a library's own one, after `check_pins` has found nothing."""
    return GpioError(f"a pin can't be had ({error})", "check the lines' numbers")


def let_go(close: Callable[[], None]) -> Exception | None:
    """Close a pin or a factory; the error if that fails.

    lgpio claims a line again to close it, which the kernel refuses until lgpio's own thread has
    released the line: so closing is retried.
    """
    error: Exception | None = None
    for _ in range(LET_GO_ATTEMPTS):
        try:
            close()
        except Exception as refusal:  # each library has its own
            error = refusal
            time.sleep(LET_GO_PAUSE_S)
        else:
            return None
    return error


def with_retried_close(factory_class: Any) -> Any:
    """A subclass that retries when it is closed, and forgets whatever is left then."""

    class RetryingFactory(factory_class):  # type: ignore[misc]
        def close(self) -> None:
            let_go(super().close)
            self.pins.clear()  # gpiozero keeps them for all factories of the process

    return RetryingFactory


class GpiozeroLines:
    """Input lines of one pin factory. `stamp_ns` turns the factory's ticks into nanoseconds.

    `reports_losses`: each edge has a level and a stamp of its own, so two alike in a row on one line
    mean that one was lost between them.
    """

    def __init__(
        self,
        factory: Any,
        lines: Iterable[int],
        pull: str,
        stamp_ns: Callable[[Any], int],
        uncertainty_ns: int,
        *,
        reports_losses: bool = False,
        now_ns: Callable[[], int] = time.monotonic_ns,
        tell: Tell | None = None,
        name: str = "gpio",
        under_way_ns: int = UNDER_WAY_NS,
    ) -> None:
        self.name = name
        self.uncertainty_ns = uncertainty_ns
        self.faults = 0
        self.mailbox: Mailbox[Edge | Gap] = Mailbox()
        self.stamp_ns = stamp_ns
        self.reports_losses = reports_losses
        self.next_seq = itertools.count().__next__
        self._now_ns = now_ns
        self._tell = tell
        self._reported = Condition.OK
        self._lines = {
            line: _PinLine(self, factory.pin(f"GPIO{line}"), line, pull, now_ns, under_way_ns)
            for line in lines
        }
        for each in self._lines.values():
            each.listen()

    def read(self) -> list[Edge | Gap]:
        return self.mailbox.take()

    def levels(self) -> dict[int, bool]:
        """The level of each line now; the last one reported where it can't be read."""
        return {line: each.level() for line, each in self._lines.items()}

    def resync(self) -> None:
        """Compare each line with the level that was reported; if it differs twice, report a wide edge."""
        blind = 0
        for line in self._lines.values():
            try:
                line.look(self._now_ns)
            except Exception as error:  # whatever a library raises
                blind += 1
                self.fault(error)
        if not blind:
            self._say(Condition.OK)
        elif blind == len(self._lines):
            self._say(Condition.LOST, "none of its lines can be read", "switch the table off and on")

    def fileno(self) -> int:
        return self.mailbox.fileno()

    def close(self) -> None:
        for line in self._lines.values():
            error = let_go(line.close)
            if error is not None:
                self.fault(error)
        self._lines.clear()
        self.mailbox.close()

    def fault(self, error: Exception) -> None:
        """Count an exception that must not get out, and report the first."""
        self.faults += 1
        if self._reported is Condition.OK:
            advice = "the lines are looked at again now and then; please report it"
            self._say(Condition.DEGRADED, f"internal error: {error!r}", advice)

    def _say(self, condition: Condition, seen: str = "", advice: str = "") -> None:
        if condition is not self._reported:
            self._reported = condition
            if self._tell is not None:
                self._tell(Health(self.name, condition, seen, advice))


class _PinLine:
    """One pin and the bound method that gpiozero calls."""

    def __init__(
        self,
        owner: GpiozeroLines,
        pin: Any,
        number: int,
        pull: str,
        now_ns: Callable[[], int],
        under_way_ns: int,
    ) -> None:
        self.pin = pin
        self._owner = owner
        self._number = number
        self._lock = Lock()  # the callback comes on another thread than `look`
        pin.input_with_pull(pull)
        pin.edges = "both"
        self._known = KnownLevel(bool(pin.state), now_ns(), under_way_ns)

    def listen(self) -> None:
        """Have gpiozero call back from now on."""
        self.pin.when_changed = self.changed

    def close(self) -> None:
        self.pin.when_changed = None
        self.pin.close()

    def changed(self, ticks: Any, state: Any) -> None:
        try:
            with self._lock:
                self._edge(self._owner.stamp_ns(ticks), bool(state))
        except Exception as error:  # a driver's thread must live on
            self._owner.fault(error)

    def level(self) -> bool:
        try:
            return bool(self.pin.state)
        except Exception as error:  # whatever a library raises
            self._owner.fault(error)
            return self._known.high

    def look(self, now_ns: Callable[[], int]) -> None:
        before_ns = now_ns()
        high = bool(self.pin.state)
        after_ns = now_ns()
        with self._lock:
            self._found(self._known.look(high, before_ns, after_ns))

    def _edge(self, t_ns: int, high: bool) -> None:
        known = self._known
        self._found(known.confirm(t_ns))
        if self._owner.reports_losses and high is known.high and t_ns >= known.since_ns:
            since_ns = known.seen_ns if known.seen_ns <= t_ns else known.since_ns
            self._owner.mailbox.post(Gap(1, since_ns, t_ns))
        known.reported(high, t_ns)
        self._post(high, t_ns)

    def _found(self, lost: tuple[int, int] | None) -> None:
        """Report a change that was lost between those two moments as a gap and a wide edge."""
        if lost is not None:
            since_ns, until_ns = lost
            self._owner.mailbox.post(Gap(1, since_ns, until_ns))
            self._post(self._known.high, until_ns, until_ns - since_ns)

    def _post(self, high: bool, t_ns: int, wide_ns: int = 0) -> None:
        self._owner.mailbox.post(Edge(self._number, high, t_ns, self._owner.next_seq(), wide_ns))
