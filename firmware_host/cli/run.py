"""`run`: the daemon."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from firmware_host.games.games import GAMES
from firmware_host.model.errors import BadSettings
from firmware_host.model.settings import LANGUAGES
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.daemon import Daemon, Setup, health_folder_of
from firmware_host.run.equipment import Equipment
from firmware_host.run.system import LEVELS, Notifier, UnixSignals, logging_to
from firmware_host.run.table_files import config_path, load_config
from firmware_host.store.store_lock import StoreTaken

BUG = 1
USAGE = 2
NO_LINES = 3
TAKEN = 4
UNWRITTEN = 5

Opener = Callable[[Profile, Registry | None], Equipment]
Refusals = dict[type[Exception], tuple[int, str | None]]
"""What may keep a table from running: the exit code, and the advice that its message lacks.

The advice is None where another process has printed the message already.
"""

SIMULATED_TABLES = "firmware_host.lab.cli.simulated_run"
"""Where simulated tables come from: a real one runs without the lab."""
SKILLS = ("novice", "regular", "expert", "beginner")
"""The skills of simulated people, as the lab knows them."""
FASTEST = 100.0
"""The processes of a simulated table can't keep up with more."""

_RAISE = "raise the limits of this process (ulimit -a), or free some memory"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunningTable:
    """What `run` is handed: where the configuration and the devices come from, and what may refuse."""

    load: Callable[[], Setup]
    opener: Callable[[Setup, UnixSignals], Opener]
    refusals: Callable[[TableConfig], Refusals]


F = TypeVar("F", bound=Callable[..., Any])
USUAL_CARD = "default"
"""What ALSA plays on if nobody names a card, also where PipeWire or PulseAudio is behind it."""


def simulated_table_options(usual_skill: str) -> Callable[[F], F]:
    """The options for a simulated table and the people at it, whose usual skill is this."""
    options = [
        click.option("--game", type=click.Choice(list(GAMES)), help="[default: the profile's, or dice]"),
        click.option("--profile", help="Wiring profile.  [default: by game and seats]"),
        click.option("--seats", type=click.IntRange(2, 12), help="How many play.  [default: 4]"),
        click.option(
            "--skill", type=click.Choice(SKILLS), help=f"How well they play.  [default: {usual_skill}]"
        ),
        click.option("--lang", "language", type=click.Choice(LANGUAGES), help="[default: en]"),
        click.option(
            "--speed", type=click.FloatRange(0.1, FASTEST), help="How many times real time.  [default: 1]"
        ),
        click.option(
            "--rounds",
            type=click.IntRange(min=1),
            help="Rounds of a match.  [default: 3 a player with dice, 4 with cards]",
        ),
        click.option(
            "--sound",
            is_flag=False,
            flag_value=USUAL_CARD,
            metavar="[CARD]",
            help="Play its sounds, on an ALSA card if you name one.  [default: silent]",
        ),
    ]

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


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
@simulated_table_options("regular")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the simulated people.  [default: random]")
@click.option(
    "--dead-heats",
    is_flag=True,
    default=None,
    help="Dice: every few seconds two hands slap at the same microsecond.",
)
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
        table = import_module(SIMULATED_TABLES).table_of_its_own(options, config)
    else:
        _refuse_all(options)
        path = config_path(config)
        table = (
            _real_table(path)
            if simulated is None
            else import_module(SIMULATED_TABLES).table_at(simulated, path)
        )
    _serve(table, log_level)


def _refuse_all(options: dict[str, Any]) -> None:
    """BadSettings if any of them was given for another table than a simulated one."""
    names = {"language": "lang", "dead_heats": "dead-heats"}
    given = ", ".join(f"--{names.get(name, name)}" for name, value in options.items() if value is not None)
    if given:
        raise BadSettings([f"{given}: only for a simulated table; add --simulated, without a socket"])


def _real_table(path: Path) -> RunningTable:
    """A table with the devices of this machine."""
    from firmware_host.run.real_table import GpioError, real_equipment

    def load() -> Setup:
        loaded = load_config(path)
        return Setup(loaded.config, loaded.registry)

    def opener(setup: Setup, signals: UnixSignals) -> Opener:
        # A button-settle that is changed later reaches the drivers only at the next start.
        under_way_ns, card = setup.config.settings.button_settle_ns, setup.config.sound_card
        return lambda profile, registry: real_equipment(profile, registry, under_way_ns, card)

    return RunningTable(load, opener, lambda config: {StoreTaken: (TAKEN, ""), GpioError: (NO_LINES, "")})


def _serve(table: RunningTable, log_level: str) -> NoReturn:
    """Run a table until it is stopped."""
    with logging_to(level=log_level), UnixSignals(last=True) as signals, closing(Notifier()) as notifier:
        setup = table.load()
        daemon = Daemon(
            setup,
            table.load,
            table.opener(setup, signals),
            signals,
            notifier=notifier,
            health_folder=health_folder_of(setup.config),
        )
        raise SystemExit(_run(daemon, table.refusals(setup.config), signals))


def _run(daemon: Daemon, refusals: Refusals, signals: UnixSignals) -> int:
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
