"""The two lines of the scoreboard while tags are enrolled."""

from __future__ import annotations

from firmware_host.durations import MS, S
from firmware_host.effects import Cue
from firmware_host.enrolment.enroller import AT_END, Enroller, EnrolState
from firmware_host.texts import Phrase, item_text, say, spot_text

BLINK_NS = 400 * MS
"""How long a saved item is shown, and then hidden, while it blinks."""
TURN_NS = 2 * S
"""How long each of two texts that take turns is shown."""
NOTICE_NS = 2 * S
"""How long the scoreboard says that a tag was taken away too soon."""


def scoreboard_lines(enroller: Enroller, language: str, columns: int, now_ns: int) -> tuple[str, str]:
    """What the scoreboard shows now."""
    upper, lower = _lines(enroller, language, now_ns - enroller.since_ns)
    return upper[:columns], lower[:columns]


def lines_due_ns(enroller: Enroller, now_ns: int) -> int:
    """When the lines may change without an input."""
    return now_ns + BLINK_NS - (now_ns - enroller.since_ns) % BLINK_NS


def _lines(enroller: Enroller, language: str, for_ns: int) -> tuple[str, str]:
    """The lines when the state has lasted for `for_ns`."""
    state, worklist = enroller.state, enroller.worklist
    first_turn = for_ns // TURN_NS % 2 == 0
    if state is EnrolState.CROWDED:
        return say(language, Cue.TWO_TAGS), say(language, Phrase.LEAVE_ONE_TAG)
    if state is EnrolState.LOST:
        reader = spot_text(language, enroller.spots[enroller.eligible[0]].at)
        return say(language, Phrase.CHECK, what=reader), ""
    if enroller.known is not None and state in (EnrolState.OFFERED, EnrolState.REFUSED):
        what_to_do = Phrase.LEAVE_TAG if state is EnrolState.OFFERED else Phrase.LIFT_TAG
        upper = say(language, Phrase.ALREADY if first_turn else what_to_do)
        return upper, item_text(language, enroller.known)
    if state in AT_END:
        return say(language, Phrase.ENROLMENT_DONE), say(language, Phrase.WITHOUT_TAG, n=worklist.left)
    item = item_text(language, worklist.wanted)
    if state is EnrolState.SAVED:
        return item if for_ns // BLINK_NS % 2 == 0 else "", say(language, Phrase.TAG_SAVED)
    if state is EnrolState.TAKE_OFF:
        return item, say(language, Phrase.LIFT_TAG)
    if state is EnrolState.TOO_SHORT and for_ns < NOTICE_NS:
        return item, say(language, Cue.GONE)
    if state is EnrolState.ASKING and enroller.littered:  # no reader has been chosen, and a tag lies on one
        return item, say(language, Phrase.LIFT_TAG) if first_turn else _request(enroller, language)
    progress = say(language, Phrase.PROGRESS, n=worklist.number, of=len(worklist.items))
    return item, _request(enroller, language) if first_turn else progress


def _request(enroller: Enroller, language: str) -> str:
    if enroller.reader is not None:
        reader = spot_text(language, enroller.spots[enroller.reader].at)
        return say(language, Phrase.HOLD_TO_READER, reader=reader)
    return say(language, Phrase.HOLD_TO_ANY_PAD if enroller.has_pads else Phrase.HOLD_TO_ANY_READER)
