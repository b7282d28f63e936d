"""The shell: written, then shown, then told; and what it has shown, summed up."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.effects import Effect, Judged, PhaseEntered, SourceMasked, SourceUnmasked
from firmware_host.model.events import Input, SourceEdge, StartMatch
from firmware_host.model.places import Button, Call, Colour, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Referee, Step
from firmware_host.run.journal import ShownDigest
from firmware_host.run.shell import PressLights, Shell
from firmware_host.show.lamps import Tint, panel_lamp_index

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


DICE = Table()
CARDS = Table(game=CARD_GAME, pads=True, call_buttons=True)
PLAYED_NS = 4 * S
"""The countdown is over."""


class Panel:
    """Lamps, a scoreboard and a journal of one table, with hands at its contacts."""

    columns = 20

    def __init__(self, table: Table = DICE, connected: bool = True) -> None:
        self.table = table
        self.frames: list[bytes] = []
        self.came_in: list[Input] = []
        self.steps: list[Step] = []
        referee = Referee(table, Settings(), Random(1), 0)
        self.shell = Shell(referee, self, (self, self) if connected else None)
        self.now_ns = 0
        self._edges = 0
        self.wait(1 * S)

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        self.came_in.append(seen)

    def commit(self, step: Step) -> None:
        self.steps.append(step)

    def show(self, what: bytes | tuple[str, ...], language: str = "") -> None:
        if isinstance(what, bytes):
            self.frames.append(what)

    def close(self) -> None:
        """Nothing is open."""

    def edge(self, source: Source, active: bool) -> SourceEdge:
        """A contact closes or opens now; nothing is decided yet."""
        self._edges += 1
        signal = SourceEdge(source, active, exactly(self.now_ns), self._edges)
        self.shell.put(signal, self.now_ns)
        return signal

    def wait(self, for_ns: int) -> None:
        self.now_ns += for_ns
        self.shell.advance(self.now_ns)

    def play(self) -> None:
        """A round begins."""
        deal = (10,) * 4 if self.table.piles else (6,) * 4
        self.shell.command(StartMatch(deal, exactly(self.now_ns)))
        self.wait(PLAYED_NS)

    def lamp(self, seat: int) -> int:
        """What the lamp of a seat shows now."""
        return self.frames[-1][panel_lamp_index(seat, self.table.piles)]

    def decided_lamp(self, seat: int) -> int:
        """What it would show by what is decided."""
        return self.shell.referee.frame[panel_lamp_index(seat, self.table.piles)]

    def effects(self, kind: type[Judged | SourceMasked | SourceUnmasked]) -> list[object]:
        return [each for step in self.steps for each in step.effects if isinstance(each, kind)]


@pytest.mark.parametrize(("table", "button"), [(DICE, Button(2)), (CARDS, Button(2)), (CARDS, Call(2))])
def test_a_lamp_is_lit_at_the_edge_and_goes_out_with_the_finger(table: Table, button: Button | Call) -> None:
    panel = Panel(table)
    before = panel.frames[-1]
    panel.edge(button, True)
    assert panel.lamp(2) == Tint.BLUE != before[panel_lamp_index(2, table.piles)]
    assert [one == other for one, other in zip(before, panel.frames[-1], strict=True)].count(False) == 1
    panel.edge(button, False)
    assert panel.frames[-1] == panel.shell.referee.frame


def test_it_stays_lit_while_other_lamps_change() -> None:
    panel = Panel()
    panel.edge(Button(2), True)
    before = len(panel.frames)
    panel.wait(900 * MS)
    frames = panel.frames[before:]
    assert len(set(frames)) > 1
    assert {frame[panel_lamp_index(2)] for frame in frames} == {Tint.BLUE}


def test_a_seat_with_two_buttons_is_lit_until_both_are_up() -> None:
    panel = Panel(CARDS)
    panel.edge(Button(2), True)
    panel.edge(Call(2), True)
    panel.edge(Call(2), False)
    assert panel.lamp(2) == Tint.BLUE
    panel.edge(Button(2), False)
    assert panel.frames[-1] == panel.shell.referee.frame


def test_a_verdict_takes_its_place_while_the_button_is_down() -> None:
    panel = Panel()
    panel.play()
    panel.edge(Slot(Colour.RED, 1), True)
    panel.wait(100 * MS)
    panel.edge(Button(2), True)
    panel.wait(2 * MS)
    panel.edge(Button(3), True)
    panel.wait(2 * MS)
    assert not panel.effects(Judged)
    assert panel.lamp(2) == panel.lamp(3) == Tint.BLUE
    while not panel.effects(Judged):
        panel.wait(1 * MS)
    (judged,) = panel.effects(Judged)
    assert isinstance(judged, Judged) and judged.seat == 2
    assert panel.lamp(2) == panel.decided_lamp(2) != Tint.BLUE
    assert panel.lamp(3) == Tint.BLUE
    panel.edge(Button(2), False)
    assert panel.lamp(2) == panel.decided_lamp(2)


def test_the_same_edge_twice_and_an_edge_of_a_slot_change_no_lamp() -> None:
    panel = Panel()
    panel.edge(Button(2), True)
    shown = len(panel.frames)
    panel.edge(Button(2), True)
    panel.edge(Slot(Colour.RED, 1), True)
    panel.edge(Button(3), False)
    assert len(panel.frames) == shown


def test_a_button_that_is_masked_is_not_lit() -> None:
    """It jams: once that is known its lamp says so, and not that a press was felt."""
    panel = Panel()
    panel.edge(Button(2), True)
    panel.wait(panel.shell.referee.session.settings.stuck_ns - 1 * S)
    assert panel.lamp(2) == Tint.BLUE
    panel.wait(2 * S)
    assert panel.effects(SourceMasked) and not panel.effects(SourceUnmasked)
    assert panel.lamp(2) == panel.decided_lamp(2) != Tint.BLUE
    shown = len(panel.frames)
    for active in (False, True, False):
        panel.edge(Button(2), active)
    assert len(panel.frames) == shown
    panel.edge(Button(3), True)
    assert panel.lamp(3) == Tint.BLUE


def test_nothing_of_it_is_written_or_depends_on_whether_it_is_shown() -> None:
    shown, hidden = Panel(), Panel(connected=False)
    for panel in (shown, hidden):
        panel.play()
        edges = []
        for active in (True, False):
            edges.append(panel.edge(Button(2), active))
            panel.wait(400 * MS)
        assert panel.came_in[1:] == edges
    assert any(frame[panel_lamp_index(2)] == Tint.BLUE for frame in shown.frames)
    assert shown.steps == hidden.steps and not hidden.frames
    written = [step.frame for step in shown.steps if step.frame is not None]
    assert all(frame[panel_lamp_index(2)] != Tint.BLUE for frame in written)


def test_a_press_that_arrives_after_its_own_release_lights_nothing() -> None:
    referee = Referee(DICE, Settings(), Random(1), 0)
    lights = PressLights(referee)
    assert not lights.touch(SourceEdge(Button(3), False, exactly(2 * MS), 2))
    assert not lights.touch(SourceEdge(Button(3), True, exactly(1 * MS), 1))
    assert lights.over(referee.frame) == referee.frame
    assert lights.touch(SourceEdge(Button(3), True, exactly(3 * MS), 3))
