"""Which libraries are needed: those of pyproject.toml, and that of the driver."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.machine_findings import (
    NEEDED,
    OF_DRIVER,
    Machine,
    judge_libraries,
    numbers,
)
from firmware_host.workshop.doctor.system import LIBRARIES
from tests.workshop.doctor.finding import one, states
from tests.workshop.doctor.profiles import DICE, profile_with

ROOT = Path(__file__).parent.parent.parent.parent
ALL = {library.name: library.at_least for library in (*NEEDED, *OF_DRIVER["gpiod"])}
COMPLETE = Machine(architecture="aarch64", python="3.11.2", libraries=ALL)


def without(*names: str, **others: str) -> Machine:
    kept = {name: version for name, version in ALL.items() if name not in names}
    return replace(COMPLETE, libraries=kept | others)


def test_the_table_of_libraries_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["lgpio"]]
    wanted += project["optional-dependencies"]["rpi-gpio"]
    package = dict(re.split(r"[>=]=", each.split(";")[0].strip()) for each in wanted)
    known = {
        each.name: each.at_least
        for each in (*NEEDED, *(one for those in OF_DRIVER.values() for one in those))
    }
    assert known.pop("rpi-lgpio")  # a stand-in for RPi.GPIO; the package asks for neither
    assert known == package
    assert set(known) < set(LIBRARIES)


def test_a_complete_set_is_told_with_its_versions() -> None:
    findings = list(judge_libraries(COMPLETE, [DICE]))
    assert states(findings) == {"python": State.OK, "libraries": State.OK}
    assert "smbus2 0.5" in one(findings, "libraries").seen


@pytest.mark.parametrize("library", NEEDED)
def test_each_library_is_missed(library: tuple[str, str, str]) -> None:
    name, at_least, job = library
    finding = one(judge_libraries(without(name), [DICE]), name)
    assert finding.state is State.FAIL
    assert job in finding.seen
    assert finding.advice == f"pip install '{name}>={at_least}'"


def test_an_old_one_is_told_with_both_versions() -> None:
    finding = one(judge_libraries(replace(COMPLETE, libraries=ALL | {"pyserial": "3.4"}), [DICE]), "pyserial")
    assert finding.seen == "3.4 is older than 3.5"


@pytest.mark.parametrize(
    ("driver", "installed", "fault"),
    [
        ("gpiod", {}, "gpiod"),
        ("gpiod", {"gpiod": "1.5.4"}, "gpiod"),
        ("gpiod", {"gpiod": "2.5.0"}, None),
        ("lgpio", {}, "lgpio"),
        ("lgpio", {"lgpio": "0.2.2.0"}, None),
        ("rpigpio", {}, "rpi-lgpio"),
        ("rpigpio", {"RPi.GPIO": "0.7.1"}, None),
        ("rpigpio", {"rpi-lgpio": "0.6"}, None),
        ("rpigpio", {"RPi.GPIO": "0.6.5"}, "RPi.GPIO"),
        ("rpigpio", {"RPi.GPIO": "0.6.5", "rpi-lgpio": "0.6"}, None),
        ("native", {}, None),
    ],
)
def test_a_driver_needs_its_library(driver: str, installed: dict[str, str], fault: str | None) -> None:
    machine = without("gpiod", **installed)
    found = states(judge_libraries(machine, [profile_with(DICE, driver=driver)]))
    assert [name for name, state in found.items() if state is State.FAIL] == ([fault] if fault else [])


def test_each_game_may_have_a_driver_of_its_own() -> None:
    other = profile_with(DICE, driver="lgpio")
    machine = replace(COMPLETE, libraries={n: v for n, v in ALL.items() if n != "lgpio"})
    assert states(judge_libraries(machine, [DICE]))["libraries"] is State.OK
    assert states(judge_libraries(machine, [DICE, other]))["lgpio"] is State.FAIL


def test_where_there_is_no_gpiod_another_driver_is_named() -> None:
    small = one(judge_libraries(replace(without("gpiod"), architecture="armv7l"), [DICE]), "gpiod")
    assert 'driver = "lgpio"' in small.advice
    big = one(judge_libraries(without("gpiod"), []), "gpiod")
    assert big.advice == "pip install 'gpiod>=2.3'"


SYSTEMS = "sudo apt install python3-libgpiod, and: sudo python3 -m venv --system-site-packages /opt/"


@pytest.mark.parametrize("found", [{}, {"gpiod": "1.5.4", "lgpio": "0.0.0.2"}])
@pytest.mark.parametrize(
    ("driver", "architecture", "advice"),
    [
        ("gpiod", "armv7l", SYSTEMS),
        ("gpiod", "aarch64", "pip install 'gpiod>=2.3'"),
        ("lgpio", "armv6l", f'set driver = "gpiod" in [gpio] of the profile; {SYSTEMS}'),
        ("lgpio", "aarch64", 'set driver = "gpiod" in [gpio] of the profile'),
        ("rpigpio", "aarch64", 'set driver = "gpiod" in [gpio] of the profile'),
    ],
)
def test_what_pip_has_not_for_a_newer_python_is_not_asked_of_it(
    driver: str, architecture: str, advice: str, found: dict[str, str]
) -> None:
    machine = replace(without("gpiod", **found), architecture=architecture, python="3.13.5")
    profile = profile_with(DICE, driver=driver)
    (fault,) = (each for each in judge_libraries(machine, [profile]) if each.state is State.FAIL)
    assert fault.advice.startswith(advice)
    if driver == "lgpio" and not found:
        assert fault.seen == "is not installed; there is no package of it for Python 3.13"


def test_versions_are_compared_by_their_numbers() -> None:
    assert numbers("2.0.1.post3") > numbers("2.0.1.post2") > numbers("2.0.1")
    assert numbers("0.10") > numbers("0.9")
