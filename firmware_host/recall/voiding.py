"""Which slaps were no slaps: buttons that were pressed and held until the round was void.

A button that goes down is judged as a slap, for nobody can know how long it will stay down. What made a round
void is therefore found among its verdicts, mostly as a false claim. Presses don't outlast a phase, so it is
the last one of that seat in the phase in which the round became void.
"""

from __future__ import annotations

from firmware_host.effects import PhaseEntered, Verdict
from firmware_host.recall.story import Given, Story

_FOR_NOTHING = (Verdict.FALSE_CLAIM, Verdict.LOCKED, Verdict.NOT_RUNNING)


def voiding(story: Story) -> tuple[int, ...]:
    """The numbers of the verdicts on those who made the round void with their hands."""
    voided = story.voided
    if voided is None:
        return ()
    phases = [each.t_ns for each in story.happenings if isinstance(each.effect, PhaseEntered)]
    since_ns = max((t_ns for t_ns in phases if t_ns < voided.t_ns), default=story.start_ns)
    last: dict[int, Given] = {}
    for given in story.verdicts:
        if since_ns <= given.t_ns <= voided.t_ns:
            last[given.judged.seat] = given
    held = [last[seat] for seat in voided.seats if seat in last]
    return tuple(sorted(given.n for given in held if given.judged.verdict in _FOR_NOTHING))
