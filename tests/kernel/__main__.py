"""`make kernel-test`: build the kernel if need be, run the guest's tests, and say how they went."""

from __future__ import annotations

import os
import sys

from tests.kernel.building import BuildFailed, built_kernel, reason_against
from tests.kernel.machine import GUEST_TESTS, LIMIT_S, ROOT, Ending, run_tests

RESULTS = ROOT / "build" / "kernel"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def hear(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    reason = reason_against()
    if reason:
        say(reason)
        return 2
    try:
        kernel = built_kernel(say)
    except BuildFailed as error:
        say(str(error))
        return 2
    limit_s = float(os.environ.get("KERNEL_TEST_LIMIT", LIMIT_S))
    outcome = run_tests(kernel, [GUEST_TESTS, *arguments], RESULTS, limit_s=limit_s, hear=hear)
    say(str(outcome))
    return 0 if outcome.ending is Ending.PASSED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
