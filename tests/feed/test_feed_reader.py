"""The reader of the feed, over real sockets: what it understands, and how it says that it can't go on."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from firmware_host.feed import feed_client
from firmware_host.feed.addresses import FAULTS_SOCKET
from firmware_host.feed.feed_client import FeedLost, FeedReader, NotTold, tell_faults, tell_table
from firmware_host.feed.teller import hello, message

SNAPSHOT = message(
    "snapshot", session="7", n=4, t_ns=1, state={"phase": "play"}, lamps="7ff", page=["a", "b"]
)


@contextmanager
def table(path: Path, *parts: bytes) -> Iterator[list[bytes]]:
    """Something that tells this, and hangs up; what it was asked."""
    asked: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def tell() -> None:
            connected, _ = listening.accept()
            with connected:
                asked.append(connected.recv(4096))
                for part in parts:
                    connected.sendall(part)

        thread = Thread(target=tell)
        thread.start()
        yield asked
        thread.join()


def lost(reader: FeedReader) -> str:
    """Why it ends."""
    with pytest.raises(FeedLost) as why:
        list(reader)
    reader.close()
    return str(why.value)


def test_it_folds_what_it_is_told(tmp_path: Path) -> None:
    step = message(
        "step", session="7", n=6, t_ns=2, state={"phase": None, "round": {"number": 1}}, lamps="000"
    )
    page = message("step", session="7", n=6, t_ns=3, page=["c"])
    with table(tmp_path / "s", hello(), SNAPSHOT, page + step) as asked:
        reader = FeedReader(tmp_path / "s")
        assert lost(reader) == "the table has hung up"
    assert asked == [b"{}\n"]
    assert reader.state == {"round": {"number": 1}}
    assert (reader.lamps, reader.page) == ("000", ("c",))
    assert (reader.session, reader.n) == ("7", 6)


def test_what_is_no_state_leaves_it_as_it_is(tmp_path: Path) -> None:
    felt = message("felt", seat=2, call=False, t_ns=9)
    with table(tmp_path / "s", SNAPSHOT, felt, message("something", new=True)):
        reader = FeedReader(tmp_path / "s")
        assert lost(reader) == "the table has hung up"
    assert (reader.state, reader.n) == ({"phase": "play"}, 4)


def test_a_message_may_come_in_pieces(tmp_path: Path) -> None:
    with table(tmp_path / "s", SNAPSHOT[:20], SNAPSHOT[20:]):
        reader = FeedReader(tmp_path / "s")
        assert next(iter(reader))["n"] == 4
        reader.close()


def test_what_has_come_by_now_can_be_read_at_once(tmp_path: Path) -> None:
    with table(tmp_path / "s", hello() + SNAPSHOT + hello()[:5]):
        reader = FeedReader(tmp_path / "s")
        kinds: list[str] = []
        while "snapshot" not in kinds:
            kinds += [each["is"] for each in reader.read()]
        assert kinds == ["hello", "snapshot"] and reader.n == 4
        with pytest.raises(FeedLost):
            reader.read()
        reader.close()


def test_it_asks_for_what_it_lacks(tmp_path: Path) -> None:
    with table(tmp_path / "s", SNAPSHOT) as asked:
        lost(FeedReader(tmp_path / "s", ("7", 4)))
    assert json.loads(asked[0]) == {"since": ["7", 4]}


def test_one_that_was_dropped_says_why(tmp_path: Path) -> None:
    with table(tmp_path / "s", message("dropped", why="you read too slowly; connect again")):
        assert lost(FeedReader(tmp_path / "s")) == "you read too slowly; connect again"


@pytest.mark.parametrize(
    "line", [b"\xff\n", b"[]\n", b"{}\n", b'{"is":"step"}\n', b'{"is":"dropped"}\n', b"7\n"]
)
def test_what_is_no_feed(tmp_path: Path, line: bytes) -> None:
    with table(tmp_path / "s", line):
        assert lost(FeedReader(tmp_path / "s")).startswith("this is not the feed of a table: ")


def test_nobody_listens(tmp_path: Path) -> None:
    with pytest.raises(FeedLost) as why:
        FeedReader(tmp_path / "s")
    assert str(why.value) == f"{tmp_path / 's'}: no table tells anything there (No such file or directory)"


def test_a_table_that_says_nothing_is_lost(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        listening.listen()
        reader = FeedReader(tmp_path / "s", silent_s=0.05)
        assert lost(reader) == "the table says nothing any more"


def test_a_table_that_breaks_off_is_lost(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        listening.listen()
        reader = FeedReader(tmp_path / "s")
        connected, _ = listening.accept()
        connected.close()  # with a line unread
        assert "hung up" in lost(reader)


def test_it_can_be_waited_for(tmp_path: Path) -> None:
    with table(tmp_path / "s", SNAPSHOT):
        reader = FeedReader(tmp_path / "s")
        assert reader.fileno() >= 0
        lost(reader)


@contextmanager
def crowded(path: Path) -> Iterator[socket.socket]:
    """A socket at which so many wait that nobody else can."""
    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as waiting:
        listening.bind(str(path))
        listening.listen(0)
        waiting.connect(str(path))
        yield listening


def test_where_too_many_wait_it_waits_for_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with crowded(tmp_path / "s") as listening:
        monkeypatch.setattr(
            "firmware_host.feed.feed_client.time.sleep", lambda _: listening.accept()[0].close()
        )
        reader = FeedReader(tmp_path / "s")
        connected, _ = listening.accept()
        with connected:
            assert connected.recv(100) == b"{}\n"
        reader.close()


def test_it_does_not_wait_for_ever_where_too_many_wait(tmp_path: Path) -> None:
    with crowded(tmp_path / "s"), pytest.raises(FeedLost) as why:
        FeedReader(tmp_path / "s", silent_s=0.0)
    assert str(why.value) == f"{tmp_path / 's'}: no table tells anything there (too many others wait there)"


@contextmanager
def desk(path: Path, answer: Callable[[bytes], list[bytes]]) -> Iterator[None]:
    """Something that answers this in parts, and hangs up."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def serve() -> None:
            connected, _ = listening.accept()
            with connected:
                for part in answer(connected.recv(4096)):
                    connected.sendall(part)

        thread = Thread(target=serve)
        thread.start()
        yield
        thread.join()


def refused(path: Path) -> str:
    with pytest.raises(NotTold) as why:
        tell_table(path, "pause")
    return str(why.value).removeprefix(f"{path}: ")


def test_the_answer_is_that_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with desk(path, lambda asked: [b'{"ok":', json.dumps(json.loads(asked)["tell"]).encode(), b"}\n"]):
        assert tell_table(path, "leftover 3 2") == {"ok": "leftover 3 2"}


def test_faults_are_told_to_the_world_of_a_simulated_table(tmp_path: Path) -> None:
    with desk(tmp_path / FAULTS_SOCKET, lambda asked: [asked]):
        assert tell_faults(tmp_path, "unplug left") == {"tell": "unplug left"}


def test_a_real_table_has_no_world_to_tell_of_faults(tmp_path: Path) -> None:
    with pytest.raises(NotTold, match="faults can only be injected at a simulated table"):
        tell_faults(tmp_path, "unplug left")


@pytest.mark.parametrize("answer", [[], [b"{"], [b"[1]\n"], [b"7\n"], [b"\xff\n"]])
def test_what_is_no_answer(tmp_path: Path, answer: list[bytes]) -> None:
    with desk(tmp_path / "s", lambda asked: answer):
        assert refused(tmp_path / "s") == "this is not the answer of a table"


def test_an_endless_answer_is_not_read_to_its_end(tmp_path: Path) -> None:
    with desk(tmp_path / "s", lambda asked: [b"x" * feed_client.LONGEST_ANSWER]):
        assert refused(tmp_path / "s") == "this is not the answer of a table"


def test_no_table_takes_commands(tmp_path: Path) -> None:
    assert refused(tmp_path / "s") == "no table listens there (No such file or directory)"


def test_a_table_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_client, "ANSWER_S", 0.05)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        listening.listen()
        assert refused(tmp_path / "s") == "the table does not answer"


def test_somebody_who_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may do everything, so the system's word is put in its mouth."""

    def forbidden(self: object, address: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("firmware_host.feed.feed_client.socket.socket.connect", forbidden)
    assert refused(tmp_path / "s") == "you may not tell this table anything; use sudo, or join its group"
