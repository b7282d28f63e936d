"""`run`: the daemon."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click

from firmware_host.config.profile import Profile
from firmware_host.config.table import TableConfig
from firmware_host.config.tags import Registry
from firmware_host.runtime.assembly.configs import config_path, load_config
from firmware_host.runtime.daemon import Daemon, Setup, health_folder_of
from firmware_host.runtime.equipment import Equipment
from firmware_host.runtime.logs import LEVELS, logging_to
from firmware_host.runtime.notify import Notifier
from firmware_host.runtime.signals import Signals
from firmware_host.store.shelf import Taken

BUG = 1
USAGE = 2
NO_LINES = 3
TAKEN = 4
UNWRITTEN = 5

log = logging.getLogger(__name__)


@click.command()
@click.option(
    "--config",
    "config",
    type=click.Path(path_type=Path),
    help="The table.toml.  [default: $LIGRETTO_TABLE_CONFIG, ./table.toml, /etc/ligretto-table/table.toml]",
)
@click.option(
    "--simulated",
    type=click.Path(path_type=Path),
    metavar="SOCKET",
    help="Run on a simulated table in another process, which listens at that socket; start it first. "
    "Its tags are simulated, too.",
)
@click.option("--log-level", type=click.Choice(LEVELS), default="info", show_default=True)
def run(config: Path | None, simulated: Path | None, log_level: str) -> None:
    """Run the table until somebody ends it.

    It starts with whatever part of the hardware is there; what is missing joins later. SIGTERM and Ctrl-C
    end it cleanly in every phase, SIGHUP reads the configuration again. After a crash or a power cut it
    goes on in the round it was in.

    \b
    Exit codes: 0 ended on request, 1 internal error, 2 bad configuration or usage,
    3 the GPIO lines can't be had, 4 another daemon runs this table, 5 ended on request, and not all that
    happened could be written into the store.

    \b
    Examples:
      ligretto-table run
      ligretto-table run --config table.toml --log-level debug
      LIGRETTO_TABLE_CONFIG=/etc/ligretto-table/table.toml ligretto-table run

    \b
    Without any hardware, on a simulated table with people at it:
      python -m firmware_host.simulation.world /tmp/table --profile dice4 &
      ligretto-table run --config table.toml --simulated /tmp/table
    """
    path = config_path(config)
    setup = _load(path, simulated)
    with logging_to(level=log_level), Signals() as signals, closing(Notifier()) as notifier:
        daemon = Daemon(
            setup,
            lambda: _load(path, simulated),
            _opener(simulated),
            signals,
            notifier=notifier,
            health_folder=health_folder_of(setup.config),
        )
        raise SystemExit(_run(daemon, setup.config, simulated))


def _run(daemon: Daemon, config: TableConfig, simulated: Path | None) -> int:
    refusals = _refusals(config, simulated)
    try:
        written = daemon.run()
    except tuple(refusals) as error:
        code, advice = next(refusals[kind] for kind in refusals if isinstance(error, kind))
        click.echo(f"ligretto-table: {error}{advice}", err=True)
        return code
    except Exception:  # whatever it is, the service is to start again; for anything else it would not
        log.exception("internal error")
        return BUG
    return 0 if written else UNWRITTEN


def _refusals(config: TableConfig, simulated: Path | None) -> dict[type[Exception], tuple[int, str]]:
    """What may keep a table from being run: the exit code for it, and what to do if it does not say so."""
    if simulated is None:
        from firmware_host.runtime.assembly.real import GpioError

        return {Taken: (TAKEN, ""), GpioError: (NO_LINES, "")}
    from firmware_host.runtime.assembly.remote import NoWorld

    world = f"python -m firmware_host.simulation.world {simulated} --profile {config.wiring[config.game]}"
    return {Taken: (TAKEN, ""), NoWorld: (USAGE, f"; start one in another terminal: {world}")}


def _load(path: Path, simulated: Path | None) -> Setup:
    """The configuration; a simulated table has tags of its own, whatever the tags file says."""
    loaded = load_config(path, tags=simulated is None)
    return Setup(loaded.config, loaded.registry if simulated is None else None)


Opener = Callable[[Profile, Registry | None], Equipment]


def _opener(simulated: Path | None) -> Opener:
    """Opens the devices of this machine, or those of a simulated table."""
    if simulated is not None:
        from firmware_host.runtime.assembly.remote import remote_equipment

        return lambda profile, registry: remote_equipment(simulated, profile)
    from firmware_host.runtime.assembly.real import real_equipment

    return real_equipment
