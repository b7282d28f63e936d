"""The guest's tests on the test kernel; and the rig itself, which must notice whatever goes wrong there."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kernel.emulator import X86
from tests.kernel.kernel import ordered, unsigned
from tests.kernel.machine import (
    GUEST_TESTS,
    ROOT,
    Ending,
    Outcome,
    Rig,
    fetched_rig,
    reason_against,
    run_tests,
)
from tests.kernel.packages import Archive, FetchFailed, kept

pytestmark = pytest.mark.xdist_group("kernel")
RESULTS = ROOT / "build" / "kernel"


@pytest.fixture(scope="session")
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Tell whoever waits, if somebody does: tests that run beside others have no terminal."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    reporter = request.config.pluginmanager.getplugin("terminalreporter")

    def aloud(text: str) -> None:
        if reporter is not None:
            with capture.global_and_fixture_disabled():
                reporter.write_line(f"\n{text}", flush=True)

    return aloud


@pytest.fixture(scope="session")
def rig(say: Callable[[str], None]) -> Rig:
    reason = reason_against()
    if reason:
        pytest.skip(reason)
    try:
        return fetched_rig(X86, "", say)
    except FetchFailed as error:
        pytest.skip(f"the kernel rig can't be fetched: {error}")


def broken(name: str) -> str:
    return f"tests/kernel/broken/{name}.py"


def test_the_real_drivers_pass_on_a_real_kernel(rig: Rig, say: Callable[[str], None]) -> None:
    outcome = run_tests(rig, [GUEST_TESTS, "-m", "not long"], RESULTS)
    assert outcome.ending is Ending.PASSED, f"{outcome}\n{outcome.log}"
    say(f"{outcome}: {outcome.log.splitlines()[-1].strip(' =')}")


@pytest.mark.long
def test_a_failing_test_and_one_that_hangs_are_noticed(rig: Rig, tmp_path: Path) -> None:
    heard: list[str] = []
    tests = ["--verbose", broken("failing"), broken("hanging")]
    outcome = run_tests(rig, tests, tmp_path, hangs_s=3, hear=heard.append)
    assert outcome.ending is Ending.FAILED
    assert "test_that_is_well PASSED" in outcome.log
    assert "test_that_fails FAILED" in outcome.log
    assert "Timeout (0:00:03)!" in outcome.log
    assert "in test_that_hangs" in outcome.log
    assert "".join(heard) == outcome.log


def test_a_guest_that_takes_too_long_is_ended(rig: Rig, tmp_path: Path) -> None:
    outcome = run_tests(rig, [broken("hanging")], tmp_path, limit_s=1)
    assert outcome.ending is Ending.HUNG
    assert outcome.log == ""


@pytest.mark.long
def test_a_guest_that_dies_is_noticed(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.kernel.machine._script", lambda *_: "echo c > /proc/sysrq-trigger\n")
    (tmp_path / "status").write_text("0")  # of an earlier run
    outcome = run_tests(rig, [], tmp_path)
    assert outcome.ending is Ending.DIED
    assert "Kernel panic" in outcome.console
    assert "Kernel panic" in str(outcome)


# -- on any machine


def test_a_run_says_how_it_ended() -> None:
    assert str(Outcome(Ending.PASSED, 12.3, "", "")) == "the guest's tests passed after 12 s"
    assert str(Outcome(Ending.HUNG, 60.0, "", "boot\nlast words")).endswith("console:\nboot\nlast words")


def test_a_machine_without_debian_packages_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.kernel.machine.KEYRING", Path("/no/such/file"))
    assert reason_against() == "the kernel rig needs apt, dpkg and /no/such/file, as Debian has them"


def test_another_kind_of_system_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    assert reason_against() == "the kernel rig is for Linux, this is Darwin"


def test_packages_that_debian_has_not_signed_are_refused(tmp_path: Path) -> None:
    if reason_against():
        pytest.skip(reason_against())
    index = tmp_path / "mirror" / "dists" / "trixie" / "main" / "binary-amd64" / "Packages"
    index.parent.mkdir(parents=True)
    index.touch()
    release = index.parents[2] / "Release"
    release.write_text(
        f"Suite: trixie\nMD5Sum:\n {hashlib.md5(b'').hexdigest()} 0 main/binary-amd64/Packages\n"
    )
    with pytest.raises(FetchFailed, match="is not signed"):
        Archive(tmp_path, "amd64", ["trixie"], mirror=f"file://{tmp_path}/mirror/")


def test_what_can_not_be_fetched_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def broken_off(_: Path, made: Path) -> None:
        (made / "half").touch()
        raise FetchFailed("no network")

    def fetched(_: Path, made: Path) -> None:
        (made / "whole").touch()

    with pytest.raises(FetchFailed):
        kept("thing", 1, broken_off)
    folder = kept("thing", 1, fetched)
    assert [file.name for file in folder.iterdir()] == ["whole"]
    assert kept("thing", 1, broken_off) == folder
    with pytest.raises(FetchFailed):
        kept("thing", 2, broken_off)


def test_modules_are_loaded_after_what_they_need(tmp_path: Path) -> None:
    needs = {"sim": "core,tree", "core": "", "tree": "core", "other": ""}
    for name, needed in needs.items():
        (tmp_path / f"{name}.ko").write_bytes(b"\x7fELF\0license=GPL\0depends=%s\0name" % needed.encode())
    files = {file.stem: file for file in tmp_path.iterdir()}
    assert [file.stem for file in ordered(["sim", "built-in", "tree"], files)] == ["core", "tree", "sim"]


def test_modules_lose_their_signatures(tmp_path: Path) -> None:
    module, signature = b"\x7fELF and so on", b"signed by Debian"
    file = tmp_path / "sim.ko"
    end = bytes(8) + len(signature).to_bytes(4, "big") + b"~Module signature appended~\n"
    for whole in (module, module + signature + end):
        file.write_bytes(whole)
        assert unsigned(file) == module
