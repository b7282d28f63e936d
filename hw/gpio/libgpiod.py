"""The library libgpiod, imported when it is needed and not before."""

from __future__ import annotations

import importlib
from typing import Any

from hw.gpio.errors import LibraryMissing

CONSUMER = "ligretto-table"
"""What other programs see as the holder of the lines."""

BROKEN = (OSError, ValueError, NotImplementedError)
"""What the library makes of an errno."""

BIAS = {"up": "PULL_UP", "down": "PULL_DOWN", "floating": "DISABLED"}


def gpiod_module() -> Any:
    """The module `gpiod`, version 2."""
    advice = "install it (pip install gpiod); where pip has none, the doctor says what to do instead"
    try:
        gpiod: Any = importlib.import_module("gpiod")
    except ImportError as error:
        raise LibraryMissing(f"the Python package gpiod can't be imported ({error})", advice) from error
    if not hasattr(gpiod, "LineSettings"):
        raise LibraryMissing("the Python package gpiod is that of libgpiod 1", advice)
    return gpiod
