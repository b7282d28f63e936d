"""The model of the chip does what software has to reckon with."""

from random import Random

import pytest

from hw.rfid.frames import (
    FIELD_OFF,
    FIELD_ON,
    FIRMWARE,
    FROM_CHIP,
    LIST,
    RELEASE,
    RETRIES,
    SAM,
    WAKE,
    ControlFrame,
    DataFrame,
    Item,
    LineNoise,
    Parser,
    Pn532Command,
    framed,
)
from hw.sim.pn532 import TYPICAL_NS, Pn532Model, rising_edges
from tests.hw.rfid.reader_rigs import CARD, DIE, LONG, MS, SECOND, SMART

ACK = ControlFrame.ACK
BYTE_NS = 86_805
"""Ten bits at 115,200 a second."""
ENDLESS = Pn532Command("retries for ever", 0x32, b"\x05\xff\xff\xff")


class AskedModel:
    """A chip and a host that speaks to it and waits."""

    def __init__(self, ready: bool = True, waking_ns: int = TYPICAL_NS) -> None:
        self.now_ns = 0
        self.model = Pn532Model(lambda: self.now_ns, Random(1), waking_ns)
        self.model.opened(0)
        self._parser = Parser(FROM_CHIP)
        if ready:
            self.send(WAKE)
            self.wait(5 * MS)
            self.ask(SAM)
            self.ask(RETRIES)

    def send(self, data: bytes) -> None:
        """Put bytes on the line, one after the other."""
        self.now_ns += len(data) * BYTE_NS
        self.model.received(data, self.now_ns)

    def wait(self, delay_ns: int) -> list[Item]:
        """What it says in that time."""
        end_ns = self.now_ns + delay_ns
        while (due_ns := self.model.step(self.now_ns)) is not None and due_ns <= end_ns:
            self.now_ns = due_ns
        self.now_ns = end_ns
        return self._parser.feed(self.model.take_outgoing())

    def ask(self, command: Pn532Command, delay_ns: int = 100 * MS) -> list[Item]:
        self.send(command.frame)
        return self.wait(delay_ns)


def listed(chip: AskedModel) -> bytes:
    acknowledged, reply = chip.ask(LIST)
    assert acknowledged is ACK
    assert isinstance(reply, DataFrame)
    return reply.body


# -- waking up

VERSION = DataFrame(FROM_CHIP, FIRMWARE.reply, bytes.fromhex("32010607"))


@pytest.fixture
def chip() -> AskedModel:
    return AskedModel()


@pytest.mark.parametrize(
    ("byte", "edges"), [(0x55, 5), (0x00, 1), (0xFF, 1), (0xAA, 4), (0x0F, 2), (0xD4, 3), (0x01, 2)]
)
def test_a_byte_on_the_line_rises_so_often(byte: int, edges: int) -> None:
    """Start bit low, lowest bit first, stop bit high."""
    assert rising_edges(byte) == edges


@pytest.mark.parametrize("edges", ["55", "0000000000", "AA00", "FF00FF00FF", "000F0F"])
def test_it_sleeps_until_its_line_has_risen_five_times(edges: str) -> None:
    chip = AskedModel(ready=False)
    chip.send(bytes.fromhex(edges)[:-1])
    chip.wait(SECOND)
    chip.send(bytes.fromhex(edges)[-1:])
    chip.wait(MS)
    assert chip.ask(FIRMWARE) == [ACK, VERSION]


@pytest.mark.parametrize("edges", ["", "AA", "00000000", "00FF00FF", "0F0F"])
def test_four_edges_wake_nobody(edges: str) -> None:
    """The command has the missing ones, and more: it wakes the chip, which does not receive it."""
    chip = AskedModel(ready=False)
    chip.send(bytes.fromhex(edges))
    chip.wait(SECOND)
    assert chip.ask(FIRMWARE) == []
    assert chip.ask(FIRMWARE) == [ACK, VERSION]


@pytest.mark.parametrize("waking_ns", [100_000, 300_000, 2 * MS])
def test_what_comes_while_it_wakes_is_lost(waking_ns: int) -> None:
    preamble_ns = BYTE_NS  # the first zero of a frame may be lost
    for late_ns, answers in ((-preamble_ns - 1, 0), (-preamble_ns, 2)):
        chip = AskedModel(ready=False, waking_ns=waking_ns)
        chip.send(b"\x55")
        chip.wait(waking_ns + late_ns)
        assert len(chip.ask(FIRMWARE)) == answers


@pytest.mark.parametrize(
    ("zeros", "waking_ns", "answers"), [(10, 300_000, 2), (10, 2 * MS, 0), (28, 2 * MS, 2)]
)
def test_zeros_before_a_command_are_the_time_to_wake(zeros: int, waking_ns: int, answers: int) -> None:
    """Five wake it; the others pass meanwhile, 87 µs each."""
    chip = AskedModel(ready=False, waking_ns=waking_ns)
    chip.send(bytes(zeros) + FIRMWARE.frame)
    assert len(chip.wait(100 * MS)) == answers


@pytest.mark.parametrize("opening", ["00" * 10, "5555" + "00" * 15, "55000055" * 2, WAKE.hex()])
def test_the_ways_in_which_drivers_wake_it(opening: str) -> None:
    """Ten zeros before the command; 55s and zeros before it; both twice; and ours."""
    chip = AskedModel(ready=False)
    chip.send(bytes.fromhex(opening) + FIRMWARE.frame)
    assert chip.wait(100 * MS) == [ACK, VERSION]


def test_before_its_configuration_it_answers_what_has_nothing_to_do_with_tags() -> None:
    chip = AskedModel(ready=False)
    chip.send(WAKE)
    chip.wait(5 * MS)
    assert chip.ask(FIRMWARE) == [ACK, VERSION]
    assert chip.ask(LIST) == chip.ask(FIELD_ON) == []
    chip.model.put(DIE)
    assert chip.ask(SAM) == [ACK, DataFrame(FROM_CHIP, SAM.reply, b"")]
    assert len(chip.ask(LIST)) == 2


def test_without_power_it_forgets_everything(chip: AskedModel) -> None:
    chip.ask(FIELD_ON)
    chip.model.forget()
    assert not chip.model.field_on
    assert chip.ask(SAM) == []


# -- commands


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        (FIELD_ON, "D533"),
        (FIELD_OFF, "D533"),
        (RETRIES, "D533"),
        (RELEASE, "D55300"),
        (FIRMWARE, "D50332010607"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_it_acknowledges_and_answers(command: Pn532Command, reply: str) -> None:
    data = bytes.fromhex(reply)
    assert AskedModel().ask(command) == [ACK, DataFrame(data[0], data[1], data[2:])]


def test_the_acknowledgement_comes_within_15_ms_and_the_list_later(chip: AskedModel) -> None:
    assert chip.ask(LIST, 5 * MS) == [ACK]
    assert chip.wait(40 * MS) == [DataFrame(FROM_CHIP, LIST.reply, b"\x00")]


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("00 00", "00"),  # Diagnose: the line
        ("00 00 48656C6C6F", "00 48656C6C6F"),
        ("00 01", "00"),  # ROM
        ("00 02", "00"),  # RAM
        ("04", "00 00 00 00"),  # GetGeneralStatus, without a tag
        ("12 00", ""),  # SetParameters
        ("32 02 000B0A", ""),  # RFConfiguration: timings, retries of a transfer, analogue settings
        ("32 04 00", ""),
        ("32 0A 59F43F114D85616F266287", ""),
        ("32 0B 69FF3F114185616F", ""),
        ("32 0C FF0485", ""),
        ("32 0D 85158A8508B28501DA", ""),
    ],
)
def test_what_other_drivers_ask_for_is_answered(command: str, reply: str) -> None:
    code, *params = bytes.fromhex(command)
    asked = Pn532Command(command, code, bytes(params))
    assert AskedModel().ask(asked) == [ACK, DataFrame(FROM_CHIP, code + 1, bytes.fromhex(reply))]


def test_the_longest_line_test_comes_back_whole() -> None:
    data = b"\x00" + bytes(range(256)) + bytes(6)
    assert AskedModel().ask(Pn532Command("line", 0x00, data)) == [ACK, DataFrame(FROM_CHIP, 0x01, data)]


def test_its_status_reports_the_tags_that_it_holds(chip: AskedModel) -> None:
    status = Pn532Command("status", 0x04)
    chip.model.put(DIE)
    chip.model.put(CARD)
    listed(chip)
    assert chip.ask(status)[1] == DataFrame(FROM_CHIP, 0x05, bytes.fromhex("000002 01000000 02000000 00"))
    chip.ask(Pn532Command("release", 0x52, b"\x01"))
    assert chip.ask(status)[1] == DataFrame(FROM_CHIP, 0x05, bytes.fromhex("000001 02000000 00"))
    chip.ask(RELEASE)
    assert chip.ask(status)[1] == DataFrame(FROM_CHIP, 0x05, bytes.fromhex("000000 00"))


def test_another_speed_counts_when_the_host_has_acknowledged_the_reply(chip: AskedModel) -> None:
    speed = Pn532Command("baud", 0x10, b"\x08")
    assert chip.ask(speed) == [ACK, DataFrame(FROM_CHIP, 0x11, b"")]
    chip.ask(FIRMWARE)
    chip.send(ACK.value)
    assert chip.model.baud == 115200, "another command came before it"
    chip.ask(speed)
    chip.send(ACK.value)
    assert chip.model.baud == 1288000
    chip.model.forget()
    assert chip.model.baud == 115200


def test_powered_down_it_has_to_be_woken_but_forgets_nothing(chip: AskedModel) -> None:
    chip.ask(FIELD_ON)
    assert chip.ask(Pn532Command("power down", 0x16, b"\xf0")) == [ACK, DataFrame(FROM_CHIP, 0x17, b"\x00")]
    assert not chip.model.field_on
    assert chip.ask(FIRMWARE) == [], "it only wakes by it"
    assert len(chip.ask(LIST)) == 2
    chip.ask(Pn532Command("power down", 0x16, b"\x10\x01"))
    chip.send(b"\x55")
    chip.wait(MS)
    assert len(chip.ask(LIST)) == 2


@pytest.mark.parametrize(
    "command",
    [
        Pn532Command("line test of nothing", 0x00),
        Pn532Command("no such test", 0x00, b"\x63"),
        Pn532Command("no such speed", 0x10, b"\x09"),
        Pn532Command("sleep for ever", 0x16, b"\x01"),
        Pn532Command("no such item", 0x32, b"\x03\x00"),
        Pn532Command("no item", 0x32),
        Pn532Command("half an item", 0x32, b"\x02\x00"),
        Pn532Command("nonsense", 0x77),
        Pn532Command("list of nine", 0x4A, b"\x09\x00"),
    ],
    ids=lambda command: command.name,
)
def test_what_it_can_not_do_or_makes_no_sense_gets_an_error_frame(command: Pn532Command) -> None:
    assert AskedModel().ask(command) == [ACK, ControlFrame.ERROR]


def test_garbage_gets_nothing(chip: AskedModel) -> None:
    wrong = bytearray(FIRMWARE.frame)
    wrong[-2] ^= 1
    chip.send(bytes(wrong))
    assert chip.wait(SECOND) == []


def test_it_says_its_last_answer_again(chip: AskedModel) -> None:
    chip.ask(FIRMWARE)
    chip.send(ControlFrame.NACK.value)
    assert chip.wait(MS) == [DataFrame(FROM_CHIP, FIRMWARE.reply, bytes.fromhex("32010607"))]


def test_another_command_takes_the_place_of_the_one_before(chip: AskedModel) -> None:
    chip.ask(LIST, 3 * MS)
    assert chip.ask(FIRMWARE) == [ACK, DataFrame(FROM_CHIP, FIRMWARE.reply, bytes.fromhex("32010607"))]


# -- tags and the field


def test_it_lists_up_to_two_tags(chip: AskedModel) -> None:
    assert listed(chip) == b"\x00"
    chip.model.put(DIE)
    chip.ask(FIELD_OFF)
    assert listed(chip) == bytes.fromhex("01 01 0004 08 04 078CFC4F")
    chip.model.put(CARD)
    chip.model.put(LONG)
    chip.ask(FIELD_OFF)
    assert listed(chip) == bytes.fromhex("02 01 0084 00 0A 0102030405060708090A 02 0044 00 07 047BCB51962280")


def test_a_tag_with_more_to_say_says_it(chip: AskedModel) -> None:
    chip.model.put(SMART)
    chip.send(LIST.frame)
    chip.wait(5 * MS)
    [reply] = chip.wait(SECOND)
    recorded = "0000FF1CE4D54B010100042804FDE60899107880900220900000000000"
    assert isinstance(reply, DataFrame)
    assert framed(*reply).hex().upper().startswith(recorded)


def test_a_tag_that_stays_in_the_field_is_read_every_other_time(chip: AskedModel) -> None:
    chip.model.put(DIE)
    assert [listed(chip)[0] for _ in range(6)] == [1, 0, 1, 0, 1, 0]


def test_without_a_field_in_between_it_is_read_every_time(chip: AskedModel) -> None:
    chip.model.put(DIE)
    counts = []
    for _ in range(6):
        counts.append(listed(chip)[0])
        chip.ask(FIELD_OFF)
    assert counts == [1] * 6


def test_looking_leaves_the_field_on(chip: AskedModel) -> None:
    listed(chip)
    assert [on for _, on in chip.model.field_history] == [True]
    chip.ask(FIELD_OFF)
    assert not chip.model.field_on
    assert [on for _, on in chip.model.field_history] == [True, False]


def test_by_default_it_looks_for_ever_until_it_is_stopped(chip: AskedModel) -> None:
    chip.ask(ENDLESS)
    assert chip.ask(LIST, 60 * SECOND) == [ACK]
    chip.send(ACK.value)
    assert chip.wait(SECOND) == []
    chip.model.put(DIE)
    assert chip.wait(SECOND) == [], "it has stopped looking"
    assert chip.ask(LIST) != []


def test_it_finds_what_comes_while_it_looks(chip: AskedModel) -> None:
    chip.ask(ENDLESS)
    chip.ask(LIST, SECOND)
    chip.model.put(DIE)
    [reply] = chip.wait(SECOND)
    assert isinstance(reply, DataFrame)
    assert reply.body[0] == 1


# -- faults


def test_silence_keeps_the_field(chip: AskedModel) -> None:
    listed(chip)
    chip.model.silent = True
    assert chip.ask(FIELD_OFF) == []
    assert chip.model.field_on
    chip.model.silent = False
    assert len(chip.ask(FIELD_OFF)) == 2


def test_every_so_many_th_command_goes_wrong(chip: AskedModel) -> None:
    chip.model.deaf_every = 3
    assert sorted(len(chip.ask(FIRMWARE)) for _ in range(3)) == [0, 2, 2]
    chip.model.deaf_every, chip.model.nack_every = 0, 3
    assert sum(chip.ask(FIRMWARE) == [ControlFrame.NACK] for _ in range(3)) == 1
    chip.model.nack_every, chip.model.error_every = 0, 3
    assert sum(chip.ask(FIRMWARE) == [ACK, ControlFrame.ERROR] for _ in range(3)) == 1


def test_a_slow_chip_answers_later(chip: AskedModel) -> None:
    chip.model.slow_ns = 500 * MS
    assert chip.ask(FIRMWARE, 400 * MS) == [ACK]
    assert len(chip.wait(200 * MS)) == 1


def test_a_tag_may_be_misread(chip: AskedModel) -> None:
    chip.model.put(DIE)
    chip.model.misreads = lambda uid: True
    assert listed(chip) == b"\x00"
    assert not any(isinstance(item, LineNoise) for item in chip.wait(SECOND))
