"""A PIN at the table's sign: there for a minute, nowhere else, and never in the way of a round."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.model.errors import MalformedText
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from firmware_host.run.operator_commands import PIN_NS, NotPossible, obey
from firmware_host.run.table_sockets import CommandInlet
from tests.run.evenings import R1, Evening, evening

PIN = "402915"
SHOWN = (f"PIN {PIN}", "")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    with evening(tmp_path) as each:
        each.start()
        each.wait(1 * S)
        yield each


def test_it_is_at_the_sign_for_a_minute(table: Evening) -> None:
    before = table.room.sign
    assert obey(table.host, f"show-pin {PIN}").record == {"takes_effect": "now"}
    table.wait(1 * S)
    assert table.room.sign == SHOWN
    table.wait(PIN_NS - 2 * S)
    assert table.room.sign == SHOWN
    table.wait(2 * S)
    assert table.room.sign == before


def test_the_feed_and_the_journal_know_nothing_of_it(table: Evening) -> None:
    obey(table.host, f"show-pin {PIN}")
    table.wait(1 * S)
    shell = table.host.recorded.shell
    assert PIN not in " ".join(shell.referee.page)
    assert PIN not in repr(table.effects)
    table.host.flush()
    assert PIN not in "\n".join(map(str, table.log("service")))


def test_it_makes_way_for_a_round(table: Evening) -> None:
    table.tap(1)
    table.tap(2)
    table.until_phase(Phase.JOIN)
    obey(table.host, f"show-pin {PIN}")
    table.wait(1 * S // 10)
    assert table.room.sign == SHOWN
    table.play()
    assert table.room.sign != SHOWN
    with pytest.raises(NotPossible, match="between two rounds"):
        obey(table.host, f"show-pin {PIN}")


def test_it_does_not_hide_the_counts_that_are_checked(tmp_path: Path) -> None:
    with evening(tmp_path) as table:
        table.start(replace(table.config, rounds=1, handicap=(23, 11)))
        table.play()
        table.place(1, R1)
        table.until_phase(Phase.SETTLE)
        with pytest.raises(NotPossible, match="between two rounds"):
            obey(table.host, f"show-pin {PIN}")


def test_a_table_without_a_sign_says_so(tmp_path: Path) -> None:
    """So that the command that made the PIN prints it."""
    with evening(tmp_path, "dice4-direct") as table:
        table.start()
        with pytest.raises(NotPossible, match="this table has no sign"):
            obey(table.host, f"show-pin {PIN}")


@pytest.mark.parametrize("text", ["show-pin", "show-pin 12 34", "show-pin abc", "show-pin 1234567890123"])
def test_it_has_digits_only(text: str, table: Evening) -> None:
    with pytest.raises(MalformedText):
        obey(table.host, text)


def test_the_log_does_not_say_it(table: Evening, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    desk = CommandInlet(tmp_path)
    desk.obey = lambda text: obey(table.host, text)
    with caplog.at_level(logging.DEBUG), socket.socket(socket.AF_UNIX) as operator:
        operator.connect(str(tmp_path / TELL_SOCKET))
        operator.settimeout(10)
        operator.sendall(json.dumps({"tell": f"show-pin {PIN}"}).encode() + b"\n")
        for _ in range(3):
            desk.look()
        assert json.loads(operator.recv(1000))["ok"] is True
    desk.close()
    assert "show-pin" in caplog.text and PIN not in caplog.text
