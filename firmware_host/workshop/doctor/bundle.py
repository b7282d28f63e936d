"""Packs what somebody who helps needs to know into one file that does not say whose table it is.

Only what is listed here leaves the machine: numbers and truth values of `FACTS`, and texts that mean the same
on every table, such as a port, an address, a setting, or a usual name of a device. Any other text is taken
for a name that somebody has made up, and has a stand-in. No sentence is passed on but those of `MESSAGES`.
Sessions are made of their inputs. The files have no owner and no date.
"""

from __future__ import annotations

import builtins
import gzip
import io
import json
import re
import sqlite3
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing, suppress
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host import __version__
from firmware_host.games.games import GAMES, VARIANTS
from firmware_host.model.errors import DamagedRecord, MalformedText, TableError
from firmware_host.model.events import DeviceChanged, Input, StartMatch, TagSeen, Withdrawn
from firmware_host.model.places import Colour, Stranger
from firmware_host.model.settings import CHOICES
from firmware_host.model.states import DeviceCondition, Phase
from firmware_host.profile.device_kinds import LED_CHIPS, SIGNS
from firmware_host.profile.keys import KEY_NAMES
from firmware_host.profile.profile import CHIPS, DRIVERS, GPIO, SCOREBOARD, Profile, chip_names
from firmware_host.profile.table import TableConfig
from firmware_host.run.journal import input_row, session_row
from firmware_host.run.recorded_sessions import first_difference, replay
from firmware_host.run.table_files import load_profile
from firmware_host.store.open_file import Row
from firmware_host.store.result_rows import Audits
from firmware_host.store.schema import migrate
from firmware_host.store.store_health import STORE
from firmware_host.store.store_reader import SessionLog, StoreReader, reading
from firmware_host.workshop.doctor.checks import CheckedTable, CheckReport
from firmware_host.workshop.doctor.device_findings import (
    Bus,
    Contacts,
    Gpio,
    GpioChip,
    ReaderFacts,
    SerialPort,
    SignFacts,
    SoundFacts,
)
from firmware_host.workshop.doctor.findings import Area, Finding, as_data
from firmware_host.workshop.doctor.machine_findings import DeviceFile, Disk, Machine, ServiceUser, User
from firmware_host.workshop.doctor.system import System
from wiring import profile_names

OUT = "…"
"""Stands where something was left out."""
FACTS: Mapping[type, str] = {
    TableConfig: """
        file game settings wiring rounds variant handicap open_seats player_names tags_file
        brightness sound_card volume store
    """,
    Profile: """
        game chip pull lines seats columns piles ownership driver chip_path i2c_bus reset banks
        led_chips lamp_wires readers sign sign_port charset
    """,
    Machine: """
        model architecture kernel realtime clock_source clock_step_ns throttled undervolted python
        libraries
    """,
    User: "root groups enlisted",
    ServiceUser: "there",
    DeviceFile: "path group mode openable",
    Disk: """
        there hidden writable for_its_owner read_only free_bytes sync_ns size_bytes trouble broken
        refused sqlite
    """,
    Gpio: "chips closed wanted chip users",
    GpioChip: "path label lines events",
    Contacts: "levels seen",
    Bus: "number adapter driver device seen answered claimed clock_hz",
    SerialPort: "path by_id by_path ours used",
    ReaderFacts: "name port there firmware seen",
    SignFacts: "port kind line there seen",
    SoundFacts: "card device installed complaint ahead_ns",
}
"""What is told of settings, of wiring, and of each thing that the doctor has looked at."""
SENTENCES = ("seen", "trouble", "broken", "refused", "complaint")
"""Of these is only told whether they say anything."""
STARTS = {
    "model": r"Raspberry Pi(?: (?:Compute Module|Zero|Model|Plus|Rev|[A-DW]\+?|\d{1,3}(?:\.\d)?)(?![\w.]))*",
    "kernel": r"\d{1,2}(?:\.\d{1,3}){1,2}(?:[-+](?:rp[ti]\d?|v[678]l?|2712|generic|rt|\d\d(?=-))(?!\w))*\+?",
}
"""What of a text that begins so is told, and nothing that follows."""
AREAS = """
all board kernel preemption clock supply python libraries user devices profile registry folder room speed file
chip interface lines contacts stamps edges bus ports card player sign wake-ups presses sensors lamps
"""
"""Subjects of findings."""
USUAL = """
root ligretto ligretto-table gpio i2c spi dialout sudo adm users video audio plugdev input render tty sysfs
aarch64 armv6l armv7l x86_64 tsc arch_sys_counter jiffies refined-jiffies hpet acpi_pm
pinctrl-rp1 pinctrl-bcm2711 pinctrl-bcm2835 gpiozero pyserial smbus2 click rich rpi-lgpio RPi.GPIO
call slot reader table noise fault device
auto none up down floating verdicts rounds slap tag
"""
"""Names that many systems have in common, and words of settings."""
NOTES = ("config", "start", "end", "resume", "match", "refused", "device", "service")
"""The kinds of lines in the table's own log."""
_TOTALS = r"totals? [-\d]{1,4}(?:, [-\d]{1,4}){0,15}"
MESSAGES = re.compile(
    rf"ready: (?:{'|'.join(GAMES)}), \d{{1,2}} seats|round \d{{1,3}} is scored, {_TOTALS}"
    rf"|the match (?:begins|is over|was given up)(?:, {_TOTALS})?"
    "|the store has caught up: all that was shown is written"
    "|the store is behind: decisions are shown before they are written"
    "|the store can't be written(?: for so long that what happens now is not kept)?"
    "|what a new file begins with can't be had|the configuration can't be read|the reset line can't be pulsed"
    "|the last match can't be resumed|internal error"
)
"""The lines of a log that are told; of any other only when, how bad and which part of the program."""

_KEYS = frozenset(each for each in KEY_NAMES if not each.isdigit())
"""Of seats there are only the names: without a word before them numbers could be an address."""
PORT = r"/dev/(?:tty(?:USB|ACM|AMA|S)\d{1,2}|serial[01]|i2c-\d{1,2}|gpiochip\d|ligretto/port-[\d.-]{1,9})"
MOMENT = r"20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?)?"
_NUMBER = r"\d{1,2}|0x[0-9a-f]{1,2}"
_VERSION = (
    r"\d{1,3}(?:\.\d{1,3}){1,2}(?:\.post\d)?|0(?:\.\d{1,3}){3}|PN5[0-9A-F]{2} \d\.\d|\d{4,5} [78][NEO]1"
)


@cache
def _known() -> re.Pattern[str]:
    """The pattern of texts that mean the same on every table."""
    profiles = [load_profile(name) for name in profile_names()]
    chips = {each for profile in profiles for each in chip_names(profile).values()}
    devices = chips | {each.name for profile in profiles for each in profile.readers}
    kinds = {*GAMES, *VARIANTS, *DRIVERS, *CHIPS, *LED_CHIPS, *SIGNS, *chain(*CHOICES.values())}
    kinds |= {GPIO, SCOREBOARD, STORE, *profile_names()}
    words = {*devices, *kinds, *AREAS.split(), *USUAL.split(), *Phase.__members__}
    place = (
        rf"(?:seat|call|pad|pile|button|bus|line|cards of seat) \d{{1,2}}|lost edges"
        rf"|(?:{'|'.join(each.word for each in Colour)})(?: \d{{1,2}}| dice)?"
    )
    setting, word = (
        "|".join(map(re.escape, sorted(those, key=len, reverse=True))) for those in (_KEYS, words)
    )
    key = rf"(?:{setting})(?:\.(?:{setting}|{word}|\d{{1,2}}))*(?:\[\d{{1,2}}\])?"
    return re.compile("|".join((word, place, key, PORT, MOMENT, _NUMBER, _VERSION)))


class Redaction:
    """The stand-ins of one bundle."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, text: str) -> str:
        """A text that many tables have, or what stands for it: the same for the same text."""
        return text if not text or _known().fullmatch(text) else self._stand_in(text)

    def names(self, text: str) -> str:
        """The same of several names in one text."""
        return "".join(re.sub(r"[^,:]+", lambda each: self._padded(each[0]), text))

    def tag(self, uid: str) -> str:
        """Another number of a tag, as long as the real one."""
        return f"{int(self._stand_in(f'tag {uid}').removeprefix('name-')):0{len(uid)}x}"

    def data(self, value: Any) -> Any:
        """The same as dictionaries, lists and numbers; of what `FACTS` lists only what it lists."""
        if isinstance(value, Enum):
            return value.name.lower()
        if type(value) in FACTS:
            told = {name: getattr(value, name) for name in FACTS[type(value)].split()}
            return {name: self._field(name, each) for name, each in told.items()}
        if is_dataclass(value):
            return {each.name: self.data(getattr(value, each.name)) for each in fields(value)}
        if isinstance(value, Mapping):
            return {str(self.data(key)): self.data(each) for key, each in value.items()}
        if isinstance(value, Set):
            return sorted(map(self.data, value))
        if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
            return [self.data(each) for each in value]
        return value if value is None or isinstance(value, bool | int | float) else self.name(str(value))

    def _field(self, name: str, value: Any) -> Any:
        if name in SENTENCES:
            return bool(value)
        if name not in STARTS:
            return self.data(value)
        start = re.match(STARTS[name], value)
        return value if start and start[0] == value else f"{start[0] if start else ''}{OUT}"

    def _padded(self, text: str) -> str:
        bare = text.strip()
        return text.replace(bare, self.name(bare)) if bare else text

    def _stand_in(self, text: str) -> str:
        return self._names.setdefault(text, f"name-{len(self._names) + 1}")


LAST_LINES = 1000
_ROOT = Path(__file__).parents[3]
_WHEN = r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|20\d\d-\d\d-\d\d[T ][\d:.,]{8,15}"
_LINE = re.compile(
    rf"(?:(?P<when>{_WHEN}).*? )?(?:(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) +)?"
    r"(?P<logger>(?:firmware_host|hw)[a-z0-9_.]*): (?P<message>.*)"
)
_FRAME = re.compile(
    r'.*File ".*?(?P<file>(?:firmware_host|hw)/[a-z0-9_/]+\.py)", line (?P<line>\d{1,5}), in .*'
)
_ERROR = re.compile(r"(?:.*? )?(?P<name>[A-Z]\w+)(?:: .*)?")


def redacted_log(lines: Sequence[str]) -> Iterator[str]:
    """The last lines as far as they may be passed on, and how many are left out."""
    last = lines[-LAST_LINES:]
    kept = [line for line in map(_redacted_line, last) if line]
    yield from kept
    yield f"{len(last) - len(kept)} of {len(last)} lines are left out"


def _redacted_line(line: str) -> str:
    """What may be passed on of a line; empty if that is nothing."""
    if (match := _LINE.fullmatch(line)) and _is_ours(match["logger"].replace(".", "/")):
        parts = (match["when"], match["level"], f"{match['logger']}: {_message(match['message'])}")
        return " ".join(filter(None, parts))
    if (match := _FRAME.fullmatch(line)) and _is_ours(match["file"].removesuffix(".py")):
        return f"  {match['file']}:{match['line']}"
    match = _ERROR.fullmatch(line)
    return match["name"] if match and isinstance(getattr(builtins, match["name"], None), type) else ""


def _is_ours(module: str) -> bool:
    """Whether this program has a module or package there."""
    path = _ROOT / module
    return path.is_dir() or path.with_suffix(".py").is_file()


def _message(text: str) -> str:
    return text if MESSAGES.fullmatch(text) else OUT


def moment(text: str) -> str:
    """A time of day, and nothing else."""
    return text if re.fullmatch(MOMENT, text) else ""


# The last sessions of a store for a bundle: what came in, without names, and the result of a replay.
#
# Each input is read and written again, with stand-ins in the fields that have names. All else is made of the
# inputs, so whoever helps can replay it, too.


SESSIONS, LOG_LINES = 5, 1000
_AUDIT = "INSERT OR REPLACE INTO audits (kind, name, count, last, game) VALUES (?, ?, ?, ?, ?)"
_LOG = "INSERT INTO log (at, kind, text) VALUES (?, ?, ?)"


def sessions_of(path: str, redaction: Redaction) -> tuple[bytes, list[str]]:
    """A store with the last sessions, and what a replay of each has shown; TableError if there is none."""
    rows: list[Row] = []
    shown: list[str] = []
    with reading(path) as book:
        for number, id in enumerate(list(book.session_ids().values())[-SESSIONS:], start=1):
            try:
                session_log = book.session_log(id)
                rows += _session(_redacted_session(session_log, number, redaction))
                shown.append(f"session {number}: {_outcome(session_log)}")
            except (DamagedRecord, MalformedText):
                shown.append(f"session {number}: it can't be read, and is left out")
        rows += _audits(book, redaction)
        rows += [
            (_LOG, (moment(at), kind if kind in NOTES else OUT, _message(text)))
            for at, kind, text in book.log(LOG_LINES)
        ]
    return _file(rows), shown


def _redacted_session(session_log: SessionLog, number: int, redaction: Redaction) -> SessionLog:
    head = session_log.head
    named = replace(head, version=redaction.name(head.version), begun=moment(head.begun), event="")
    entries = tuple(replace(entry, seen=_nameless(entry.seen, redaction)) for entry in session_log.entries)
    return replace(session_log, id=number, head=named, entries=entries)


def _nameless(seen: Input, redaction: Redaction) -> Input:
    if isinstance(seen, DeviceChanged):
        name = redaction.name(seen.device.name)
        return replace(seen, device=DeviceCondition(name, seen.device.condition))
    if isinstance(seen, TagSeen | Withdrawn) and isinstance(seen.tag, Stranger):
        return replace(seen, tag=Stranger(redaction.tag(seen.tag.uid)))
    if isinstance(seen, StartMatch) and seen.position:
        raise MalformedText("no daemon begins with a position")
    return seen


def _outcome(session_log: SessionLog) -> str:
    """What has come of replaying a session as it was written."""
    try:
        again = replay(session_log, Audits(lambda: ""), lambda: "").journal.decisions
    except Exception as error:  # whatever it is, whoever gets the bundle has to know it
        return f"a replay ends in {type(error).__name__}"
    for n, decision in enumerate(session_log.decisions):
        if first_difference([decision], again[n : n + 1]):
            names = [type(each.effect).__name__ for each in (decision, *again[n : n + 1])]
            return f"a replay differs at decision {n}: {' is now '.join(names)}"
    decisions, entries = len(session_log.decisions), len(session_log.entries)
    return f"a replay is identical: {decisions} decisions from {entries} inputs"


def _session(session_log: SessionLog) -> Iterator[Row]:
    """What is to be written of a session: what came in, and what comes of it here."""
    yield session_row(session_log.id, session_log.head)
    for n, entry in enumerate(session_log.entries):
        yield input_row(session_log.id, n, entry.advanced_ns, entry.arrived_ns, entry.seen)
    with suppress(Exception):  # `_outcome` reports it; the inputs that lead to it are there
        yield from replay(session_log, Audits(lambda: ""), lambda: session_log.head.begun).journal.rows


def _audits(book: StoreReader, redaction: Redaction) -> Iterator[Row]:
    games = book.games
    for each in book.audits():
        kind, name, last = redaction.name(each.kind), redaction.name(each.name), moment(each.last)
        yield _AUDIT, (kind, name, each.count, last, games - each.games_since)


def _file(rows: Sequence[Row]) -> bytes:
    """A store with these rows and nothing else."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as store:
        migrate(store)
        for statement, values in rows:
            store.execute(statement, values)
        return store.serialize()


FOLDER = "ligretto-table"
README = """What is in here, and what is not

{contents}

Nothing in here was copied. Of all that the doctor has looked at there are numbers, whether something is so,
and texts that mean the same on every table, such as a setting, or a port as every Linux has it. Sentences are
left out, but for those of the log that never have names in them; an ellipsis (…) is in their place. The event
and titles are left out. Names that somebody has made up for devices, ports and files have stand-ins such as
name-1, the same for the same thing everywhere, and so have the numbers of tags. store.db can be replayed:
ligretto-table replay --store store.db --session 1
"""


class BundleFile(NamedTuple):
    """One file of a bundle."""

    name: str
    data: bytes
    words: str
    """What it is, in a few words."""


def pack_bundle(
    system: System,
    checked: CheckedTable,
    report: CheckReport,
    measured: dict[str, Any],
    log: Sequence[str] | None,
) -> tuple[list[str], bytes]:
    """What is in the bundle, line by line, and all of it; `measured` is made of numbers."""
    redaction = Redaction()
    known = list(_settings_and_wiring(checked, redaction))  # first: other texts may have the names in it
    findings = [_redacted_finding(each, redaction) for each in report.findings]
    facts = [{"fact": type(each).__name__, **redaction.data(each)} for each in report.facts]
    parts = [
        _data("findings.json", as_data(findings, {"version": __version__, **measured}), "what was found"),
        _data("facts.json", facts, "what was seen: machine, libraries, lines, bus, ports, disk"),
        *known,
    ]
    if log is not None:
        parts.append(_lines("log.txt", redacted_log(log), "the last log lines"))
    if checked.store is not None:
        try:
            store, sessions = sessions_of(system.at(checked.store.file), redaction)
        except (TableError, OSError) as error:
            why = f"there is no store, or it can't be read: {type(error).__name__}"
            parts.append(_lines("sessions.txt", [why], "why there is no store"))
        else:
            parts.append(_lines("sessions.txt", sessions, "what a replay of each session has shown"))
            parts.append(BundleFile("store.db", store, "the last sessions with every input, audits, log"))
    contents = [f"{part.name:<16} {len(part.data):>10,} bytes  {part.words}" for part in parts]
    readme = README.format(contents="\n".join(contents))
    return contents, _packed([BundleFile("README.txt", readme.encode(), ""), *parts])


def _settings_and_wiring(checked: CheckedTable, redaction: Redaction) -> Iterable[BundleFile]:
    if checked.config is not None:
        yield _data("config.json", redaction.data(checked.config), "the settings in force")
    for profile in checked.profiles:
        name = "wiring.json" if profile is checked.profile else f"wiring-{profile.game}.json"
        yield _data(name, redaction.data(profile), f"the wiring profile for {profile.game}")


def _redacted_finding(finding: Finding, redaction: Redaction) -> Finding:
    """What is how, and which settings are wrong: the sentences about it may have names in them."""
    fault = re.sub(r"allowed: [^;]*", "", finding.seen) if finding.area is Area.CONFIG else ""
    settings = dict.fromkeys(word for word in re.findall(r"[\w-]+", fault) if word in _KEYS)
    return replace(finding, subject=redaction.names(finding.subject), seen=", ".join(settings), advice="")


def _data(name: str, data: Any, words: str) -> BundleFile:
    return BundleFile(name, f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode(), words)


def _lines(name: str, lines: Iterable[str], words: str) -> BundleFile:
    return BundleFile(name, "".join(f"{line}\n" for line in lines).encode(), words)


def _packed(parts: Sequence[BundleFile]) -> bytes:
    """An archive with neither a name nor a time in its head."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as pressed,
        tarfile.open(fileobj=pressed, mode="w", format=tarfile.PAX_FORMAT) as bundle,
    ):
        for part in parts:
            entry = tarfile.TarInfo(f"{FOLDER}/{part.name}")
            entry.size = len(part.data)
            bundle.addfile(entry, io.BytesIO(part.data))
    return packed.getvalue()
