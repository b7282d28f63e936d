"""Which sound follows from what was decided, and that no two of them can be confused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest

from firmware_host.games.games import Table
from firmware_host.model.effects import (
    Effect,
    Judged,
    MatchEnded,
    Noise,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    RoundStarted,
    RoundStuck,
    SeatTaken,
    TieBroken,
    Verdict,
)
from firmware_host.model.events import EndMatch, Pause, StartMatch
from firmware_host.model.places import Button
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Referee
from firmware_host.show.sounds import (
    FELT,
    MOST_AT_ONCE,
    SEAT_PITCHES,
    TUNES,
    Heard,
    Note,
    Sound,
    all_sounds,
    notes_of,
    seat_pitch,
    sounds_of,
)

SEATS = (1, 2, 3, 4)
NOTHING = (0,) * 4
AT = exactly(1 * S)


def referee(settings: Settings | None = None) -> Referee:
    return Referee(Table(), settings or Settings(), Random(1), 0)


def heard(*effects: Effect) -> list[str]:
    """What is heard of these effects at a table that nobody plays on."""
    return [each.name for each in sounds_of(referee().session, effects, 1 * S, new_page=True)]


def judged(verdict: Verdict, seat: int = 3) -> Judged:
    return Judged(verdict, seat, AT, 2 * S)


@pytest.mark.parametrize(
    ("verdict", "sound"),
    [
        (Verdict.ACCEPTED, ["counted 3"]),
        (Verdict.DEAD_HEAT_WON, ["counted 3"]),
        (Verdict.TOO_LATE, ["too-late"]),
        (Verdict.ILLEGAL, ["false-claim"]),
        (Verdict.FALSE_CLAIM, ["false-claim"]),
        (Verdict.LOCKED, []),
        (Verdict.NOT_RUNNING, []),
        (Verdict.DEAD_HEAT_LOST, []),
    ],
)
def test_each_verdict_has_its_sound_or_none(verdict: Verdict, sound: list[str]) -> None:
    assert heard(judged(verdict)) == sound


@pytest.mark.parametrize(
    ("effect", "sound"),
    [
        (SeatTaken(2), ["counted 2"]),
        (TieBroken(None, (1, 2), (0, 0), True, 2), ["dead-heat"]),
        (RoundStarted(1, (6, 6, 6, 6), 0), ["start"]),
        (RoundFinished(1, AT), ["stop"]),
        (RoundStuck(0), ["stop"]),
        (PhaseEntered(Phase.PAUSED, 0), ["stop"]),
        (RoundScored(1, SEATS, 1, NOTHING, NOTHING, NOTHING), ["round-scored"]),
        (MatchEnded(SEATS, NOTHING, (1,)), ["match-won"]),
        (PhaseEntered(Phase.PLAY, 0), []),
        (Noise(Button(1), AT), []),
    ],
)
def test_each_effect_has_its_sound_or_none(effect: Effect, sound: list[str]) -> None:
    assert heard(effect) == sound


def test_the_most_important_sounds_come_first_and_each_once() -> None:
    late = [judged(Verdict.TOO_LATE, seat) for seat in (2, 3, 4)]
    assert heard(*late) == ["too-late"]
    wins = [judged(Verdict.ACCEPTED, seat) for seat in (4, 2, 1)]
    assert heard(*late, *wins, RoundFinished(1, AT)) == ["stop", "counted 1", "counted 2"]
    assert len(heard(*wins, *late)) == MOST_AT_ONCE


def counted_by(table: Referee, until_ns: int) -> list[tuple[int, str]]:
    """When something is heard until then, and what."""
    found = []
    for step in table.advance(until_ns):
        for each in sounds_of(table.session, step.effects, step.t_ns, step.page is not None):
            found.append((step.t_ns, each.name))
    return found


@pytest.mark.parametrize("count_ns", [1 * S, 700 * MS])
@pytest.mark.parametrize("start_ns", [1 * S, 1_234_567_891])
def test_the_countdown_is_heard_with_each_number_and_ends_with_the_start(
    count_ns: int, start_ns: int
) -> None:
    table = referee(Settings(count_ns=count_ns))
    table.put(StartMatch((6, 6, 6, 6), exactly(start_ns)), 0)
    found = counted_by(table, start_ns + 4 * count_ns)
    assert [name for _, name in found] == ["countdown", "countdown", "countdown", "start"]
    assert {after - before for (before, _), (after, _) in pairwise(found)} == {count_ns}


def test_a_pause_and_an_end_by_the_operator_are_heard() -> None:
    table = referee()
    table.put(StartMatch((6, 6, 6, 6), exactly(1 * S)), 0)
    table.put(Pause(exactly(6 * S)), 0)
    table.put(EndMatch(exactly(7 * S)), 0)
    assert [name for _, name in counted_by(table, 10 * S)][4:] == ["stop"]


# -- what they sound like


def test_every_sound_has_a_tune_and_ranks_differ() -> None:
    assert set(TUNES) == set(Sound)
    assert len({tune.rank for tune in TUNES.values()}) == len(Sound)
    for sound, tune in TUNES.items():
        assert tune.notes, sound
        assert all(0 < note.level <= 1 and note.ms > 0 for note in tune.notes)


def test_what_is_felt_is_the_shortest_and_quietest() -> None:
    (tick,) = notes_of(FELT, 4)
    others = [note for sound, tune in TUNES.items() if sound is not Sound.FELT for note in tune.notes]
    assert all(tick.ms < note.ms and tick.level < note.level for note in others)


@pytest.mark.parametrize("seats", range(2, 13))
def test_each_seat_has_a_pitch_of_its_own_two_semitones_from_any_other(seats: int) -> None:
    pitches = [seat_pitch(seat, seats) for seat in range(1, seats + 1)]
    assert set(pitches) <= set(SEAT_PITCHES)
    assert all(after / before > 1.12 for before, after in pairwise(pitches))
    assert pitches[0] == SEAT_PITCHES[0] and pitches[-1] == SEAT_PITCHES[-1]


def test_at_a_table_for_four_they_are_far_apart() -> None:
    pitches = [seat_pitch(seat, 4) for seat in SEATS]
    assert all(after / before > 1.3 for before, after in pairwise(pitches))


def test_no_two_sounds_are_alike_in_pitch_rhythm_and_timbre() -> None:
    def shape(each: Heard) -> tuple[tuple[float, int, str], ...]:
        return tuple((note.hertz, note.ms, note.timbre) for note in notes_of(each, 12))

    sounds = all_sounds(12)
    assert Counter(each.sound for each in sounds)[Sound.COUNTED] == 12
    for one, other in combinations(sounds, 2):
        assert shape(one) != shape(other), (one.name, other.name)


def test_no_sound_is_longer_than_a_breath() -> None:
    for each in all_sounds(4):
        longest = 1300 if each.sound is Sound.MATCH_WON else 800
        assert sum(note.ms for note in notes_of(each, 4)) <= longest


def test_the_note_of_a_seat_is_that_of_its_tune_but_for_the_pitch() -> None:
    (note,) = notes_of(Heard(Sound.COUNTED, 4), 4)
    assert note == Note(1760, 120, 1.0, "bell")
