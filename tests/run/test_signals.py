"""What the system asks for by signals."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Iterator

import pytest

from firmware_host.run.system import END, READ_AGAIN, UnixSignals


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
