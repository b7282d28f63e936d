"""The wheel works outside the checkout, with everything it needs in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the unpacked wheel, built from a copy of the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    tracked = ["pyproject.toml", "README.md", "LICENSE", "firmware_host", "hw", "wiring"]
    source = folder / "source"
    source.mkdir()
    subprocess.run(["cp", "-r", *tracked, str(source)], cwd=ROOT, check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    subprocess.run([*pip, *build], check=True, cwd=folder)
    wheel = next(folder.glob("*.whl"))
    site = folder / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True, cwd=folder)
    return site


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
    told = run(installed, "-m", "firmware_host.cli", "demo", "--speed", "max", "--rounds", "1", "--seed", "1")
    assert "the match is won by" in told
