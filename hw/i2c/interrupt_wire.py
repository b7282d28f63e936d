"""Finds out whether the interrupt line of a chip works."""

from __future__ import annotations

from hw.i2c.chip_driver import Anomaly

ENOUGH = 3
"""So often in a row can't be a coincidence."""

STUCK = Anomaly(
    "its interrupt line stays low, so changes are found late",
    "look for a short of the interrupt wire to ground",
)
SILENT = Anomaly(
    "it reports interrupts, but its interrupt line does not fall, so changes are found late",
    "check the interrupt wire and the profile's interrupt line",
)


class InterruptWire:
    """Counts how often the line and the chip contradict each other."""

    def __init__(self) -> None:
        self._low = 0
        self._unheard = 0

    @property
    def stuck(self) -> bool:
        """Whether the line stays low whatever is read, so that its level means nothing."""
        return self._low >= ENOUGH

    @property
    def anomaly(self) -> Anomaly | None:
        """What is wrong with the line, if anything."""
        if self.stuck:
            return STUCK
        return SILENT if self._unheard >= ENOUGH else None

    def heard(self) -> None:
        """Note that the line fell."""
        self._low = 0
        self._unheard = 0

    def looked(self, *, was_low: bool, is_low: bool, named: bool, stamped: bool) -> None:
        """Note a look at the chip: the line before and after, and whether chip and line had interrupted."""
        if not is_low:
            self._low = 0
        elif not named:
            self._low += 1
        if named and not stamped and not was_low:
            self._unheard += 1
