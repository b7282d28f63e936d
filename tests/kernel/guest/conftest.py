"""Chips for the guest's tests."""

import os
from collections.abc import Callable, Iterator

import pytest

from tests.kernel.guest.gpio_sim import SimChip
from tests.left_out import unless_lgpio_is_missing

pytest.register_assert_rewrite("tests.kernel.guest.whole_match")

os.environ["RPI_LGPIO_REVISION"] = "c03111"  # rpi-lgpio does not look into cpuinfo


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of what `make test` leaves out."""
    config.addinivalue_line("markers", "long: only for `make kernel-test`, where others show nearly the same")


pytest_runtest_setup = pytest_runtest_call = pytest.hookimpl(wrapper=True)(unless_lgpio_is_missing)


@pytest.fixture
def chip() -> Iterator[SimChip]:
    """The chip of a Pi 4's header."""
    made = SimChip()
    yield made
    made.close()


@pytest.fixture(scope="session")
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Tell whoever waits, past pytest's capture."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    terminal = request.config.get_terminal_writer()

    def aloud(text: str) -> None:
        with capture.global_and_fixture_disabled():
            terminal.line(f"\n{text}", flush=True)

    return aloud
