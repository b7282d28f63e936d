"""GPIO chips of the kernel's simulator: whatever is outside the chip is done through files."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

CONFIG = Path("/sys/kernel/config/gpio-sim")
PLATFORM = Path("/sys/devices/platform")
PULLS = {True: b"pull-up", False: b"pull-down"}

_names = (f"table{number}" for number in itertools.count())


class SimChip:
    """A chip with so many lines, all pulled up from outside."""

    def __init__(self, label: str = "pinctrl-bcm2711", lines: int = 54) -> None:
        self._folder = CONFIG / next(_names)
        bank = self._folder / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(lines))
        (bank / "label").write_text(label)
        self.label = label
        self._pulls: dict[int, int] = {}
        self.plug_in()
        for line in range(lines):
            self.drive(line, True)

    def pull_file(self, line: int) -> Path:
        """Where the outside of a line is set."""
        return self._lines / f"sim_gpio{line}" / "pull"

    def drive(self, line: int, high: bool) -> None:
        """Whatever is wired to an input sets its level now."""
        pull = self._pulls.get(line)
        if pull is None:
            pull = self._pulls[line] = os.open(self.pull_file(line), os.O_WRONLY | os.O_CLOEXEC)
        os.pwrite(pull, PULLS[high], 0)

    def level(self, line: int) -> bool:
        """What a meter shows at a line, input or output."""
        return (self._lines / f"sim_gpio{line}" / "value").read_text().strip() == "1"

    def unplug(self) -> None:
        """The chip goes away, whoever may be using it."""
        self._let_go()
        (self._folder / "live").write_text("0")

    def plug_in(self) -> None:
        """It is there, or there again."""
        (self._folder / "live").write_text("1")
        name = (self._folder / "bank0" / "chip_name").read_text().strip()
        self.path = f"/dev/{name}"
        self._lines = PLATFORM / (self._folder / "dev_name").read_text().strip() / name

    def close(self) -> None:
        self._let_go()
        if self._folder.exists():
            (self._folder / "live").write_text("0")
            (self._folder / "bank0").rmdir()
            self._folder.rmdir()

    def _let_go(self) -> None:
        while self._pulls:
            os.close(self._pulls.popitem()[1])
