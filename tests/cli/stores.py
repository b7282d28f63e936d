"""A table.toml whose store is that file."""

from __future__ import annotations

from pathlib import Path

from click.testing import Result

from firmware_host.profile.table import StoreConfig
from firmware_host.run.daemon_store import DaemonStore
from tests.cli.commands import run


def ask(command: str, store: Path, *arguments: str) -> Result:
    """The command about a store; it must go well."""
    result = run(command, *arguments, "--store", str(store))
    assert result.exit_code == 0, result.output
    return result


def tidied(store: Path, keep_rounds: int) -> None:
    """Let go of what a daemon of that configuration does not keep."""
    memory = DaemonStore(
        StoreConfig(file=str(store), keep_rounds=keep_rounds),
        lambda health: None,
        lambda: "2026-11-20T20:00:00",
    )
    memory.writer.begin_session([], memory.tidying)
    assert memory.close()


def config_for(store: Path, folder: Path) -> Path:
    """A configuration that names the store."""
    path = folder / "table.toml"
    path.write_text(f'wiring = "dice4"\n\n[store]\nfile = "{store}"\n', encoding="utf-8")
    return path
