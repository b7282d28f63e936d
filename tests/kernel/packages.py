"""Debian packages for the rig, fetched by apt and merely unpacked: nothing is installed.

apt works with a configuration of its own here: what it notes and fetches is in the rig's cache, and the
sources of this machine stay as they are. Its mirror and its proxy are used. Only signed packages count.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

MIRROR = "http://deb.debian.org/debian/"
"""For machines that have no source of Debian's."""
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SOURCES = """\
Types: deb
URIs: {mirror}
Suites: {suites}
Components: main
Targets: Packages
Signed-By: {keyring}
"""
CONFIGURATION = """\
#clear APT::Architectures;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Default-Release "{suite}";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::State "{folder}";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "{folder}/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
"""


class FetchFailed(Exception):
    """Something can't be had; the message says why."""


class ProgramsMissing(FetchFailed):
    """Programs are needed that this machine lacks, whatever the release; the message names their packages."""


class Archive:
    """Suites of Debian for one architecture, the first of them preferred."""

    def __init__(self, work: Path, architecture: str, suites: Sequence[str], mirror: str = "") -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="apt-", dir=work))
        for part in ("lists/partial", "archives/partial", "sources"):
            (self._folder / part).mkdir(parents=True)
        (self._folder / "status").touch()
        self._configuration = self._folder / "apt.conf"
        self._configuration.write_text(
            CONFIGURATION.format(folder=self._folder, architecture=architecture, suite=suites[0])
        )
        sources = SOURCES.format(mirror=mirror or own_mirror(), suites=" ".join(suites), keyring=KEYRING)
        (self._folder / "sources" / "debian.sources").write_text(sources)
        self._apt("apt-get", "update", "-qq", "--error-on=any")

    def names(self, package: str, wanted: str) -> list[str]:
        """This package, and those whose names match among what it needs, however indirectly."""
        found = [package]
        for name in found:
            depends = self._apt("apt-cache", "depends", "--important", name)
            needed = re.findall(r"^ .?Depends: ([^<>\s]+)$", depends, re.MULTILINE)
            found += [each for each in needed if re.match(wanted, each) and each not in found]
        return found

    def fetch(self, packages: Iterable[str], tree: Path) -> None:
        """Unpack these packages into a folder; no script of theirs is run."""
        self._apt("apt-get", "download", "-qq", *packages)
        self._unpack(self._folder, tree)

    def fetch_with_needs(self, packages: Iterable[str], tree: Path) -> None:
        """The same with all that they need to run."""
        options = ("-qq", "--yes", "--download-only", "--no-install-recommends")
        self._apt("apt-get", "install", *options, *packages)
        self._unpack(self._folder / "archives", tree)

    def _unpack(self, folder: Path, tree: Path) -> None:
        for package in folder.glob("*.deb"):
            checked(["dpkg-deb", "--extract", str(package), str(tree)])
            package.unlink()

    def _apt(self, program: str, *arguments: str) -> str:
        return checked([program, f"--config-file={self._configuration}", *arguments], self._folder)


def own_mirror() -> str:
    """Where this machine gets Debian from."""
    fields = "$(RELEASE) $(COMPONENT) $(REPO_URI)"
    for line in checked(["apt-get", "indextargets", "--format", fields, "Created-By: Packages"]).splitlines():
        suite, component, uri = line.split(" ")
        if (suite, component) == (own_release(), "main") and "debian" in uri:
            return uri
    return MIRROR


def own_release() -> str:
    """The code name of the system here, such as bookworm."""
    return platform.freedesktop_os_release().get("VERSION_CODENAME", "")


def own_architecture() -> str:
    """What Debian calls the processor of this machine."""
    return checked(["dpkg", "--print-architecture"]).strip()


def cache() -> Path:
    """The folder that outlives checkouts."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(home) / "ligretto-table"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kept(name: str, recipe: object, make: Callable[[Path, Path], None]) -> Path:
    """A folder in the cache. If it is not there yet, `make` gets a folder to work in and the one to fill."""
    folder = cache() / f"{name}-{hashlib.sha256(repr(recipe).encode()).hexdigest()[:8]}"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # somebody else may be making the same
        if not folder.exists():
            work = Path(tempfile.mkdtemp(prefix="fetching-", dir=cache()))
            try:
                made = work / "made"
                made.mkdir()
                make(work, made)
                made.rename(folder)  # it is whole, or not there
            finally:
                shutil.rmtree(work, ignore_errors=True)
    return folder


def checked(command: Sequence[str], folder: Path | None = None) -> str:
    """What a command prints; if it fails, its complaint is an error."""
    environment = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if not line.startswith("W:")]
        raise FetchFailed(f"{command[0]}: {' '.join(lines)[-600:]}")
    return done.stdout
