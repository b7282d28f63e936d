"""The pin factories of gpiozero, by name: what their ticks mean, and how exact they are.

lgpio passes on the kernel's own stamps. RPi.GPIO and the native factory have none: gpiozero
looks at the clock when the callback runs, which is later by as long as Python took to get
there. Their edges get stamps of that width, and the driver reports itself as degraded.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hw.gpio.gpio_chips import ChipInfo, GpioError, LibraryMissing
from hw.gpio.gpiozero_lines import GpiozeroLines, check_pins, refused, with_retried_close
from hw.gpio.known_level import UNDER_WAY_NS
from hw.ports import Condition, Health, Tell

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
