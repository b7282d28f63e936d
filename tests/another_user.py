"""For tests that run as root: what another user sees, wherever the checkout lies.

A checkout, and Python itself, may be closed to other users. So before this process becomes somebody
else it imports all that the project may import later, and the wiring profiles, which are read when
they are needed, are copied to where everybody may read them. What is installed is looked up first, too.
"""

from __future__ import annotations

import codecs
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from pathlib import Path
from pkgutil import walk_packages
from unittest.mock import patch

import pytest

import firmware_host
import hw
import wiring

NOBODY = 65534
_IMPORTED_LATE = ("rich.console", "rich.live", "rich.progress", "rich.text", "serial", "smbus2")

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@contextmanager
def another_user() -> Iterator[None]:
    """This process is nobody until the end of the block."""
    for package in (firmware_host, hw):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(".__main__"):
                import_module(module.name)
    for name in _IMPORTED_LATE:
        import_module(name)
    codecs.lookup("utf-8-sig")  # Python looks for a codec when it is used for the first time
    with tempfile.TemporaryDirectory() as folder:
        profiles = Path(folder, "wiring")
        shutil.copytree(Path(wiring.__path__[0]), profiles, ignore=shutil.ignore_patterns("__pycache__"))
        let_others_into(profiles)
        versions = patch.object(metadata, "version", _known_versions())
        with versions, patch.object(wiring, "files", return_value=profiles):
            groups = os.getgroups()
            os.setgroups([])
            os.setegid(NOBODY)
            os.seteuid(NOBODY)
            try:
                yield
            finally:
                os.seteuid(0)
                os.setegid(0)
                os.setgroups(groups)


def _known_versions() -> Callable[[str], str]:
    """What `metadata.version` says, found out now."""
    installed = {each.name.lower(): each.version for each in metadata.distributions()}

    def version(name: str) -> str:
        if name.lower() not in installed:
            raise metadata.PackageNotFoundError(name)
        return installed[name.lower()]

    return version


def let_others_into(folder: Path) -> None:
    """Other users may look into a folder of a test, and into all that pytest has made above it."""
    temporary = Path(tempfile.gettempdir()).resolve()
    for each in (folder, *folder.parents):
        if each == temporary:
            break
        each.chmod(each.stat().st_mode | 0o055)
    closed = [each for each in (temporary, *temporary.parents) if not each.stat().st_mode & 0o001]
    if closed:
        pytest.skip(f"{closed[0]} is closed to other users")
