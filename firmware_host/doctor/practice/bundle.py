"""Packs what a helper wants to know into one file, without what says whose machine it is.

The file is there wholly or not at all. Its parts have no owner and no date, so it tells nothing by itself.
"""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.doctor.redaction import Redactor, Secret
from firmware_host.errors import TableError
from firmware_host.runtime.assembly.probing.storage import open_store_file
from firmware_host.runtime.whole_files import replace_whole

FOLDER = "ligretto-table"
LAST_LINES = 1000
PRIVATE = 0o600
MOST_BYTES = 64_000_000
"""A store that is bigger is left out: whoever wants it must ask for it."""
README = """What is in here, and what is not

{contents}

Replaced by words such as USER-1, HOST-1, SERIAL-1 and ADDRESS-1, the same word for the same thing
everywhere: names of users, events and the machine, homes, serial numbers, addresses of networks. Numbers
of tags are replaced by others. Look through it before you hand it on.
"""


class CannotPack(TableError):
    """The bundle can't be written."""


class Part(NamedTuple):
    """One file of a bundle."""

    name: str
    data: bytes
    words: str
    """What it is, in a few words."""


def data_part(name: str, data: Any, words: str, redactor: Redactor) -> Part:
    """A part that programs read, too."""
    text = json.dumps(redactor.data(data), indent=2, ensure_ascii=False)
    return Part(name, f"{text}\n".encode(), words)


def text_part(name: str, lines: Iterable[str], words: str, redactor: Redactor) -> Part:
    """A part for people, of the last lines of something."""
    last = list(lines)[-LAST_LINES:]
    return Part(name, "".join(f"{redactor.text(line)}\n" for line in last).encode(), words)


def store_part(path: Path, redactor: Redactor) -> Part:
    """A copy of the store as it is now; without one, the part says why."""
    if not path.exists():
        return Part("store.txt", b"there is no store yet\n", "why there is no store")
    if path.stat().st_size > MOST_BYTES:
        seen = f"the store has {path.stat().st_size / 1e6:.0f} MB, which is too much for a bundle\n"
        return Part("store.txt", seen.encode(), "why there is no store")
    try:
        data = _copy(path, redactor)
    except (sqlite3.Error, OSError) as error:
        seen = redactor.text(f"the store can't be read: {error}\n")
        return Part("store.txt", seen.encode(), "why there is no store")
    return Part("store.db", data, "the store: rounds with every input, results, audits")


def pack(path: Path, parts: Sequence[Part]) -> list[str]:
    """Write the bundle; what is in it, line by line."""
    contents = [f"{part.name:<16} {len(part.data):>10,} bytes  {part.words}" for part in parts]
    readme = README.format(contents="\n".join(contents)).encode()
    try:
        replace_whole(path, _packed([Part("README.txt", readme, ""), *parts]), PRIVATE)
    except OSError as error:
        raise CannotPack(f"{path} can't be written: {error.strerror or error}; name another file") from None
    return contents


def event_names(path: Path) -> Iterator[Secret]:
    """The names of events in a store; one that can't be read tells none, and goes into no bundle either."""
    with suppress(sqlite3.Error), closing(open_store_file(path)) as store:
        for (name,) in store.execute("SELECT DISTINCT event FROM matches").fetchall():
            yield Secret("EVENT", name)
            yield Secret("EVENT", json.dumps(name)[1:-1], of=name)  # as it stands in the journal's texts


def _packed(parts: Sequence[Part]) -> bytes:
    """Neither a name nor a time stands in its head."""
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


def _copy(path: Path, redactor: Redactor) -> bytes:
    """The store by SQLite's own way of copying, so that one in use is whole, and then redacted."""
    with tempfile.TemporaryDirectory(prefix="ligretto-table-") as folder:
        draft = Path(folder) / "store.db"
        with closing(open_store_file(path)) as source, closing(sqlite3.connect(draft)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.create_function("redacted", 1, redactor.data, deterministic=True)
            for table, columns in _tables(copy).items():
                changes = ", ".join(f'"{column}" = redacted("{column}")' for column in columns)
                copy.execute(f'UPDATE OR REPLACE "{table}" SET {changes}')
            copy.commit()
            copy.execute("VACUUM")  # or what was replaced would still stand in free pages
        return draft.read_bytes()


def _tables(connection: sqlite3.Connection) -> Mapping[str, list[str]]:
    """All tables with their columns of text."""
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found: dict[str, list[str]] = {}
    for name in names:
        columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        texts = [column[1] for column in columns if "TEXT" in column[2].upper()]
        if texts and not name.startswith("sqlite_"):
            found[name] = texts
    return found
