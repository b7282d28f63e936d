"""The kernel of the rig: built once from Debian's source and kept outside the checkout.

It begins with the smallest configuration there is, so that it is built in minutes and boots in
two seconds; `kernel.config` has what is needed besides.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TextIO

CONFIG = Path(__file__).with_name("kernel.config")
SOURCE_PACKAGE = "linux-source-6.1"
SOURCE = Path(f"/usr/src/{SOURCE_PACKAGE}.tar.xz")
RECIPE = b"1"
"""To be raised if another way of building makes another kernel of the same configuration."""

PROGRAMS = {
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
    "gcc": "gcc",
    "make": "make",
    "xz": "xz-utils",
    "insmod": "kmod",
    "qemu-system-x86_64": "qemu-system-x86",
}
FILES = {SOURCE: SOURCE_PACKAGE, Path("/usr/include/libelf.h"): "libelf-dev"}
PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))

Tell = Callable[[str], None]


class BuildFailed(Exception):
    """The kernel could not be built; the message says where to read on."""


class Kernel(NamedTuple):
    """What a build leaves."""

    image: Path
    i2c_stub: Path


def reason_against() -> str:
    """Why the rig can't run on this machine, and what to do about it; empty if it can."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return f"the kernel rig is for Linux on x86-64, this is {platform.system()} on {platform.machine()}"
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program, path=PATH) is None]
    missing += [package for file, package in FILES.items() if not file.exists()]
    if missing:
        return f"the kernel rig needs packages: sudo apt install {' '.join(sorted(missing))}"
    return ""


def built_kernel(tell: Tell) -> Kernel:
    """The kernel, built now if it is not there yet."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    cache = Path(home) / "ligretto-table"
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / f"kernel-{_fingerprint()}"
    with (cache / "kernel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # somebody else may be building the same
        if not folder.exists():
            _build(folder, tell)
    return Kernel(folder / "bzImage", folder / "i2c-stub.ko")


def _fingerprint() -> str:
    """Of all that makes the kernel what it is."""
    query = ["dpkg-query", "--show", "--showformat=${Version}", SOURCE_PACKAGE]
    try:
        version = subprocess.run(query, check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):  # the source came here some other way
        version = str(SOURCE.stat().st_size).encode()
    return hashlib.sha256(b"\0".join((CONFIG.read_bytes(), version, RECIPE))).hexdigest()[:16]


def _build(folder: Path, tell: Tell) -> None:
    """Build in a folder beside it and move the result there at the end, so that it is whole or not there."""
    began = time.monotonic()
    tell(f"building the test kernel from {SOURCE_PACKAGE} (once, a few minutes) ...")
    work = Path(tempfile.mkdtemp(prefix="building-", dir=folder.parent))
    log = folder.with_suffix(".log")
    try:
        with log.open("w") as out:
            _steps(work, _Log(out, tell))
        (work / "done").rename(folder)
    except subprocess.CalledProcessError as error:
        raise BuildFailed(f"the test kernel could not be built, see {log}: {error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    tell(f"the test kernel is ready in {folder} after {time.monotonic() - began:.0f} s")


def _steps(work: Path, log: _Log) -> None:
    log.tell("unpacking the source ...")
    tree = work / "source"
    tree.mkdir()
    log.run(["tar", "--extract", "--xz", "--strip-components=1", f"--file={SOURCE}"], tree)
    log.run(["make", "tinyconfig"], tree)
    with (tree / ".config").open("a") as config:
        config.write(CONFIG.read_text())
    log.run(["make", "olddefconfig"], tree)
    _check(tree / ".config")
    log.tell("compiling ...")
    log.run(["make", f"--jobs={os.cpu_count() or 1}", "bzImage", "modules"], tree)
    done = work / "done"
    done.mkdir()
    shutil.copy(tree / "arch/x86/boot/bzImage", done)
    shutil.copy(tree / "drivers/i2c/i2c-stub.ko", done)


def _check(config: Path) -> None:
    """Raise if the kernel's own rules have dropped something that was asked for."""
    made = set(config.read_text().splitlines())
    asked = [line for line in CONFIG.read_text().splitlines() if line.startswith("CONFIG_")]
    dropped = [line for line in asked if line not in made]
    if dropped:
        raise BuildFailed(f"this kernel can't have {', '.join(dropped)}: see {CONFIG}")


class _Log:
    """Where the commands' output goes; a line for whoever waits comes every now and then."""

    EVERY_S = 20.0

    def __init__(self, out: TextIO, tell: Tell) -> None:
        self._out = out
        self.tell = tell

    def run(self, command: list[str], folder: Path) -> None:
        environment = {**os.environ, "PATH": PATH, "LC_ALL": "C"}
        compiled = 0
        due = time.monotonic() + self.EVERY_S
        with subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                self._out.write(line)
                compiled += line.startswith("  CC ")
                if time.monotonic() > due:
                    due += self.EVERY_S
                    self.tell(f"  {compiled} files compiled ...")
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
