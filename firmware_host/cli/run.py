"""`run`: the daemon."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import click

from firmware_host.config.profile import Profile
from firmware_host.config.tags import Registry
from firmware_host.runtime.assembly.configs import config_path, load_config
from firmware_host.runtime.daemon import Daemon, Setup, health_folder_of
from firmware_host.runtime.equipment import Equipment
from firmware_host.runtime.logs import LEVELS, logging_to
from firmware_host.runtime.notify import Notifier
from firmware_host.runtime.signals import Signals
from firmware_host.store.shelf import Taken

BUG = 1
NO_LINES = 3
TAKEN = 4

log = logging.getLogger(__name__)


@click.command()
@click.option(
    "--config",
    "config",
    type=click.Path(path_type=Path),
    envvar="LIGRETTO_TABLE_CONFIG",
    help="The table.toml.  [default: $LIGRETTO_TABLE_CONFIG, ./table.toml, /etc/ligretto-table/table.toml]",
)
@click.option(
    "--simulated",
    type=click.Path(path_type=Path),
    metavar="SOCKET",
    help="Run on a simulated table in another process, which listens at that socket.",
)
@click.option("--log-level", type=click.Choice(LEVELS), default="info", show_default=True)
def run(config: Path | None, simulated: Path | None, log_level: str) -> None:
    """Run the table until somebody ends it.

    It starts with whatever part of the hardware is there; what is missing joins later. SIGTERM and Ctrl-C
    end it cleanly in every phase, SIGHUP reads the configuration again. After a crash or a power cut it
    goes on in the round it was in.

    \b
    Exit codes: 0 ended on request, 1 internal error, 2 bad configuration or usage,
    3 the GPIO lines can't be had, 4 another daemon runs this table.

    \b
    Examples:
      ligretto-table run
      ligretto-table run --config table.toml --log-level debug
      LIGRETTO_TABLE_CONFIG=/etc/ligretto-table/table.toml ligretto-table run
    """
    path = config_path(config)
    setup = _load(path)
    with logging_to(level=log_level), Signals() as signals:
        daemon = Daemon(
            setup,
            lambda: _load(path),
            _opener(simulated),
            signals,
            notifier=Notifier(),
            health_folder=health_folder_of(setup.config),
        )
        raise SystemExit(_run(daemon))


def _run(daemon: Daemon) -> int:
    from firmware_host.runtime.assembly.real import GpioError

    try:
        daemon.run()
    except GpioError as error:
        click.echo(f"ligretto-table: {error}", err=True)
        return NO_LINES
    except Taken as error:
        click.echo(f"ligretto-table: {error}", err=True)
        return TAKEN
    except Exception:  # whatever it is, the service is to start again; for anything else it would not
        log.exception("internal error")
        return BUG
    return 0


def _load(path: Path) -> Setup:
    loaded = load_config(path)
    return Setup(loaded.config, loaded.registry)


Opener = Callable[[Profile, Registry | None], Equipment]


def _opener(simulated: Path | None) -> Opener:
    """Opens the devices of this machine, or those of a simulated table."""
    if simulated is not None:
        from firmware_host.runtime.assembly.remote import remote_equipment

        return lambda profile, registry: remote_equipment(simulated, profile)
    from firmware_host.runtime.assembly.real import real_equipment

    return real_equipment
