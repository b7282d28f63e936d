"""Commands that read a store, run in this process, and what is wrong with how they ended."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result

from firmware_host.cli import main

CODES = (0, 1, 2)
COMMANDS = (
    "recall",
    "recall 1 -v",
    "recall 2 --json",
    "recall --round 2 --svg {folder}/round.svg",
    "recall --round 1 --around 5 --span 2s",
    "export --what matches",
    "export --what rounds --format json",
    "export --what verdicts",
    "export --what standings",
    "audits --all",
    "replay",
)
"""The eleven that a damaged file is read with."""
MORE_COMMANDS = (
    "recall --json",
    "recall last",
    "recall 3 -v",
    "recall --round 1 --json",
    "recall --round 3 --svg {folder}/round.svg",
    "recall 1 --around 8",
    "export --what matches --format json --event Club",
    "export --what rounds --day 2026-11-18",
    "export --what verdicts --format json",
    "export --what standings --format json",
    "audits --json",
    "audits",
    "audits --log 50",
    "audits --log 50 --json",
    "replay --session 1 -v",
    "replay --round 3",
    "players",
    "players --json",
    "export --what players",
    "export --what seats --format json",
    "status",
)
"""What else can be asked about a store."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a command ended: its exit code, what it printed, and what should not have been."""

    command: str
    code: int
    told: str
    complaint: str
    fault: str = ""


def read_with(command: str, store: Path, folder: Path) -> Reading:
    """Run a command about a store; drawings go into the folder."""
    words = [word.format(folder=folder) for word in command.split()]
    result = CliRunner().invoke(main, [*words, "--store", str(store)], prog_name="ligretto-table")
    return Reading(command, result.exit_code, result.stdout, result.stderr, _fault(result))


def _fault(result: Result) -> str:
    """What is wrong with it; empty if nothing is."""
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        return f"{type(error).__name__}: {error} at {place_of(error)}"
    if result.exit_code not in CODES:
        return f"exit code {result.exit_code}"
    if result.exit_code and not result.output.strip():
        return f"exit code {result.exit_code} without a word"
    if any(not (letter.isprintable() or letter == "\n") for letter in result.stderr):
        return f"control characters in {result.stderr!r}"
    return ""


def place_of(error: BaseException) -> str:
    """The function that raised it, and the one that called that; of the program, if it is in there at all."""
    all_frames = traceback.extract_tb(error.__traceback__)
    frames = [each for each in all_frames if "firmware_host" in each.filename] or all_frames
    return " < ".join(f"{Path(each.filename).stem}.{each.name}:{each.lineno}" for each in frames[::-1][:2])


def fault_of(reading: Reading, sound: Reading) -> str:
    """What is wrong with how a damaged store was read, where that is how the sound one is read."""
    if reading.fault:
        return f"{reading.command}: {reading.fault}"
    if reading.code == 0 and _lines(reading) < _lines(sound):
        return f"{reading.command}: it tells less than before, and not why"
    return ""


def _lines(reading: Reading) -> int:
    """How much it told: the lines in which there are numbers."""
    return sum(bool(re.search(r"\d", line)) for line in reading.told.splitlines())
