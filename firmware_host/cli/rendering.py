"""Drawings as PNG, by a program that is installed anyway: none of these is worth a dependency."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from math import ceil
from pathlib import Path
from xml.etree import ElementTree

from firmware_host.errors import BadSettings

DPI = 150
_SECONDS = 120
_CSS_DPI = 96
_MM = 25.4
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_HOW = (
    "--png needs rsvg-convert (sudo apt install librsvg2-bin) or Chromium (sudo apt install chromium); "
    "without --png the drawings are written as SVG, which every browser shows"
)

Renderer = Callable[[Path, Path], list[str]]
"""The command that makes a PNG file of an SVG file."""


def find_renderer() -> Renderer:
    """What can render drawings on this machine; BadSettings says what to install if nothing can."""
    if program := shutil.which("rsvg-convert"):
        return lambda svg, png: [program, f"--dpi-x={DPI}", f"--dpi-y={DPI}", f"--output={png}", str(svg)]
    for name in _BROWSERS:
        if browser := shutil.which(name):
            return lambda svg, png: _screenshot(browser, svg, png)
    raise BadSettings([_HOW])


def render(renderer: Renderer, svg: Path, png: Path) -> None:
    """Make a PNG file of an SVG file."""
    command = renderer(svg, png)
    png.unlink(missing_ok=True)  # so that an old one is not taken for the new one
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadSettings([f"{png}: {command[0]} failed: {error}"]) from None
    if done.returncode or not png.exists():
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise BadSettings([f"{png}: {command[0]} failed: {said[-1] if said else 'no message'}"])


def _screenshot(browser: str, svg: Path, png: Path) -> list[str]:
    """Chromium shows a drawing at its size in CSS pixels, scaled to the resolution that is wanted."""
    root = ElementTree.parse(svg).getroot()
    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    window = ",".join(str(ceil(mm * _CSS_DPI / _MM)) for mm in (width, height))
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []  # its sandbox does not work for root
    return [
        *(browser, "--headless", "--disable-gpu", "--hide-scrollbars", *alone),
        *(f"--screenshot={png}", f"--window-size={window}", f"--force-device-scale-factor={DPI / _CSS_DPI}"),
        svg.absolute().as_uri(),
    ]
