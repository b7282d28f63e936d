"""The import contracts bite: a copy of the tree with one bad import breaks the right one."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.thoroughness import one_of_each

ROOT = Path(__file__).parent.parent
LINTER = Path(sys.executable).parent / "lint-imports"


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINTER, "--no-cache", "--no-logo"], cwd=tree, capture_output=True, text=True, check=False
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for package in ("firmware_host", "hw", "wiring"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_tree_keeps_its_contracts(tree: Path) -> None:
    result = lint(tree)
    assert result.returncode == 0, result.stdout
    assert " 0 broken." in result.stdout


@pytest.mark.parametrize(
    ("file", "statement", "contract"),
    one_of_each(
        lambda case: case[2],
        [
            ("firmware_host/games/dice/dice.py", "import time", "the core is pure"),
            ("firmware_host/timing/ties.py", "import random", "the core is pure"),
            ("firmware_host/games/round.py", "import hw.ports", "the core is pure"),
            ("firmware_host/show/pages.py", "import asyncio", "the core is pure"),
            ("firmware_host/workshop/doctor/device_findings.py", "import os", "the core is pure"),
            (
                "firmware_host/workshop/doctor/walking.py",
                "import hw.rfid.pn532",
                "concrete drivers are named in few places",
            ),
            (
                "firmware_host/run/shell.py",
                "import firmware_host.lab.party",
                "imports go down the layers",
            ),
            (
                "firmware_host/timing/ties.py",
                "import firmware_host.games.round",
                "imports go down the layers",
            ),
            (
                "firmware_host/model/errors.py",
                "import firmware_host.model.times",
                "values know only simpler values",
            ),
            (
                "firmware_host/web/live_routes.py",
                "import firmware_host.run.table_sockets",
                "the web process is a client of the table's sockets",
            ),
            (
                "firmware_host/run/table_sockets.py",
                "import starlette",
                "only the web process loads the libraries of the web",
            ),
            (
                "firmware_host/lab/bots/person.py",
                "import firmware_host.games.dice.dice",
                "simulated people touch no device and read no clock",
            ),
            (
                "firmware_host/lab/bots/person.py",
                "import hw.sim.contacts",
                "simulated people touch no device and read no clock",
            ),
            (
                "firmware_host/lab/bots/person.py",
                "import gpiozero",
                "simulated people touch no device and read no clock",
            ),
            (
                "firmware_host/lab/truth/oracles.py",
                "import firmware_host.games.games",
                "the oracle of the rule sheets shares no code with the referee",
            ),
            *(
                (file, "import hw.gpio.gpiozero_lines", "concrete drivers are named in few places")
                for file in (
                    "firmware_host/lab/cli/simulate.py",
                    "firmware_host/lab/tournament.py",
                    "firmware_host/lab/benchmark/latency.py",
                    "firmware_host/lab/scenarios/reading.py",
                )
            ),
            (
                "hw/ports.py",
                "from firmware_host.model.events import Pressed",
                "devices know nothing of the game",
            ),
            ("wiring/__init__.py", "import firmware_host.model.places", "devices know nothing of the game"),
            (
                "firmware_host/run/loop.py",
                "import hw.sim.agenda",
                "concrete drivers are named in few places",
            ),
            (
                "firmware_host/run/shell.py",
                "import hw.scoreboard.text",
                "concrete drivers are named in few places",
            ),
        ],
    ),
)
def test_a_bad_import_breaks_its_contract(tree: Path, file: str, statement: str, contract: str) -> None:
    with (tree / file).open("a", encoding="utf-8") as module:
        module.write(f"\n{statement}\n")
    result = lint(tree)
    assert result.returncode == 1
    assert f"{contract} BROKEN" in result.stdout


def test_all_findings_of_the_doctor_are_pure() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (pure,) = (
        each for each in settings["tool"]["importlinter"]["contracts"] if each["name"] == "the core is pure"
    )
    found = (ROOT / "firmware_host" / "workshop" / "doctor").glob("*_findings.py")
    modules = {f"firmware_host.workshop.doctor.{path.stem}" for path in found}
    assert modules and modules <= set(pure["source_modules"])


def test_a_real_table_is_started_without_simulated_devices_lab_and_workshop() -> None:
    """On a small machine each of those modules is time and memory for nothing."""
    script = (
        "import sys, firmware_host.cli.run, firmware_host.run.real_table\n"
        "away = 'hw.sim', 'gpiozero.pins.mock', 'firmware_host.lab', 'firmware_host.workshop'\n"
        "print([name for name in sys.modules if name.startswith(away)])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
