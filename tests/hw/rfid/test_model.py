"""The model of the chip does what software has to reckon with."""

from __future__ import annotations

from random import Random

import pytest

from hw.rfid.frames import (
    FIELD_OFF,
    FIELD_ON,
    FIRMWARE,
    FROM_CHIP,
    LIST,
    RETRIES,
    SAM,
    WAKE,
    ControlFrame,
    DataFrame,
    Item,
    Parser,
    Pn532Command,
)
from hw.sim.pn532 import TYPICAL_NS, Pn532Model, rising_edges
from tests.hw.rfid.reader_rigs import CARD, DIE, LONG, MS, SECOND, SMART

ACK = ControlFrame.ACK
BYTE_NS = 86_805
"""Ten bits at 115,200 a second."""
VERSION = DataFrame(FROM_CHIP, FIRMWARE.reply, bytes.fromhex("32010607"))
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

    def listed(self) -> str:
        """The reply to a request for a list, in hexadecimal."""
        acknowledged, reply = self.ask(LIST)
        assert acknowledged is ACK and isinstance(reply, DataFrame)
        return reply.body.hex().upper()


def command(text: str) -> Pn532Command:
    """A command in hexadecimal."""
    code, *params = bytes.fromhex(text)
    return Pn532Command(text, code, bytes(params))


@pytest.fixture
def chip() -> AskedModel:
    return AskedModel()


# -- waking up


@pytest.mark.parametrize(
    ("byte", "edges"), [(0x55, 5), (0x00, 1), (0xFF, 1), (0xAA, 4), (0x0F, 2), (0xD4, 3), (0x01, 2)]
)
def test_a_byte_on_the_line_rises_so_often(byte: int, edges: int) -> None:
    """Start bit low, lowest bit first, stop bit high."""
    assert rising_edges(byte) == edges


@pytest.mark.parametrize(
    ("edges", "wakes"),
    [("55", True), ("0000000000", True), ("AA00", True), ("FF00FF00FF", True), ("000F0F", True),
     ("", False), ("AA", False), ("00000000", False), ("00FF00FF", False), ("0F0F", False)],
)  # fmt: skip
def test_it_sleeps_until_its_line_has_risen_five_times(edges: str, wakes: bool) -> None:
    """Else the command has the missing edges, and more: it wakes the chip, which does not receive it."""
    chip = AskedModel(ready=False)
    chip.send(bytes.fromhex(edges)[:-1])
    chip.wait(SECOND)
    chip.send(bytes.fromhex(edges)[-1:])
    chip.wait(MS)
    assert chip.ask(FIRMWARE) == [ACK, VERSION] * wakes
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
    ("opening", "waking_ns", "answers"),
    [
        # Five zeros wake it, and the others pass meanwhile, 87 µs each.
        ("00" * 10, 300_000, 2), ("00" * 10, 2 * MS, 0), ("00" * 28, 2 * MS, 2),
        # Other drivers: 55s and zeros before the command; both twice; and ours.
        ("5555" + "00" * 15, 300_000, 2), ("55000055" * 2, 300_000, 2), (WAKE.hex(), 300_000, 2),
    ],
)  # fmt: skip
def test_the_ways_in_which_drivers_wake_it(opening: str, waking_ns: int, answers: int) -> None:
    chip = AskedModel(ready=False, waking_ns=waking_ns)
    chip.send(bytes.fromhex(opening) + FIRMWARE.frame)
    assert len(chip.wait(100 * MS)) == answers


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
    ("asked", "reply"),
    [
        ("32 01 01", ""),  # RFConfiguration: the field on
        ("32 01 00", ""),
        ("32 05 00 00 01", ""),  # retries
        ("52 00", "00"),  # release
        ("02", "32 01 06 07"),  # version
        ("32 02 000B0A", ""),  # timings, retries of a transfer, analogue settings
        ("32 04 00", ""),
        ("32 0A 59F43F114D85616F266287", ""),
        ("32 0B 69FF3F114185616F", ""),
        ("32 0C FF0485", ""),
        ("32 0D 85158A8508B28501DA", ""),
    ],
)
def test_what_drivers_ask_for_is_acknowledged_and_answered(asked: str, reply: str) -> None:
    code = bytes.fromhex(asked)[0]
    answer = DataFrame(FROM_CHIP, code + 1, bytes.fromhex(reply))
    assert AskedModel().ask(command(asked)) == [ACK, answer]


@pytest.mark.parametrize(
    "asked",
    ["32 03 00", "32", "32 02 00", "77", "4A 09 00"],
    ids=["no such item", "no item", "half an item", "nonsense", "list of nine"],
)  # fmt: skip
def test_what_it_can_not_do_or_makes_no_sense_gets_an_error_frame(asked: str) -> None:
    assert AskedModel().ask(command(asked)) == [ACK, ControlFrame.ERROR]


def test_the_acknowledgement_comes_within_15_ms_and_the_list_later(chip: AskedModel) -> None:
    assert chip.ask(LIST, 5 * MS) == [ACK]
    assert chip.wait(40 * MS) == [DataFrame(FROM_CHIP, LIST.reply, b"\x00")]


def test_garbage_gets_nothing_and_a_nack_the_last_answer_again(chip: AskedModel) -> None:
    chip.ask(FIRMWARE)
    wrong = bytearray(FIRMWARE.frame)
    wrong[-2] ^= 1
    chip.send(bytes(wrong))
    assert chip.wait(SECOND) == []
    chip.send(ControlFrame.NACK.value)
    assert chip.wait(MS) == [VERSION]


def test_another_command_takes_the_place_of_the_one_before(chip: AskedModel) -> None:
    chip.ask(LIST, 3 * MS)
    assert chip.ask(FIRMWARE) == [ACK, VERSION]


# -- tags and the field


def test_it_lists_up_to_two_tags(chip: AskedModel) -> None:
    assert chip.listed() == "00"
    chip.model.put(DIE)
    chip.ask(FIELD_OFF)
    assert chip.listed() == "010100040804078CFC4F"
    chip.model.put(CARD)
    chip.model.put(LONG)
    chip.ask(FIELD_OFF)
    assert chip.listed() == "02010084000A0102030405060708090A0200440007047BCB51962280"


def test_a_tag_with_more_to_say_says_it(chip: AskedModel) -> None:
    chip.model.put(SMART)
    assert chip.listed().startswith("010100042804FDE60899107880900220900000000000")


@pytest.mark.parametrize(("off_between", "counts"), [(False, [1, 0, 1, 0, 1, 0]), (True, [1] * 6)])
def test_a_tag_that_stays_is_read_every_other_time_unless_the_field_is_switched_off(
    chip: AskedModel, off_between: bool, counts: list[int]
) -> None:
    chip.model.put(DIE)
    seen = []
    for _ in range(6):
        seen.append(int(chip.listed()[:2]))
        if off_between:
            chip.ask(FIELD_OFF)
    assert seen == counts


def test_looking_leaves_the_field_on(chip: AskedModel) -> None:
    chip.listed()
    assert [on for _, on in chip.model.field_history] == [True]
    chip.ask(FIELD_OFF)
    assert not chip.model.field_on
    assert [on for _, on in chip.model.field_history] == [True, False]


def test_by_default_it_looks_for_ever_until_it_is_stopped(chip: AskedModel) -> None:
    chip.ask(ENDLESS)
    assert chip.ask(LIST, 60 * SECOND) == [ACK]
    chip.send(ACK.value)
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
    chip.listed()
    chip.model.silent = True
    assert chip.ask(FIELD_OFF) == []
    assert chip.model.field_on
    chip.model.silent = False
    assert len(chip.ask(FIELD_OFF)) == 2


@pytest.mark.parametrize(
    ("fault", "items"),
    [("deaf_every", []), ("nack_every", [ControlFrame.NACK]), ("error_every", [ACK, ControlFrame.ERROR])],
)
def test_every_so_many_th_command_goes_wrong(chip: AskedModel, fault: str, items: list[Item]) -> None:
    setattr(chip.model, fault, 3)
    answers = [chip.ask(FIRMWARE) for _ in range(3)]
    assert answers.count(items) == 1
    assert answers.count([ACK, VERSION]) == 2


def test_a_slow_chip_answers_later(chip: AskedModel) -> None:
    chip.model.slow_ns = 500 * MS
    assert chip.ask(FIRMWARE, 400 * MS) == [ACK]
    assert len(chip.wait(200 * MS)) == 1


def test_a_tag_may_be_misread(chip: AskedModel) -> None:
    chip.model.put(DIE)
    chip.model.misreads = lambda uid: True
    assert chip.listed() == "00"
