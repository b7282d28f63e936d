"""What an operator tells a running table over its socket, and what the table answers."""

from __future__ import annotations

import json
import logging
import random
import socket
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import Pause, format_event
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.run.operator_commands import PIN_NS, NotPossible, obey
from firmware_host.run.table_settings import ROWS
from tests.run.evenings import R1, Evening, evening

Tell = Callable[[str], dict[str, Any]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    with evening(tmp_path) as each:
        each.sockets_in = tmp_path
        each.start()
        each.wait(500 * MS)
        yield each


@pytest.fixture
def desk(table: Evening) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(table.file.parent / TELL_SOCKET))
        connection.settimeout(5)
        yield connection


@pytest.fixture
def ask(table: Evening, desk: socket.socket) -> Callable[[bytes], dict[str, Any]]:
    def ask(line: bytes) -> dict[str, Any]:
        desk.sendall(line + b"\n")
        table.wait(20 * MS)
        answer: dict[str, Any] = json.loads(desk.recv(65536))
        return answer

    return ask


@pytest.fixture
def tell(ask: Callable[[bytes], dict[str, Any]]) -> Tell:
    return lambda text: ask(json.dumps({"tell": text}).encode())


def why(answer: dict[str, Any]) -> str:
    assert answer["ok"] is False
    return str(answer["why"])


def test_only_the_table_s_own_group_may_tell_it_anything(table: Evening, tmp_path: Path) -> None:
    assert stat.S_IMODE((tmp_path / TELL_SOCKET).stat().st_mode) == 0o660


def test_a_match_is_started_paused_resumed_voided_and_ended(table: Evening, tell: Tell) -> None:
    phases = []
    for text in ("start 12,12,0,0 dealt", "wait", "pause", "resume", "void", "end"):
        if text == "wait":
            table.until_phase(Phase.PLAY)
        else:
            assert tell(text)["ok"] is True
        phases.append(table.phase.value)
    assert phases == ["countdown", "play", "paused", "play", "clear", "attract"]


def test_a_match_that_is_started_waits_until_everybody_has_dealt(table: Evening, tell: Tell) -> None:
    tell("start 12,12,0,0")
    table.wait(20 * S)
    assert table.phase is Phase.CLEAR and table.room.sign[0].startswith("Deal")
    table.tap(1, 2)
    table.until_phase(Phase.COUNTDOWN)


def test_a_match_at_all_open_seats_needs_no_numbers(table: Evening, tell: Tell) -> None:
    assert tell("start")["ok"] is True
    match = table.host.session.match
    assert match is not None and match.deal == (6, 6, 6, 6)


def test_a_command_is_answered_with_the_number_of_its_input(table: Evening, tell: Tell) -> None:
    tell("start 12,12,0,0 dealt")
    table.until_phase(Phase.PLAY)
    answer = tell("pause")
    assert answer == {"ok": True, "session": str(table.host.recorded.journal.id), "input": answer["input"]}
    with table.book() as book:
        session_log = book.last_session()
    assert session_log is not None
    entry = session_log.entries[answer["input"]]
    assert isinstance(entry.seen, Pause), format_event(entry.seen)  # type: ignore[arg-type]


def test_an_answer_has_the_id_of_its_question(table: Evening, ask: Callable[[bytes], dict[str, Any]]) -> None:
    assert ask(b'{"tell":"pause","id":7}')["id"] == 7
    assert ask(b'{"tell":"start","id":"a"}') | {"session": "", "input": 0} == {
        "id": "a",
        "ok": True,
        "session": "",
        "input": 0,
    }
    assert "id" not in ask(b'{"tell":"pause","id":[1]}')


def test_what_is_not_possible_now_is_refused_with_what_is(table: Evening, tell: Tell) -> None:
    assert why(tell("pause")) == "pause is not possible in ATTRACT; possible now: start"
    tell("start 6,6,6,6 dealt")
    assert why(tell("leftover 1 2")) == "leftover is not possible in COUNTDOWN; possible now: void, end"
    table.until_phase(Phase.PLAY)
    assert why(tell("resume")) == "resume is not possible in PLAY; possible now: pause, void, end"


def test_a_deal_that_can_not_be_is_refused(table: Evening, tell: Tell) -> None:
    assert "possible now: start" in why(tell("start 20,20,0,0"))
    assert table.phase is Phase.ATTRACT


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the command is missing; known: "),
        ("pauze", "'pauze' is unknown; known: "),
        ("x" * 3000, "x...' is unknown"),
        ("leftover 1", "'1' is not a leftover count; it looks like '3 2': seat, dice"),
        ("leftover 0 2", "'0' is no seat"),
        ("start 1,2,x", "'1,2,x' is no deal"),
        ("pause now", "now"),
        ("device left lost", "'device' is unknown"),
        ("press 3", "'press' is unknown"),
        ("set", "set needs a setting and a value"),
        ("set rounds 3 4", "set needs a setting and a value"),
        ("set colour red", "'colour' can't be set here; known: language, brightness"),
        ("set rounds many", "rounds can't be 'many'; allowed: 1 to "),
        ("set volume 11", "volume can't be '11'; allowed: 0 to "),
        ("set language xx", "language can't be 'xx'; allowed: one of de, en, fr, it, nl, es"),
        ("set seats 1", "seats can't be '1'; allowed: at least 2 of the seats 1 to 4"),
        ("set game chess", "game can't be 'chess'; allowed: one of dice"),
        ("set handicap 1,x", "handicap can't be '1,x'; allowed: how many fewer"),
        ("set handicap -99999999", "handicap can't be '-99999999'; allowed: how many fewer"),
        ("start 6,6,6,6 from \ud800", "what to tell is one line"),
        ("pause\n2026-11-19 gpio is lost", "what to tell is one line"),
    ],
)
def test_what_is_no_command_changes_nothing(table: Evening, tell: Tell, text: str, reason: str) -> None:
    before = table.host.recorded.journal.inputs
    assert reason in why(tell(text))
    assert table.host.recorded.journal.inputs == before and table.phase is Phase.ATTRACT


@pytest.mark.parametrize(
    "line",
    [
        *(b"pause", b"[]", b"{}", b"7", b"\xff\xfe", b"[" * 4000, b'{"tell'),
        *(b'{"tell":7}', b'{"tell":null}', b'{"tell":["pause"]}'),
    ],
)
def test_what_is_no_question_is_answered_with_how_it_looks(
    ask: Callable[[bytes], dict[str, Any]], line: bytes
) -> None:
    told = "what to tell is a text, such as 'leftover 3 2'"
    assert why(ask(line)) == (told if b'"tell":' in line else 'a line looks like {"tell": "pause", "id": 1}')


# -- settings


def test_a_setting_takes_effect_as_soon_as_no_match_is_played(table: Evening, tell: Tell) -> None:
    tell("start")
    assert tell("set rounds 3") == {"ok": True, "takes_effect": "as soon as no match is played"}
    match = table.host.session.match
    assert match is not None and match.rounds != 3
    tell("end")
    table.wait(1 * S)
    tell("start")
    match = table.host.session.match
    assert match is not None and match.rounds == 3


def test_a_setting_is_kept(table: Evening, tell: Tell) -> None:
    assert tell("set language nl")["ok"] is True
    table.wait(1 * S)
    assert table.room.sign[0] == "Druk om te spelen"
    table.stop()
    table.start()
    assert table.host.session.settings.language == "nl"
    assert "language was set to nl" in table.log("service")


def test_nothing_is_the_usual_again(table: Evening, tell: Tell) -> None:
    tell("set rounds 3")
    table.wait(1 * S)
    assert tell("set rounds")["ok"] is True
    table.wait(1 * S)
    assert table.host.session.table.rounds == table.config.rounds or table.config.rounds == 2
    assert table.host.wanted_config.rounds is None or table.host.wanted_config.rounds == table.config.rounds
    assert table.log("service")[-1] == "rounds was set to its default"


def test_a_match_of_too_few_open_seats_is_refused(table: Evening, tell: Tell) -> None:
    assert tell("set seats 1,2")["ok"] is True
    table.wait(1 * S)
    assert tell("start")["ok"] is True
    match = table.host.session.match
    assert match is not None and match.deal == (12, 12, 0, 0)


def test_nothing_is_commanded_in_service_mode(table: Evening, tell: Tell) -> None:
    table.open_door()
    assert why(tell("start")) == "start is not possible now: service"


# -- whatever is said


def test_an_operator_who_says_anything_at_all_stops_no_match(table: Evening) -> None:
    """Fuzzed: the table answers each line or hangs up, and the match goes on."""
    chance = random.Random(9)
    words = ["pause", "start", "set", "leftover", "void", "end"]
    words += ["1", "-1", "rounds", "3", "4,4", "\x00", "é", "{}"]
    said = 0
    for _ in range(60):
        with socket.socket(socket.AF_UNIX) as rude:
            rude.connect(str(table.file.parent / TELL_SOCKET))
            for _ in range(5):
                text = " ".join(chance.choices(words, k=chance.randrange(4)))
                line = json.dumps({"tell": text}).encode() if chance.random() < 0.7 else chance.randbytes(60)
                rude.sendall(line + b"\n")
                said += 1
            table.wait(20 * MS)
    table.wait(2 * S)
    assert said == 300 and not table.host._sockets.commands.server.peers  # type: ignore[union-attr]
    if table.phase is not Phase.ATTRACT:
        with socket.socket(socket.AF_UNIX) as operator:
            operator.connect(str(table.file.parent / TELL_SOCKET))
            operator.sendall(b'{"tell":"end"}\n')
            table.wait(2 * S)
    table.play(1, 2)
    table.place(1, R1)
    assert table.left[0] == table.host.session.match.deal[0] - 1  # type: ignore[union-attr]


def test_all_settings_are_told_with_what_is_allowed(table: Evening) -> None:
    record = obey(table.host, "settings").record
    assert list(record["settings"]) == list(ROWS)
    for each in record["settings"].values():
        assert each["allowed"]
        assert each["value"] in each.get("one_of", [each["value"]])
    assert record["usual_deal"] == "6,6,6,6"


def test_every_value_to_choose_from_is_allowed_and_told_afterwards(table: Evening) -> None:
    for name, each in obey(table.host, "settings").record["settings"].items():
        for value in each.get("one_of", ()):
            obey(table.host, f"set {name} {value}")
            assert obey(table.host, "settings").record["settings"][name]["value"] == value
            table.wait(1 * S)


def test_to_ask_changes_nothing(table: Evening) -> None:
    before = table.host.recorded.journal.inputs
    obey(table.host, "settings")
    assert table.host.recorded.journal.inputs == before


PIN = "402915"
SHOWN = (f"PIN {PIN}", "")


def test_it_is_at_the_sign_for_a_minute(table: Evening) -> None:
    before, begun_ns = table.room.sign, table.host.now_ns
    assert obey(table.host, f"show-pin {PIN}").record == {"takes_effect": "now"}
    table.wait(1 * S)
    assert table.room.sign == SHOWN
    table.tap(1)  # which makes another page, below the notice
    assert table.phase is Phase.JOIN and table.room.sign == SHOWN
    table.until_phase(Phase.ATTRACT, PIN_NS)
    assert table.room.sign == SHOWN
    table.wait(begun_ns + PIN_NS - table.host.now_ns - 1 * S)
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


def test_the_log_does_not_say_it(tell: Tell, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert tell(f"show-pin {PIN}")["ok"] is True
    assert "show-pin" in caplog.text and PIN not in caplog.text
