"""The command `ligretto-table`; one file per subcommand, imported when it is called."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
from importlib import import_module
from typing import Any

if sys.argv[1:2] == ["run"]:
    # Before its handlers are installed (`system.signals`) any signal would end the daemon as it stands. So
    # they are kept until then, beginning here: the imports below take long.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP, signal.SIGTERM, signal.SIGINT})
    # With less than this it fails anywhere, in the imports, too.
    for which, unit, least, what, raised in (
        (resource.RLIMIT_NOFILE, 1, 24, "file descriptors", "ulimit -n, or LimitNOFILE= of the service"),
        (resource.RLIMIT_AS, 1 << 20, 64, "MiB of address space", "ulimit -v, or LimitAS= of the service"),
    ):
        limit = resource.getrlimit(which)[0]
        if 0 <= limit < least * unit:
            told = f"this process may have only {limit // unit} {what}; run needs {least}"
            print(f"ligretto-table: {told}: raise the limit ({raised})", file=sys.stderr)
            sys.exit(2)

import click

from firmware_host import __version__
from firmware_host.cli.terminal import visible_output
from firmware_host.model.errors import DamagedRecord, TableError

INTERRUPTED = 130
_OF_OTHERS = "it belongs to another user: run this as its owner, or with sudo"
ADVICE = {
    errno.EACCES: _OF_OTHERS,
    errno.EPERM: _OF_OTHERS,
    errno.EISDIR: "it is a folder: name a file, or move it away",
    errno.ENOTDIR: "there is a file where a folder should be: name another path",
    errno.ENOENT: "check the path",
    errno.ENOSPC: "free some space",
    errno.EROFS: "the disk is read-only: name another place",
}
"""What to do about an error of the system that no command handles itself."""

COMMANDS = {
    "audits": "Show how often each part of the table was used, and what went wrong.",
    "bench": "Measure speed, latency, memory and start-up on this machine.",
    "check": "Check a table.toml: show the table it describes, or all its faults.",
    "demo": "Play in the browser on a simulated table, or watch simulated people play.",
    "display": "Say what the displays show that are open in browsers.",
    "doctor": "Check this machine's hardware and say what to do next.",
    "export": "Write matches, rounds, verdicts, standings or players as CSV or JSON.",
    "fault": "Let something go wrong with the devices of a simulated table.",
    "install-service": "Install the daemon as a service that starts with this machine.",
    "players": "Show the standings of the players; rename, merge, correct or delete them.",
    "recall": "Show a past round, with a picture of who slapped when.",
    "replay": "Run text scenarios, or replay a recorded session and compare.",
    "run": "Run the table: the daemon.",
    "simulate": "Play many matches in virtual time and show the statistics.",
    "status": "Show the state of the running table.",
    "store": "Back up the store while the table plays, check it, restore a backup.",
    "tags": "Enrol, list, check, import and export the tags of cards and dice.",
    "tell": "Tell the running table something: start, pause, a leftover count, a setting.",
    "web": "Show the running table in browsers, with a console for the operator.",
    "wiring": "Show how a table is built: its wires, parts and power; begin a profile of your own.",
}
ELSEWHERE = {
    "firmware_host.lab.cli": ("bench", "demo", "fault", "replay", "simulate"),
    "firmware_host.workshop.cli": ("check", "doctor", "tags", "wiring"),
}
"""The commands of lab and workshop: the table runs without them."""


class _Commands(click.Group):
    """Subcommands by name; the help of all of them loads none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        room = next(
            (room for room, commands in ELSEWHERE.items() if cmd_name in commands), "firmware_host.cli"
        )
        command = getattr(import_module(f"{room}.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"no command '{args[0]}'{_near(args[0])}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def main(self, *arguments: Any, **options: Any) -> Any:
        with visible_output():
            return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> object:
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:  # None if it was closed
                sys.stdout.flush()
        except TableError as error:
            for fault in str(error).splitlines():
                click.echo(f"ligretto-table: {fault}", err=True)
            ctx.exit(1 if isinstance(error, DamagedRecord) else 2)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            _stop_output()  # the reader has gone
            ctx.exit(0)
        except OSError as error:
            _stop_output()
            click.echo(f"ligretto-table: {_trouble(error)}", err=True)
            ctx.exit(2)
        return result


def _stop_output() -> None:
    """Discard whatever is still to be printed."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _trouble(error: OSError) -> str:
    """What the system refused, and what to do about it."""
    what = f"{error.filename}: " if error.filename else "can't go on: "
    advice = ADVICE.get(error.errno or 0, "")
    return f"{what}{error.strerror or error}{advice and '; '}{advice}"


def _near(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, COMMANDS, n=1)
    return f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(sorted(COMMANDS))}"


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ligretto-table")
def main() -> None:
    """Referee of an arcade-style Ligretto table: it decides by time stamps and says when they tie."""
