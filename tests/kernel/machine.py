"""The emulated machine: boots the test kernel, runs tests in it, and brings back what they said.

The emulator's own exit says nothing about the tests. What counts is the file `status` that
the guest writes when they have ended: none means that they never did.
"""

from __future__ import annotations

import compileall
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from tests.kernel.emulator import Emulator, Processor, fetched_emulator
from tests.kernel.kernel import Kernel, fetched_kernel
from tests.kernel.packages import KEYRING, Archive, checked, kept

ROOT = Path(__file__).parent.parent.parent
INIT = "tests/kernel/init.sh"
GUEST_TESTS = "tests/kernel/guest"
OPTIONS = ("-p", "no:cacheprovider", "--confcutdir=tests/kernel")
IN_GUEST = "LIGRETTO_TABLE_GUEST"
"""Set in the guest; the place for results."""
LIMIT_S = 3600.0
"""A whole run takes three minutes, and ten times as long on a host that has little time for it."""
HANGS_S = 200.0
"""A test that takes so many seconds of the guest hangs: pytest says there where, and ends."""
BOOT = (
    "quiet panic=-1 preempt=full mitigations=off rodata=off init_on_alloc=0 "
    "initcall_blacklist=load_system_certificate_list"
)
"""Threads may be preempted in the kernel, as on a Pi. Without its defences it starts a second earlier, and
without keys for modules another one: apt has checked their packages."""


class Rig(NamedTuple):
    """All that makes a machine."""

    emulator: Emulator
    kernel: Kernel
    root: Root


def fetched_rig(processor: Processor, release: str, tell: Callable[[str], None]) -> Rig:
    """A machine with this processor, and with its own root of that release or, if none is named, with ours.

    What it is made of is fetched now if it is not there yet.
    """
    emulator = fetched_emulator(processor, tell)
    kernel = fetched_kernel(processor, emulator.loader, tell)
    return Rig(emulator, kernel, fetched_root(processor, release, tell) if release else OWN)


def reason_against() -> str:
    """Why the rig can't run on this machine, and what to do about it; empty if it can."""
    if platform.system() != "Linux":
        return f"the kernel rig is for Linux, this is {platform.system()}"
    if not KEYRING.exists() or not all(map(shutil.which, ("apt-get", "dpkg-deb"))):
        return f"the kernel rig needs apt, dpkg and {KEYRING}, as Debian has them"
    return ""


class Ending(Enum):
    """How a run ended."""

    PASSED = "passed"
    FAILED = "failed"  # the tests ended, and not all was well
    HUNG = "hung"  # the guest was ended after its time
    DIED = "died"  # the guest ended before the tests did


class Outcome(NamedTuple):
    """What came of a run."""

    ending: Ending
    seconds: float
    log: str
    console: str

    def __str__(self) -> str:
        words = f"the guest's tests {self.ending.value} after {self.seconds:.0f} s"
        if self.ending in (Ending.PASSED, Ending.FAILED):
            return words
        console = "\n".join(self.console.splitlines()[-60:])
        return f"{words}; the last lines of its console:\n{console}"


def run_tests(
    rig: Rig,
    arguments: Sequence[str],
    results: Path,
    *,
    limit_s: float = LIMIT_S,
    hangs_s: float = HANGS_S,
    hear: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Run pytest in the guest with these arguments; `hear` gets its output as it comes."""
    if rig.root is OWN:
        _compile()
    results.mkdir(parents=True, exist_ok=True)
    for name in ("status", "log", "console"):
        (results / name).unlink(missing_ok=True)
    (results / "run").write_text(_script(rig.root, arguments, hangs_s))
    (results / "start").write_bytes(rig.kernel.initial_files())
    for file in (rig.kernel.busybox, rig.kernel.i2c_stub):
        shutil.copy(file, results)
    return _run(_command(rig, results), results, limit_s, hear)


def _run(command: list[str], results: Path, limit_s: float, hear: Callable[[str], None]) -> Outcome:
    """Let the emulator run until it ends, or has to be ended."""
    began = time.monotonic()
    hung = False
    said = 0
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        while machine.poll() is None and not hung:
            time.sleep(0.1)
            said = _pass_on(results, said, hear)
            hung = time.monotonic() - began > limit_s
    finally:
        machine.kill()
        machine.wait()
    _pass_on(results, said, hear)
    return _outcome(results, hung, time.monotonic() - began)


@cache
def _compile() -> None:
    """Compile here what the guest imports, tests as pytest does it: there it takes twenty times as long."""
    for folder in ("firmware_host", "hw", "tests/kernel"):
        compileall.compile_dir(ROOT / folder, quiet=2)
    environment = {**os.environ, IN_GUEST: "no", "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "pytest", *OPTIONS, "--collect-only", GUEST_TESTS]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)


def _script(root: Root, arguments: Sequence[str], hangs_s: float) -> str:
    """What the guest's first process runs."""
    environment = {
        IN_GUEST: "/run/results",
        "LIGRETTO_TABLE_I2C_STUB": "/run/results/i2c_stub.ko",
        "PYTHONUNBUFFERED": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    if root is OWN:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    else:
        environment["PYTHONPATH"] = root.libraries
        environment["PYTHONPYCACHEPREFIX"] = f"/run/results/compiled-{root.folder.name}"
    limits = ("-o", f"faulthandler_timeout={hangs_s}", "-o", "faulthandler_exit_on_timeout=true")
    command = [root.python, "-m", "pytest", *OPTIONS, *limits, *arguments]
    exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in environment.items())
    return f"{exports}cd {shlex.quote(root.checkout)} || exit 1\nexec {shlex.join(command)}\n"


def _command(rig: Rig, results: Path) -> list[str]:
    kernel, root = rig.kernel, rig.root
    mounted = "" if root is OWN else f'"{root.checkout}"'
    boot = f'{kernel.processor.boot} {BOOT} -- "{root.checkout}/{INIT}" {mounted}'
    return [
        *rig.emulator.command,
        *("-kernel", str(kernel.image), "-initrd", str(results / "start"), "-append", boot),
        *("-serial", f"file:{_escaped(results / 'console')}"),
        *_share("root", root.folder, "on"),
        *(_share("checkout", ROOT, "on") if mounted else ()),
        *_share("results", results, "off"),
    ]


def _share(name: str, folder: Path, readonly: str) -> tuple[str, ...]:
    """A folder of the host as a file system of the guest."""
    options = f"path={_escaped(folder)},security_model=none,multidevs=remap,readonly={readonly}"
    return "-fsdev", f"local,id={name},{options}", "-device", f"virtio-9p-pci,fsdev={name},mount_tag={name}"


def _escaped(path: Path) -> str:
    return str(path).replace(",", ",,")


def _pass_on(results: Path, said: int, hear: Callable[[str], None]) -> int:
    """Let whoever listens hear what was added to the log; how much there is by now."""
    try:
        with (results / "log").open("rb") as log:
            log.seek(said)
            new = log.read()
    except FileNotFoundError:
        return said
    if new:
        hear(new.decode(errors="replace"))
    return said + len(new)


def _outcome(results: Path, hung: bool, seconds: float) -> Outcome:
    log, console, status = (_text(results / name) for name in ("log", "console", "status"))
    if status.strip().isdigit():
        ending = Ending.FAILED if int(status) else Ending.PASSED
    else:
        ending = Ending.HUNG if hung else Ending.DIED
    return Outcome(ending, seconds, log, console)


def _text(file: Path) -> str:
    return file.read_text(errors="replace") if file.exists() else ""


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
