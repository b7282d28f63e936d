"""A Unix socket at which others send and get lines. It never waits for anybody.

The loop of the table watches one descriptor (an epoll) for all peers. Whoever sends too much, or does not
read what it gets, is told so and dropped.
"""

from __future__ import annotations

import logging
import os
import select
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware_host.errors import TableError

MOST_PEERS = 32
MOST_OF_ONE_USER = 16
"""If all places are taken, a user who has fewer gets one of the user who has the most."""
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
_CREDENTIALS = struct.Struct("3i")
_CROWDED = b'{"is":"dropped","why":"you have the most connections, and another user came"}\n'
_GONE = select.EPOLLHUP | select.EPOLLERR

log = logging.getLogger(__name__)


class SocketUnusable(TableError):
    """Nobody can listen there."""


class Peer:
    """Somebody at the other end of a connection."""

    def __init__(self, connected: socket.socket, poll: select.epoll) -> None:
        self.connected = connected
        self.uid = _uid(connected)
        self.since_s = time.monotonic()
        self.said_something = False
        self.gone = False
        self.leaving = False
        """Whether it gets what waits for it, and is then hung up on."""
        self.owed = 0
        """So many answers it is still to get before it is hung up on."""
        self.received = bytearray()
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
    ) -> None:
        """Raises SocketUnusable if nobody can listen there."""
        self.path = path
        self.peers: dict[int, Peer] = {}
        self._on_line = on_line
        self._on_silence = on_silence
        self._greeting = greeting
        self._logged_s: float | None = None
        self._listening = _listening_at(path, mode)
        self._poll = select.epoll()
        self._poll.register(self._listening, select.EPOLLIN)

    def fileno(self) -> int:
        """A descriptor that is readable while there is something to do."""
        return self._poll.fileno()

    def look(self) -> None:
        """Do what can be done at once: let peers in, take what they say, send what waits for them."""
        for number, mask in self._poll.poll(0):
            peer = self.peers.get(number)
            if peer is None:
                if number == self._listening.fileno():
                    self._let_in()
                continue
            if mask & select.EPOLLIN:
                self._hear(peer)
            if mask & select.EPOLLOUT:
                peer.flush()
            if mask & _GONE:
                self._hang_up(number)
        self._lose_patience()

    def close(self) -> None:
        """Hang up on all, and listen no longer."""
        for number in list(self.peers):
            self._hang_up(number)
        self._poll.close()
        self._listening.close()
        with suppress(OSError):
            self.path.unlink()

    # -- peers

    def _let_in(self) -> None:
        try:
            connected, _ = self._listening.accept()
        except OSError:  # it has gone again, or there are no descriptors left
            return
        connected.setblocking(False)
        peer = Peer(connected, self._poll)
        self.peers[connected.fileno()] = peer
        too_many = self._too_many(peer)
        if too_many is not None:
            self._log_refusal(too_many)
            too_many.leave(b"" if too_many is peer else _CROWDED)
            self._hang_up(too_many.connected.fileno())
        if too_many is not peer and self._greeting:
            peer.send(self._greeting)

    def _too_many(self, newcomer: Peer) -> Peer | None:
        """Who has to go: the newcomer, or the last peer of the user with the most; None if there is room."""
        users = Counter(each.uid for each in self.peers.values())
        most = max(users.values())
        if users[newcomer.uid] > MOST_OF_ONE_USER:
            return newcomer
        if len(self.peers) <= MOST_PEERS:
            return None
        if users[newcomer.uid] == most:
            return newcomer
        return [each for each in self.peers.values() if users[each.uid] == most][-1]

    def _log_refusal(self, peer: Peer) -> None:
        if self._logged_s is None or peer.since_s - self._logged_s >= LOG_EVERY_S:
            self._logged_s = peer.since_s
            log.warning("%s: too many connections; one of user %d is refused", self.path.name, peer.uid)

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
        peer.received += received
        *lines, rest = bytes(peer.received).split(b"\n")
        peer.received[:] = rest
        for line in lines[:LINES_AT_ONCE]:
            peer.said_something = True
            self._on_line(peer, line)
        if len(rest) > LONGEST_LINE or len(lines) > LINES_AT_ONCE:
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
    if _somebody_listens(path):
        raise SocketUnusable(f"{path}: another process listens there")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
    try:
        if path.is_socket():
            path.unlink()
        before = os.umask(0o177)  # nobody may use it before it has its mode
        try:
            listening.bind(str(path))
        finally:
            os.umask(before)
        path.chmod(mode)
        listening.listen()
    except OSError as error:
        listening.close()
        raise SocketUnusable(f"{path}: nothing can listen there: {error.strerror or error}") from None
    return listening


def _somebody_listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trying:
        trying.settimeout(1.0)
        try:
            trying.connect(str(path))
        except OSError:
            return False
        return True
