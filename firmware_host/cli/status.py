"""`status`: the state of the running table."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from firmware_host import __version__
from firmware_host.cli.store_options import Named, is_named, named_table, running_table, store_options
from firmware_host.cli.terminal import for_terminal
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.times import S
from firmware_host.profile.table import SIMULATED
from firmware_host.run.running_daemon import (
    SERVICE_FOLDER,
    Running,
    running_in,
    running_service,
    running_spare,
)
from firmware_host.store.store_lock import is_locked

NOT_WELL = 1
NOT_RUNNING = 2
AWAY = ("service", "coming back")
"""The phases in which the time of the game stands still."""
_COUNTED = {"dice_left": "dice left", "cards_laid": "cards in the centre"}

Report = dict[str, str]
"""Lines in their order, by what they are about."""


@dataclass(frozen=True, slots=True)
class Absent:
    """There is no page of that table, and why."""

    condition: str
    seen: str
    advice: str
    code: int
    page: Mapping[str, Any] = field(default_factory=dict)
    """The page, if there is one that can't be shown."""

    @property
    def words(self) -> str:
        return f"{self.seen}; {self.advice}"


def legible(found: Running | Absent) -> Running | Absent:
    """The same, unless its page lacks something or is of another kind: then what is known of it."""
    try:
        report_of(found, None)
        exit_code(found)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        assert isinstance(found, Running)
        page = found.page
        why = f"{type(error).__name__}: {error}"
        seen = (
            f"process {page['pid']} shows a page that this version can't read ({why}): "
            f"it is ligretto-table {page.get('version', 'unknown')}, this is {__version__}"
        )
        advice = "restart the daemon, so that both are of one version"
        return Absent("unreadable", seen, advice, NOT_WELL, {"answers": not found.silent, **page})
    return found


def record(found: Running | Absent) -> dict[str, Any]:
    """All that is known, for programs."""
    if isinstance(found, Absent):
        known = {"condition": found.condition, "answers": False, "seen": found.seen, "advice": found.advice}
        return {**known, **found.page}
    return {"condition": _condition(found), "answers": not found.silent, **found.page}


def exit_code(found: Running | Absent) -> int:
    """What the command ends with."""
    if isinstance(found, Absent):
        return found.code
    return 0 if _condition(found) == "ok" else NOT_WELL


def _condition(running: Running) -> str:
    """How the table is, in a word or two."""
    if running.silent:
        return "no answer"
    return "degraded" if wrong_with(running.page) else "ok"


def wrong_with(page: Mapping[str, Any]) -> dict[str, str]:
    """What is not as it should be, each with words."""
    devices = page["devices"].items()
    wrong = {name: _of_device(each) for name, each in devices if each["condition"] != "ok"}
    wrong |= {name: f"ignored, because it {reason}" for name, reason in page["masked"].items()}
    fault = page.get("page_fault")  # its folder is gone, or its disk is full
    return wrong | {"disk": fault} if fault else wrong


def report_of(found: Running | Absent, service: Running | None, with_times: bool = True) -> Report:
    """The whole report; without times it changes only when something has happened."""
    if isinstance(found, Absent):
        return {"absence": found.words}
    if found.silent:
        return _silence(found, is_service=found == service)
    page = found.page
    report = {"game": _game(page)}
    if page.get("match"):  # a daemon of an older version has none in its page
        if with_times:
            waited_s = 0 if page["phase"] in AWAY else max(0, found.age_ns) // S
            report["times"] = _times(page, waited_s)
        report["scores"] = _scores(page)
    report["daemon"] = (
        f"ligretto-table {page['version']}, process {page['pid']}, since {page['started']}, "
        f"with {page['config']}"
    )
    if page["version"] != __version__:
        report["version"] = f"this is ligretto-table {__version__}: restart the daemon to update it"
    wrong = wrong_with(page)
    report |= {name: f"check {name}: {words}" for name, words in wrong.items()}
    if not wrong:
        report["devices"] = "all devices are ok"
    counts = ", ".join(f"{name} {count}" for name, count in page["counts"].items() if name != "restarts")
    return report | {"counts": f"since then: {counts or 'nothing'}"}


def _silence(running: Running, is_service: bool) -> Report:
    page = running.page
    restart = "sudo systemctl restart ligretto-table"
    if not is_service:
        again = "--simulated" if running.config == SIMULATED else f"--config {running.config}"
        restart = f"kill -KILL {page['pid']}, then: ligretto-table run {again}"
    return {
        "silence": f"the table has not answered since {page['written']} (process {page['pid']}); "
        f"restart it: {restart}",
        "game": f"it was in {page['phase']} then; a match resumes where it was",
    }


def _of_device(device: Mapping[str, str]) -> str:
    words = "; ".join(device[name] for name in ("words", "seen", "advice") if device.get(name))
    return f"{device['condition']}: {words}"


def _game(page: Mapping[str, Any]) -> str:
    round_ = page["round"]
    playing = f", round {round_['number']} of {round_['of']}" if round_ else ""
    seated = f", seats {', '.join(map(str, page['seated']))} play" if page["seated"] else ""
    return f"{page['game']} for {page['seats']}: {page['phase']}{playing}{seated}"


def _times(page: Mapping[str, Any], waited_s: int) -> str:
    match_s = page["match"]["seconds"] + waited_s
    if "seconds" not in page["round"]:
        return f"the match has taken {_clock(match_s)} so far"
    round_s = page["round"]["seconds"] + waited_s
    return f"this round has taken {_clock(round_s)} so far, the match {_clock(match_s)}"


def _scores(page: Mapping[str, Any]) -> str:
    match, round_ = page["match"], page["round"]
    said = "no round is scored yet"
    if match["leaders"]:
        totals = " ".join(f"{seat}:{total:+d}" for seat, total in match["totals"].items())
        said = f"{_leading(page['phase'], match['leaders'])}: totals {totals}"
    for name, words in _COUNTED.items():
        if name in round_:
            said += f"; {words} " + " ".join(f"{seat}:{count}" for seat, count in round_[name].items())
    return said


def _leading(phase: str, leaders: list[int]) -> str:
    many = len(leaders) > 1
    who = f"seat{'s' if many else ''} {' and '.join(map(str, leaders))}"
    if phase == "result":
        return f"{who} {'have' if many else 'has'} won"
    return f"{who} {'lead' if many else 'leads'}"


def _clock(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


START = "start it with: ligretto-table run"


class NotRunning(TableError):
    """There is no daemon that could be asked."""


@click.command()
@store_options
@click.option("--json", "as_json", is_flag=True, help="Print the whole health page as JSON.")
@click.option("--watch", is_flag=True, help="Keep it current until Ctrl-C; in a pipe, print what changes.")
def status(config: Path | None, store: Path | None, as_json: bool, watch: bool) -> None:
    """Show the state of the running table: phase, scores, devices, and what has happened since its start.

    The table is the one that runs as a service, or the one that is named. Exit code 0 if all is well, 1 if
    something is wrong or the daemon does not answer, 2 if no daemon runs.

    \b
    Examples:
      ligretto-table status
      ligretto-table status --watch
      ligretto-table status --config table.toml
      ligretto-table status --json | jq .devices
    """
    asked = asked_for(config, store)
    if watch:
        from firmware_host.cli.status_watch import watch_status

        watch_status(lambda: legible(look(asked)), as_json)
    found = legible(look(asked))
    if as_json:
        click.echo(json.dumps(record(found), indent=1))
    elif isinstance(found, Absent) and found.code == NOT_RUNNING:
        raise asked.fault or NotRunning(found.words)
    else:
        for line in report_of(found, running_service()).values():
            click.echo("\n".join(for_terminal(line)))
    raise SystemExit(exit_code(found))


@dataclass(frozen=True, slots=True)
class Asked:
    """Which table is meant, as far as that is known without it."""

    named: bool
    """Whether somebody has named one; if not, it is the one that runs as a service."""
    config: str
    """The table.toml that was named; it may be gone with its folder."""
    table: Named | None
    fault: BadSettings | None
    """Why the configuration does not say which table it is."""

    def means(self, running: Running) -> bool:
        """Whether this is its daemon; which store it has may have been changed since its start."""
        configs = {self.config, self.table.config if self.table else ""} - {""}
        if any(os.path.realpath(config) == os.path.realpath(running.config) for config in configs):
            return True
        if self.table is None:
            return not self.config
        return os.path.realpath(self.table.store) == os.path.realpath(running.store)


def asked_for(config: Path | None, store: Path | None) -> Asked:
    """Which table is meant by these options."""
    named = is_named(config, store)
    if not named and running_table() is not None:
        return Asked(False, "", None, None)
    try:
        return Asked(named, "", named_table(config, store), None)
    except BadSettings as error:
        if store is not None:
            raise
        from firmware_host.run.table_files import VARIABLE

        return Asked(named, str(config or os.environ.get(VARIABLE, "")), None, error)


def look(asked: Asked) -> Running | Absent:
    """The daemon that is meant, or why it can't be asked."""
    running = running_table()
    if running is not None and not asked.named:
        return running
    beside = Path(asked.table.store).parent if asked.table else None
    candidates = [running, running_in(beside) if beside else None, *running_spare()]
    meant = [each for each in candidates if each is not None and asked.means(each)]
    if meant:
        return min(meant, key=lambda each: each.silent)
    if asked.table is None:
        advice = str(asked.fault or START)
        return Absent("not running", "no running daemon was found", advice, NOT_RUNNING)
    if is_locked(asked.table.store):
        return Absent(
            "starting",
            f"a daemon has claimed {asked.table.store} but shows no page: it is starting, or can't write one",
            "try again in a few seconds; then look at its log: journalctl -u ligretto-table",
            NOT_WELL,
        )
    looked = f"no daemon runs this table (looked in {SERVICE_FOLDER} and {beside})"
    return Absent("not running", looked, START, NOT_RUNNING)
