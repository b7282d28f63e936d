"""All tests with the lowest versions that pyproject.toml allows and with the newest, on Python 3.11 and 3.13.

The Python that this machine has is used as it is; the other one comes with a Debian of its own, in a folder
made by mmdebstrap, and for that this program must be root. Everything is kept for the next run.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

CHECKOUT = Path(__file__).parents[2]
KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ligretto-table" / "versions"
DEBIAN = {"3.11": "bookworm", "3.13": "trixie"}
"""The Debian that comes with a version of Python."""
PACKAGES = (
    *("python3", "python3-venv", "make", "ca-certificates"),
    *("systemd", "udev", "procps", "alsa-utils", "socat", "jq"),  # those of .ci/run, without the browser
)
LEFT_OUT = ("browser", "crash", "soak", "kernel", "newer_sqlite", "versions")
"""They depend on other things than versions of libraries, and take long."""
PASSED_ON = ("PIP_", "SSL_CERT", "REQUESTS_CA", "http_proxy", "https_proxy", "no_proxy")
IN_ROOT = """
set -e
mount -t proc proc "$1/proc"; mount -t sysfs -o ro sys "$1/sys"; mount --rbind /dev "$1/dev"
cp /etc/resolv.conf /etc/hosts "$1/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
root=$1; shift
exec chroot "$root" "$@"
"""


@dataclass(frozen=True, slots=True)
class Combination:
    """A Python, and which versions of libraries it gets."""

    python: str
    lowest: bool

    def __str__(self) -> str:
        return f"{self.python}-{'lowest' if self.lowest else 'newest'}"

    @property
    def here(self) -> bool:
        """Whether the Python that runs this is the one that is wanted."""
        return self.python == ".".join(map(str, sys.version_info[:2]))

    @property
    def root(self) -> Path:
        return Path("/") if self.here else KEPT / DEBIAN[self.python]

    @property
    def folder(self) -> Path:
        """Where the copy of the checkout and its virtual environment are."""
        return KEPT / str(self) if self.here else self.root / "root" / str(self)

    def run(self, *command: str) -> int:
        """Run a command in that folder, in the Debian that it belongs to."""
        passed = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
        bare = ["env", "-i", "LANG=C.UTF-8", f"PATH={os.defpath}:/usr/sbin:/sbin", f"HOME={Path.home()}"]
        bare += [f"{name}={value}" for name, value in passed.items()]
        inside = "/" / self.folder.relative_to(self.root)
        bare += ["sh", "-c", 'cd "$0" && exec "$@"', str(inside), *command]
        if not self.here:
            bare = ["unshare", "--mount", "sh", "-c", IN_ROOT, "sh", str(self.root), *bare]
        return subprocess.run(bare, check=False).returncode


COMBINATIONS = [Combination(python, lowest) for python in DEBIAN for lowest in (True, False)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the combinations that are asked for, all if none is; gives 1 if any of them fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.versions", description=__doc__)
    names = [str(each) for each in COMBINATIONS]
    parser.add_argument("combinations", nargs="*", metavar="COMBINATION", help=f"one of {', '.join(names)}")
    parser.add_argument("--only", default="", help="pytest arguments, instead of all tests")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.combinations if name not in names]:
        parser.error(f"{unknown[0]} is not one of {', '.join(names)}")
    results = {}
    for each in COMBINATIONS:
        if str(each) in (asked.combinations or names):
            print(f"versions: {each} ...", flush=True)
            results[each] = _try(each, asked.only.split())
    for each, result in results.items():
        print(f"versions: {each}: {result}")
    return int(any(result != "passed" for result in results.values()))


def _try(combination: Combination, only: Sequence[str]) -> str:
    if not combination.here and (why := _no_root(combination)):
        return f"not run: {why}"
    _copy_checkout(combination.folder)
    if combination.run("sh", "-c", _setting_up(combination)):
        return "its libraries can't be installed"
    tests = only or ["tests", *(f"--ignore=tests/{name}" for name in LEFT_OUT)]
    workers = ["-n", "auto", "--dist", "loadgroup"]
    code = combination.run(".venv/bin/python", "-m", "pytest", "-q", *workers, *tests)
    return "passed" if code == 0 else "failed"


def _no_root(combination: Combination) -> str:
    """Make the Debian of that Python; gives what prevents it."""
    if (combination.root / "root" / "made").exists():
        return ""
    if os.geteuid():
        return "another Debian can only be made and used by root; try it with sudo"
    if shutil.which("mmdebstrap") is None:
        return "no mmdebstrap here: sudo apt install mmdebstrap"
    shutil.rmtree(combination.root, ignore_errors=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    suite = DEBIAN[combination.python]
    print(f"versions: making Debian {suite} (once) ...", flush=True)
    command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(PACKAGES)}", suite]
    if subprocess.run([*command, str(combination.root)], check=False).returncode:
        return f"mmdebstrap could not make Debian {suite}"
    (combination.root / "root" / "made").touch()
    return ""


def _copy_checkout(folder: Path) -> None:
    """Put the files of the checkout there; of an older copy only the virtual environment stays."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.name != ".venv":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    listed = ["git", "-C", str(CHECKOUT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0"):
        if name and (CHECKOUT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, folder / name, follow_symlinks=False)


def _setting_up(combination: Combination) -> str:
    """Shell commands that give the copy a virtual environment with the wanted versions."""
    pip = ".venv/bin/python -m pip install --quiet"
    if combination.lowest:
        install = f"{pip} --editable '.[plot,web]' --group dev --constraint lowest.txt"
        (combination.folder / "lowest.txt").write_text("".join(f"{line}\n" for line in lowest_versions()))
    else:
        install = f"{pip} --upgrade --upgrade-strategy=eager --editable '.[plot,web]' --group dev"
    python = shlex.quote(sys.executable if combination.here else "python3")
    make = f"test -x .venv/bin/python || {python} -m venv .venv"
    return f"{make}; {pip} --upgrade 'pip>=25.1' && {install}"


def lowest_versions() -> Iterator[str]:
    """The lowest version that pyproject.toml allows of each library, as constraints for pip."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["project"]["dependencies"], *extras["plot"], *extras["web"]]
    for each in map(Requirement, [*wanted, *project["dependency-groups"]["dev"]]):
        (lowest,) = (spec.version for spec in each.specifier if spec.operator in (">=", "=="))
        each.specifier = SpecifierSet(f"=={lowest}")
        each.extras = set()
        yield str(each)


if __name__ == "__main__":
    sys.exit(main())
