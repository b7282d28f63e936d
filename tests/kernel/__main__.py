"""`make kernel-test`: fetch the kernel if need be, run the guest's tests, and say how they went."""

from __future__ import annotations

import argparse
import os
import platform
import sys

from tests.kernel.emulator import PROCESSORS
from tests.kernel.machine import (
    GUEST_TESTS,
    LIMIT_S,
    PYTHONS,
    ROOT,
    Ending,
    fetched_rig,
    reason_against,
    run_tests,
)
from tests.kernel.packages import FetchFailed

RESULTS = ROOT / "build"
OWN = platform.machine()


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def hear(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kernel", allow_abbrev=False)
    parser.add_argument("--arch", choices=PROCESSORS, default=OWN, help="the processor that is emulated")
    parser.add_argument("--debian", choices=PYTHONS, help="the release of its root; its own by default")
    options, arguments = parser.parse_known_args(words)
    release = options.debian or ("" if options.arch == OWN else "trixie")
    reason = reason_against()
    if reason:
        say(reason)
        return 2
    try:
        rig = fetched_rig(PROCESSORS[options.arch], release, say)
    except FetchFailed as error:
        say(str(error))
        return 2
    limit_s = float(os.environ.get("KERNEL_TEST_LIMIT", LIMIT_S))
    results = RESULTS / "-".join(("kernel", *((options.arch, release) if release else ())))
    outcome = run_tests(rig, [GUEST_TESTS, *arguments], results, limit_s=limit_s, hear=hear)
    say(str(outcome))
    return 0 if outcome.ending is Ending.PASSED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
