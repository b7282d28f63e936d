"""Table profiles: which line of which chip each button and sensor of a table is wired to."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def profile_names() -> list[str]:
    """The profiles that come with the package."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".toml")
    )


def profile_file(name: str) -> Traversable:
    """The file of a profile that comes with the package."""
    return files(__name__) / f"{name}.toml"
