"""The programs of systemd on this machine, and why they are missing where they are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from firmware_host.cli.install_service import SystemFile, below, system_files
from tests.left_out import needs, why_without


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


needs_analyze = needs("systemd-analyze", "kill")  # the unit reloads with it
needs_sysusers = needs("systemd-sysusers")


def why_no_verify() -> str:
    """Why udev rules can't be checked here; empty if they can."""
    if reason := why_without("udevadm"):
        return reason
    version = int(run("udevadm", "--version").stdout)
    return "" if version >= 254 else f"udevadm {version} has no verify, which came with 254"


needs_udev_verify = pytest.mark.skipif(bool(why_no_verify()), reason=why_no_verify() or "it is there")


def rendered(path: str, command: str = "/usr/bin/true", user: str = "ligretto") -> SystemFile:
    """One of the shipped files as it is installed."""
    return next(file for file in system_files(command, user, "") if file.path == path)


def put(file: SystemFile, root: Path) -> Path:
    """The file in the tree of another machine."""
    where = below(root, file.path)
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(file.text, encoding="utf-8")
    return where
