"""Trying a fault: planted into a copy of the checkout, whose tests are run until one of them fails.

The copy is thrown away; the environment is that of whoever runs this, with the copy first on the path. A test
has seen a fault if it fails with it, fails with it again when it is run alone, and passes without it.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.planted.endless import ENDLESS, MARK
from tests.planted.faults import Fault, planted

ROOT = Path(__file__).parents[2]
NEAR: dict[str, tuple[str, ...]] = {
    "timing": ("tests/timing", "tests/referee", "tests/test_scenarios.py", "tests/recordings", "tests/games"),
    "session": ("tests/games", "tests/test_scenarios.py", "tests/recordings"),
    "dice": ("tests/games", "tests/test_scenarios.py", "tests/recordings"),
    "cards": ("tests/games", "tests/test_scenarios.py", "tests/recordings"),
    "show": ("tests/show", "tests/test_scenarios.py", "tests/recordings"),
    "store": ("tests/store",),
    "drivers": ("tests/hw",),
    "profile": ("tests/profile",),
    "feed": ("tests/feed",),
}
"""The tests that are run first, in this order; of each folder those first that are named as the module."""
NEVER = ("tests/kernel", "tests/browser", "tests/planted")
"""What the wider run leaves out. Drivers have the kernel rig, pages the browser: run those by hand."""
LAST = ("web", "cli", "lab", "workshop", "guides", "damage", "soak", "crash", "test_wheel.py")
"""What takes longest comes last in the wider run."""
NEAR_S, WIDER_S = 600, 5400
"""The most seconds of processor time of all; what `endless.py` can't end, such as an import, ends by that."""
TIMES_LONGER = 4
"""By the clock they may take so many times longer: tests wait, and machines have other things to do."""
SEEN, SURVIVED, TIMED_OUT, GONE = "seen", "survived", "timed out", "gone"
MOST_FLAKES = 5


class Stopped(Exception):
    """The tests were ended from outside."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a fault, by which test, and in how many seconds."""

    outcome: str
    test: str = ""
    seconds: float = 0.0


class Copy:
    """A copy of the checkout, in which one fault at a time is planted."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="planted-"))
        files = _output(["git", "ls-files", "-co", "--exclude-standard", "-z"], ROOT)
        for name in filter(None, files.split("\0")):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        self._touched_ns = time.time_ns()
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False
        found = _output([sys.executable, "-c", "import firmware_host as it; print(it.__file__)"], self.root)
        if not Path(found.strip()).is_relative_to(self.root):
            raise RuntimeError(f"the tests would run on {found.strip()}, not on the copy in {self.root}")

    def __enter__(self) -> Copy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def stop(self) -> None:
        """End the tests that are running, and begin no others."""
        self._stopped = True
        if self._process is not None:
            _end(self._process)

    @contextmanager
    def fault(self, fault: Fault) -> Iterator[bool]:
        """The copy with that fault; False if there is no such line any more."""
        found = planted(self.root, fault)
        if found is None:
            yield False
            return
        path, text = found
        before = path.read_text(encoding="utf-8")
        self._write(path, text)
        try:
            yield True
        finally:
            self._write(path, before)

    def _write(self, path: Path, text: str) -> None:
        """Each text has its own time: what Python has compiled holds while time and size are the same."""
        path.write_text(text, encoding="utf-8")
        self._touched_ns += 2_000_000_000
        os.utime(path, ns=(self._touched_ns, self._touched_ns))

    def run(self, tests: Sequence[str], skipped: Sequence[str], most_s: int) -> str | None:
        """The first test that fails; empty if none does, None if they take too long."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "--hypothesis-seed=0"]
        command += ["-p", "tests.planted.endless"]
        command += [f"--deselect={each}" for each in skipped]
        for folder in (".hypothesis", ".pytest_cache"):
            shutil.rmtree(self.root / folder, ignore_errors=True)
        if self._stopped:
            raise Stopped
        process = self._process = subprocess.Popen(
            [*command, *tests],
            cwd=self.root,
            env=_environment(self.root),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (most_s, most_s))
        try:
            output, _ = process.communicate(timeout=TIMES_LONGER * most_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(process)
        if self._stopped:
            raise Stopped
        if process.returncode == -signal.SIGKILL:  # it is out of processor time
            return None
        if process.returncode == ENDLESS:
            return output.rpartition(MARK)[2].strip()
        if process.returncode in (0, 5):  # 5: everything was deselected
            return ""
        failed = self.root / ".pytest_cache" / "v" / "cache" / "lastfailed"
        if not failed.exists():
            return f"pytest ended with {process.returncode}: {output[-300:]!r}"
        return str(next(iter(json.loads(failed.read_text(encoding="utf-8")))))


def near_tests(fault: Fault) -> list[str]:
    """The files of the tests of its package, those of its module first."""
    files = [file for place in NEAR[fault.package] for file in _test_files(place)]
    stem = Path(fault.file).stem
    return sorted(files, key=lambda file: stem not in Path(file).stem)  # the order is kept otherwise


def wider_tests(fault: Fault) -> list[str]:
    """The files of all other tests, those that take longest last."""
    near = set(near_tests(fault))
    files = [file for file in _test_files("tests") if file not in near and not file.startswith(NEVER)]
    return sorted(files, key=lambda file: _rank(Path(file).parts[1]))


def _rank(place: str) -> int:
    return LAST.index(place) + 1 if place in LAST else 0


def _test_files(place: str) -> list[str]:
    path = ROOT / place
    found = [path] if path.is_file() else sorted(path.rglob("test_*.py"))
    return [str(each.relative_to(ROOT)) for each in found]


def tried(copy: Copy, fault: Fault, tests: Sequence[str], most_s: int) -> Result:
    """What these tests see of a fault."""
    began_s = time.monotonic()
    flakes: list[str] = []

    def result(outcome: str, test: str = "") -> Result:
        return Result(outcome, test, round(time.monotonic() - began_s, 1))

    while len(flakes) <= MOST_FLAKES:
        with copy.fault(fault) as there:
            if not there:
                return result(GONE)
            failed = copy.run(tests, flakes, most_s)
            if failed is None:
                return result(TIMED_OUT)
            if not failed:
                return result(SURVIVED)
            sure = "::" not in failed or copy.run([failed], [], most_s) != ""
        # What can't even be imported has no test to be run alone.
        if sure and ("::" not in failed or copy.run([failed], [], most_s) == ""):
            return result(SEEN, failed)
        flakes.append(failed)
    return result(SURVIVED, f"tests that fail without it: {', '.join(flakes)}")


def _environment(root: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}


def _output(command: Sequence[str], folder: Path) -> str:
    return subprocess.run(
        command, cwd=folder, env=_environment(folder), check=True, capture_output=True, text=True
    ).stdout


def _end(process: subprocess.Popen[str]) -> None:
    """End it and whatever its tests have started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
