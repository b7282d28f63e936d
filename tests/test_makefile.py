"""What `make` does by itself before a command."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.left_out import needs

ROOT = Path(__file__).parent.parent


@needs("make")
@pytest.mark.parametrize(("exit_code", "again"), [(0, False), (1, True)])
def test_a_venv_that_was_made_for_another_python_is_made_again(
    exit_code: int, again: bool, tmp_path: Path
) -> None:
    """As after an upgrade of the system: its Python is there, and finds nothing of what was installed."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\nexit {exit_code}\n")
    python.chmod(0o755)
    (tmp_path / ".ready").touch()
    command = ["make", "--dry-run", f"VENV={tmp_path}", f"{tmp_path}/.ready"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (f"rm -rf {tmp_path}" in done.stdout) is again
    assert (f"-m venv {tmp_path}" in done.stdout) is again
