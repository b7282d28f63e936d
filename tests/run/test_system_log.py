"""The daemon's log, written into real pipes and files; and that nobody waits for it."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.run.system import LEVELS, ForPeople, QueuedHandler, is_journal, logging_to

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
