"""One browser and one table of each kind for all tests of a process; everything is started once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.held import Held
from tests.browser.tables import SimulatedTable
from tests.left_out import why_without

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("uvicorn", reason="the extra 'web' is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SPEED = "6"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
PROJECTOR = {"width": 1920, "height": 1080}
PATIENCE_MS = 120_000

OpenPage = Callable[..., Any]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """These tests share tables and processors: workers that share these tests out would fight over both."""
    if config.getoption("loadgroup", False):
        torn = [item for item in items if item.get_closest_marker("xdist_group") and "@" not in item.nodeid]
        if torn:
            raise pytest.UsageError(f"pytest-xdist does not keep groups together, such as that of {torn[0]}")


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Debian's Chromium."""
    if CHROMIUM is None:
        pytest.skip(why_without("chromium"))
    with playwright_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


def simulated_table(folder: Any, *options: str) -> Iterator[SimulatedTable]:
    """A table that plays matches of one round, with its pages, until it is not needed any more."""
    table = SimulatedTable(folder, *options)
    try:
        table.start_daemon()
        assert table.tell("set rounds 1").get("ok")
        table.start_web()
        yield table
    finally:
        table.close()


@pytest.fixture(scope="package")
def dice(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedTable]:
    """A table of dice at which matches of one round are played, one after the other."""
    yield from simulated_table(tmp_path_factory.mktemp("dice"), "--speed", SPEED, "--seed", "7")


@pytest.fixture(scope="package")
def cards(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedTable]:
    """The same with cards, and in another language."""
    options = ("--game", "cards", "--seats", "4", "--lang", "fr")
    yield from simulated_table(tmp_path_factory.mktemp("cards"), *options, "--speed", SPEED, "--seed", "7")


@pytest.fixture(scope="package")
def racing(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedTable]:
    """A table of dice at which two hands slap at the same microsecond, again and again."""
    options = ("--dead-heats", "--speed", SPEED, "--seed", "5")
    yield from simulated_table(tmp_path_factory.mktemp("racing"), *options)


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """Opens pages. No page may report an error, break the policy, or ask anybody else for anything."""
    contexts: list[Any] = []
    faults: list[str] = []

    def opened(
        table: SimulatedTable,
        path: str = "/",
        viewport: Any = None,
        forgive: str = "",
        held: Held | None = None,
        **options: Any,
    ) -> Any:
        context = browser.new_context(viewport=viewport or DESK, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: faults.append(f"{path}: {error}"))
        page.on("console", lambda message: _note(faults, path, message, forgive))
        page.on("request", lambda request: _note_stranger(faults, table.url, request.url))
        if held is not None:
            held.hold(page)
        page.goto(table.url + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults, "\n".join(["", *faults])


def _note(faults: list[str], path: str, message: Any, forgive: str) -> None:
    # While a server is away, the browser itself says so; the page is not at fault.
    if message.type in ("error", "warning") and "net::ERR_" not in message.text:
        if forgive and forgive in message.text:
            return
        faults.append(f"{path}: {message.text}")


def _note_stranger(faults: list[str], own: str, url: str) -> None:
    if not url.startswith((f"{own}/", "data:")):
        faults.append(f"asked a stranger: {url}")
