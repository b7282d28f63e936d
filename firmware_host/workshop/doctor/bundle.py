"""Packs what somebody who helps needs to know into one file that does not say whose table it is.

Nothing is copied: texts are redacted, settings and wiring are written from their values, and sessions are
made of their inputs. The parts have no owner and no date.
"""

from __future__ import annotations

import builtins
import gzip
import io
import json
import re
import sqlite3
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from firmware_host import __version__
from firmware_host.model.errors import DamagedRecord, MalformedText, TableError
from firmware_host.model.events import DeviceChanged, Input, StartMatch, TagSeen, Withdrawn
from firmware_host.model.places import Stranger
from firmware_host.model.states import DeviceCondition
from firmware_host.profile.profile import BuildChoices
from firmware_host.run.journal import input_row, session_row
from firmware_host.run.recorded_sessions import first_difference, replay
from firmware_host.store.open_file import Row
from firmware_host.store.result_rows import Audits
from firmware_host.store.schema import migrate
from firmware_host.store.store_reader import SessionLog, StoreReader, reading
from firmware_host.workshop.doctor.checks import CheckedTable
from firmware_host.workshop.doctor.findings import Finding, as_data, plain, text_lines
from firmware_host.workshop.doctor.system import System, look_at_machine
from firmware_host.workshop.doctor.vocabulary import MOMENT, modules, phrases, texts, values

# Takes out of texts what may say whose table it is.
#
# A text is read from left to right. Words of this program are kept, and so are values that mean the same on
# every table. A name that somebody has made up for a device, a port or a file has a stand-in. An ellipsis
# is in the place of everything else. Plain numbers in a row are kept only if they are small and in order,
# as lines are: others may be somebody's number.


OUT = "…"
"""Stands where something was left out."""
_BETWEEN = r"\s,;:()'\"\[\]=<>#?!"
_SEVERAL = re.compile(rf"{OUT}(?:[^\w\n]*{OUT})+")
_THOUSANDS = r",\d{3}(?![\d,])"
# Each part takes all it can. Python 3.11.2 (Debian 12) misreads the possessive quantifiers for that.
_PLAIN = rf"[<>~+-]?\d[\d.]*(?![\d.])(?:{_THOUSANDS}|(?!{_THOUSANDS}))"
_ROW = re.compile(rf"(?<![\w.])(?<!\d[:-]){_PLAIN}(?:(?:[\s,;()/]+|,? and ){_PLAIN})+(?!\d|[:-]\d)")


class Redaction:
    """The stand-ins of one bundle, and texts without any other names."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, text: str) -> str:
        """A name that many tables have, or what stands for it."""
        return text if self.text(text) == text else self._stand_in(text)

    def tag(self, uid: str) -> str:
        """Another number of a tag, as long as the real one."""
        return f"{int(self._stand_in(f'tag {uid}').removeprefix('name-')):0{len(uid)}x}"

    def data(self, plain: Any) -> Any:
        """The same lists, numbers and dictionaries; each text in them is taken for a name."""
        if isinstance(plain, dict):
            return {key: self.data(each) for key, each in plain.items()}
        if isinstance(plain, list):
            return [self.data(each) for each in plain]
        return self.name(plain) if isinstance(plain, str) else plain

    def text(self, text: str) -> str:
        """What may be passed on of a text."""
        if text in texts():
            return text
        kept = _tokens().sub(lambda each: each[0] if each["kept"] else self._names.get(each[0], OUT), text)
        return _SEVERAL.sub(OUT, _ROW.sub(lambda each: each[0] if _is_in_order(each[0]) else OUT, kept))

    def _stand_in(self, text: str) -> str:
        return self._names.setdefault(text, f"name-{len(self._names) + 1}")


def moment(text: str) -> str:
    """A time of day, and nothing else."""
    return text if re.fullmatch(MOMENT, text) else ""


def _is_in_order(row: str) -> bool:
    numbers = re.findall(_PLAIN, row)
    return all(re.fullmatch(r"[1-9]?\d", each) for each in numbers) and numbers == sorted(
        set(numbers), key=int
    )


@cache
def _tokens() -> re.Pattern[str]:
    """One piece of a text: words of this program, a value, what is between them, or anything else."""
    said = "|".join(map(re.escape, sorted(phrases(), key=len, reverse=True)))
    free = r"(?<![\w.@/+-])(?<![0-9a-fA-F:]:)"
    return re.compile(
        rf"(?P<kept>[{_BETWEEN}]+|{free}(?:(?:{said})(?![\w@/]|[.:-]\w)|{values()}))|[^{_BETWEEN}]+"
    )


LAST_LINES = 1000
_WHEN = r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|20\d\d-\d\d-\d\d[T ][\d:.,]{8,15}"
_LINE = re.compile(
    rf"(?:(?P<when>{_WHEN}).*? )?(?:(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) +)?"
    r"(?P<logger>(?:firmware_host|hw)[a-z0-9_.]*): (?P<message>.*)"
)
_FRAME = re.compile(
    r'.*File ".*?(?P<file>(?:firmware_host|hw)/[a-z0-9_/]+\.py)", line (?P<line>\d{1,5}), in .*'
)
_ERROR = re.compile(r"(?:.*? )?(?P<name>[A-Z]\w+)(?:: .*)?")


def redacted_log(lines: Sequence[str], redaction: Redaction) -> Iterator[str]:
    """The last lines as far as they may be passed on, and how many are left out."""
    last = lines[-LAST_LINES:]
    kept = [line for line in (_redacted_line(line, redaction) for line in last) if line]
    yield from kept
    yield f"{len(last) - len(kept)} of {len(last)} lines are left out"


def _redacted_line(line: str, redaction: Redaction) -> str:
    """What may be passed on of a line; empty if that is nothing."""
    if (match := _LINE.fullmatch(line)) and match["logger"] in modules():
        parts = (match["when"], match["level"], f"{match['logger']}: {redaction.text(match['message'])}")
        return " ".join(filter(None, parts))
    if (match := _FRAME.fullmatch(line)) and match["file"] in modules():
        return f"  {match['file']}:{match['line']}"
    match = _ERROR.fullmatch(line)
    return match["name"] if match and isinstance(getattr(builtins, match["name"], None), type) else ""


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
        for number, id in enumerate(list(book.session_logs().values())[-SESSIONS:], start=1):
            try:
                session_log = book.session_log(id)
                rows += _session(_redacted_session(session_log, number, redaction))
                shown.append(f"session {number}: {_outcome(session_log)}")
            except (DamagedRecord, MalformedText):
                shown.append(f"session {number}: it can't be read, and is left out")
        rows += _audits(book, redaction)
        rows += [(_LOG, (moment(at), *map(redaction.text, texts))) for at, *texts in book.log(LOG_LINES)]
    return _file(rows), shown


def _redacted_session(session_log: SessionLog, number: int, redaction: Redaction) -> SessionLog:
    head = session_log.head
    named = replace(head, version=redaction.text(head.version), begun=moment(head.begun), event="")
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
        kind, name, last = redaction.text(each.kind), redaction.name(each.name), moment(each.last)
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

Nothing in here was copied. Of messages and of the log, the words of this program are kept, and values such
as a number, a seat, or a port as every Linux has it. An ellipsis (…) is in the place of everything else. The
event and titles are left out. Names that somebody has made up for devices, ports and files have stand-ins
such as name-1, the same for the same thing everywhere, and so have the numbers of tags. store.db can be
replayed:
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
    findings: Sequence[Finding],
    measured: dict[str, Any],
    log: Sequence[str] | None,
) -> tuple[list[str], bytes]:
    """What is in the bundle, line by line, and all of it; `measured` is made of numbers."""
    redaction = Redaction()
    known = list(_settings_and_wiring(checked, redaction))  # first: other texts may have the names in it
    seen = [_redacted_finding(finding, redaction) for finding in findings]
    facts = {"version": __version__, **measured}
    parts = [
        _data("findings.json", as_data(seen, facts), "the findings, for programs"),
        _lines("findings.txt", text_lines(seen), "the findings, for people"),
        _data("versions.json", _versions(system, redaction), "kernel, clock, libraries"),
        *known,
    ]
    if log is not None:
        parts.append(_lines("log.txt", redacted_log(log, redaction), "the last log lines"))
    if checked.store is not None:
        try:
            store, sessions = sessions_of(system.at(checked.store.file), redaction)
        except (TableError, OSError) as error:
            parts.append(_lines("sessions.txt", [redaction.text(str(error))], "why there is no store"))
        else:
            parts.append(_lines("sessions.txt", sessions, "what a replay of each session has shown"))
            parts.append(BundleFile("store.db", store, "the last sessions with every input, audits, log"))
    contents = [f"{part.name:<16} {len(part.data):>10,} bytes  {part.words}" for part in parts]
    readme = README.format(contents="\n".join(contents))
    return contents, _packed([BundleFile("README.txt", readme.encode(), ""), *parts])


def _settings_and_wiring(checked: CheckedTable, redaction: Redaction) -> Iterable[BundleFile]:
    if checked.config is not None:
        config = plain(replace(checked.config, event="", profiles={}, ports={}))
        yield _data("config.json", redaction.data(config), "the settings in force")
    for profile in checked.profiles:
        name = "wiring.json" if profile is checked.profile else f"wiring-{profile.game}.json"
        wiring = redaction.data(plain(replace(profile, title="", board="", build=BuildChoices())))
        yield _data(name, wiring, f"the wiring profile for {profile.game}")


def _redacted_finding(finding: Finding, redaction: Redaction) -> Finding:
    subject, seen, advice = map(redaction.text, (finding.subject, finding.seen, finding.advice))
    return replace(finding, subject=subject, seen=seen, advice=advice)


def _versions(system: System, redaction: Redaction) -> dict[str, Any]:
    machine = plain(look_at_machine(system))
    texts = {name: redaction.text(value) for name, value in machine.items() if isinstance(value, str)}
    libraries = {name: redaction.text(version) for name, version in machine["libraries"].items()}
    return {"ligretto-table": __version__, **machine, **texts, "libraries": libraries}


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
