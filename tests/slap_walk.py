"""What one slap crosses: how many functions, and in how many files.

    python -m tests.slap_walk        the two numbers
    python -m tests.slap_walk -v     and which they are

One press wins a die on a table of simulated chips, profile dice4. What counts is this project's code from
the press to lamps, sign and feed. The simulated chips and wires are left out, and so is what the expander
does anyway, ten times a second.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from types import FrameType

import firmware_host
from firmware_host.feed.teller import Surroundings, Teller
from firmware_host.lab.chips_table import ChipTable, chip_table
from firmware_host.model.events import StartMatch
from firmware_host.model.places import Button, Colour, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile, table_of

LEFT_OUT = ("hw/sim/", "hw/i2c/mcp23017", "hw/i2c/pin_changes", "firmware_host/lab/", "tests/")
ROOT = Path(firmware_host.__file__).parents[1]


def slap_walk() -> dict[str, list[str]]:
    """The functions that a slap crosses, by the file they are in."""
    table = _table_in_play()
    files: dict[str, list[str]] = defaultdict(list)
    seen = set()

    def note(frame: FrameType, kind: str, _: object) -> None:
        code = frame.f_code
        if kind != "call" or code in seen or "<" in code.co_qualname.replace("<locals>", ""):
            return
        seen.add(code)
        path = Path(code.co_filename)
        if path.is_relative_to(ROOT) and not path.is_relative_to(Path(sys.prefix)):
            name = str(path.relative_to(ROOT))
            if not name.startswith(LEFT_OUT):
                files[name].append(f"{code.co_qualname}:{code.co_firstlineno}")

    sys.setprofile(note)
    table.agenda.after(1, lambda: table.contacts[Button(2)].set(True))
    _go_on(table, 200 * MS)
    sys.setprofile(None)
    return files


def _table_in_play() -> ChipTable:
    """A table whose feed somebody reads, with a fresh die on the first place of a row."""
    profile = load_profile("dice4")
    table = chip_table(
        profile, table=table_of(profile), settings=Settings(), draws=Random(1), chance=Random(2)
    )
    _go_on(table, 1 * S)
    table.shell.command(StartMatch((6, 6, 6, 6), exactly(table.agenda.now_ns)))
    _go_on(table, 6 * S)
    teller = Teller(1, table.shell.referee, Surroundings)
    teller.snapshot(0)

    def tell(step: Step) -> None:
        teller.follow(step.effects)
        teller.step(step, 1)

    table.shell.onlookers.append(tell)
    table.agenda.after(1, lambda: table.contacts[Slot(Colour.RED, 1)].set(True))
    _go_on(table, 300 * MS)
    return table


def _go_on(table: ChipTable, for_ns: int) -> None:
    end_ns = table.agenda.now_ns + for_ns
    while table.loop.step(end_ns) < end_ns:
        pass


if __name__ == "__main__":
    walked = slap_walk()
    if "-v" in sys.argv:
        for name, functions in walked.items():
            print(f"{name}: {', '.join(functions)}")
    print(f"{sum(map(len, walked.values()))} functions in {len(walked)} files")
