"""`run`: the daemon."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import click

from firmware_host.cli.simulation_options import refuse_all, simulation_options
from firmware_host.config.profile import Profile
from firmware_host.config.table import TableConfig
from firmware_host.config.tags import Registry
from firmware_host.runtime.assembly.configs import config_path, load_config
from firmware_host.runtime.daemon import Daemon, Setup, health_folder_of
from firmware_host.runtime.equipment import Equipment
from firmware_host.store.store_lock import StoreTaken
from firmware_host.system.notify import Notifier
from firmware_host.system.signals import Signals
from firmware_host.system.system_log import LEVELS, logging_to

BUG = 1
USAGE = 2
NO_LINES = 3
TAKEN = 4
UNWRITTEN = 5

Opener = Callable[[Profile, Registry | None], Equipment]
Refusals = dict[type[Exception], tuple[int, str | None]]

_RAISE = "raise the limits of this process (ulimit -a), or free some memory"

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
    is_flag=False,
    flag_value=Path(),
    metavar="[SOCKET]",
    help="Run a simulated table with simulated people and a store of its own, "
    "or the one of another process that listens at SOCKET.",
)
@simulation_options
@click.option("--log-level", type=click.Choice(LEVELS), default="info", show_default=True)
def run(config: Path | None, simulated: Path | None, log_level: str, **options: Any) -> None:
    """Run the table until it is stopped.

    It starts with whatever part of the hardware is there; what is missing joins later. SIGTERM and Ctrl-C
    stop it cleanly in every phase, SIGHUP reloads the configuration. After a crash or a power cut it
    resumes the round it was in.

    \b
    Exit codes: 0 stopped on request, 1 internal error, 2 bad configuration or usage,
    3 the GPIO lines are not available, 4 another daemon runs this table, 5 stopped on request, but not
    everything could be written to the store.

    \b
    Examples:
      ligretto-table run
      ligretto-table run --config table.toml --log-level debug
      LIGRETTO_TABLE_CONFIG=/etc/ligretto-table/table.toml ligretto-table run

    \b
    Without any hardware and without a table.toml, with simulated people:
      ligretto-table run --simulated
      ligretto-table run --simulated --game cards --seats 12 --speed 4
    """
    if simulated == Path():
        _run_simulated(options, config, log_level)
    refuse_all(options)
    path = config_path(config)

    def load() -> Setup:
        return _load(path, simulated)

    _serve(load, lambda setup, signals: _opener(simulated, setup, signals), simulated, log_level)


def _run_simulated(options: dict[str, Any], config: Path | None, log_level: str) -> NoReturn:
    """Run a simulated table of its own."""
    from firmware_host.cli.simulated_run import Simulation, companions

    chosen = Simulation(**options)

    def load() -> Setup:
        return Setup(chosen.config(config), None)

    def opener(setup: Setup, signals: Signals) -> Opener:
        for line in chosen.introduction(setup.config):
            click.echo(line)
        return companions(chosen, setup.config, signals.ending_fileno())

    _serve(load, opener, Path(), log_level)


def _serve(
    load: Callable[[], Setup],
    opener: Callable[[Setup, Signals], Opener],
    simulated: Path | None,
    log_level: str,
) -> NoReturn:
    """Run the configured table until it is stopped."""
    with logging_to(level=log_level), Signals(last=True) as signals, closing(Notifier()) as notifier:
        setup = load()
        daemon = Daemon(
            setup,
            load,
            opener(setup, signals),
            signals,
            notifier=notifier,
            health_folder=health_folder_of(setup.config),
        )
        raise SystemExit(_run(daemon, _refusals(setup.config, simulated), signals))


def _run(daemon: Daemon, refusals: Refusals, signals: Signals) -> int:
    try:
        written = daemon.run()
    except tuple(refusals) as error:
        if signals.end:
            return 0  # a simulated world may go when everybody is asked to
        code, advice = next(refusals[kind] for kind in refusals if isinstance(error, kind))
        if advice is not None:
            click.echo(f"ligretto-table: {error}{advice}", err=True)
        return code
    except Exception as error:
        short = _shortage(error) if daemon.host is None else None
        if short is not None:
            click.echo(f"ligretto-table: it can't start: {short!r}; {_RAISE}", err=True)
        else:
            log.exception("internal error")
        return BUG  # which makes systemd start the service again
    return 0 if written else UNWRITTEN


def _shortage(error: BaseException | None) -> BaseException | None:
    """What was refused for want of memory, threads or file descriptors; None if that is not the cause."""
    while error is not None and not (
        isinstance(error, MemoryError)
        or getattr(error, "errno", None) in (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
        or str(error) == "can't start new thread"
    ):
        error = error.__context__
    return error


def _refusals(config: TableConfig, simulated: Path | None) -> Refusals:
    """What may keep a table from running: the exit code, and the advice that its message lacks.

    The advice is None where another process has printed the message already.
    """
    if simulated is None:
        from firmware_host.runtime.assembly.real import GpioError

        return {StoreTaken: (TAKEN, ""), GpioError: (NO_LINES, "")}
    from firmware_host.runtime.assembly.remote import NoWorld

    if simulated == Path():
        from firmware_host.simulation.companion import WorldRefused

        again = "; the same command starts it again"
        return {StoreTaken: (TAKEN, ""), WorldRefused: (USAGE, None), NoWorld: (USAGE, again)}
    world = f"python -m firmware_host.simulation.world {simulated} --profile {config.wiring[config.game]}"
    return {StoreTaken: (TAKEN, ""), NoWorld: (USAGE, f"; start one in another terminal: {world}")}


def _load(path: Path, simulated: Path | None) -> Setup:
    """The configuration; a simulated table has tags of its own, whatever the tags file says."""
    loaded = load_config(path, tags=simulated is None)
    return Setup(loaded.config, loaded.registry if simulated is None else None)


def _opener(simulated: Path | None, setup: Setup, signals: Signals) -> Opener:
    """Opens the devices of this machine, or those of a simulated table."""
    if simulated is not None:
        from firmware_host.runtime.assembly.remote import remote_equipment

        return lambda profile, registry: remote_equipment(simulated, profile, [signals.ending_fileno()])
    from firmware_host.runtime.assembly.real import real_equipment

    # A button-settle that is changed later reaches the drivers only at the next start.
    under_way_ns, card = setup.config.settings.button_settle_ns, setup.config.sound_card
    return lambda profile, registry: real_equipment(profile, registry, under_way_ns, card)
