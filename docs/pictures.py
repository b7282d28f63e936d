"""Takes the pictures of the pages again, from a real table with simulated people: `python -m docs.pictures`.

It needs Chromium and the tools for tests. The moments differ each time; look at what was taken.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.tables import SimulatedTable

PICTURES = Path(__file__).parent / "pictures"
STAGE = {"width": 1440, "height": 810}
PHONE = {"width": 360, "height": 740}
CONTEST = ".event[data-contest]"
LATE_IN_A_ROUND = ".place[data-state=counted] >> nth=11"
MANY_PILES = ".pile.standing >> nth=9"
COLOURS = 256


@contextmanager
def table_of(*options: str) -> Iterator[SimulatedTable]:
    """A table that plays."""
    with tempfile.TemporaryDirectory() as folder:
        table = SimulatedTable(Path(folder), *options)
        try:
            table.start_daemon()
            table.start_web()
            yield table
        finally:
            table.close()


def shoot(
    browser: Any, url: str, name: str, moments: list[str], viewport: Any = STAGE, **options: Any
) -> Path:
    """One page, as soon as it shows all that is wanted."""
    context = browser.new_context(viewport=viewport, color_scheme=options.pop("scheme", "dark"), **options)
    page = context.new_page()
    page.set_default_timeout(300_000)
    page.goto(url)
    for moment in moments:
        page.wait_for_selector(moment)
    page.wait_for_timeout(400)
    file = PICTURES / f"{name}.png"
    page.screenshot(path=file)
    context.close()
    return file


def shrink(file: Path) -> None:
    """The same picture with few colours, so that it is small."""
    with Image.open(file) as picture:
        few = picture.convert("RGB").quantize(COLOURS, kmeans=2, dither=Image.Dither.FLOYDSTEINBERG)
    few.save(file, optimize=True)


def side_by_side(name: str, files: list[Path]) -> Path:
    """Several pictures in one."""
    pictures = [Image.open(file) for file in files]
    width = sum(each.width for each in pictures) + 24 * (len(pictures) - 1)
    sheet = Image.new("RGB", (width, max(each.height for each in pictures)), "#ffffff")
    at = 0
    for each in pictures:
        sheet.paste(each, (at, 0))
        at += each.width + 24
    target = PICTURES / f"{name}.png"
    sheet.save(target)
    for file in files:
        file.unlink()
    return target


def main() -> None:
    """Take all of them."""
    PICTURES.mkdir(exist_ok=True)
    taken: list[Path] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with (
            table_of("--speed", "2", "--seed", "11") as dice,
            table_of("--game", "cards", "--seats", "6", "--speed", "2", "--seed", "4") as cards,
        ):
            dice.tell("set rounds 4")
            taken.append(shoot(browser, f"{dice.url}/", "table-dice", [CONTEST, LATE_IN_A_ROUND]))
            taken.append(shoot(browser, f"{cards.url}/", "table-cards", [MANY_PILES, CONTEST]))
            phones = [
                shoot(browser, f"{dice.url}/?lang=de", "phone-1", [LATE_IN_A_ROUND], PHONE),
                shoot(browser, f"{cards.url}/?lang=fr", "phone-2", [MANY_PILES], PHONE),
                shoot(browser, f"{dice.url}/?lang=es", "phone-3", [CONTEST], PHONE, scheme="light"),
            ]
            taken.append(side_by_side("phones", phones))
            taken.append(shoot(browser, f"{dice.url}/scores", "scores", [".score-table tbody tr >> nth=1"]))
            overlay = f"{dice.url}/overlay?show=round,verdict,seats"
            taken.append(
                shoot(
                    browser,
                    overlay,
                    "overlay",
                    [".last-verdict[data-kind=late]"],
                    {"width": 1280, "height": 200},
                )
            )
        browser.close()
    for file in taken:
        shrink(file)
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
