"""A socket at which others send and get lines: it serves many, waits for nobody, and gets rid of the rude."""

from __future__ import annotations

import os
import resource
import select
import socket
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from firmware_host.run import line_server
from firmware_host.run.line_server import LineServer, Peer, SocketUnusable
from tests.another_user import NOBODY, another_user, let_others_into, needs_root

TOO_MUCH = b'{"is":"dropped","why":"too much at once"}\n'


class Room:
    """A server that keeps what it hears, and answers each line with itself."""

    def __init__(
        self, folder: Path, mode: int = 0o666, greeting: bytes = b"", *, must_listen: bool = True
    ) -> None:
        self.heard: list[bytes] = []
        self.silent: list[Peer] = []
        self.peers: list[Peer] = []
        self.path = folder / "s"
        self.server = LineServer(
            self.path, mode, self._hear, self.silent.append, greeting, must_listen=must_listen
        )

    def _hear(self, peer: Peer, line: bytes) -> None:
        self.heard.append(line)
        if peer not in self.peers:
            self.peers.append(peer)
        peer.send(line + b"\n")

    @contextmanager
    def caller(self) -> Iterator[socket.socket]:
        """Somebody who is let in."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.path))
            self.server.look()
            yield connection

    def say(self, caller: socket.socket, text: bytes) -> None:
        caller.sendall(text)
        self.server.look()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    each = Room(tmp_path)
    yield each
    each.server.close()


def is_hung_up_on(caller: socket.socket) -> bool:
    """Whether all that comes any more is the end."""
    caller.settimeout(0.2)
    try:
        while caller.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True


def test_lines_go_both_ways(room: Room) -> None:
    with room.caller() as one, room.caller() as other:
        room.say(one, b"a\nb\n")
        room.say(other, b"c\n")
        assert (one.recv(100), other.recv(100)) == (b"a\nb\n", b"c\n")
    assert room.heard == [b"a", b"b", b"c"]


def test_a_line_may_come_in_pieces(room: Room) -> None:
    with room.caller() as caller:
        room.say(caller, b"hal")
        assert room.heard == []
        room.say(caller, b"lo\n")
    assert room.heard == [b"hallo"]


def test_its_descriptor_says_when_there_is_something_to_do(room: Room) -> None:
    def ready() -> bool:
        return bool(select.select([room.server.fileno()], [], [], 0)[0])

    assert not ready()
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(room.path))
        assert ready()
        room.server.look()
        assert not ready()
        caller.sendall(b"x\n")
        assert ready()
        room.server.look()
        assert not ready()
    assert ready()
    room.server.look()
    assert not ready() and not room.server.peers


def test_one_that_only_listens_says_so_by_closing_its_side(room: Room) -> None:
    with room.caller() as caller:
        caller.shutdown(socket.SHUT_WR)
        room.server.look()
        room.server.look()
        (peer,) = room.silent
        peer.send(b"news\n")
        assert caller.recv(100) == b"news\n"


def test_one_that_says_nothing_at_all_is_hung_up_on(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    with room.caller() as caller, room.caller() as other:
        room.say(other, b"x\n")
        monkeypatch.setattr(line_server, "PATIENCE_S", 0.0)
        room.server.look()
        assert is_hung_up_on(caller)
        assert len(room.server.peers) == 1


@pytest.mark.parametrize(
    "rude",
    [b"x" * (line_server.LONGEST_LINE + 1), b"x\n" * (line_server.LINES_AT_ONCE + 1)],
    ids=["a line without end", "many lines at once"],
)
def test_who_says_too_much_is_told_so_and_hung_up_on(room: Room, rude: bytes) -> None:
    with room.caller() as caller, room.caller() as other:
        caller.sendall(rude)
        for _ in range(4):
            room.server.look()
        received = b""
        while part := caller.recv(65536):
            received += part
        assert received.endswith(TOO_MUCH)
        room.say(other, b"still here\n")
        assert other.recv(100) == b"still here\n"
    assert len(room.heard) <= line_server.LINES_AT_ONCE + 1


def test_who_does_not_read_is_dropped_at_the_end_of_a_line(room: Room) -> None:
    line = b"y" * 9999 + b"\n"
    with room.caller() as caller, room.caller() as other:
        room.say(caller, b"x\n")
        room.say(other, b"x\n")
        lazy, quick = room.peers
        other.recv(100)
        sent = 0
        while not lazy.leaving:
            lazy.send(line, b"dropped\n")
            quick.send(b"news\n")
            assert other.recv(100) == b"news\n"
            sent += 1
            assert sent * len(line) < 4 * line_server.MOST_WAITING
        lazy.send(b"nothing goes out after the last word\n")
        received = b""
        while part := caller.recv(65536):
            received += part
            room.server.look()
        first, *lines, last = received.splitlines(keepends=True)
        assert (first, last) == (b"x\n", b"dropped\n") and set(lines) == {line}
        assert not lazy.gone or lazy not in room.server.peers.values()


def test_one_that_was_dropped_and_still_does_not_read_is_hung_up_on(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    with room.caller() as caller:
        room.say(caller, b"x\n")
        (peer,) = room.peers
        while not peer.leaving:
            peer.send(b"y" * 9999 + b"\n", b"dropped\n")
        room.server.look()
        assert room.server.peers
        monkeypatch.setattr(line_server, "PATIENCE_S", 0.0)
        room.server.look()
        assert peer.gone and not room.server.peers


def test_many_may_come_but_not_all_of_one_user(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    callers = []
    for _ in range(line_server.MOST_OF_ONE_USER + 3):
        caller = socket.socket(socket.AF_UNIX)
        caller.connect(str(room.path))
        room.server.look()
        callers.append(caller)
    assert len(room.server.peers) == line_server.MOST_OF_ONE_USER
    assert is_hung_up_on(callers[-1])
    assert caplog.messages == [f"s: too many connections; one of user {os.getuid()} is refused"]  # once
    for caller in callers:
        caller.close()
    room.server.look()
    with room.caller() as caller:
        room.say(caller, b"there is room again\n")
    assert room.heard == [b"there is room again"]


def users_of(room: Room) -> Counter[int]:
    return Counter(peer.uid for peer in room.server.peers.values())


def test_two_users_can_not_take_all_places(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as another user comes, the one with the most connections has one less."""
    coming: list[int] = []
    monkeypatch.setattr(line_server, "_uid", lambda _: coming.pop())
    with ExitStack() as all_:

        def caller_of(user: int) -> socket.socket:
            coming.append(user)
            return all_.enter_context(room.caller())

        callers = [caller_of(user) for user in (1, 2) for _ in range(line_server.MOST_OF_ONE_USER)]
        assert len(room.server.peers) == line_server.MOST_PEERS
        for user in (3, 4, 3):
            another = caller_of(user)
            room.say(another, b"a\n")
            assert another.recv(100) == b"a\n"
        assert users_of(room) == {1: 15, 2: 14, 3: 2, 4: 1}
        assert (
            callers[-1].recv(100)
            == b'{"is":"dropped","why":"you have the most connections, and another user came"}\n'
        )
        assert is_hung_up_on(callers[-1]) and not is_hung_up_on(callers[0])
        assert is_hung_up_on(caller_of(1)), "whoever has the most gets no more"
        assert users_of(room) == {1: 15, 2: 14, 3: 2, 4: 1}


def test_what_is_known_of_whom_somebody_replaces_is_not_taken_for_his(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He gets the file descriptor of whoever was hung up on, of whom there is news in the same look."""
    users = [2, 2, 1, 1, 1, 1]
    monkeypatch.setattr(line_server, "_uid", lambda _: users.pop())
    monkeypatch.setattr(line_server, "MOST_PEERS", 4)
    with ExitStack() as all_:
        crowd = [all_.enter_context(room.caller()) for _ in range(4)]
        newcomers = [all_.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2)]
        for each in newcomers:
            each.connect(str(room.path))
        for each in crowd:
            each.sendall(b"a\n")
        room.server.look()
        assert users_of(room) == {1: 2, 2: 2}
        for each in newcomers:
            each.settimeout(5)
            room.say(each, b"b\n")
            assert each.recv(100) == b"b\n"


def test_all_who_wait_are_let_in_at_once_so_nobody_stands_behind_a_crowd(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd, last = 3 * line_server.MOST_OF_ONE_USER, 2
    coming = [last, *[1] * crowd]
    monkeypatch.setattr(line_server, "_uid", lambda _: coming.pop())
    with ExitStack() as all_:
        for _ in range(crowd + 1):
            caller = all_.enter_context(socket.socket(socket.AF_UNIX))
            caller.connect(str(room.path))
        room.server.look()
        assert users_of(room) == {1: line_server.MOST_OF_ONE_USER, last: 1}


def test_whoever_is_gone_is_forgotten(room: Room) -> None:
    with room.caller() as caller:
        room.say(caller, b"x\n")
    (peer,) = room.peers
    peer.send(b"to nobody\n")
    room.server.look()
    assert peer.gone and not room.server.peers


def test_nobody_hears_more_after_the_end(tmp_path: Path) -> None:
    room = Room(tmp_path)
    with room.caller() as caller:
        room.server.close()
        assert is_hung_up_on(caller)
    assert not room.path.exists()


@contextmanager
def descriptors_left(count: int) -> Iterator[None]:
    """Only so many more files can be opened."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))
    with ExitStack() as fillers:
        while (filler := fillers.enter_context(socket.socket()).fileno()) < highest:
            pass
        resource.setrlimit(resource.RLIMIT_NOFILE, (filler + 1 + count, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("left", [0, line_server.SPARE], ids=["none", "those that the table needs itself"])
def test_while_descriptors_are_short_newcomers_wait_and_nothing_spins(
    room: Room, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    def ready() -> bool:
        return bool(select.select([room.server.fileno()], [], [], 0)[0])

    with room.caller() as friend, ExitStack() as all_:
        callers = [all_.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(3)]
        with descriptors_left(left):
            for caller in callers:
                caller.connect(str(room.path))
            room.server.look()
            assert not ready(), "the loop of the table would not come to rest"
            room.say(friend, b"a\n")
            assert friend.recv(100) == b"a\n"
            monkeypatch.setattr(line_server, "AGAIN_S", 0.0)
            look_again(room)
            with ExitStack() as own:  # the table still has what it needs itself
                for _ in range(left):
                    own.enter_context(socket.socket())
        assert caplog.messages == ["s: Too many open files; newcomers wait"]
        look_again(room)
        caller = callers[-1]
        caller.settimeout(5)
        room.say(caller, b"b\n")
        assert caller.recv(100) == b"b\n"


# -- where it listens


@needs_root
def test_its_mode_keeps_others_out(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    let_others_into(tmp_path / "open")
    closed, opened = Room(tmp_path, mode=0o660), Room(tmp_path / "open", mode=0o666)
    with another_user():
        assert os.geteuid() == NOBODY
        with socket.socket(socket.AF_UNIX) as caller, pytest.raises(PermissionError):
            caller.connect(str(closed.path))
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(opened.path))
    closed.server.close()
    opened.server.close()


def test_the_socket_of_a_process_that_was_killed_is_in_nobodys_way(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(tmp_path / "s"))
    room = Room(tmp_path)
    with room.caller() as caller:
        room.say(caller, b"x\n")
    assert room.heard == [b"x"]
    room.server.close()


def test_two_can_not_listen_at_one_place(room: Room, tmp_path: Path) -> None:
    with pytest.raises(SocketUnusable) as why:
        Room(tmp_path)
    assert str(why.value) == f"{room.path}: another process listens there"


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (lambda path: path.write_text("a file"), "nothing can listen there: Address already in use"),
        (lambda path: path.parent.rmdir(), "nothing can listen there: No such file or directory"),
    ],
)
def test_where_nobody_can_listen(tmp_path: Path, prepare: Callable[[Path], None], reason: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    prepare(folder / "s")
    with pytest.raises(SocketUnusable, match=reason):
        Room(folder)
    assert not (folder / "s").exists() or (folder / "s").read_text() == "a file"


# -- where it is not always possible


def look_again(room: Room) -> None:
    """Look so late that it is looked after the place, too, and then at who has come meanwhile."""
    room.server.look()
    room.server.look()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks after its place each time."""
    monkeypatch.setattr(line_server, "AGAIN_S", 0.0)


@pytest.mark.usefixtures("impatient")
def test_a_socket_that_was_removed_comes_back_and_nobody_is_hung_up_on(tmp_path: Path) -> None:
    room = Room(tmp_path, mode=0o660)
    with room.caller() as before:
        room.path.unlink()
        look_again(room)
        assert stat.S_IMODE(room.path.stat().st_mode) == 0o660
        with room.caller() as after:
            for caller in (before, after):
                room.say(caller, b"x\n")
                assert caller.recv(100) == b"x\n"
    assert room.server.fault == ""
    room.server.close()
    assert not room.path.exists()


@pytest.mark.usefixtures("impatient")
def test_while_nobody_can_listen_it_says_why_once_and_tries_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    room = Room(tmp_path / "folder", must_listen=False)
    why = f"{room.path}: nothing can listen there: No such file or directory"
    assert room.server.fault == why
    look_again(room)
    room.path.parent.mkdir()
    look_again(room)
    assert room.server.fault == ""
    assert caplog.messages == [f"{why}; it is tried again and again", f"{room.path}: it is there again"]
    with room.caller() as caller:
        room.say(caller, b"x\n")
        assert caller.recv(100) == b"x\n"
    room.server.close()


@pytest.mark.usefixtures("impatient")
def test_without_descriptors_a_socket_that_was_removed_comes_back_later(room: Room) -> None:
    room.path.unlink()
    with descriptors_left(0):
        look_again(room)
        assert room.server.fault == f"{room.path}: nothing can listen there: Too many open files"
    look_again(room)
    assert room.server.fault == "" and room.path.exists()


@pytest.mark.usefixtures("impatient")
def test_a_socket_of_somebody_else_in_its_place_is_left_to_him(room: Room, tmp_path: Path) -> None:
    room.path.unlink()
    other = Room(tmp_path)
    look_again(room)
    assert room.server.fault == f"{room.path}: another process listens there"
    room.server.close()
    assert room.path.exists()
    other.server.close()


def test_a_crowd_at_a_socket_means_that_somebody_listens_there(tmp_path: Path) -> None:
    with ExitStack() as all_:
        listening = all_.enter_context(socket.socket(socket.AF_UNIX))
        listening.bind(str(tmp_path / "s"))
        listening.listen(0)
        all_.enter_context(socket.socket(socket.AF_UNIX)).connect(str(tmp_path / "s"))
        with pytest.raises(SocketUnusable, match="another process listens there"):
            Room(tmp_path)
