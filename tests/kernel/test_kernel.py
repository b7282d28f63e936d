"""The guest's tests on the test kernel; and the rig itself, which must notice whatever goes wrong there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kernel.building import Kernel, built_kernel, reason_against
from tests.kernel.machine import GUEST_TESTS, ROOT, Ending, Outcome, run_tests

RESULTS = ROOT / "build" / "kernel"


@pytest.fixture(scope="session")
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Tell whoever waits: a build takes minutes."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    terminal = request.config.get_terminal_writer()

    def aloud(text: str) -> None:
        with capture.global_and_fixture_disabled():
            terminal.line(f"\n{text}", flush=True)

    return aloud


@pytest.fixture(scope="session")
def kernel(say: Callable[[str], None]) -> Kernel:
    reason = reason_against()
    if reason:
        pytest.skip(reason)
    return built_kernel(say)


def broken(name: str) -> str:
    return f"tests/kernel/broken/{name}.py"


def test_the_real_drivers_pass_on_a_real_kernel(kernel: Kernel, say: Callable[[str], None]) -> None:
    outcome = run_tests(kernel, [GUEST_TESTS], RESULTS)
    assert outcome.ending is Ending.PASSED, f"{outcome}\n{outcome.log}"
    say(f"{outcome}: {outcome.log.splitlines()[-1].strip(' =')}")


def test_a_failing_test_is_noticed(kernel: Kernel, tmp_path: Path) -> None:
    heard: list[str] = []
    outcome = run_tests(kernel, [broken("failing")], tmp_path, hear=heard.append)
    assert outcome.ending is Ending.FAILED
    assert "1 failed, 1 passed" in outcome.log
    assert "as it should" in "".join(heard)
    assert "".join(heard) == outcome.log


def test_a_guest_that_hangs_is_ended(kernel: Kernel, tmp_path: Path) -> None:
    outcome = run_tests(kernel, [broken("hanging")], tmp_path, silence_s=4)
    assert outcome.ending is Ending.HUNG
    assert "collected 1 item" in outcome.log


def test_a_guest_that_never_says_a_word_is_ended(kernel: Kernel, tmp_path: Path) -> None:
    outcome = run_tests(kernel, [broken("hanging")], tmp_path, limit_s=1)
    assert outcome.ending is Ending.HUNG
    assert 1 <= outcome.seconds < 5
    assert outcome.log == ""


def test_a_guest_that_dies_is_noticed(kernel: Kernel, tmp_path: Path) -> None:
    (tmp_path / "status").write_text("0")  # of an earlier run
    outcome = run_tests(kernel, [broken("dying")], tmp_path)
    assert outcome.ending is Ending.DIED
    assert "Kernel panic" in outcome.console
    assert "Kernel panic" in str(outcome)


# -- on any machine


def test_a_run_says_how_it_ended() -> None:
    assert str(Outcome(Ending.PASSED, 12.3, "", "")) == "the guest's tests passed after 12 s"
    assert str(Outcome(Ending.HUNG, 60.0, "", "boot\nlast words")).endswith("console:\nboot\nlast words")


def test_missing_packages_are_named_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.kernel.building.PROGRAMS", {"no-such-program": "its-package", "sh": "dash"})
    monkeypatch.setattr("tests.kernel.building.FILES", {Path("/no/such/file"): "a-package"})
    assert reason_against() == "the kernel rig needs packages: sudo apt install a-package its-package"


def test_another_kind_of_machine_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert reason_against() == "the kernel rig is for Linux on x86-64, this is Linux on aarch64"
