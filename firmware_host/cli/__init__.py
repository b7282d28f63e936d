"""The command `ligretto-table`; one file per subcommand."""

from __future__ import annotations

import click

from firmware_host import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ligretto-table")
def main() -> None:
    """Referee for an arcade-style Ligretto table."""
