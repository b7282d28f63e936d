"""The emulated machine: boots the test kernel, runs tests in it, and brings back what they said.

The emulator's own exit says nothing about the tests. What counts is the file `status` that
the guest writes when they have ended: none means that they never did.
"""

from __future__ import annotations

import fcntl
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from tests.kernel.building import Kernel

ROOT = Path(__file__).parent.parent.parent
INIT = Path(__file__).with_name("init.sh")
GUEST_TESTS = "tests/kernel/guest"
IN_GUEST = "LIGRETTO_TABLE_GUEST"
"""Set in the guest; the place for results."""
LIMIT_S = 300.0
SILENCE_S = 90.0
"""Once they have begun, tests that say nothing for this long hang."""

EMULATOR = (
    *(
        "qemu-system-x86_64",
        "-accel",
        "tcg,thread=multi",
        "-cpu",
        "max",
        "-M",
        "q35",
        "-smp",
        "2",
        "-m",
        "1024",
    ),
    *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
)
"""Software emulation even where the machine offers more: nested virtualisation is not to be relied on."""

BOOT = (
    "console=ttyS0 tsc=reliable quiet panic=-1 root=root rootfstype=9p ro "
    "rootflags=trans=virtio,version=9p2000.L,cache=loose,msize=262144"
)


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
    kernel: Kernel,
    arguments: Sequence[str],
    results: Path,
    *,
    limit_s: float = LIMIT_S,
    silence_s: float = SILENCE_S,
    hear: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Run pytest in the guest with these arguments; `hear` gets its output as it comes."""
    results.mkdir(parents=True, exist_ok=True)
    with (kernel.image.parent.parent / "machine.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two emulators at a time would only hold each other up
        for name in ("status", "log", "console"):
            (results / name).unlink(missing_ok=True)
        (results / "run").write_text(_script(kernel, arguments))
        return _run(_command(kernel, results), results, limit_s, silence_s, hear)


def _run(
    command: list[str], results: Path, limit_s: float, silence_s: float, hear: Callable[[str], None]
) -> Outcome:
    """Let the emulator run until it ends, or has to be ended."""
    began = time.monotonic()
    heard = began + limit_s  # nothing yet, and the limit is what counts until then
    hung = False
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        said = 0
        while machine.poll() is None and not hung:
            time.sleep(0.1)
            now = time.monotonic()
            before, said = said, _pass_on(results, said, hear)
            if said > before:
                heard = now
            hung = now - began > limit_s or now - heard > silence_s
    finally:
        machine.kill()
        machine.wait()
    _pass_on(results, said, hear)
    return _outcome(results, hung, time.monotonic() - began)


def _script(kernel: Kernel, arguments: Sequence[str]) -> str:
    """What the guest's first process runs."""
    environment = {
        IN_GUEST: "/run/results",
        "LIGRETTO_TABLE_I2C_STUB": str(kernel.i2c_stub),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--confcutdir=tests/kernel",
        *arguments,
    ]
    exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in environment.items())
    return f"{exports}cd {shlex.quote(str(ROOT))} || exit 1\nexec {shlex.join(command)}\n"


def _command(kernel: Kernel, results: Path) -> list[str]:
    return [
        *EMULATOR,
        *("-kernel", str(kernel.image), "-append", f'{BOOT} init=/bin/sh -- "{INIT}"'),
        *("-serial", f"file:{_escaped(results / 'console')}"),
        *_share("root", Path("/"), "on"),
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
