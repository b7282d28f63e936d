"""The wheel works outside the checkout, with everything it needs in it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, as somebody has it who has just unpacked them."""
    tracked = ["pyproject.toml", "README.md", "LICENSE", "firmware_host", "hw", "wiring", "systemd"]
    copy = tmp_path_factory.mktemp("wheel") / "source"
    copy.mkdir()
    subprocess.run(["cp", "-r", *tracked, str(copy)], cwd=ROOT, check=True)
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    """The wheel that is built from them."""
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(source.parent), str(source)]
    subprocess.run([*PIP, *build], check=True, cwd=source.parent)
    return next(source.parent.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """A folder with nothing but the unpacked wheel."""
    site = wheel.parent / "site"
    subprocess.run(
        [*PIP, "install", "--no-deps", "--target", str(site), str(wheel)], check=True, cwd=site.parent
    )
    return site


def environment_of(wheel: Path, folder: Path) -> Path:
    """A virtual environment with that wheel; the libraries it needs are those of this one."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    subprocess.run([*PIP, "--python", str(folder), "install", "--no-deps", str(wheel)], check=True)
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def run(installed: Path, *command: str) -> str:
    """What a command prints that sees the unpacked wheel and not the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-W", "error", *command],
        cwd=installed.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_modules_are_those_of_the_wheel(installed: Path) -> None:
    script = "import firmware_host, hw, wiring; print(firmware_host.__file__, hw.__file__, wiring.__file__)"
    assert all(path.startswith(str(installed)) for path in run(installed, "-c", script).split())


def test_profiles_and_type_marks_come_with_it(installed: Path) -> None:
    assert "dice4" in run(installed, "-c", "import wiring; print(wiring.profile_names())")
    assert (installed / "firmware_host" / "py.typed").exists()


def test_a_match_is_played_from_it(installed: Path) -> None:
    told = run(installed, "-m", "firmware_host.cli", "simulate", "--matches", "1", "--rounds", "1")
    assert "1 matches of dice, 1 rounds" in told


def test_nothing_in_it_is_called_as_the_bindings_of_systemd(installed: Path) -> None:
    assert not (installed / "systemd").exists()


def service(prefix: Path) -> set[str]:
    """The files of the service that are there."""
    return {path.name for path in prefix.rglob("*") if path.is_file()}


FILES = {"ligretto-table.service", "70-ligretto-table.rules", "ligretto-table.conf", "table.toml"}


def test_the_service_is_installed_from_it(installed: Path, tmp_path: Path) -> None:
    run(installed, "-m", "firmware_host.cli", "install-service", "--prefix", str(tmp_path))
    assert service(tmp_path) == FILES


def test_the_service_is_installed_from_an_environment(wheel: Path, tmp_path: Path) -> None:
    command = environment_of(wheel, tmp_path / "table") / "bin" / "ligretto-table"
    prefix = tmp_path / "image"
    subprocess.run([command, "install-service", "--prefix", prefix], check=True, cwd=tmp_path)
    assert service(prefix) == FILES
    unit = (prefix / "etc/systemd/system/ligretto-table.service").read_text()
    assert "ExecStart=/opt/ligretto-table/bin/ligretto-table run " in unit
    here = subprocess.run(
        [command, "install-service", "--dry-run"], check=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert here.stdout == "" and f"the service could not reach {command}, " in here.stderr


def test_the_service_is_installed_from_an_editable_checkout(source: Path, tmp_path: Path) -> None:
    build = "import sys, setuptools.build_meta as backend; backend.build_editable(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], check=True, cwd=source, stdout=subprocess.PIPE
    )
    command = environment_of(next(tmp_path.glob("*.whl")), tmp_path / "table") / "bin" / "ligretto-table"
    rules = source / "systemd" / "ligretto-table.rules"
    rules.write_text("# changed since\n")  # what counts is what the checkout says now
    subprocess.run([command, "install-service", "--prefix", tmp_path / "image"], check=True, cwd=tmp_path)
    written = tmp_path / "image/etc/udev/rules.d/70-ligretto-table.rules"
    assert written.read_text() == "# changed since\n"
