"""A table.toml whose store is that file."""

from __future__ import annotations

from pathlib import Path

from click.testing import Result

from tests.cli.commands import run


def ask(command: str, store: Path, *arguments: str) -> Result:
    """The command about a store; it must go well."""
    result = run(command, *arguments, "--store", str(store))
    assert result.exit_code == 0, result.output
    return result


def config_for(store: Path, folder: Path) -> Path:
    """A configuration that names the store."""
    path = folder / "table.toml"
    path.write_text(f'wiring = "dice4"\n\n[store]\nfile = "{store}"\n', encoding="utf-8")
    return path
