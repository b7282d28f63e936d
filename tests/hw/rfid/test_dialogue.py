"""One command on its way: acknowledged, answered, sent again, given up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.rfid.frames import FIELD_OFF, FIRMWARE, FROM_CHIP, LIST, SAM, WAKE, ControlFrame, framed
from hw.rfid.pn532 import ACK_NS, ATTEMPTS, ECHO, GARBLED, MISHEARD, REPLY_NS, SILENT, Dialogue, Failure

ACK, NACK, ERROR = (signal.value for signal in ControlFrame)
VERSION = framed(FROM_CHIP, FIRMWARE.reply, b"\x32\x01\x06\x07")


class Talk:
    """A dialogue with time and the bytes it has sent."""

    def __init__(self) -> None:
        self.dialogue = Dialogue()
        self.now_ns = 1000
        self.dialogue.ask(FIRMWARE, self.now_ns)
        assert self.sent() == FIRMWARE.frame

    def sent(self) -> bytes:
        return self.dialogue.take_outgoing()

    def hear(self, data: bytes) -> bytes | Failure | None:
        """Bytes come in; what comes of them, at the step after."""
        self.dialogue.received(data, self.now_ns)
        assert self.dialogue.outcome(self.now_ns) is None, "this step began before they were fetched"
        return self.after(1)

    def after(self, delay_ns: int) -> bytes | Failure | None:
        self.now_ns += delay_ns
        return self.dialogue.outcome(self.now_ns)

    def wait(self) -> bytes | Failure | None:
        """Until it wants to be asked."""
        assert self.dialogue.due_ns is not None
        return self.after(max(1, self.dialogue.due_ns - self.now_ns))


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_a_command_is_acknowledged_and_answered(talk: Talk) -> None:
    assert talk.hear(ACK) is None
    assert talk.hear(VERSION) == b"\x32\x01\x06\x07"
    assert not talk.dialogue.busy
    assert talk.dialogue.due_ns is None
    assert talk.dialogue.take_anomaly() == ""
    assert talk.sent() == b""


def test_it_is_sent_again_if_it_is_not_acknowledged_in_time(talk: Talk) -> None:
    assert talk.after(ACK_NS - 1) is None
    assert talk.sent() == b""
    assert talk.after(1) is None
    assert talk.sent() == FIRMWARE.frame
    assert talk.dialogue.take_anomaly() == "had to be asked twice"
    assert talk.hear(ACK + VERSION) is not None


def test_a_chip_that_never_answers_is_given_up_and_stopped(talk: Talk) -> None:
    for _ in range(ATTEMPTS - 1):
        assert talk.wait() is None
        assert talk.sent() == FIRMWARE.frame
    assert talk.wait() == Failure(SILENT)
    assert talk.sent() == ACK
    assert not talk.dialogue.busy


def test_a_reply_that_does_not_come_is_waited_for_longer(talk: Talk) -> None:
    talk.hear(ACK)
    assert talk.after(REPLY_NS - 1) is None
    assert talk.after(1) == Failure("does not finish a command (firmware version)")
    assert talk.sent() == ACK


def test_an_error_frame_ends_it(talk: Talk) -> None:
    assert talk.hear(ACK + ERROR) == Failure("refuses a command (firmware version)")


def test_a_refusal_of_the_line_makes_it_say_it_again(talk: Talk) -> None:
    for _ in range(ATTEMPTS - 1):
        assert talk.hear(NACK) is None
        assert talk.sent() == FIRMWARE.frame
    assert talk.hear(NACK) == Failure(MISHEARD)


def test_a_lost_acknowledgement_does_not_matter(talk: Talk) -> None:
    assert talk.hear(VERSION) == b"\x32\x01\x06\x07"
    assert talk.dialogue.take_anomaly() == GARBLED


def test_answers_to_other_commands_are_passed_over(talk: Talk) -> None:
    assert talk.hear(ACK + framed(FROM_CHIP, SAM.reply) + framed(FROM_CHIP, LIST.reply, b"\x00")) is None
    assert talk.hear(VERSION) == b"\x32\x01\x06\x07"


def test_an_answer_that_comes_too_late_is_passed_over(talk: Talk) -> None:
    talk.hear(ACK)
    assert isinstance(talk.after(REPLY_NS), Failure)
    assert talk.hear(VERSION) is None
    talk.dialogue.ask(SAM, talk.now_ns)
    assert talk.hear(VERSION) is None
    assert talk.hear(ACK + framed(FROM_CHIP, SAM.reply)) == b""


def test_garbage_is_reported_and_gone_through(talk: Talk) -> None:
    assert talk.hear(b"\x12\x34" + ACK + b"\x56" + VERSION) == b"\x32\x01\x06\x07"
    assert talk.dialogue.take_anomaly() == GARBLED
    assert talk.dialogue.take_anomaly() == ""


def test_nothing_but_garbage_is_a_failure_of_its_own(talk: Talk) -> None:
    talk.hear(b"\x98\x80\x98\x80\x1e\x66")
    for _ in range(ATTEMPTS - 1):
        assert talk.wait() is None
    assert talk.wait() == Failure(GARBLED)


def test_a_host_that_receives_itself_is_reported(talk: Talk) -> None:
    for _ in range(ATTEMPTS):
        talk.hear(FIRMWARE.frame)
        ended = talk.wait()
    assert ended == Failure(ECHO)
    assert talk.dialogue.take_anomaly() == ECHO


@pytest.mark.parametrize("false_start", ["00FFFE02D54B", "00FFFFFF0109F6D5", "00FF", "00FF20E0D5"])
def test_a_false_start_does_not_cost_the_answer_behind_it(talk: Talk, false_start: str) -> None:
    """It holds the answer back until it is due; then it is found, and nothing is sent again."""
    ended = talk.hear(bytes.fromhex(false_start) + ACK + VERSION)
    if ended is None:
        ended = talk.wait()
    assert ended == b"\x32\x01\x06\x07"
    assert talk.sent() == b""


def test_a_late_step_takes_what_has_come_before_it_complains(talk: Talk) -> None:
    """The owner was kept from running, and the answer lies waiting."""
    talk.now_ns += 10 * ACK_NS
    assert talk.hear(ACK + VERSION) == b"\x32\x01\x06\x07"
    assert talk.sent() == b""


def test_a_line_that_is_never_quiet_does_not_keep_it_waiting(talk: Talk) -> None:
    ended = None
    for _ in range(10_000):
        talk.dialogue.received(b"\x5a", talk.now_ns)
        outcome = talk.dialogue.outcome(talk.now_ns)
        ended = ended or outcome
        talk.now_ns += 100_000
    assert ended == Failure(GARBLED)
    assert len(talk.dialogue._heard) <= 1


def test_what_was_not_sent_is_not_piled_up() -> None:
    """A port that takes nothing for hours."""
    dialogue = Dialogue()
    for turn in range(100):
        dialogue.ask(SAM, turn * 10 * ACK_NS)
        for attempt in range(ATTEMPTS + 1):
            dialogue.outcome(turn * 10 * ACK_NS + (attempt + 1) * ACK_NS)
        dialogue.wake_chip()
    assert dialogue.take_outgoing() == ACK + WAKE


def test_forgetting_forgets_all(talk: Talk) -> None:
    talk.dialogue.received(ACK + VERSION[:7], talk.now_ns)
    talk.dialogue.forget()
    assert not talk.dialogue.busy
    assert talk.sent() == b""
    talk.dialogue.ask(FIELD_OFF, talk.now_ns)
    assert talk.hear(VERSION[7:]) is None
    assert talk.hear(ACK + framed(FROM_CHIP, FIELD_OFF.reply)) == b""


@given(st.lists(st.tuples(st.binary(max_size=40), st.integers(0, REPLY_NS)), max_size=30))
def test_whatever_comes_in_it_ends_in_bounded_time(heard: list[tuple[bytes, int]]) -> None:
    talk = Talk()
    began_ns = talk.now_ns
    for data, pause_ns in heard:
        talk.dialogue.received(data, talk.now_ns)
        if not talk.dialogue.busy or talk.after(pause_ns) is not None:
            return
    while talk.dialogue.busy:
        talk.wait()
    assert len(talk.sent()) <= (ATTEMPTS - 1) * len(FIRMWARE.frame) + len(ACK)
    heard_ns = sum(pause_ns for _, pause_ns in heard)
    assert talk.now_ns - began_ns <= heard_ns + ATTEMPTS * (ACK_NS + REPLY_NS) + len(heard) + 10
