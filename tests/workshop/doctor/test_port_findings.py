"""Serial ports by names that last, readers, and what the scoreboard should have shown."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.workshop.doctor.device_findings import (
    ReaderFacts,
    SerialPort,
    SignFacts,
    judge_ports,
    judge_readers,
    judge_sign,
    lasting_name,
    which_port,
)
from firmware_host.workshop.doctor.findings import State, total_line
from tests.workshop.doctor.finding import one, states

BY_ID = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A1-if00-port0"
BY_PATH = "/dev/serial/by-path/platform-fd500000.pcie-usb-0:1.1:1.0-port0"
ADAPTER = SerialPort(path="/dev/ttyUSB0", by_id=BY_ID, by_path=BY_PATH)


def used(port: SerialPort, written: str, name: str = "pad-1") -> SerialPort:
    return SerialPort(path=port.path, by_id=port.by_id, by_path=port.by_path, used=((name, written),))


def test_a_machine_without_ports_says_so() -> None:
    (finding,) = judge_ports([])
    assert finding.state is State.NOTE


def test_a_port_by_a_lasting_name_is_fine() -> None:
    for written in (BY_ID, BY_PATH):
        (finding,) = judge_ports([used(ADAPTER, written)])
        assert finding.state is State.OK
    (header,) = judge_ports([used(SerialPort(path="/dev/serial0"), "/dev/serial0", "scoreboard")])
    assert header.state is State.OK


def test_two_devices_on_one_port_are_told_whatever_they_call_it() -> None:
    port = replace(ADAPTER, used=(("pad-1", BY_ID), ("scoreboard", BY_PATH)))
    *each, finding = judge_ports([port])
    assert [one.state for one in each] == [State.OK, State.OK]
    assert (finding.state, finding.subject) == (State.FAIL, "/dev/ttyUSB0")
    assert finding.seen == f"it is the port of pad-1 ({BY_ID}) and of scoreboard ({BY_PATH})"
    same_for_two_games = replace(ADAPTER, used=(("pad-1", BY_ID), ("pad-1", BY_PATH)))
    assert State.FAIL not in [one.state for one in judge_ports([same_for_two_games])]


def test_a_port_by_its_number_gets_the_line_to_write() -> None:
    (finding,) = judge_ports([used(ADAPTER, "/dev/ttyUSB0")])
    assert finding.state is State.WARN
    assert finding.advice == f'put into [ports] of table.toml: pad-1 = "{BY_ID}"'


def test_adapters_without_numbers_of_their_own_go_by_their_socket() -> None:
    twin = SerialPort(path="/dev/ttyUSB1", by_path=f"{BY_PATH}2")
    assert lasting_name(ADAPTER, [ADAPTER]) == BY_ID
    assert lasting_name(ADAPTER, [ADAPTER, twin]) == BY_PATH
    assert lasting_name(twin, [ADAPTER, twin]) == f"{BY_PATH}2"
    assert lasting_name(SerialPort(path="/dev/ttyAMA0"), [ADAPTER]) == "/dev/ttyAMA0"
    assert lasting_name(SerialPort(path="/dev/ttyUSB0", by_path=BY_PATH), []) == BY_PATH


def test_a_port_that_nobody_uses_is_told_with_its_name() -> None:
    (finding,) = judge_ports([ADAPTER])
    assert finding.state is State.NOTE
    assert BY_ID in finding.seen


def test_readers_answer_with_their_firmware() -> None:
    findings = list(
        judge_readers([ReaderFacts(name="pad-1", port=BY_ID, there=True, firmware="PN532 1.6")], [])
    )
    assert states(findings) == {"pad-1": State.OK}
    assert findings[0].seen == f"PN532 1.6 at {BY_ID}"


def test_a_reader_that_is_silent_has_the_drivers_advice() -> None:
    reader = ReaderFacts(
        name="pad-1", port="/dev/ttyUSB0", there=True, seen="does not answer", advice="set it to HSU"
    )
    finding = one(judge_readers([reader], [ADAPTER]), "pad-1")
    assert finding.state is State.FAIL
    assert (finding.seen, finding.advice) == ("does not answer (/dev/ttyUSB0)", "set it to HSU")


def test_a_port_that_is_not_there_names_those_that_are() -> None:
    readers = [
        ReaderFacts(name=f"pad-{n}", port=f"/dev/ttyUSB{n}", seen="is not plugged in", advice="plug it in")
        for n in (1, 2)
    ]
    finding = one(judge_readers(readers, [ADAPTER]), "pad-1, pad-2")
    assert finding.seen == "each of these 2 is not plugged in (/dev/ttyUSB1, /dev/ttyUSB2)"
    assert finding.advice == f"plug them in, or name those that are there: {BY_ID}"


def test_the_same_trouble_of_some_readers_is_one_line_and_counted_once() -> None:
    readers = [
        ReaderFacts(
            name=f"pad-{n}", port=f"/dev/ttyUSB{n}", there=True, seen="does not answer", advice="set it"
        )
        for n in range(4)
    ]
    findings = list(judge_readers(readers, [ADAPTER]))
    assert total_line(findings) == "1 fail, 0 warn, 0 note, 0 ok"
    assert findings[0].seen.startswith("each of these 4 does not answer (")
    assert findings[0].advice == "with each: set it"


def test_names_of_the_tables_own_rules_go_first() -> None:
    socket, number = "/dev/ligretto/port-1-1.1", "/dev/ligretto/serial-A1"
    port = SerialPort(path="/dev/ttyUSB0", by_id=BY_ID, by_path=BY_PATH, ours=(socket, number))
    twin = SerialPort(path="/dev/ttyUSB1", by_path=f"{BY_PATH}2", ours=("/dev/ligretto/port-1-1.2",))
    assert lasting_name(port, [port]) == number
    assert lasting_name(port, [port, twin]) == socket
    assert lasting_name(twin, [port, twin]) == "/dev/ligretto/port-1-1.2"
    for written in (socket, number, BY_ID):
        used_port = replace(port, used=(("pad-1", written),))
        assert states(judge_ports([used_port])) == {"/dev/ttyUSB0": State.OK}


def test_ports_in_use_are_not_offered() -> None:
    assert "no other serial port is free" in which_port([used(ADAPTER, BY_ID)])
    assert "no serial port at all" in which_port([])


def test_the_sign_should_have_shown_the_page() -> None:
    page = ("12345678901234567890", "Ligretto aouen ^o#* |")
    sign = SignFacts(port=BY_ID, kind="cd5220", line="9600 8N1", there=True, page=page)
    finding = judge_sign(sign, [])
    assert finding.state is State.NOTE
    assert "[12345678901234567890] and [Ligretto aouen ^o#* |]" in finding.seen
    assert "9600 8N1" in finding.advice


def test_a_sign_without_a_port_is_no_fault() -> None:
    assert judge_sign(SignFacts(port="", kind="text"), []).state is State.NOTE


def test_a_sign_whose_port_cant_be_opened_says_why() -> None:
    sign = SignFacts(
        port="/dev/ttyUSB0", kind="text", there=True, seen="is used by another program", advice="end it"
    )
    finding = judge_sign(sign, [ADAPTER])
    assert (finding.state, finding.advice) == (State.FAIL, "end it")
    assert (
        BY_ID in judge_sign(SignFacts(port="/dev/x", kind="text", seen="is not plugged in"), [ADAPTER]).advice
    )
