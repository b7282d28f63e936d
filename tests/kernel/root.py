"""What the guest has as its root: this machine's own files, or Debian packages for another processor.

The packages are merely unpacked: no script of theirs runs, nothing is configured. Libraries come as wheels.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from tests.kernel.emulator import Processor
from tests.kernel.packages import Archive, checked, kept

CHECKOUT = Path(__file__).parent.parent.parent
PACKAGES = ("base-passwd", "coreutils", "dash", "mount", "python3")
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
"""The Python of each release that there is a root of."""
TOOLS = ("lgpio", "pytest", "rpi-lgpio")
MOUNTS = ("dev", "proc", "run", "sys", "srv/checkout")
RECIPE = 1
"""To be raised if the folder would be filled with something else."""


class Root(NamedTuple):
    """A folder of this machine that is the guest's root, and where things are in it."""

    folder: Path
    python: str
    checkout: str
    libraries: str = ""


OWN = Root(Path("/"), sys.executable, str(CHECKOUT))


def fetched_root(processor: Processor, release: str, tell: Callable[[str], None]) -> Root:
    """A root for this processor, fetched now if it is not there yet."""
    needs = _requirements(processor, PYTHONS[release])

    def make(work: Path, tree: Path) -> None:
        tell(f"fetching a root for {processor.debian} from Debian's {release} (once) ...")
        Archive(work, processor.debian, [release]).fetch_with_needs(PACKAGES, tree)
        for name in ("bin", "sbin", "lib"):  # of before they were all below /usr
            folder = tree / name
            if folder.is_dir() and not folder.is_symlink():
                checked(["cp", "--archive", "--no-clobber", f"{folder}/.", str(tree / "usr" / name)])
                checked(["rm", "--recursive", str(folder)])
            if not folder.is_symlink():
                folder.symlink_to(f"usr/{name}")
        for name in ("passwd", "group"):
            shutil.copy(tree / f"usr/share/base-passwd/{name}.master", tree / "etc" / name)
        for name in MOUNTS:
            (tree / name).mkdir(parents=True, exist_ok=True)
        _install(needs, processor, PYTHONS[release], tree / "srv" / "libraries")

    folder = kept(f"root-{release}-{processor.debian}", (RECIPE, PACKAGES, needs), make)
    return Root(folder, "/usr/bin/python3", "/srv/checkout", "/srv/libraries")


def _requirements(processor: Processor, python: str) -> list[str]:
    """What the project needs there to run, and to be tested in the guest."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    tools = [line for line in project["dependency-groups"]["dev"] if Requirement(line).name in TOOLS]
    there = {"platform_machine": processor.name, "python_version": python}
    needs = [Requirement(line) for line in (*project["project"]["dependencies"], *tools)]
    return [
        f"{each.name}{each.specifier}" for each in needs if each.marker is None or each.marker.evaluate(there)
    ]


def _install(needs: list[str], processor: Processor, python: str, folder: Path) -> None:
    """Unpack wheels for that processor and that Python."""
    platforms = [f"manylinux{which}_{processor.name}" for which in ("2014", "_2_17", "_2_28", "_2_34")]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}"]
    command += [f"--platform={each}" for each in platforms]
    checked([*command, *needs])
