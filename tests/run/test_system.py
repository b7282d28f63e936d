"""The daemon's log, written into real pipes and files; and that nobody waits for it."""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.model.times import MS, S
from firmware_host.run.system import (
    END,
    LEVELS,
    READ_AGAIN,
    ForPeople,
    Notifier,
    QueuedHandler,
    UnixSignals,
    Watchdog,
    is_journal,
    logging_to,
)
from hw.work import STUCK_NS

LOST = "were lost here"

log = logging.getLogger("tests.logs")


@pytest.fixture
def file(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "log", os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The two ends of a pipe that nobody reads yet; both are closed at the end."""
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def content(descriptor: int) -> list[str]:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 1_000_000).decode().splitlines()


def journal(descriptor: int) -> dict[str, str]:
    """The environment that systemd gives to a service whose output at the descriptor is the journal."""
    status = os.fstat(descriptor)
    return {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}


def test_a_person_gets_the_time(file: int) -> None:
    with logging_to(file, environment={}):
        log.warning("the pad of seat %d is silent", 3)
    (line,) = content(file)
    day, moment, rest = line.split(" ", 2)
    assert time.strptime(f"{day} {moment[:8]}", "%Y-%m-%d %H:%M:%S") and moment[8] == "."
    assert rest == "WARNING tests.logs: the pad of seat 3 is silent"


def test_no_line_steers_the_terminal_that_it_goes_to(file: int) -> None:
    with logging_to(file, environment={}):
        log.warning("%s can't be read", "a\x1b[2J\x9b\u202e")
    (line,) = content(file)
    assert line.endswith(": a\\u001b[2J\\u009b\\u202e can't be read")


def test_the_journal_gets_weights(file: int) -> None:
    with logging_to(file, "debug", environment=journal(file)):
        for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
            log.log(level, "so")
        log.log(logging.WARNING + 5, "more")
    assert [line[:3] for line in content(file)] == ["<7>", "<6>", "<4>", "<3>", "<2>", "<4>"]
    assert content(file)[0] == "<7>tests.logs: so"


def test_each_line_of_a_traceback_has_its_weight(file: int) -> None:
    with logging_to(file, environment=journal(file)):
        try:
            raise ValueError("two\nlines")
        except ValueError:
            log.exception("it broke")
    lines = content(file)
    assert len(lines) > 4 and all(line.startswith("<3>") for line in lines)
    assert lines[-1] == "<3>lines"


def test_only_the_journal_is_the_journal(file: int, pipe: tuple[int, int]) -> None:
    assert is_journal(file, journal(file))
    assert not is_journal(file, journal(pipe[1]))  # output that was sent elsewhere afterwards
    assert not is_journal(file, {})
    assert not is_journal(1_000_000, journal(file))


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_lets_through_what_weighs_as_much(level: str, file: int) -> None:
    before = logging.getLogger().level
    with logging_to(file, level, environment={}):
        for name in LEVELS:
            log.log(getattr(logging, name.upper()), "%s", name)
    assert [line.rsplit(" ", 1)[1] for line in content(file)] == list(LEVELS[LEVELS.index(level) :])
    assert logging.getLogger().level == before


def test_afterwards_nothing_goes_there_any_more(file: int) -> None:
    with logging_to(file, environment={}):
        log.warning("one")
    log.warning("two")
    assert len(content(file)) == 1


def test_a_blocked_pipe_blocks_nobody(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    handler = QueuedHandler(writing, ForPeople(), capacity=300, patience_s=0.0)
    done = threading.Event()

    def loop() -> None:
        for number in range(2000):
            handler.handle(record(f"{number} " + "x" * 1000))  # 65 of these fill the pipe
        done.set()

    threading.Thread(target=loop, daemon=True).start()
    assert done.wait(30), "whoever logs was held up"
    handler.close()  # gives up after its patience
    due = 0
    while due < 2000:  # each line is the next one, or says how many are missing before the next one
        for line in drained(reading, "\n"):
            number = int(line.split(": ", 1)[1].split()[0])
            gap = LOST in line
            assert gap or number == due
            due += number if gap else 1
    assert due == 2000


def test_a_gap_is_told_where_it_is(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    handler = QueuedHandler(writing, ForPeople(), capacity=3)
    while handler._lost < 7:  # the pipe is full first, then the queue
        handler.handle(record("x" * 4000))
    assert "7 log lines" in drained(reading, LOST)[-1]
    handler.handle(record("after"))
    assert drained(reading, "after")[-1].endswith("after"), "it is told once"
    handler.close()


def test_when_nobody_reads_any_more_the_log_ends() -> None:
    reading, writing = os.pipe()
    handler = QueuedHandler(writing, ForPeople())
    os.close(reading)
    handler.handle(record("into the void"))
    handler.close()
    assert not handler._thread.is_alive()
    os.close(writing)


def test_a_pipe_that_does_not_wait_gets_everything(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.set_blocking(writing, False)
    handler = QueuedHandler(writing, ForPeople())
    for number in range(200):
        handler.handle(record(f"{number} " + "x" * 1000))
    assert len(drained(reading, ": 199 ")) == 200
    handler.close()


def test_a_mistake_in_a_line_reaches_the_log_and_not_the_caller(file: int) -> None:
    handler = QueuedHandler(file, ForPeople())
    handler.handle(record("%d seats", "three"))
    handler.handle(record("whatever %s", "\udcff"))  # half a character, as in the name of a broken file
    handler.close()
    first, second = content(file)
    assert "a line could not be logged (TypeError" in first and first.endswith("'%d seats'")
    assert second.endswith(r"whatever \udcff")


def test_at_the_end_of_the_process_everything_is_written() -> None:
    script = (
        "import logging, os, signal\n"
        "from firmware_host.run.system import logging_to\n"
        "signal.signal(signal.SIGTERM, lambda *_: logging.getLogger('signal').warning('end'))\n"
        "with logging_to():\n"
        "    for number in range(500): logging.getLogger('loop').info('%d', number)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert [line.rsplit(" ", 1)[1] for line in done.stderr.splitlines()] == [*map(str, range(500)), "end"]


def test_a_process_ends_though_its_log_is_blocked(pipe: tuple[int, int]) -> None:
    script = (
        "import logging\n"
        "from firmware_host.run import system as logs\n"
        "handler = logs.QueuedHandler(2, logs.ForPeople(), patience_s=0.1)\n"
        "logging.getLogger().addHandler(handler)\n"
        "for number in range(500): logging.getLogger('loop').warning('x' * 1000)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stderr=pipe[1])
    try:
        assert child.wait(timeout=30) == 0
    finally:
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            child.wait()


def record(text: str, *arguments: str) -> logging.LogRecord:
    return logging.LogRecord("tests.logs", logging.WARNING, __file__, 1, text, arguments, None)


def drained(reading: int, until: str) -> list[str]:
    """The lines that come, up to and with the one that has that in it."""
    got = b""
    while until.encode() not in got or not got.endswith(b"\n"):
        piece = os.read(reading, 1_000_000)
        assert piece, "the log ended before that"
        got += piece
    return got.decode().splitlines()


@pytest.fixture
def signals() -> Iterator[UnixSignals]:
    with UnixSignals() as asked:
        yield asked


def readable(signals: UnixSignals) -> bool:
    return bool(select.select([signals.fileno()], (), (), 0)[0])


def send(number: int) -> None:
    os.kill(os.getpid(), number)


def test_nothing_is_asked_for_at_first(signals: UnixSignals) -> None:
    assert not signals.end and not signals.take_read_again() and not readable(signals)


@pytest.mark.parametrize("number", END)
def test_the_end_is_asked_for_and_stays_so(signals: UnixSignals, number: int) -> None:
    send(number)
    assert signals.end and readable(signals)
    signals.quiet()
    assert signals.end and not readable(signals)
    assert not signals.take_read_again()


def test_each_wish_for_another_reading_is_told_once(signals: UnixSignals) -> None:
    send(READ_AGAIN)
    assert readable(signals)
    signals.quiet()
    assert [signals.take_read_again(), signals.take_read_again()] == [True, False]
    send(READ_AGAIN)
    assert readable(signals) and signals.take_read_again()
    assert not signals.end


def test_several_wishes_at_once_are_one(signals: UnixSignals) -> None:
    for _ in range(3):
        send(READ_AGAIN)
    signals.quiet()
    assert not readable(signals)
    assert [signals.take_read_again(), signals.take_read_again()] == [True, False]


def test_only_the_end_ends_a_wait_that_must_not_be_cut_short(signals: UnixSignals) -> None:
    def is_ending() -> bool:
        return bool(select.select([signals.ending_fileno()], (), (), 0)[0])

    send(READ_AGAIN)
    assert readable(signals) and not is_ending()
    send(END[0])
    signals.quiet()
    assert is_ending() and not readable(signals)


def test_quiet_without_a_signal_does_nothing(signals: UnixSignals) -> None:
    signals.quiet()
    signals.quiet()
    assert not readable(signals)


def test_before_and_after_signals_do_what_they_did() -> None:
    before = [signal.getsignal(number) for number in (*END, READ_AGAIN)]
    with UnixSignals():
        inside = [signal.getsignal(number) for number in (*END, READ_AGAIN)]
    after = [signal.getsignal(number) for number in (*END, READ_AGAIN)]
    assert after == before
    assert not set(map(id, inside)) & set(map(id, before))


@pytest.mark.parametrize("asked", [True, False])
def test_once_the_process_was_asked_to_end_further_signals_are_ignored(asked: bool) -> None:
    before = {number: signal.getsignal(number) for number in (*END, READ_AGAIN)}
    try:
        with UnixSignals(last=True):
            if asked:
                send(signal.SIGTERM)
        after = {number: signal.getsignal(number) for number in (*END, READ_AGAIN)}
        assert after == (dict.fromkeys(before, signal.SIG_IGN) if asked else before)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_what_was_kept_until_they_opened_is_taken() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {READ_AGAIN})
    signal.pthread_kill(threading.get_ident(), READ_AGAIN)  # another thread of these tests would not keep it
    with UnixSignals() as signals:
        assert readable(signals) and signals.take_read_again()


def test_its_descriptor_is_given_back() -> None:
    with UnixSignals() as signals:
        descriptor = signals.fileno()
        os.fstat(descriptor)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
    assert signals.fileno() == -1


WATCHDOG_NS = 20 * S


class Listener(Notifier):
    """Notes when it was fed."""

    def __init__(self) -> None:
        super().__init__({"WATCHDOG_USEC": str(WATCHDOG_NS // 1000)})
        self.fed_ns: list[int] = []
        self.now_ns = 0

    def watchdog(self) -> None:
        self.fed_ns.append(self.now_ns)


@pytest.mark.parametrize("step_ns", [1 * S, 9 * S, 12 * S, 19 * S])
@pytest.mark.parametrize("first_ns", [0, 1, 5 * S, 9 * S + 999 * MS])
def test_long_steps_one_after_the_other_end_no_daemon(step_ns: int, first_ns: int) -> None:
    """On a bus that hangs a step may take longer than it usually could: that is told elsewhere."""
    listener = Listener()
    watchdog = Watchdog(listener)
    for now_ns in range(0, 120 * S, 100 * MS):
        listener.now_ns = now_ns
        for_ns = (now_ns - first_ns) % step_ns if now_ns >= first_ns else 0
        watchdog.look(now_ns, lambda: ["i2c"] if for_ns > STUCK_NS else [])  # noqa: B023
    gaps = [after - before for before, after in zip(listener.fed_ns, listener.fed_ns[1:], strict=False)]
    assert listener.fed_ns[0] == 0
    assert max(gaps) < WATCHDOG_NS


def test_what_does_not_come_back_is_told_once_and_fed_no_more(caplog: pytest.LogCaptureFixture) -> None:
    listener = Listener()
    watchdog = Watchdog(listener)
    for now_ns in range(0, 60 * S, S):
        listener.now_ns = now_ns
        watchdog.look(now_ns, lambda: ["i2c"] if now_ns > 15 * S else [])  # noqa: B023
    assert listener.fed_ns == [0, 10 * S]
    assert [record.getMessage() for record in caplog.records] == [
        "stuck: i2c; the watchdog is not fed any more"
    ]


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[socket.socket]:
    """The socket at which systemd listens."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(str(tmp_path / "notify") if request.param == "path" else f"\0ligretto-{os.getpid()}")
    listening.settimeout(5)
    yield listening
    listening.close()


def address(listening: socket.socket) -> str:
    """It as systemd puts it into the environment."""
    name = listening.getsockname()
    return name if isinstance(name, str) else name.decode().replace("\0", "@", 1)


def heard(listening: socket.socket) -> list[str]:
    """All messages that have arrived."""
    listening.setblocking(False)
    messages = []
    try:
        while True:
            messages.append(listening.recv(4096).decode())
    except BlockingIOError:
        return messages


def test_a_life_of_the_daemon(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    notifier.status("nobody plays")
    notifier.ready()
    notifier.watchdog()
    notifier.stopping()
    notifier.close()
    assert heard(systemd) == ["STATUS=nobody plays", "READY=1", "WATCHDOG=1", "STOPPING=1"]


def test_reloading_tells_when_it_began(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    before_us = time.monotonic_ns() // 1000
    notifier.reloading()
    notifier.ready()
    notifier.close()
    first, second = heard(systemd)
    reloading, moment = first.split("\n")
    name, at_us = moment.split("=")
    assert (reloading, name, second) == ("RELOADING=1", "MONOTONIC_USEC", "READY=1")
    assert before_us <= int(at_us) <= time.monotonic_ns() // 1000


def test_a_status_is_one_line_and_told_once(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    for text in ("round 2\nof 4", "round 2 of 4", "round 3 of 4"):
        notifier.status(text)
    notifier.close()
    assert heard(systemd) == ["STATUS=round 2 of 4", "STATUS=round 3 of 4"]


def test_without_a_socket_nothing_happens(caplog: pytest.LogCaptureFixture) -> None:
    notifier = Notifier({})
    for tell in (notifier.ready, notifier.reloading, notifier.stopping, notifier.watchdog, notifier.close):
        tell()
    notifier.status("nobody plays")
    assert caplog.records == []


def test_after_closing_nothing_is_told(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    notifier.close()
    notifier.close()
    notifier.ready()
    assert heard(systemd) == []


@pytest.mark.parametrize("where", ["vsock:2:1234", "relative/socket"])
def test_a_socket_of_another_kind_is_told_and_left_alone(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": where})
    notifier.ready()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert where in caplog.text


def test_what_fails_is_logged_once_and_made_good(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "notify"
    notifier = Notifier({"NOTIFY_SOCKET": str(path)})
    notifier.ready()  # nobody listens yet
    notifier.watchdog()
    notifier.status("nobody plays")
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "systemd could not be notified of 'READY=1'"
    ]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))
        notifier.watchdog()
        assert heard(listening) == ["READY=1", "STATUS=nobody plays", "WATCHDOG=1"]
    notifier.close()


def test_a_listener_that_is_stuck_holds_nobody_up(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    for number in range(5000):  # far more than any queue of the kernel takes
        notifier.status(f"round {number}")
    first = heard(systemd)
    assert first[0] == "STATUS=round 0" and len(first) < 4000
    notifier.watchdog()  # now there is room again
    notifier.close()
    last = heard(systemd)
    assert last == ["STATUS=round 4999", "WATCHDOG=1"]


def test_what_is_owed_to_a_listener_that_is_stuck_is_never_lost(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    for number in range(5000):
        notifier.status(f"round {number}")
    notifier.ready()
    notifier.reloading()
    notifier.ready()
    for number in range(20):
        notifier.status(f"match {number}")
    heard(systemd)
    notifier.watchdog()
    notifier.close()
    kinds = [each.partition("=")[0] for each in heard(systemd)]
    assert kinds == ["RELOADING", "READY", "STATUS", "WATCHDOG"]


@pytest.mark.parametrize(
    ("environment", "limit_ns"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20_000_000_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}, 20_000_000_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid() + 1)}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "²"}, None),
    ],
)
def test_the_watchdog_is_as_systemd_asks_for_it(environment: dict[str, str], limit_ns: int | None) -> None:
    notifier = Notifier(environment)
    assert notifier.watchdog_ns == limit_ns
    assert notifier.watchdog_every_ns == (None if limit_ns is None else limit_ns // 2)
