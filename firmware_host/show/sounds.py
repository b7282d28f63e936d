"""What the table sounds like: which sound follows from what was decided, and the notes of each.

Sounds repeat what lamps and scoreboard show, so that nobody has to look up; no game needs them. They differ
in rhythm and direction, not only in pitch: one bell counts, two falling notes are too late, a buzz is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from firmware_host.games.phase_states import Countdown
from firmware_host.games.session import Session
from firmware_host.model.effects import (
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    RoundStarted,
    RoundStuck,
    SeatTaken,
    TieBroken,
    Verdict,
)
from firmware_host.model.states import Phase

MOST_AT_ONCE = 3
"""More sounds that begin together are noise; this many never exceed what a loudspeaker can do."""
SEAT_PITCHES = (392, 440, 523, 587, 659, 784, 880, 1047, 1175, 1319, 1568, 1760)
"""Hertz. A scale of five notes in each octave, in which any two together sound well; seats share it out."""


class Sound(Enum):
    """What a sound says."""

    FELT = "felt"  # a press was felt; it is not judged yet
    COUNTED = "counted"  # a die or card counts, or a seat is taken: the pitch says whose
    TOO_LATE = "too-late"  # a rival was first
    FALSE_CLAIM = "false-claim"  # there was nothing to claim, or it does not fit there
    DEAD_HEAT = "dead-heat"  # nobody was first, and the tie-break decided
    COUNTDOWN = "countdown"  # three, two, one
    START = "start"  # the round runs
    STOP = "stop"  # the round stands still or is over: hands off
    ROUND_SCORED = "round-scored"  # the points of the round are there
    MATCH_WON = "match-won"  # the match has its winners


class Heard(NamedTuple):
    """A sound, and the seat that it is about; 0 if it sounds alike for all."""

    sound: Sound
    seat: int = 0

    @property
    def name(self) -> str:
        """Its name for logs and tests: `counted 3`."""
        return f"{self.sound.value} {self.seat}" if self.seat else self.sound.value


class Note(NamedTuple):
    """A tone of that pitch and length; its level is from 0 to 1."""

    hertz: float
    ms: int
    level: float
    timbre: str


class Tune(NamedTuple):
    """The notes of a sound, one after another. Where too many sound at once, the highest ranks are heard."""

    rank: int
    notes: tuple[Note, ...]


FELT = Heard(Sound.FELT)
"""No step leads to it: whoever takes a press plays it, before anything is judged."""
_OF_SEAT = 0
"""Stands for the pitch of the seat that a sound is about."""


def _tune(rank: int, timbre: str, level: float, *notes: tuple[float, int]) -> Tune:
    return Tune(rank, tuple(Note(hertz, ms, level, timbre) for hertz, ms in notes))


TUNES: dict[Sound, Tune] = {
    # A tick, as quiet and short as the click of a button: it must not be taken for a verdict.
    Sound.FELT: _tune(0, "pip", 0.25, (2400, 12)),
    # Two notes that fall: a pity. Not loud, for it is frequent.
    Sound.TOO_LATE: _tune(1, "reed", 0.7, (466, 70), (311, 110)),
    # One bell; its pitch says whose.
    Sound.COUNTED: _tune(2, "bell", 1.0, (_OF_SEAT, 120)),
    # A low and long buzz, the only rough sound.
    Sound.FALSE_CLAIM: _tune(3, "buzz", 0.8, (150, 240)),
    # A trill: two notes that can't decide.
    Sound.DEAD_HEAT: _tune(4, "pip", 0.7, *((1397, 40), (1865, 40)) * 3),
    # The pips of a time signal, and the long one an octave above.
    Sound.COUNTDOWN: _tune(5, "pip", 0.8, (740, 90)),
    Sound.START: _tune(7, "pip", 0.9, (1480, 350)),
    # Three bells that rise: here are the points.
    Sound.ROUND_SCORED: _tune(6, "bell", 0.9, (523, 110), (659, 110), (784, 300)),
    # Three long notes that fall by an octave and a half: everybody stops.
    Sound.STOP: _tune(8, "reed", 1.0, (988, 130), (698, 130), (349, 450)),
    # A short fanfare.
    Sound.MATCH_WON: _tune(
        9, "reed", 0.9, (523, 90), (523, 90), (659, 130), (784, 130), (659, 110), (1047, 600)
    ),
}

_OF_VERDICT: dict[Verdict, Sound] = {
    Verdict.ACCEPTED: Sound.COUNTED,
    Verdict.DEAD_HEAT_WON: Sound.COUNTED,  # besides the trill: the pitch says who has won it
    Verdict.TOO_LATE: Sound.TOO_LATE,
    Verdict.ILLEGAL: Sound.FALSE_CLAIM,
    Verdict.FALSE_CLAIM: Sound.FALSE_CLAIM,
    # The others are silent. Who is locked would only make more noise by hammering.
}
_OF_EFFECT: dict[type[Effect], Sound] = {
    TieBroken: Sound.DEAD_HEAT,
    RoundStarted: Sound.START,
    RoundFinished: Sound.STOP,
    RoundStuck: Sound.STOP,
    RoundScored: Sound.ROUND_SCORED,
    MatchEnded: Sound.MATCH_WON,
}


def sounds_of(session: Session, effects: Iterable[Effect], t_ns: int, new_page: bool) -> list[Heard]:
    """What is heard of a step, the most important first.

    The numbers of the countdown are no effects. They sound with the page that shows them.
    """
    heard: set[Heard] = set()
    for effect in effects:
        if isinstance(effect, Judged):
            of_verdict = _OF_VERDICT.get(effect.verdict)
            if of_verdict is not None:
                heard.add(Heard(of_verdict, effect.seat if of_verdict is Sound.COUNTED else 0))
        elif isinstance(effect, SeatTaken):
            heard.add(Heard(Sound.COUNTED, effect.seat))
        elif isinstance(effect, PhaseEntered):
            if effect.phase is Phase.PAUSED:
                heard.add(Heard(Sound.STOP))
        elif (sound := _OF_EFFECT.get(type(effect))) is not None:
            heard.add(Heard(sound))
    state = session.state
    numbered = isinstance(state, Countdown) and (t_ns - state.entered_ns) % session.settings.count_ns == 0
    if new_page and numbered:
        heard.add(Heard(Sound.COUNTDOWN))
    return sorted(heard, key=lambda each: (-TUNES[each.sound].rank, each.seat))[:MOST_AT_ONCE]


def notes_of(heard: Heard, seats: int) -> tuple[Note, ...]:
    """The notes to play at a table with so many seats."""
    notes = TUNES[heard.sound].notes
    if not heard.seat:
        return notes
    return tuple(note._replace(hertz=seat_pitch(heard.seat, seats)) for note in notes)


def seat_pitch(seat: int, seats: int) -> int:
    """The pitch of a seat: those of a small table are far apart."""
    return SEAT_PITCHES[(seat - 1) * (len(SEAT_PITCHES) - 1) // max(1, seats - 1)]


def all_sounds(seats: int) -> list[Heard]:
    """Everything that can be heard at a table."""
    of_seats = [Heard(Sound.COUNTED, seat) for seat in range(1, seats + 1)]
    return [*(Heard(sound) for sound in Sound if sound is not Sound.COUNTED), *of_seats]
