"""Pins of a gpiozero factory: whether they are free, and how to close them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from hw.gpio.errors import GpioError
from hw.gpio.gpio_chips import ChipInfo, check_lines

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
