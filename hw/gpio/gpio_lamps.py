"""Lamps on GPIO lines, such as those inside arcade buttons (through a transistor each)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from hw.gpio.gpio_chips import BROKEN, CONSUMER, ChipInfo, explained, found_again, gpiod_module
from hw.gpio.gpiozero_lines import check_pins, let_go, refused
from hw.ports import Condition, Health, Tell
from hw.work import Backoff

LampWire = tuple[int, int, int]
"""A lamp's place in the frame, the colours (bits of its byte) that it burns for, and its line."""


class OutputLines(Protocol):
    """Output lines. Both calls may raise whatever their library raises."""

    def set(self, levels: Mapping[int, bool]) -> None:
        """Put these lines at these levels."""

    def reopen(self) -> None:
        """Request the lines again, after one of them could not be set."""

    def close(self) -> None:
        """Let go of the lines."""


class GpioLamps:
    """Lamps on output lines. `active_low`: a lamp burns while its line is low."""

    def __init__(
        self,
        outputs: OutputLines,
        wires: Iterable[LampWire],
        *,
        active_low: bool = False,
        name: str = "lamps",
        tell: Tell | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._outputs = outputs
        self._wires = list(wires)
        self._lines = _lines(self._wires)
        self._active_low = active_low
        self._name = name
        self._tell = tell
        self._burning: dict[int, bool] = {}
        self._lost = False
        self._closed = False
        self._now_ns = now_ns
        self._backoff = Backoff()
        self._retry_ns = 0
        self.show(b"")

    @classmethod
    def over_gpiod(
        cls, chip: ChipInfo, wires: Iterable[LampWire], *, active_low: bool = False, tell: Tell | None = None
    ) -> GpioLamps:
        """Lamps on lines of a chip, through libgpiod."""
        wires = list(wires)
        outputs = GpiodOutputs(chip, _lines(wires), high=active_low)
        return cls(outputs, wires, active_low=active_low, tell=tell)

    @classmethod
    def over_gpiozero(
        cls,
        factory: Any,
        wires: Iterable[LampWire],
        *,
        active_low: bool = False,
        chip: ChipInfo | None = None,
        tell: Tell | None = None,
    ) -> GpioLamps:
        """Lamps on pins of a gpiozero factory; `chip` helps to explain why a line can't be had."""
        wires = list(wires)
        outputs = GpiozeroOutputs(factory, _lines(wires), high=active_low, chip=chip)
        return cls(outputs, wires, active_low=active_low, tell=tell)

    def show(self, frame: bytes) -> None:
        """Burn like this from now on; only what changes is written."""
        if self._closed:
            return
        burning = dict.fromkeys(self._lines, False)
        for lamp, colours, line in self._wires:
            burning[line] |= lamp < len(frame) and bool(frame[lamp] & colours)
        changed = {line: on for line, on in burning.items() if self._burning.get(line) is not on}
        if changed and self._set(changed):
            self._burning = burning

    def close(self) -> None:
        if not self._closed:
            self.show(b"")
            self._closed = True
            self._outputs.close()

    def _set(self, burning: Mapping[int, bool]) -> bool:
        if self._lost and not self._try_again():
            return False
        try:
            self._outputs.set({line: on is not self._active_low for line, on in burning.items()})
        except Exception as error:  # whatever a library raises; a lamp must not stop a game
            self._burning = {}  # what burns then is unknown, so everything is written again
            self._retry_ns = self._backoff.after(self._now_ns())
            if not self._lost:
                self._lost = True
                self._say(Condition.LOST, str(error), "look whether something else uses its lines")
            return False
        self._backoff.reset()
        if self._lost:
            self._lost = False
            self._say(Condition.OK)
        return True

    def _try_again(self) -> bool:
        """Request the lines again, now and then; whether that worked."""
        if self._now_ns() < self._retry_ns:
            return False
        try:
            self._outputs.reopen()
        except Exception:  # as above; it has been reported
            self._retry_ns = self._backoff.after(self._now_ns())
            return False
        return True

    def _say(self, condition: Condition, seen: str = "", advice: str = "") -> None:
        if self._tell is not None:
            self._tell(Health(self._name, condition, seen, advice))


class GpiodOutputs:
    """Output lines of one chip, through libgpiod. They begin at the level that `high` says."""

    def __init__(self, chip: ChipInfo, lines: Iterable[int], *, high: bool = False) -> None:
        self._value = gpiod_module().line.Value
        self._chip = chip
        self._lines = list(lines)
        self._high = high
        self._request: Any = self._open()

    def _open(self) -> Any:
        gpiod = gpiod_module()
        settings = gpiod.LineSettings(
            direction=gpiod.line.Direction.OUTPUT,
            output_value=self._value.ACTIVE if self._high else self._value.INACTIVE,
        )
        try:
            return gpiod.request_lines(self._chip.path, {tuple(self._lines): settings}, consumer=CONSUMER)
        except BROKEN as error:
            raise explained(error, self._chip, self._lines) from error

    def reopen(self) -> None:
        self.close()
        self._chip = found_again(self._chip)
        self._request = self._open()

    def set(self, levels: Mapping[int, bool]) -> None:
        value = self._value
        self._request.set_values(
            {line: value.ACTIVE if on else value.INACTIVE for line, on in levels.items()}
        )

    def close(self) -> None:
        self._request.release()


class GpiozeroOutputs:
    """Output lines of a gpiozero pin factory. They begin at the level that `high` says."""

    def __init__(
        self, factory: Any, lines: Iterable[int], *, high: bool = False, chip: ChipInfo | None = None
    ) -> None:
        numbers = sorted(set(lines))
        check_pins(factory, numbers, chip)
        self._pins: dict[int, Any] = {}
        try:
            for line in numbers:
                pin = factory.pin(f"GPIO{line}")
                pin.output_with_state(high)
                self._pins[line] = pin
        except Exception as error:  # each library has its own
            self.close()
            raise refused(error) from error

    def set(self, levels: Mapping[int, bool]) -> None:
        for line, high in levels.items():
            self._pins[line].state = high

    def reopen(self) -> None:
        """Do nothing: gpiozero's library does what its pins need."""

    def close(self) -> None:
        while self._pins:
            let_go(self._pins.popitem()[1].close)


def _lines(wires: Iterable[LampWire]) -> list[int]:
    return sorted({line for _, _, line in wires})
