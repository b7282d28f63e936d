"""A Unix socket at which others send and get lines. It never waits for anybody.

The loop of the table watches one descriptor (an epoll) for all peers. Whoever sends too much, or does not
read what it gets, is told so and dropped. A socket that is removed comes back by itself; while file
descriptors are short, newcomers wait.
"""

from __future__ import annotations

import errno
import logging
import os
import resource
import select
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from firmware_host.feed.feed_client import LineSplitter
from firmware_host.model.errors import TableError

MOST_PEERS = 32
MOST_OF_ONE_USER = 16
"""If all places are taken, a user who has fewer gets one of the user who has the most."""
LET_IN_AT_ONCE = 256
"""So many newcomers are let in before the table has its turn again."""
WAIT_TO_BE_LET_IN = 4096
"""So many may wait for that."""
SPARE = 4
"""So many file descriptors are kept for the table's own files, such as its health page."""
AGAIN_S = 1.0
"""How often it is looked whether the socket is in its place, and whether there are descriptors again."""
LONGEST_LINE = 4096
MOST_WAITING = 1 << 20
"""So many bytes may wait for a peer that does not read."""
READ_AT_ONCE = 4096
LINES_AT_ONCE = 16
"""So many lines of a peer are taken before the table has its turn again."""
PATIENCE_S = 5.0
"""How long a peer may take to say its first line, and to read the last word to it."""
LOG_EVERY_S = 60.0
"""Whoever is refused again and again does not fill the log."""
_REFUSED = "too many connections; one of user %d is refused"
_CREDENTIALS = struct.Struct("3i")
_CROWDED = b'{"is":"dropped","why":"you have the most connections, and another user came"}\n'
_GONE = select.EPOLLHUP | select.EPOLLERR

log = logging.getLogger(__name__)


class SocketUnusable(TableError):
    """Nobody can listen there."""


class Peer:
    """Somebody at the other end of a connection."""

    def __init__(self, connected: socket.socket, uid: int, poll: select.epoll) -> None:
        self.connected = connected
        self.uid = uid
        self.since_s = time.monotonic()
        self.said_something = False
        self.gone = False
        self.leaving = False
        """Whether it gets what waits for it, and is then hung up on."""
        self.owed = 0
        """So many answers it is still to get before it is hung up on."""
        self.lines = LineSplitter()
        self._waiting = bytearray()
        self._poll = poll
        self._mask = select.EPOLLIN
        poll.register(connected, self._mask)

    def send(self, lines: bytes, last_word: bytes = b"") -> None:
        """Send whole lines, at once or as soon as they can be; `last_word` is for one that does not read."""
        if self.leaving and not self.owed:
            return
        self._waiting += lines
        self.flush()
        if len(self._waiting) > MOST_WAITING:
            end = self._waiting.find(b"\n") + 1  # the rest of the line that was begun
            del self._waiting[end:]
            self.leave(last_word)

    def leave(self, last_word: bytes = b"") -> None:
        """Hang up when this has been sent, too."""
        if not self.leaving:
            self.leaving, self.since_s = True, time.monotonic()
            self._waiting += last_word
            self.flush()

    def flush(self) -> None:
        """Send what waits, as far as it can be sent now."""
        if self.gone:
            return
        try:
            while self._waiting:
                del self._waiting[: self.connected.send(self._waiting)]
        except BlockingIOError:
            pass  # later
        except OSError:  # it has hung up
            self._waiting.clear()
            self.leaving = True
        self._watch(select.EPOLLOUT, bool(self._waiting))

    def stop_listening(self) -> None:
        """It says nothing any more, and may still read."""
        self._watch(select.EPOLLIN, False)

    @property
    def done(self) -> bool:
        """Whether it may be hung up on."""
        return self.leaving and not self._waiting and not self.owed

    def _watch(self, what: int, wanted: bool) -> None:
        mask = self._mask | what if wanted else self._mask & ~what
        if mask != self._mask:
            self._mask = mask
            self._poll.modify(self.connected, mask)


class LineServer:
    """Listens at a path. `on_line` gets each line of a peer; `on_silence` gets a peer that only listens."""

    def __init__(
        self,
        path: Path,
        mode: int,
        on_line: Callable[[Peer, bytes], None],
        on_silence: Callable[[Peer], None] | None = None,
        greeting: bytes = b"",
        *,
        must_listen: bool = True,
    ) -> None:
        """SocketUnusable if nobody can listen there; without `must_listen` it is tried again and again."""
        self.path = path
        self.peers: dict[int, Peer] = {}
        self.fault = ""
        """Why nobody can connect; empty if that is possible."""
        self._mode = mode
        self._on_line = on_line
        self._on_silence = on_silence
        self._greeting = greeting
        self._logged_s: dict[str, float] = {}
        self._listening: socket.socket | None = None
        self._inode: tuple[int, int] | None = None
        self._paused = False
        self._looked_s = time.monotonic()
        self._poll = select.epoll()
        try:
            self._listen()
        except SocketUnusable as error:
            if must_listen:
                self._poll.close()
                raise
            self._note_fault(str(error))

    def fileno(self) -> int:
        """A descriptor that is readable while there is something to do."""
        return self._poll.fileno()

    def look(self) -> None:
        """Do what can be done at once: let peers in, take what they say, send what waits for them."""
        newcomers = False
        for number, mask in self._poll.poll(0):
            peer = self.peers.get(number)
            if peer is None:
                newcomers = True
                continue
            if mask & select.EPOLLIN:
                self._hear(peer)
            if mask & select.EPOLLOUT:
                peer.flush()
            if mask & _GONE:
                self._hang_up(number)
        if (
            newcomers and self._listening is not None
        ):  # at last: one may get the descriptor of whom it replaces
            self._let_in(self._listening)
        self._lose_patience()
        if time.monotonic() - self._looked_s >= AGAIN_S:
            self._look_after_place()

    def close(self) -> None:
        """Hang up on all, and listen no longer."""
        for number in list(self.peers):
            self._hang_up(number)
        self._poll.close()
        if self._listening is not None:
            self._listening.close()
        if self._is_in_place:
            with suppress(OSError):
                self.path.unlink()

    # -- the place

    def _listen(self) -> None:
        before, self._listening = self._listening, _listening_at(self.path, self._mode)
        self._inode = _inode(self.path)
        self._poll.register(self._listening, select.EPOLLIN)
        if before is not None:
            before.close()

    @property
    def _is_in_place(self) -> bool:
        return self._inode is not None and self._inode == _inode(self.path)

    def _look_after_place(self) -> None:
        """Listen again if the socket was removed; accept again after a pause."""
        self._looked_s = time.monotonic()
        try:
            if not self._is_in_place:
                self._listen()
                log.info("%s: it is there again", self.path)
            elif self._paused and self._listening is not None:
                self._poll.register(self._listening, select.EPOLLIN)
            self._paused, self.fault = False, ""
        except SocketUnusable as error:
            self._note_fault(str(error))

    def _note_fault(self, fault: str) -> None:
        if fault != self.fault:
            log.warning("%s; it is tried again and again", fault)
        self.fault = fault

    # -- peers

    def _let_in(self, listening: socket.socket) -> None:
        """Let in all who wait; while file descriptors are short nobody."""
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        for _ in range(LET_IN_AT_ONCE):
            try:
                os.close(following := os.dup(listening.fileno()))
                if following >= limit - SPARE:
                    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
                self._welcome(listening.accept()[0])
            except BlockingIOError:  # that were all
                return
            except OSError as error:
                self._paused = True
                self._poll.unregister(listening)
                self._log_now_and_then("%s; newcomers wait", error.strerror)
                return

    def _welcome(self, connected: socket.socket) -> None:
        """Let one in, or refuse it quickly, if its user has too many, or the most while there is no room."""
        uid = _uid(connected)
        users = Counter(each.uid for each in self.peers.values())
        users[uid] += 1
        most, full = max(users.values()), len(self.peers) >= MOST_PEERS
        if users[uid] > MOST_OF_ONE_USER or (full and users[uid] == most):
            self._log_now_and_then(_REFUSED, uid)
            connected.close()
            return
        if full:
            goes = [each for each in self.peers.values() if users[each.uid] == most][-1]
            self._log_now_and_then(_REFUSED, goes.uid)
            goes.leave(_CROWDED)
            self._hang_up(goes.connected.fileno())
        connected.setblocking(False)
        peer = self.peers[connected.fileno()] = Peer(connected, uid, self._poll)
        if self._greeting:
            peer.send(self._greeting)

    def _log_now_and_then(self, words: str, about: object) -> None:
        now_s = time.monotonic()
        if now_s - self._logged_s.get(words, -LOG_EVERY_S) >= LOG_EVERY_S:
            self._logged_s[words] = now_s
            log.warning(f"%s: {words}", self.path.name, about)

    def _hear(self, peer: Peer) -> None:
        try:
            received = peer.connected.recv(READ_AT_ONCE)
        except OSError:
            self._hang_up(peer.connected.fileno())
            return
        if not received:
            peer.stop_listening()
            if not peer.said_something and self._on_silence is not None:
                peer.said_something = True
                self._on_silence(peer)
            elif self._on_silence is None:
                peer.leave()
            return
        lines = peer.lines.take(received)
        for line in lines[:LINES_AT_ONCE]:
            peer.said_something = True
            self._on_line(peer, line)
        if len(peer.lines.rest) > LONGEST_LINE or len(lines) > LINES_AT_ONCE:
            peer.stop_listening()
            peer.leave(b'{"is":"dropped","why":"too much at once"}\n')

    def _lose_patience(self) -> None:
        if not self.peers:
            return
        before_s = time.monotonic() - PATIENCE_S
        for number, peer in list(self.peers.items()):
            if peer.done or (peer.since_s < before_s and (peer.leaving or not peer.said_something)):
                self._hang_up(number)

    def _hang_up(self, number: int) -> None:
        peer = self.peers.pop(number, None)
        if peer is not None:
            peer.gone = True
            self._poll.unregister(peer.connected)
            peer.connected.close()


def _uid(connected: socket.socket) -> int:
    credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    uid: int = _CREDENTIALS.unpack(credentials)[1]
    return uid


def _listening_at(path: Path, mode: int) -> socket.socket:
    """A listening socket, also in place of that of a process that was killed."""
    try:
        if _somebody_listens(path):
            raise SocketUnusable(f"{path}: another process listens there")
        with ExitStack() as opened:
            kind = socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
            listening = opened.enter_context(socket.socket(socket.AF_UNIX, kind))
            if path.is_socket():
                path.unlink()
            os.fchmod(listening.fileno(), 0o600)  # that of its file, so nobody is too early
            listening.bind(str(path))
            path.chmod(mode)
            listening.listen(WAIT_TO_BE_LET_IN)
            opened.pop_all()
            return listening
    except OSError as error:
        raise SocketUnusable(f"{path}: nothing can listen there: {error.strerror or error}") from None


def _somebody_listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trying:
        trying.settimeout(1.0)
        try:
            trying.connect(str(path))
        except BlockingIOError:
            return True  # so many wait there already
        except OSError:
            return False
        return True


def _inode(path: Path) -> tuple[int, int] | None:
    """Which file is there; None if there is none, or nobody can tell."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
