"""One browser and one table of each kind for all tests of a process; everything is started once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.browser.held import Held
from tests.browser.peopled_tables import PeopledTable
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

KINDS = {"extra_http_headers", "has_touch", "is_mobile"}
"""What makes another kind of browser."""

OpenPage = Callable[..., Any]


class HasPages(Protocol):
    """A table with pages."""

    @property
    def url(self) -> str:
        """Where they are."""


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


@contextmanager
def simulated_table(folder: Path, *options: str) -> Iterator[SimulatedTable]:
    """A table of real processes with its pages, until it is not needed any more."""
    table = SimulatedTable(folder, *options)
    try:
        table.start_daemon()
        table.start_web()
        yield table
    finally:
        table.close()


@pytest.fixture(scope="package")
def dice(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopledTable]:
    """A table of dice at which matches of one round are played, one after the other."""
    with closing(PeopledTable(tmp_path_factory.mktemp("dice"))) as table:
        yield table


@pytest.fixture(scope="package")
def cards(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopledTable]:
    """The same with cards, and in another language."""
    folder = tmp_path_factory.mktemp("cards")
    with closing(PeopledTable(folder, "cards4", (10, 10, 10, 10), language="fr")) as table:
        yield table


@pytest.fixture(scope="package")
def racing(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopledTable]:
    """A table of dice at which two hands slap at the same microsecond, again and again."""
    with closing(PeopledTable(tmp_path_factory.mktemp("racing"), dead_heats=True)) as table:
        yield table


class Window:
    """A browser of somebody's own, with one page; one test after the other uses it.

    No page may report an error, break the policy, or ask anybody else for anything.
    """

    def __init__(self, browser: Any, **options: Any) -> None:
        self.faults: list[str] = []
        self._own = self._path = self._forgiven = ""
        self._context = browser.new_context(**options)
        self._context.on("console", self._note)
        self._context.on("weberror", lambda error: self.faults.append(f"{self._path}: {error.error}"))
        self._context.on("request", self._note_stranger)
        self._page: Any = None

    def show(
        self,
        table: HasPages,
        path: str = "/",
        viewport: Any = None,
        forgive: str = "",
        held: Held | None = None,
        color_scheme: str = "light",
        reduced_motion: str = "no-preference",
    ) -> Any:
        """That page of the table; what is forgiven is an error that contains these words."""
        if self._page is None:
            self._page = self._context.new_page()
            self._page.set_default_timeout(PATIENCE_MS)
        self._own, self._path, self._forgiven = table.url, path, forgive
        self._page.set_viewport_size(viewport or DESK)
        self._page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        if held is not None:
            held.hold(self._page)
        self._page.goto(table.url + path)
        return self._page

    def leave(self) -> list[str]:
        """Forget all that the pages have kept; what was wrong with them."""
        self._page.unroute_all(behavior="ignoreErrors")
        if not self._page.url.startswith("about:"):
            self._page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self._page.goto("about:blank")
        self._context.clear_cookies()
        faults, self.faults = self.faults, []
        return faults

    def close(self) -> None:
        """Close the browser."""
        self._context.close()

    def _note(self, message: Any) -> None:
        # While a server is away, the browser itself says so; the page is not at fault.
        if message.type in ("error", "warning") and "net::ERR_" not in message.text:
            if self._forgiven and self._forgiven in message.text:
                return
            self.faults.append(f"{self._path}: {message.text}")

    def _note_stranger(self, request: Any) -> None:
        if not request.url.startswith((f"{self._own}/", "data:", "about:")):
            self.faults.append(f"asked a stranger: {request.url}")


@pytest.fixture(scope="package")
def windows(browser: Any) -> list[Window]:
    """Those that were opened by now."""
    return []


@pytest.fixture
def open_page(browser: Any, windows: list[Window]) -> Iterator[OpenPage]:
    """Opens pages, each in a window of its own; other kinds of browsers are opened for this test only."""
    used: list[Window] = []
    special: list[Window] = []

    def opened(table: HasPages, path: str = "/", viewport: Any = None, **options: Any) -> Any:
        kind = {name: options.pop(name) for name in KINDS & options.keys()}
        if kind:
            window = Window(browser, viewport=viewport or DESK, **kind)
            special.append(window)
        elif len(used) < len(windows):
            window = windows[len(used)]
        else:
            window = Window(browser)
            windows.append(window)
        if not kind:
            used.append(window)
        return window.show(table, path, viewport, **options)

    yield opened
    try:
        faults = [fault for window in (*used, *special) for fault in window.leave()]
    except playwright_api.Error:
        windows.clear()  # whatever is on their pages does not give way
        raise
    for window in special:
        window.close()
    assert not faults, "\n".join(["", *faults])
