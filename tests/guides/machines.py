"""Commands on a machine with something wrong, as the guides for makers show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.lab.chips_table import sign_model
from firmware_host.profile.tags import Registry, format_registry
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.doctor.system import System
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.mcp23017 import Mcp23017Model
from tests.workshop.doctor.tables import Bench
from tests.workshop.doctor.tree import Tree, reader

SIGN_ID = "usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
SOCKETS = tuple(f"platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.{socket}:1.0-port0" for socket in (1, 2))
DICE = f"""
wiring = "dice4"
[ports]
scoreboard = "/dev/serial/by-id/{SIGN_ID}"
[store]
file = "/var/lib/table/table.db"
"""
CARDS = f"""
wiring = "cards2"
tags = "tags.csv"
[ports]
pad-1 = "/dev/serial/by-path/{SOCKETS[0]}"
pad-2 = "/dev/serial/by-path/{SOCKETS[1]}"
[store]
file = "/var/lib/table/table.db"
"""
Deed = Callable[[Tree], None]


def nothing(tree: Tree) -> None:
    """Leave the machine as it is."""


@contextmanager
def pi() -> Iterator[Tree]:
    """A Pi with nothing at it."""
    with TemporaryDirectory() as folder:
        tree = Tree(Path(folder))
        tree.path("/var/lib/table").mkdir(parents=True)
        try:
            yield tree
        finally:
            tree.close()


def dice_table(tree: Tree) -> None:
    """Put everything of dice4 there."""
    tree.i2c({0x20: Mcp23017Model(), 0x21: Mcp23017Model(), 0x70: Ht16k33Model()})
    tree.plug("/dev/ttyUSB0", sign_model("cd5220", 20), SIGN_ID)
    tree.sound_card()


def card_table(tree: Tree) -> None:
    """Put both readers of cards2 there."""
    for number, socket in enumerate(SOCKETS):
        tree.plug(f"/dev/ttyUSB{number}", reader(), by_path=socket)


WIDE = {"COLUMNS": "1000"}
"""The guides show what is printed without a terminal, wherever they are made."""


def doctor(config: str, *words: str, machine: Deed, bench: Bench | None = None) -> str:
    """What the doctor prints on that machine."""
    with pi() as tree:
        machine(tree)
        system = tree.system() if bench is None else tree.system(equipment=bench.equipment)
        return _printed(system, config, "doctor", "--page", "0", *words)


def _printed(system: System, config: str, *words: str) -> str:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.toml"
        file.write_text(config, encoding="utf-8")
        (file.parent / "tags.csv").write_text(format_registry(Registry.for_cards(2)), encoding="utf-8")
        asked = [*words, "--config", str(file)]
        result = CliRunner(env=WIDE).invoke(main, asked, prog_name="ligretto-table", obj=replace(system))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.output.replace(f"{folder}/", "")


def wiring(profile: str, view: str) -> str:
    """One view of how a table is wired."""
    asked = ["wiring", profile, "--only", view]
    result = CliRunner(env=WIDE).invoke(main, asked, prog_name="ligretto-table")
    assert result.exit_code == 0, result.output
    return result.output.rstrip()


def beginning(text: str, lines: int) -> str:
    """The first lines of a text."""
    return "\n".join([*text.splitlines()[:lines], "..."])


def areas(report: str, *wanted: str) -> str:
    """Only some areas of a report."""
    parts = re.split(r"(?m)^(?=\S)", report)
    return "".join(part for part in parts if part.partition("\n")[0] in wanted).rstrip()


def about(report: str, *subjects: str) -> str:
    """Only the findings about some subjects, each with its area."""
    kept: list[str] = []
    heading, wanted = "", False
    for line in report.splitlines():
        if line and not line.startswith(" "):
            heading, wanted = line, False
        elif line.startswith("  ") and line[2] != " ":
            wanted = any(f"   {subject}: " in line for subject in subjects)
            if wanted and heading:
                kept.append(heading)
                heading = ""
        if wanted:
            kept.append(line)
    return "\n".join(kept)


def dice_bench() -> Bench:
    """The simulated table that a walk through dice4 goes over."""
    return Bench(load_profile("dice4"))
