"""The model of the chip does what software has to reckon with."""

from random import Random

import pytest

from hw.rfid.commands import FIELD_OFF, FIELD_ON, FIRMWARE, LIST, RELEASE, RETRIES, SAM, WAKE, Command
from hw.rfid.frames import FROM_CHIP, Frame, Item, Noise, Parser, Signal, framed
from hw.sim.rfid.pn532 import Pn532Model
from tests.hw.rfid.rigs import CARD, DIE, LONG, MS, SECOND, SMART

ACK = Signal.ACK
ENDLESS = Command("retries for ever", 0x32, b"\x05\xff\xff\xff")


class Chip:
    """A chip and a host that speaks to it and waits."""

    def __init__(self, ready: bool = True) -> None:
        self.now_ns = 0
        self.model = Pn532Model(lambda: self.now_ns, Random(1))
        self.model.opened(0)
        self._parser = Parser(FROM_CHIP)
        if ready:
            self.send(WAKE)
            self.wait(5 * MS)
            self.ask(SAM)
            self.ask(RETRIES)

    def send(self, data: bytes) -> None:
        self.model.received(data, self.now_ns)

    def wait(self, delay_ns: int) -> list[Item]:
        """What it says in that time."""
        end_ns = self.now_ns + delay_ns
        while (due_ns := self.model.step(self.now_ns)) is not None and due_ns <= end_ns:
            self.now_ns = due_ns
        self.now_ns = end_ns
        return self._parser.feed(self.model.take_outgoing())

    def ask(self, command: Command, delay_ns: int = 100 * MS) -> list[Item]:
        self.send(command.frame)
        return self.wait(delay_ns)


def listed(chip: Chip) -> bytes:
    acknowledged, reply = chip.ask(LIST)
    assert acknowledged is ACK
    assert isinstance(reply, Frame)
    return reply.body


# -- waking up


def test_it_sleeps_until_it_is_woken() -> None:
    chip = Chip(ready=False)
    assert chip.ask(SAM) == []
    chip.send(WAKE)
    assert chip.ask(SAM, 1 * MS) == [], "it takes its time"
    chip.wait(5 * MS)
    assert chip.ask(SAM) == [ACK, Frame(FROM_CHIP, SAM.reply, b"")]


def test_it_waits_for_its_first_configuration() -> None:
    chip = Chip(ready=False)
    chip.send(WAKE)
    chip.wait(5 * MS)
    assert chip.ask(FIRMWARE) == []
    chip.ask(SAM)
    assert chip.ask(FIRMWARE) == [ACK, Frame(FROM_CHIP, FIRMWARE.reply, bytes.fromhex("32010607"))]


def test_without_power_it_forgets_everything() -> None:
    chip = Chip()
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
def test_it_acknowledges_and_answers(command: Command, reply: str) -> None:
    data = bytes.fromhex(reply)
    assert Chip().ask(command) == [ACK, Frame(data[0], data[1], data[2:])]


def test_the_acknowledgement_comes_within_15_ms_and_the_list_later() -> None:
    chip = Chip()
    assert chip.ask(LIST, 5 * MS) == [ACK]
    assert chip.wait(40 * MS) == [Frame(FROM_CHIP, LIST.reply, b"\x00")]


@pytest.mark.parametrize("command", [Command("nonsense", 0x77), Command("list of nine", 0x4A, b"\x09\x00")])
def test_what_makes_no_sense_gets_an_error_frame(command: Command) -> None:
    assert Chip().ask(command) == [ACK, Signal.ERROR]


def test_garbage_gets_nothing() -> None:
    chip = Chip()
    wrong = bytearray(FIRMWARE.frame)
    wrong[-2] ^= 1
    chip.send(bytes(wrong))
    assert chip.wait(SECOND) == []


def test_it_says_its_last_answer_again() -> None:
    chip = Chip()
    chip.ask(FIRMWARE)
    chip.send(Signal.NACK.value)
    assert chip.wait(MS) == [Frame(FROM_CHIP, FIRMWARE.reply, bytes.fromhex("32010607"))]


def test_another_command_takes_the_place_of_the_one_before() -> None:
    chip = Chip()
    chip.ask(LIST, 3 * MS)
    assert chip.ask(FIRMWARE) == [ACK, Frame(FROM_CHIP, FIRMWARE.reply, bytes.fromhex("32010607"))]


# -- tags and the field


def test_it_lists_up_to_two_tags() -> None:
    chip = Chip()
    assert listed(chip) == b"\x00"
    chip.model.put(DIE)
    chip.ask(FIELD_OFF)
    assert listed(chip) == bytes.fromhex("01 01 0004 08 04 078CFC4F")
    chip.model.put(CARD)
    chip.model.put(LONG)
    chip.ask(FIELD_OFF)
    assert listed(chip) == bytes.fromhex("02 01 0084 00 0A 0102030405060708090A 02 0044 00 07 047BCB51962280")


def test_a_tag_with_more_to_say_says_it() -> None:
    chip = Chip()
    chip.model.put(SMART)
    chip.send(LIST.frame)
    chip.wait(5 * MS)
    [reply] = chip.wait(SECOND)
    recorded = "0000FF1CE4D54B010100042804FDE60899107880900220900000000000"
    assert isinstance(reply, Frame)
    assert framed(*reply).hex().upper().startswith(recorded)


def test_a_tag_that_stays_in_the_field_is_read_every_other_time() -> None:
    chip = Chip()
    chip.model.put(DIE)
    assert [listed(chip)[0] for _ in range(6)] == [1, 0, 1, 0, 1, 0]


def test_without_a_field_in_between_it_is_read_every_time() -> None:
    chip = Chip()
    chip.model.put(DIE)
    counts = []
    for _ in range(6):
        counts.append(listed(chip)[0])
        chip.ask(FIELD_OFF)
    assert counts == [1] * 6


def test_looking_leaves_the_field_on() -> None:
    chip = Chip()
    listed(chip)
    assert [on for _, on in chip.model.field_history] == [True]
    chip.ask(FIELD_OFF)
    assert not chip.model.field_on
    assert [on for _, on in chip.model.field_history] == [True, False]


def test_by_default_it_looks_for_ever_until_it_is_stopped() -> None:
    chip = Chip()
    chip.ask(ENDLESS)
    assert chip.ask(LIST, 60 * SECOND) == [ACK]
    chip.send(ACK.value)
    assert chip.wait(SECOND) == []
    chip.model.put(DIE)
    assert chip.wait(SECOND) == [], "it has stopped looking"
    assert chip.ask(LIST) != []


def test_it_finds_what_comes_while_it_looks() -> None:
    chip = Chip()
    chip.ask(ENDLESS)
    chip.ask(LIST, SECOND)
    chip.model.put(DIE)
    [reply] = chip.wait(SECOND)
    assert isinstance(reply, Frame)
    assert reply.body[0] == 1


# -- faults


def test_silence_keeps_the_field() -> None:
    chip = Chip()
    listed(chip)
    chip.model.silent = True
    assert chip.ask(FIELD_OFF) == []
    assert chip.model.field_on
    chip.model.silent = False
    assert len(chip.ask(FIELD_OFF)) == 2


def test_every_so_many_th_command_goes_wrong() -> None:
    chip = Chip()
    chip.model.deaf_every = 3
    assert sorted(len(chip.ask(FIRMWARE)) for _ in range(3)) == [0, 2, 2]
    chip.model.deaf_every, chip.model.nack_every = 0, 3
    assert sum(chip.ask(FIRMWARE) == [Signal.NACK] for _ in range(3)) == 1
    chip.model.nack_every, chip.model.error_every = 0, 3
    assert sum(chip.ask(FIRMWARE) == [ACK, Signal.ERROR] for _ in range(3)) == 1


def test_a_slow_chip_answers_later() -> None:
    chip = Chip()
    chip.model.slow_ns = 500 * MS
    assert chip.ask(FIRMWARE, 400 * MS) == [ACK]
    assert len(chip.wait(200 * MS)) == 1


def test_a_tag_may_be_misread() -> None:
    chip = Chip()
    chip.model.put(DIE)
    chip.model.misreads = lambda uid: True
    assert listed(chip) == b"\x00"
    assert not any(isinstance(item, Noise) for item in chip.wait(SECOND))
