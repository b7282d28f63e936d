"""The udev rules, as udev itself reads them."""

from __future__ import annotations

from pathlib import Path

from firmware_host.cli.install_service import RULES_FILE
from tests.systemd.tools import needs_udev_verify, put, rendered, run


@needs_udev_verify
def test_udev_has_nothing_to_say_against_them(tmp_path: Path) -> None:
    done = run("udevadm", "verify", "--resolve-names=late", put(rendered(RULES_FILE), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


@needs_udev_verify
def test_it_would_say_something(tmp_path: Path) -> None:
    path = put(rendered(RULES_FILE), tmp_path)
    path.write_text(path.read_text().replace('GOTO="ligretto_end"', 'GOTO="nowhere"'))
    assert run("udevadm", "verify", "--resolve-names=late", path).returncode != 0
