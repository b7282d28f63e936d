"""The session as a whole: ways out, commands, and whatever chance throws at it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.games.games import Table
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import RoundState
from firmware_host.games.session import STATES
from firmware_host.model.effects import (
    Judged,
    MatchEnded,
    PhaseEntered,
    Refused,
    RoundScored,
    RoundStarted,
    TieBroken,
    Verdict,
)
from firmware_host.model.events import (
    Command,
    EndMatch,
    Pause,
    Pressed,
    Released,
    Resume,
    SetLeftover,
    StartMatch,
    VoidRound,
)
from firmware_host.model.places import ALL_SLOTS, Slot
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S, Stamp
from firmware_host.show.lamps import frame, frame_length
from firmware_host.show.news import ShowState
from firmware_host.show.pages import page
from firmware_host.show.picture import lamps, next_beat_ns
from tests.games.deeds import Deed, perform, stories
from tests.games.driver import MOMENT_NS, RED, Driver, next_change, reach
from tests.games.mishaps import NEEDED, Mishap, happen

COLUMNS = 20
WON = (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON)


# -- ways out


def test_every_phase_of_each_game_has_a_state() -> None:
    for states in STATES.values():
        assert {phase: state.phase for phase, state in states.items()} == {phase: phase for phase in Phase}


@pytest.mark.parametrize(
    ("phase", "waiting", "following"),
    [
        (Phase.JOIN, "join_ns", Phase.ATTRACT),
        (Phase.COUNTDOWN, "count_ns", Phase.PLAY),
        (Phase.PLAY, "idle_ns", Phase.PAUSED),
        (Phase.PAUSED, "paused_ns", Phase.ATTRACT),
        (Phase.SETTLE, "leftover_ns", Phase.SCORES),
        (Phase.SCORES, "scores_ns", Phase.CLEAR),
        (Phase.CLEAR, "clear_ns", Phase.ATTRACT),
        (Phase.RESULT, "result_ns", Phase.ATTRACT),
    ],
    ids=lambda value: value.name if isinstance(value, Phase) else "",
)
def test_every_phase_is_left_by_time_exactly_at_its_deadline(
    phase: Phase, waiting: str, following: Phase
) -> None:
    driver = reach(phase)
    since_ns = driver.now_ns if phase is Phase.SETTLE else driver.last(PhaseEntered).t_ns
    times = 3 if phase is Phase.COUNTDOWN else 1
    deadline_ns = since_ns + times * getattr(driver.settings, waiting)
    driver.until(deadline_ns - 1)
    assert driver.phase() is phase
    driver.until(deadline_ns)
    assert driver.phase() is following
    assert driver.last(PhaseEntered) == PhaseEntered(following, deadline_ns)


def test_only_attract_may_last_for_ever() -> None:
    lasting = []
    for phase in Phase:
        driver = reach(phase)
        if driver.session.state.due_after_ns(driver.now_ns) is None:
            lasting.append(phase)
    assert lasting == [Phase.ATTRACT]


WHATEVER: dict[str, Mishap] = {
    "nothing goes wrong": lambda driver: None,
    "the table was off": lambda driver: driver.interrupt(),
    **NEEDED,
}


@pytest.mark.parametrize("what", WHATEVER)
@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.name)
def test_an_unattended_table_finds_its_way_home_from_everywhere(phase: Phase, what: str) -> None:
    driver = reach(phase)
    happen(driver, WHATEVER[what])
    too_late_ns = driver.now_ns + 3600 * S
    while driver.phase() is not Phase.ATTRACT:
        driver.wait(10 * S)
        assert driver.now_ns < too_late_ns
    driver.wait(60 * S)
    assert driver.phase() is Phase.ATTRACT
    assert driver.session.seated == set() and driver.session.match is None
    assert bool(driver.session.troubles.all) is (what in NEEDED)


# -- commands

COMMANDS: dict[str, Callable[[Stamp], Command]] = {
    "StartMatch": lambda stamp: StartMatch((12, 12), stamp),
    "Pause": Pause,
    "Resume": Resume,
    "VoidRound": VoidRound,
    "EndMatch": EndMatch,
    "SetLeftover": lambda stamp: SetLeftover(2, 1, stamp),
}
POSSIBLE = {
    "StartMatch": {Phase.ATTRACT, Phase.JOIN},
    "Pause": {Phase.PLAY},
    "Resume": {Phase.PAUSED},
    "VoidRound": {Phase.COUNTDOWN, Phase.PLAY, Phase.PAUSED, Phase.SETTLE},
    "EndMatch": set(Phase) - {Phase.ATTRACT},
    "SetLeftover": {Phase.SETTLE},
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.name)
def test_a_command_is_obeyed_where_it_makes_sense_and_elsewhere_changes_nothing(
    phase: Phase, name: str
) -> None:
    driver = reach(phase)
    before = pickle.dumps(driver.session)
    effects = driver.session.handle(COMMANDS[name](driver.exactly), driver.session.known_ns, driver.now_ns)
    if phase in POSSIBLE[name]:
        assert effects and not any(isinstance(effect, Refused) for effect in effects)
        assert pickle.dumps(driver.session) != before
    else:
        (refused,) = effects
        assert isinstance(refused, Refused)
        assert refused.command == name
        assert phase.name in refused.reason
        assert pickle.dumps(driver.session) == before


# -- buttons and time


def test_a_late_press_does_nothing_at_all() -> None:
    driver = reach(Phase.ATTRACT)
    driver.late(Pressed(1, driver.stamp, late=True))
    driver.wait(2 * S)
    assert driver.effects == []


def test_a_button_is_held_when_it_surely_was_not_let_go_in_time(idle: Driver) -> None:
    idle.wait(MOMENT_NS)
    pressed = idle.press(1)
    held_ns = pressed.latest_ns + idle.settings.hold_ns + idle.settings.settle_ns
    idle.until(held_ns - 1)
    assert idle.phase() is Phase.PAUSED
    idle.until(held_ns)
    assert idle.phase() is Phase.PLAY


def test_a_button_held_for_ever_calls_once(idle: Driver) -> None:
    idle.wait(MOMENT_NS)
    idle.press(1)
    idle.wait(idle.settings.idle_ns + 60 * S)
    assert idle.path[-3:] == ["PAUSED", "PLAY", "PAUSED"]


def test_a_button_that_came_up_late_came_up() -> None:
    driver = reach(Phase.SCORES)
    driver.tap(1)
    driver.press(2)
    driver.wait(100 * MS)
    driver.late(Released(2, driver.stamp, late=True))
    assert driver.phase() is Phase.CLEAR


def test_a_button_that_comes_up_twice_was_pressed_once() -> None:
    driver = reach(Phase.SETTLE)
    driver.hold(2)
    driver.tap(2)
    driver.release(2)
    driver.wait(100 * MS)
    assert isinstance(driver.session.state, Settle)
    assert driver.session.state.entered == 1


def tie(driver: Driver, slot: Slot) -> TieBroken:
    """Seats 1 and 2 slap for one die at one moment."""
    driver.fill(slot)
    driver.wait(100 * MS)
    driver.tap(1, 2)
    driver.wait(2 * S)
    return driver.last(TieBroken)


def test_the_same_seed_draws_the_same_and_nobody_is_unlucky_for_long() -> None:
    def winners(seed: int) -> list[int]:
        driver = Driver(seed=seed)
        driver.start(12, 12)
        return [tie(driver, Slot(RED, number)).winner for number in range(1, 7)]

    assert winners(1) == winners(1)
    assert len({tuple(winners(seed)) for seed in range(20)}) > 1
    for seed in range(20):
        assert sorted(winners(seed)) == [1, 1, 1, 2, 2, 2]


def test_each_match_counts_its_own_ties(play: Driver) -> None:
    tie(play, Slot(RED, 1))
    assert sorted(tie(play, Slot(RED, 2)).won_before) == [0, 1]
    play.command(EndMatch(play.exactly))
    play.clear_board()
    play.start(12, 12)
    assert tie(play, Slot(RED, 1)).won_before == (0, 0)


# -- whatever happens


class Onlooker:
    """Looks at a session after each of its ticks, and believes nothing."""

    def __init__(self) -> None:
        self.driver = Driver(Table(rounds=2), watch=self.look)
        self._seen = 0
        self._held: list[int] = []

    def look(self, view: ShowState, now_ns: int) -> None:
        session = view.session
        self._show_is_sound(view, now_ns)
        new = self.driver.effects[self._seen :]
        self._seen = len(self.driver.effects)
        for effect in new:
            if isinstance(effect, Judged) and effect.verdict in WON:
                self._held[effect.seat - 1] -= 1
            elif isinstance(effect, Judged) and effect.verdict is Verdict.TAKEN_BACK:
                self._held[effect.seat - 1] += 1
        if any(isinstance(effect, RoundStarted) for effect in new):
            self._held = list(self.driver.dice.position.left)
        if isinstance(session.state, RoundState) and session.state.round.called:
            self._round_is_sound()

    def _show_is_sound(self, view: ShowState, now_ns: int) -> None:
        burning = lamps(view, now_ns)
        assert len(burning) == len(frame(burning, now_ns)) == frame_length(view.session.table.seats)
        lines = page(view, now_ns, COLUMNS)
        assert len(lines) == 2 and all(len(line) <= COLUMNS for line in lines)
        for moment_ns in (
            next_change(view, now_ns),
            next_beat_ns(frozenset(lamp.beat for lamp in burning), now_ns),
        ):
            assert moment_ns is None or moment_ns > now_ns
        change_ns = next_change(view, now_ns)
        until_ns = now_ns + 60 * S if change_ns is None else change_ns
        assert lamps(view, until_ns - 1) == burning
        assert page(view, until_ns - 1, COLUMNS) == lines

    def _round_is_sound(self) -> None:
        position = self.driver.dice.position
        assert list(position.left) == self._held, "dice left = dealt less claims"
        assert sum(position.dealt) == sum(position.left) + position.claimed
        assert sum(position.heights) >= position.claimed
        for slot in ALL_SLOTS:
            in_row = slot.number <= position.heights[slot.colour]
            assert in_row is (self.driver.state(slot) not in (SlotState.FREE, SlotState.ILLEGAL))

    def rest(self) -> None:
        """Once all is known, the round and the sensors agree about what lies where.

        What lies on a slot that is not listened to nobody knows.
        """
        self.driver.wait(200 * MS)
        session = self.driver.session
        if isinstance(session.state, RoundState):
            empty = (SlotState.FREE, SlotState.MISSING)
            lying = {slot for slot in ALL_SLOTS if self.driver.state(slot) not in empty}
            masked = {trouble.source for trouble in session.troubles.masked}
            assert lying - masked == session.occupied - masked

    def results_are_sound(self) -> None:
        totals: tuple[int, ...] = (0, 0, 0, 0)
        for scored in self.driver.all_of(RoundScored):
            assert sum(scored.scores) == 0
            before = (0, 0, 0, 0) if scored.number == 1 else totals
            totals = scored.totals
            assert totals == tuple(map(sum, zip(before, scored.scores, strict=True)))
        for ended in self.driver.all_of(MatchEnded):
            best = max(ended.totals[seat - 1] for seat in ended.winners)
            assert best >= 0 and all(ended.totals[seat - 1] == best for seat in ended.winners)
        slaps = [(judged.seat, judged.stamp) for judged in self.driver.all_of(Judged)]
        assert len(slaps) == len(set(slaps)), "one slap, one verdict"


TAKES_A_DIE_BACK: list[Deed] = [
    *(("start", (2, 1, 2)), ("wait", 3000)),
    *(("fill", Slot(RED, 1)), ("all press",), ("all clear",), ("tap", 1), ("press", 1)),
]


@example(TAKES_A_DIE_BACK)
@given(stories)
def test_nothing_that_may_happen_upsets_the_table(story: list[Deed]) -> None:
    onlooker = Onlooker()
    for deed in story:
        perform(onlooker.driver, deed)
    onlooker.rest()
    onlooker.results_are_sound()


@given(stories, st.lists(st.integers(0, 500), max_size=20))
def test_looking_more_often_changes_nothing(story: list[Deed], looks_ms: Sequence[int]) -> None:
    """What is decided depends on what happened, not on how often the loop gets to run."""
    once, often = Driver(Table(rounds=2)), Driver(Table(rounds=2))
    for deed in story:
        perform(once, deed)
        perform(often, deed)
        often.tick()
    end_ns = once.now_ns + 10 * S
    once.until(end_ns)
    for moment_ns in accumulate((look * MS for look in looks_ms), initial=often.now_ns):
        often.until(moment_ns)
        often.tick()
    often.until(end_ns)
    assert often.effects == once.effects
