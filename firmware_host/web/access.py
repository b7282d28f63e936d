"""Who is the operator: a PIN, of which only a hash is kept, and the logins of those who knew it.

The PIN is shown once, at the table's own sign. It is made when somebody asks for it; until somebody has
logged in with it, it may be asked for again, which makes another one. After that only
`ligretto-table web --new-pin` makes a new one, and ends all logins.

A login is a random token in a cookie. It is bound to the address that it was made for. Only the hash
of the token is kept, so the file gives nobody a login."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from firmware_host.files import PRIVATE, Draft
from firmware_host.web.shares import customer_of

PIN_DIGITS = 6
LOGIN_S = 18 * 3600
"""As long as an evening with all that is around it."""
MOST_LOGINS = 16
_N, _R, _P = 1 << 14, 8, 1
"""scrypt takes 16 MB and a fraction of a second on a Pi."""


@dataclass(frozen=True, slots=True)
class Login:
    """An operator who has logged in."""

    key: str
    """The hash of the token."""
    csrf: str
    """What each change has to be asked for with; not kept, it follows from the token."""


@dataclass(slots=True)
class Kept:
    """What the file says."""

    salt: str = ""
    pin: str = ""
    """The hash of the PIN; empty if there is none."""
    used: bool = False
    """Whether somebody has logged in with it."""
    sessions: dict[str, tuple[str, float]] = field(default_factory=dict)
    """The network and the end of each login."""


class Access:
    """The PIN and the logins, as kept in a file that others may change meanwhile."""

    def __init__(self, file: Path, now_s: Callable[[], float] = time.time) -> None:
        self._file = file
        self._now_s = now_s
        self._stamp: tuple[int, int] | None = None
        self._kept = Kept()
        self._busy = threading.RLock()
        """Hashing takes long and is done in threads."""

    # -- the PIN

    @property
    def has_pin(self) -> bool:
        """Whether there is a PIN that somebody has used: it is not shown again."""
        return self._read().used

    def new_pin(self) -> str:
        """A new PIN; the old one and all logins end."""
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        salt = secrets.token_bytes(16)
        kept = Kept(salt.hex(), _hashed(pin, salt))
        with self._busy:
            self._kept = kept
            self._write()
        return pin

    def log_in(self, pin: str, address: str) -> str | None:
        """The token of a new login; None if the PIN is wrong. Takes a while: call it in a thread."""
        kept = self._read()
        hashed = _hashed(pin, bytes.fromhex(kept.salt) or b"there is no PIN")
        if not hmac.compare_digest(hashed, kept.pin):
            return None
        with self._busy:
            if self._read().pin != hashed:
                return None  # there is a new one since
            self._kept.used = True
            return self.begin_login(address)

    # -- logins

    def begin_login(self, address: str) -> str:
        """The token of a new login for that address; the oldest ends if there are too many."""
        token = secrets.token_urlsafe(32)
        with self._busy:
            kept, now_s = self._read(), self._now_s()
            alive = {key: each for key, each in kept.sessions.items() if each[1] > now_s}
            oldest_first = sorted(alive, key=lambda key: alive[key][1])
            for key in oldest_first[: max(0, len(alive) + 1 - MOST_LOGINS)]:
                del alive[key]
            kept.sessions = alive | {_key(token): (customer_of(address), now_s + LOGIN_S)}
            self._write()
        return token

    def login(self, token: str, address: str) -> Login | None:
        """The login with that token, if it is of that address and not over."""
        if not token or len(token) > 100 or not token.isascii():
            return None
        key = _key(token)
        network, until_s = self._read().sessions.get(key, ("", 0.0))
        if until_s <= self._now_s() or network != customer_of(address):
            return None
        return Login(key, hmac.digest(token.encode(), b"csrf", "sha256").hex())

    def end_login(self, login: Login) -> None:
        """Log out."""
        with self._busy:
            if self._read().sessions.pop(login.key, None) is not None:
                self._write()

    # -- the file

    def _read(self) -> Kept:
        """What the file says now."""
        with self._busy:
            stamp = _stamp(self._file)
            if stamp != self._stamp:
                self._stamp = stamp
                self._kept = _kept_in(self._file)
            return self._kept

    def _write(self) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft = Draft(self._file, new_mode=PRIVATE)
            draft.write(json.dumps(asdict(self._kept)).encode())
            draft.put()
        except OSError as error:
            log.error("%s can't be written, so this is forgotten at the next start: %s", self._file, error)
        self._stamp = _stamp(self._file)


def same_token(given: str, wanted: str) -> bool:
    """Whether they are the same; how long that takes says nothing."""
    return hmac.compare_digest(given.encode(errors="replace"), wanted.encode())


def _kept_in(file: Path) -> Kept:
    try:
        record = json.loads(file.read_bytes())
        sessions = {str(key): (str(each[0]), float(each[1])) for key, each in record["sessions"].items()}
        salt, pin = bytes.fromhex(record["salt"]), bytes.fromhex(record["pin"])
        return Kept(salt.hex(), pin.hex(), record["used"] is True, sessions)
    except FileNotFoundError:
        pass
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OSError) as error:
        log.error("%s can't be read, so there is no PIN: %s", file, error)
    return Kept()


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns


def _hashed(pin: str, salt: bytes) -> str:
    return hashlib.scrypt(pin.encode(errors="replace"), salt=salt, n=_N, r=_R, p=_P).hex()


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


HEADER = "X-Command-Key"
_NAME = re.compile(r"web-[0-9]{1,5}\.json")
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
_ANSWER_S = 1.0


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CommandPass:
    """What commands on this machine need to do what the operator may: where the web process is, and a key.

    The web process writes it into a file of its own when it starts, and removes the file at its end. Whoever
    can read the file is its user or root. The key is made at each start: a file that was left behind opens
    nothing.
    """

    host: str
    port: int
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def address(self) -> str:
        """Where a command connects; a process that listens everywhere is reached from here, too."""
        return _LOOPBACK.get(self.host, self.host)

    @property
    def origin(self) -> str:
        """What a page of that process would name as its origin."""
        return f"http://{f'[{self.address}]' if ':' in self.address else self.address}:{self.port}"

    def put(self, folder: Path) -> None:
        """Leave it for commands; without it they say that no web process runs."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            draft = Draft(self._file(folder), mode=PRIVATE, durable=False)
            draft.write(json.dumps(asdict(self)).encode())
            draft.put()
        except OSError as error:
            log.error("%s can't be written, so no command finds this process: %s", self._file(folder), error)

    def withdraw(self, folder: Path) -> None:
        """Remove it, unless it is of another process by now."""
        with suppress(OSError):
            if _read(self._file(folder)) == self:
                self._file(folder).unlink()

    def _file(self, folder: Path) -> Path:
        return folder / f"web-{self.port}.json"

    @property
    def is_valid(self) -> bool:
        """Whether some process listens there; the one that wrote this may have been killed."""
        try:
            socket.create_connection((self.address, self.port), _ANSWER_S).close()
        except OSError:
            return False
        return True


def passes_in(folder: Path) -> list[CommandPass]:
    """Those of the web processes that run, by port; OSError if the folder may not be read."""
    files = [each for each in sorted(folder.iterdir()) if _NAME.fullmatch(each.name)]
    found = [each for each in map(_read, files) if each is not None and each.is_valid]
    return sorted(found, key=lambda each: each.port)


def _read(file: Path) -> CommandPass | None:
    """What the file says; None if that makes no sense."""
    with suppress(ValueError, TypeError, LookupError):
        record = json.loads(file.read_bytes())
        return CommandPass(str(record["host"]), int(record["port"]), str(record["key"]))
    return None
