"""Edges through any gpiozero pin factory: the mock one here, lgpio or RPi.GPIO on a Pi.

gpiozero calls back on a thread of its own (the mock factory: on the caller's), holds the
callback weakly and passes it the factory's ticks but not the pin. So each line is an
object of its own that this driver keeps alive, and its edges go into a queue.

An exception in a callback would end lgpio's only thread and silence every pin, so all are caught.
Some factories lose edges, and none reports it: call `resync` now and then.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any

from hw.gpio.gpio_chips import ChipInfo, GpioError, LibraryMissing, check_lines
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
            t_ns, high, known, owner = self._owner.stamp_ns(ticks), bool(state), self._known, self._owner
            with self._lock:
                self._found(known.confirm(t_ns))
                if owner.reports_losses and high is known.high and t_ns >= known.since_ns:
                    since_ns = known.seen_ns if known.seen_ns <= t_ns else known.since_ns
                    owner.mailbox.post(Gap(1, since_ns, t_ns))
                known.reported(high, t_ns)
                self._post(high, t_ns)
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

    def _found(self, lost: tuple[int, int] | None) -> None:
        """Report a change that was lost between those two moments as a gap and a wide edge."""
        if lost is not None:
            since_ns, until_ns = lost
            self._owner.mailbox.post(Gap(1, since_ns, until_ns))
            self._post(self._known.high, until_ns, until_ns - since_ns)

    def _post(self, high: bool, t_ns: int, wide_ns: int = 0) -> None:
        self._owner.mailbox.post(Edge(self._number, high, t_ns, self._owner.next_seq(), wide_ns))


# The pin factories of gpiozero, by name: what their ticks mean, and how exact they are.
#
# lgpio passes on the kernel's own stamps. RPi.GPIO and the native factory have none: gpiozero
# looks at the clock when the callback runs, which is later by as long as Python took to get
# there. Their edges get stamps of that width, and the driver reports itself as degraded.


KERNEL_STAMP_NS = 100_000
PYTHON_STAMP_NS = 5_000_000
"""While other threads are busy, Python may let one wait this long for its turn."""
MOCK_BOARD = 0xC03111  # a Pi 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PinKind:
    """One kind of pin factory."""

    name: str
    make: Callable[[ChipInfo | None], Any]
    stamp_ns: Callable[[Any], int]
    uncertainty_ns: int
    own_stamps: bool
    """Each edge has the level and the stamp of its own moment, not of its callback's."""
    missing: str
    """What to do if it can't be imported."""


def open_pins(kind: PinKind, chip: ChipInfo | None = None) -> Any:
    """A factory of that kind. The mock one needs no chip; RPi.GPIO and the native one know only a Pi's."""
    try:
        return kind.make(chip)
    except GpioError:
        raise
    except ImportError as error:
        raise LibraryMissing(f"the pins '{kind.name}' can't be had ({error})", kind.missing) from error
    except Exception as error:  # each library has its own; all of them mean the same here
        raise GpioError(f"the pins '{kind.name}' can't be had ({error})", kind.missing) from error


def open_lines(
    kind: PinKind,
    factory: Any,
    lines: Iterable[int],
    pull: str,
    *,
    chip: ChipInfo | None = None,
    tell: Tell | None = None,
    name: str = "gpio",
    under_way_ns: int = UNDER_WAY_NS,
) -> GpiozeroLines:
    """Lines of a factory of that kind; `tell` is called once if they can't be stamped well."""
    numbers = sorted(lines)
    check_pins(factory, numbers, chip)
    try:
        opened = GpiozeroLines(
            factory,
            numbers,
            pull,
            kind.stamp_ns,
            kind.uncertainty_ns,
            reports_losses=kind.own_stamps,
            tell=tell,
            name=name,
            under_way_ns=under_way_ns,
        )
    except Exception as error:  # each library has its own
        raise refused(error) from error
    if tell is not None and not kind.own_stamps:
        seen = f"the pins '{kind.name}' have no stamps of the kernel: races are timed to ±{_ms(kind)} ms only"
        tell(Health(name, Condition.DEGRADED, seen, "choose the driver 'gpiod', or the pins 'lgpio'"))
    return opened


def seconds(ticks: Any) -> int:
    """These factories' ticks are CLOCK_MONOTONIC in seconds."""
    nanoseconds: int = round(ticks * 1e9)
    return nanoseconds


def _mock(chip: ChipInfo | None) -> Any:
    from hw.sim.agenda import SimPinFactory

    return SimPinFactory(time.monotonic_ns, f"{MOCK_BOARD:x}")


def _lgpio(chip: ChipInfo | None) -> Any:
    with _folder_for_lgpio():
        module = importlib.import_module("gpiozero.pins.lgpio")
    return with_retried_close(module.LGPIOFactory)(chip=None if chip is None else chip.number)


def _rpigpio(chip: ChipInfo | None) -> Any:
    if chip is not None:  # rpi-lgpio, which may stand in for RPi.GPIO, asks here
        os.environ["RPI_LGPIO_CHIP"] = str(chip.number)
    with _folder_for_lgpio():
        module = importlib.import_module("gpiozero.pins.rpigpio")
    return with_retried_close(module.RPiGPIOFactory)()


def _native(chip: ChipInfo | None) -> Any:
    return importlib.import_module("gpiozero.pins.native").NativeFactory()


@contextlib.contextmanager
def _folder_for_lgpio() -> Iterator[None]:
    """lgpio makes a pipe in the working folder when it is imported, and moves to the folder in LG_WD.

    So it gets a temporary folder, and is moved back. The pipe is open by then.
    """
    if "lgpio" in sys.modules or importlib.util.find_spec("lgpio") is None:
        yield
        return
    here = os.open(".", os.O_RDONLY)
    folder = tempfile.mkdtemp(prefix="lgpio-")
    wanted = os.environ.get("LG_WD")
    os.environ["LG_WD"] = folder
    try:
        yield
    finally:
        if wanted is None:
            del os.environ["LG_WD"]
        else:
            os.environ["LG_WD"] = wanted
        os.fchdir(here)
        os.close(here)
        shutil.rmtree(folder)


def _ms(kind: PinKind) -> int:
    return kind.uncertainty_ns // 1_000_000


KINDS = {
    kind.name: kind
    for kind in (
        PinKind(
            name="mock",
            make=_mock,
            stamp_ns=int,
            uncertainty_ns=KERNEL_STAMP_NS,
            own_stamps=True,
            missing="install gpiozero",
        ),
        PinKind(
            name="lgpio",
            make=_lgpio,
            stamp_ns=seconds,
            uncertainty_ns=KERNEL_STAMP_NS,
            own_stamps=True,
            missing="install it on the Pi: pip install 'ligretto-table[lgpio]'",
        ),
        PinKind(
            name="rpigpio",
            make=_rpigpio,
            stamp_ns=seconds,
            uncertainty_ns=PYTHON_STAMP_NS,
            own_stamps=False,
            missing="install rpi-lgpio, or RPi.GPIO on a Pi up to 4 with a kernel before 6.6",
        ),
        PinKind(
            name="native",
            make=_native,
            stamp_ns=seconds,
            uncertainty_ns=PYTHON_STAMP_NS,
            own_stamps=False,
            missing="it is for a Pi with an old kernel only; choose another kind",
        ),
    )
}
"""gpiozero's pigpio is left out: it goes through a daemon whose clock is not the kernel's."""
