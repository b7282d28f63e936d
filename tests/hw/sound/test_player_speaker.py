"""The speaker in virtual time: when a sound leaves the card, and what happens if player or card go away."""

from __future__ import annotations

import errno
from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import CLIP_RATE, LOUDEST_VOLUME, Clip, Condition, Health
from hw.sim.agenda import Agenda, AgendaOwner
from hw.sim.outputs import SimPlayer
from hw.sound.clips import LOUDEST, MOST_VOICES, TIMBRES, Mixer, spread, synthesised
from hw.sound.player import (
    AHEAD_NS,
    BLOCK_BYTES,
    COMPLAINTS,
    MOST_ASKED,
    PERIOD,
    PERIOD_NS,
    PERIODS,
    RESTING_BLOCKS,
    RESTING_NS,
    STALLED_NS,
    STEADY_NS,
    PlayerSpeaker,
)
from tests.hw.sound.alsa import strength, stretches, strongest

MS, S = 1_000_000, 1_000_000_000
LATEST_NS = AHEAD_NS + PERIOD_NS
LOW = synthesised("low", 1, [(440, 120, 1.0, "pip")])
HIGH = synthesised("high", 1, [(1175, 120, 1.0, "pip")])
RATE = 48_000


class Stage:
    """A speaker, the players that it starts one after another, and time."""

    def __init__(self, faster: int = 0) -> None:
        self.agenda = Agenda()
        self.players: list[SimPlayer] = []
        self.health: list[Health] = []
        self.started: list[tuple[str, int]] = []
        self.refusal: OSError | None = None
        self.tried_ns: list[int] = []
        self._faster = faster
        self.speaker = PlayerSpeaker("speaker", self._open, self.health.append, self._note)
        self.owner = AgendaOwner(self.speaker, self.agenda)

    def _open(self) -> SimPlayer:
        self.tried_ns.append(self.agenda.now_ns)
        if self.refusal is not None:
            raise self.refusal
        self.players.append(SimPlayer(lambda: self.agenda.now_ns, self._faster))
        return self.players[-1]

    def _note(self, clip: Clip, t_ns: int) -> None:
        self.started.append((clip.name, t_ns))

    @property
    def player(self) -> SimPlayer:
        return self.players[-1]

    def wait(self, for_ns: int) -> None:
        self.agenda.run(self.agenda.now_ns + for_ns)

    def play(self, clip: Clip) -> int:
        """Play it; how long after that it leaves the card."""
        asked_ns, heard = self.agenda.now_ns, len(self.player.heard)
        self.speaker.play(clip)
        self.wait(30 * MS)
        return next(
            block.heard_ns - asked_ns
            for block in self.player.heard[heard:]
            if any(abs(sample) > 20 for sample in block.samples)
        )


@given(
    st.sampled_from([-20_000, -300, -20, 0, 20, 300, 20_000]),
    st.lists(st.integers(150 * MS, 250 * MS), min_size=1, max_size=8),
)
def test_a_sound_leaves_the_card_16_ms_after_it_was_asked_for_at_the_latest(
    faster: int, pauses_ns: list[int]
) -> None:
    stage = Stage(faster)
    for pause_ns in pauses_ns:
        stage.wait(pause_ns)
        assert stage.play(LOW) <= LATEST_NS * 1.03
    assert stage.player.gaps == 0
    assert stage.health == []


def test_there_is_silence_between_sounds_and_each_has_its_pitch() -> None:
    stage = Stage()
    stage.wait(100 * MS)
    stage.play(LOW)
    stage.wait(270 * MS)
    stage.play(HIGH)
    stage.wait(300 * MS)
    heard = stage.player.samples
    (one, its_end), (other, _) = stretches(heard, RATE)
    assert (other - one) / RATE == pytest.approx(0.3, abs=0.005)
    assert (its_end - one) / RATE == pytest.approx(0.12, abs=0.002)
    for at, pitch in ((one, 440), (other, 1175)):
        assert strongest(heard[at : at + RATE // 10], [440, 587, 880, 1175], RATE) == pitch


def test_a_thread_that_was_held_up_catches_up_and_no_delay_stays() -> None:
    now_ns = 0
    player = SimPlayer(lambda: now_ns)
    started: list[int] = []
    health: list[Health] = []
    speaker = PlayerSpeaker("speaker", lambda: player, health.append, lambda _, t_ns: started.append(t_ns))

    def run(until_ns: int) -> None:
        nonlocal now_ns
        while now_ns < until_ns:
            now_ns = speaker.step(now_ns) or until_ns

    run(100 * MS)
    now_ns += 50 * MS
    run(250 * MS)
    assert (player.gaps, health) == (1, [])
    asked_ns = now_ns
    speaker.play(LOW)
    run(asked_ns + 20 * MS)
    heard_ns = next(block.heard_ns for block in player.heard if block.written_ns == started[0])
    assert heard_ns - asked_ns <= LATEST_NS


def test_a_player_that_takes_everything_at_once_is_held_to_real_time() -> None:
    class Null(SimPlayer):
        def waiting(self) -> int:
            return 0

    stage = Stage()
    fed = Null(lambda: stage.agenda.now_ns)
    AgendaOwner(PlayerSpeaker("null", lambda: fed, stage.health.append), stage.agenda)
    stage.wait(10 * S)
    assert len(fed.heard) * PERIOD_NS == pytest.approx(10 * S, rel=0.03)


@pytest.mark.parametrize("complaint", [*COMPLAINTS, "Input/output error", ""])
def test_a_player_that_ends_is_started_again_with_growing_pauses(complaint: str) -> None:
    stage = Stage()
    stage.wait(2 * S)
    stage.speaker.play(LOW)
    for _ in range(8):
        stage.player.said, stage.player.ended = complaint, True
        stage.wait(1 * MS + PERIOD_NS)
        assert stage.player.closed
        before = len(stage.players)
        while len(stage.players) == before:
            stage.wait(10 * MS)
    pauses = [later - sooner for sooner, later in pairwise(stage.tried_ns[1:])]
    assert [round(pause_ns / S, 1) for pause_ns in pauses] == [0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0]
    (reported,) = stage.health
    assert reported.condition is Condition.DEGRADED
    assert reported.seen == COMPLAINTS.get(complaint, (f"aplay has ended: {complaint}".rstrip(": "),))[0]
    stage.wait(STEADY_NS + 10 * MS)
    assert [each.condition for each in stage.health] == [Condition.DEGRADED, Condition.OK]
    assert stage.play(HIGH) <= LATEST_NS + PERIODS * PERIOD_NS


def test_where_nothing_sounds_for_a_minute_the_thread_rests_and_only_the_next_sound_is_later() -> None:
    stage = Stage()
    stage.wait(100 * MS)
    assert stage.play(LOW) <= LATEST_NS
    stage.wait(RESTING_NS - 1 * S)
    before = len({block.written_ns for block in stage.player.heard})
    stage.wait(2 * S)
    at_rest = len({block.written_ns for block in stage.player.heard})
    stage.wait(10 * S)
    assert at_rest - before > 100
    assert len({block.written_ns for block in stage.player.heard}) - at_rest < 550
    assert stage.play(LOW) <= LATEST_NS + (RESTING_BLOCKS - 1) * PERIOD_NS
    for _ in range(100):
        stage.wait(157 * MS)
        assert stage.play(LOW) <= LATEST_NS
    assert stage.player.gaps == 0


def test_what_was_asked_for_meanwhile_is_dropped() -> None:
    stage = Stage()
    stage.wait(2 * S)
    stage.player.ended = True
    stage.wait(10 * MS)
    stage.speaker.play(LOW)
    stage.wait(5 * S)
    assert stage.started == []
    assert not any(stage.player.samples)


def test_without_the_program_it_says_what_to_install() -> None:
    stage = Stage()
    stage.refusal = FileNotFoundError(errno.ENOENT, "No such file or directory")
    stage.wait(3 * S)
    assert stage.health == [
        Health("speaker", Condition.DEGRADED, "aplay is not installed", "sudo apt install alsa-utils")
    ]
    stage.refusal = None
    stage.wait(10 * S)
    assert [each.condition for each in stage.health] == [Condition.DEGRADED, Condition.OK]


def test_a_program_that_may_not_be_started_is_named_with_the_reason() -> None:
    stage = Stage()
    stage.refusal = PermissionError(errno.EACCES, "Permission denied")
    stage.wait(1 * S)
    assert stage.health[0].seen == "aplay can't be started: Permission denied"


def test_a_card_that_takes_nothing_is_opened_again() -> None:
    stage = Stage()
    stage.wait(2 * S)
    stage.player.stalled = True
    stage.wait(STALLED_NS + 1 * S)
    assert stage.players[0].closed
    assert len(stage.players) > 1
    assert stage.health[0].seen == "the card takes no sound"


def test_a_card_that_is_slow_to_start_is_given_time() -> None:
    stage = Stage()
    stage.wait(1 * MS)
    stage.player.stalled = True
    stage.wait(1 * S)
    stage.player.stalled = False
    stage.wait(2 * S)
    assert len(stage.players) == 1
    assert stage.health == []


def test_no_more_sounds_wait_than_can_be_heard() -> None:
    stage = Stage()
    stage.wait(100 * MS)
    for number in range(1000):
        stage.speaker.play(LOW._replace(name=f"{number}"))
    stage.wait(20 * MS)
    assert len(stage.started) == MOST_ASKED
    assert stage.started[-1][0] == "999"
    assert max(map(abs, stage.player.samples)) <= 32_767


def test_its_health_is_reported_again_on_request() -> None:
    stage = Stage()
    stage.wait(10 * MS)
    stage.speaker.report_again()
    assert stage.health == [Health("speaker", Condition.OK)]


def test_closing_ends_the_player_and_may_be_done_twice() -> None:
    stage = Stage()
    stage.wait(10 * MS)
    stage.owner.close()
    stage.speaker.close()
    assert stage.player.closed
    stage.speaker.play(LOW)
    stage.wait(1 * S)
    assert stage.started == []


def test_a_clip_is_spread_over_both_channels_at_the_rate_of_the_card() -> None:
    clip = synthesised("short", 1, [(1000, 4, 1.0, "pip")])
    data = spread(clip.samples)
    assert len(clip.samples) == CLIP_RATE * 4 // 1000
    assert len(data) == BLOCK_BYTES == PERIOD * 4


STEEPEST = 2 * LOUDEST // 3
"""From one sample to the next: a step of a click is higher."""


@pytest.mark.parametrize("timbre", TIMBRES)
@pytest.mark.parametrize("hertz", [150, 392, 1047, 1760])
def test_a_note_has_its_pitch_and_no_other(timbre: str, hertz: int) -> None:
    samples = synthesised("note", 1, [(hertz, 100, 1.0, timbre)]).samples
    below, above = hertz / 1.06, hertz * 1.06  # a semitone away
    assert strongest(samples, [hertz / 2, below, hertz, above]) == hertz
    assert len(samples) == CLIP_RATE // 10


def test_notes_follow_each_other_at_their_levels() -> None:
    samples = synthesised("two", 1, [(500, 50, 1.0, "pip"), (1000, 50, 0.25, "pip")]).samples
    half = len(samples) // 2
    first, second = samples[:half], samples[half:]
    assert strongest(first, [500, 1000]) == 500
    assert strongest(second, [500, 1000]) == 1000
    assert strength(second, 1000) == pytest.approx(strength(first, 500) / 4, rel=0.1)


@given(
    st.lists(
        st.tuples(
            st.integers(100, 3000), st.integers(1, 60), st.floats(0, 1), st.sampled_from(sorted(TIMBRES))
        ),
        min_size=1,
        max_size=3,
    )
)
def test_nothing_clicks_and_nothing_is_too_loud(notes: list[tuple[float, int, float, str]]) -> None:
    samples = synthesised("any", 1, notes).samples
    assert max(map(abs, samples)) <= LOUDEST
    assert samples[0] == 0
    assert abs(samples[-1]) <= STEEPEST // 100 or notes[-1][1] <= 1
    longest = max(abs(after - before) for before, after in zip([0, *samples], [*samples, 0], strict=True))
    smoothest = max(_steepest(*note) for note in notes)
    assert longest <= smoothest


def _steepest(hertz: float, ms: int, level: float, timbre: str) -> float:
    """The steepest step that a wave of this pitch can have, with the notes' own rounding."""
    harmonics = TIMBRES[timbre].harmonics
    slope = sum(n * part for n, part in enumerate(harmonics, 1)) * 6.3 * hertz / CLIP_RATE
    return LOUDEST * level * (min(2.0, slope) + 0.05) + 2


BLOCK = 8


def steady(level: int, name: str = "steady", rank: int = 1, length: int = 4 * BLOCK) -> Clip:
    """A clip of one level."""
    return Clip(name, rank, array("h", [level] * length))


def blocks(mixer: Mixer) -> list[list[int]]:
    """All that is left to sound."""
    found = []
    while (block := mixer.block(BLOCK)) is not None:
        found.append(block.tolist())
    return found


def test_nothing_sounds_at_first_and_nothing_after_the_last_clip() -> None:
    mixer = Mixer()
    assert mixer.block(BLOCK) is None
    mixer.add(steady(100, length=BLOCK + 2))
    assert blocks(mixer) == [[100] * 8, [100, 100, 0, 0, 0, 0, 0, 0]]


def test_clips_add_up_from_the_block_on_in_which_they_begin() -> None:
    mixer = Mixer()
    mixer.add(steady(100, length=2 * BLOCK))
    assert mixer.block(BLOCK) == array("h", [100] * BLOCK)
    mixer.add(steady(-30, length=2 * BLOCK))
    assert blocks(mixer) == [[70] * BLOCK, [-30] * BLOCK]


@pytest.mark.parametrize(("level", "sum_"), [(12_000, 32_767), (-12_000, -32_767)])
def test_what_is_too_loud_is_cut_off_and_does_not_wrap_around(level: int, sum_: int) -> None:
    mixer = Mixer()
    for _ in range(3):
        mixer.add(steady(level))
    assert mixer.block(BLOCK) == array("h", [sum_] * BLOCK)


def test_each_step_of_the_volume_is_three_decibels_and_the_lowest_is_silent() -> None:
    mixer = Mixer()
    mixer.add(steady(10_000, length=100 * BLOCK))
    heard = []
    for volume in range(LOUDEST_VOLUME, -1, -1):
        mixer.set_volume(volume)
        block = mixer.block(BLOCK)
        assert block is not None
        heard.append(block[0])
    assert heard[0] == 10_000
    assert heard[-1] == 0
    for louder, quieter in pairwise(heard[:-1]):
        assert quieter == pytest.approx(louder * 0.708, rel=0.01)


def test_where_too_many_sound_the_least_important_one_fades_away() -> None:
    mixer = Mixer()
    for number in range(MOST_VOICES):
        mixer.add(steady(1 << number, f"{number}", rank=1 + number))
    mixer.add(steady(1000, "more", rank=2))
    first, second, *_ = blocks(mixer)
    others = sum(1 << number for number in range(1, MOST_VOICES)) + 1000
    assert first[0] == others + 1
    assert first[-1] == others
    assert second == [others] * BLOCK


def test_what_is_less_important_than_all_that_sounds_is_not_heard() -> None:
    mixer = Mixer()
    for number in range(MOST_VOICES):
        mixer.add(steady(1, f"{number}", rank=2))
    mixer.add(steady(1000, "late", rank=1))
    assert mixer.block(BLOCK) == array("h", [MOST_VOICES] * BLOCK)


def test_all_can_be_forgotten() -> None:
    mixer = Mixer()
    mixer.add(steady(100))
    mixer.clear()
    assert mixer.block(BLOCK) is None
