"""The report of `status`: a line for each thing that may change; `--watch` keeps it current.

On a terminal that happens in place, with a picture of the table where there is room. In a pipe each change is
a line.
"""

from __future__ import annotations

import json
import select
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from firmware_host import __version__
from firmware_host.cli.terminal import can_draw, console, for_terminal, stopped_by_signals
from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.feed.feed_client import FeedLost, FeedReader
from firmware_host.feed.known_state import State
from firmware_host.model.times import S
from firmware_host.profile.table import SIMULATED
from firmware_host.run.health import Running, running_service

if TYPE_CHECKING:
    from firmware_host.cli.feed_view import FeedPicture

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


LOOK_S = 1.0
TITLE = "LIGRETTO TABLE"
TOGETHER_S = 0.1
"""What comes so soon after the first news is shown together with it."""
_COUNTED_TIMES = {"dice": "dice_left", "cards": "cards_laid"}
_WELL = {"condition": "ok", "seen": "", "advice": ""}

Look = Callable[[], Running | Absent]


class WatchedTable:
    """Looks at a table again and again; it may stop and start meanwhile."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._reader: FeedReader | None = None
        self._folder: Path | None = None
        self._told: list[dict[str, Any]] = []

    def now(self) -> Running | Absent:
        """How it is now."""
        found = self._look()
        if isinstance(found, Absent) or found.silent:
            self._leave()
            return found
        if self._reader is None or found.folder != self._folder:
            self._listen(found.folder)
        state = self._reader.state if self._reader is not None else {}
        return replace(found, page=page_now(found.page, state, found.age_ns)) if state else found

    def wait(self) -> None:
        """Until there is news, or it is time to look again."""
        if self._reader is None:
            time.sleep(LOOK_S)
        elif select.select([self._reader], [], [], LOOK_S)[0]:
            time.sleep(TOGETHER_S)
            self._hear(self._reader)

    def show(self, picture: FeedPicture) -> None:
        """Tell it what the feed has told since the last call."""
        from firmware_host.cli.feed_view import Told, effects_of
        from firmware_host.cli.table_view import seen_by

        if self._reader is not None:
            for message in self._told:
                seen = seen_by(self._reader, int(message.get("t_ns", 0)))
                picture.tell(Told(effects_of(message), seen))
        self._told = []

    @property
    def is_told(self) -> bool:
        """Whether a feed tells of the table."""
        return self._reader is not None

    def _listen(self, folder: Path) -> None:
        self._leave()
        with suppress(FeedLost):  # an older version has no feed
            self._reader, self._folder = FeedReader(folder / FEED_SOCKET), folder
            while self._reader is not None and not self._reader.state:
                self._hear(self._reader)

    def _hear(self, reader: FeedReader) -> None:
        try:
            self._told += reader.read()
        except FeedLost:
            self._leave()

    def _leave(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def page_now(page: Mapping[str, Any], state: State, age_ns: int) -> dict[str, Any]:
    """The health page, which was written so long ago, with what is known from the feed."""
    seats: dict[str, dict[str, Any]] = state["seats"]
    playing = {seat: about for seat, about in seats.items() if about.get("dealt")}
    now = dict(page) | {
        "phase": state["phase"],
        "seated": [int(seat) for seat, about in seats.items() if about["seated"]],
        "devices": dict.fromkeys(page["devices"], _WELL) | state["devices"],
        "masked": state["masked"],
        "round": None,
        "match": None,
    }
    if "match" in state:
        now["round"] = _round(page, state, playing, age_ns)
        now["match"] = _match(page, state, playing, age_ns)
    return now


def _round(page: Mapping[str, Any], state: State, playing: dict[str, Any], age_ns: int) -> dict[str, Any]:
    about = state["round"]
    known = page["round"] or {}
    now: dict[str, Any] = {"number": about["number"], "of": state["match"]["rounds"]}
    if "started_ns" in about and state["phase"] in ("countdown", "play", "paused", "settle"):
        same = known.get("number") == now["number"] and "seconds" in known
        now["seconds"] = known["seconds"] if same else -(age_ns // S)
        counted = _COUNTED_TIMES[state["table"]["game"]]
        now[counted] = {seat: each["tally"] for seat, each in playing.items() if "tally" in each}
    return now


def _match(page: Mapping[str, Any], state: State, playing: dict[str, Any], age_ns: int) -> dict[str, Any]:
    totals = {seat: each["total"] for seat, each in playing.items()}
    best = max(totals.values(), default=0)
    return {
        "seconds": (page.get("match") or {}).get("seconds", -(age_ns // S)),
        "totals": totals,
        "leaders": [int(seat) for seat, total in totals.items() if total == best] if state["history"] else [],
    }


_ALWAYS_NEW = ("written", "stamp_ns", "seconds")
"""What differs from page to page though nothing has happened."""


def watch_status(look: Look, as_json: bool) -> NoReturn:
    """Print the report until Ctrl-C; the table may stop and start again meanwhile."""
    table = WatchedTable(look)
    with stopped_by_signals():
        if as_json:
            _print_records(table)
        elif can_draw(sys.stdout):
            _redraw(table)
        else:
            _print_changes(table)


def _redraw(table: WatchedTable) -> NoReturn:
    from rich.console import ConsoleDimensions
    from rich.layout import Layout
    from rich.live import Live
    from rich.text import Text

    from firmware_host.cli.feed_view import FeedPicture
    from firmware_host.cli.table_view import fits

    picture = FeedPicture(TITLE)
    with Live(console=console(), auto_refresh=False) as live:
        while True:
            lines = [f"{_time_of_day()}  (Ctrl-C ends)", *report_of(table.now(), running_service()).values()]
            report = [part for line in lines for part in for_terminal(line)]
            table.show(picture)
            columns, room = live.console.width, live.console.height - len(report)
            shown: Text | Layout = Text("\n".join(report))
            drawn = picture.render(ConsoleDimensions(columns, room))
            if table.is_told and drawn is not None and fits(columns, room):
                both = Layout()
                both.split_column(Layout(shown, size=len(report)), Layout(drawn))
                shown = both
            live.update(shown, refresh=True)
            table.wait()


def _print_changes(table: WatchedTable) -> NoReturn:
    before: Report = {}
    while True:
        now = report_of(table.now(), running_service(), with_times=False)
        for line in changes(before, now):
            click.echo(f"{_time_of_day()}  {line}")
        before = now
        table.wait()


def changes(before: Report, now: Report) -> list[str]:
    """The lines that are new; a device whose fault is no longer reported is ok again."""
    new = [line for about, line in now.items() if before.get(about) != line]
    gone = [about for about, line in before.items() if line.startswith("check ") and about not in now]
    return [*(f"{device} is ok again" for device in gone if "daemon" in now), *new]


def _print_records(table: WatchedTable) -> NoReturn:
    before: object = None
    while True:
        now = record(table.now())
        if (news := _without_times(now)) != before:
            click.echo(json.dumps(now))
        before = news
        table.wait()


def _without_times(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_times(each) for name, each in value.items() if name not in _ALWAYS_NEW}


def _time_of_day() -> str:
    return time.strftime("%H:%M:%S")
