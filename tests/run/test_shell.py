"""The shell: written, then shown, then told; and what it has shown, summed up."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import Table
from firmware_host.model.effects import Effect, PhaseEntered
from firmware_host.model.events import Input, StartMatch
from firmware_host.model.settings import Settings
from firmware_host.model.times import S, exactly
from firmware_host.referee import Referee, Step
from firmware_host.run.journal import ShownDigest
from firmware_host.run.shell import Shell

Seen = list[bytes | tuple[str, ...]]


class Devices:
    """Lamps and a scoreboard that keep all that they are shown."""

    columns = 20

    def __init__(self) -> None:
        self.shown: Seen = []

    def show(self, what: bytes | tuple[str, ...], language: str = "") -> None:
        self.shown.append(what)

    def close(self) -> None:
        raise AssertionError("whoever owns the devices closes them")


def referee() -> Referee:
    return Referee(Table(), Settings(), Random(1), 0)


def shown_by(steps: Iterable[Step]) -> Seen:
    return [each for step in steps for each in (step.frame, step.page) if each is not None]


class Diary:
    """A journal, devices and an onlooker that write down in which order they are called."""

    columns = 20

    def __init__(self) -> None:
        self.calls: list[tuple[str, object]] = []

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        self.calls.append(("came", seen))

    def commit(self, step: Step) -> None:
        self.calls.append(("written", step))

    def show(self, what: bytes | tuple[str, ...], language: str = "") -> None:
        self.calls.append(("shown", what))

    def look_on(self, step: Step) -> None:
        self.calls.append(("told", step))

    def close(self) -> None:
        """Nothing is open."""


def test_a_step_is_committed_before_it_is_exhibited_and_exhibited_before_it_is_published() -> None:
    diary = Diary()
    shell = Shell(referee(), diary, (diary, diary), [diary.look_on])
    start = StartMatch((6, 6, 6, 6), exactly(1 * S))
    shell.command(start)
    shell.advance(5 * S)
    calls = iter(diary.calls)
    assert next(calls) == ("came", start)
    steps = [step for word, step in diary.calls if word == "written" and isinstance(step, Step)]
    for step in steps:
        assert next(calls) == ("written", step)
        for shown in shown_by([step]):
            assert next(calls) == ("shown", shown)
        assert next(calls) == ("told", step)
    assert next(calls, None) is None
    assert any(isinstance(effect, PhaseEntered) for step in steps for effect in step.effects)


def test_a_step_that_can_not_be_written_is_not_shown() -> None:
    class Broken(Diary):
        def commit(self, step: Step) -> None:
            raise OSError("the journal is gone")

    diary = Broken()
    shell = Shell(referee(), diary, (diary, diary), [diary.look_on])
    try:
        shell.advance(1 * S)
    except OSError:
        assert diary.calls == []
    else:
        raise AssertionError("a journal that fails must not be passed over")


def test_whoever_is_connected_again_is_shown_what_it_came_to() -> None:
    devices, shell = Devices(), Shell(referee())
    shell.advance(1 * S)
    assert devices.shown == []
    shell.connect(devices, devices)
    assert devices.shown == [shell.referee.frame, shell.referee.page]
    shell.advance(3 * S)
    before = list(devices.shown)
    assert before[2:]
    shell.disconnect()
    shell.command(StartMatch((6, 6, 6, 6), exactly(4 * S)))
    shell.advance(5 * S)
    assert devices.shown == before
    shell.connect(devices, devices)
    assert devices.shown[len(before) :] == [shell.referee.frame, shell.referee.page]


# -- what was shown, summed up

frames = st.lists(st.integers(0, 7), min_size=4, max_size=4).map(bytes)
lines = st.text(st.sampled_from("ab"), max_size=3)
pages = st.tuples(lines, lines)
histories = st.lists(frames | pages, max_size=12)


def digest_of(history: Seen) -> str:
    shown = ShownDigest()
    effects: tuple[Effect, ...] = ()
    for each in history:
        shown.add(Step(0, effects, each, None) if isinstance(each, bytes) else Step(0, effects, None, each))
    return shown.digest


@given(histories, histories)
def test_the_digest_tells_what_was_shown(one: Seen, other: Seen) -> None:
    assert (digest_of(one) == digest_of(other)) is (one == other)


def test_pages_that_read_alike_one_after_the_other_are_told_apart() -> None:
    assert digest_of([("ab", "c"), ("d", "e")]) != digest_of([("ab", "cd"), ("", "e")])


@given(histories.filter(lambda history: len(history) > 1))
def test_another_order_is_another_digest(history: Seen) -> None:
    backwards = history[::-1]
    assert (digest_of(history) == digest_of(backwards)) is (history == backwards)


def test_it_counts_how_often_each_lamp_went_on() -> None:
    shown = ShownDigest()
    for frame in (b"\x01\x00", b"\x02\x00", b"\x00\x01", b"\x04\x01"):
        shown.add(Step(0, (), frame, None))
    assert shown.lit == {0: 2, 1: 1}
