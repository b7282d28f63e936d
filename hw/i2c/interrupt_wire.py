"""Whether the interrupt line of a chip can be relied on."""

from __future__ import annotations

from hw.i2c.chip_driver import Anomaly

ENOUGH = 3
"""So often in a row is no coincidence."""

STUCK = Anomaly(
    "its interrupt line stays low, so changes are found late",
    "look for a short of the interrupt wire to ground",
)
SILENT = Anomaly(
    "it calls, but its interrupt line does not fall, so changes are found late",
    "check the interrupt wire and the profile's interrupt line",
)


class InterruptWire:
    """Counts how often the line and the chip contradict each other."""

    def __init__(self) -> None:
        self._low = 0
        self._unheard = 0

    @property
    def stuck(self) -> bool:
        """The line is low whatever is read: no use asking it."""
        return self._low >= ENOUGH

    @property
    def anomaly(self) -> Anomaly | None:
        """What is wrong with it."""
        if self.stuck:
            return STUCK
        return SILENT if self._unheard >= ENOUGH else None

    def heard(self) -> None:
        """The line fell."""
        self._low = 0
        self._unheard = 0

    def looked(self, *, was_low: bool, is_low: bool, named: bool, stamped: bool) -> None:
        """The chip was read: how the line was before and is now, and whether chip and line had called."""
        if not is_low:
            self._low = 0
        elif not named:
            self._low += 1
        if named and not stamped and not was_low:
            self._unheard += 1
