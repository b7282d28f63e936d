"""The report of `status`: a line for each thing that may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from firmware_host import __version__
from firmware_host.config.table import SIMULATED
from firmware_host.durations import S
from firmware_host.runtime.running_daemon import Running

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
