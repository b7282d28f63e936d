"""The two lines of the scoreboard while tags are enrolled."""

from __future__ import annotations

from firmware_host.durations import MS, S
from firmware_host.effects import Cue
from firmware_host.enrolment.flow import Flow
from firmware_host.enrolment.phases import Notice, Phase
from firmware_host.places import Pad
from firmware_host.texts import Phrase, item_text, say, spot_text

BLINK_NS = 400 * MS
"""What has been saved is shown for so long, and not shown for so long."""
TURN_NS = 2 * S
"""How long each of two texts stands that take turns in one line."""
NOTICE_NS = 2 * S
"""How long it is said that a tag was taken away too soon."""

Lines = tuple[str, str]


def page(flow: Flow, language: str, columns: int, now_ns: int) -> Lines:
    """What the scoreboard says now."""
    upper, lower = _lines(flow, language, now_ns - flow.since_ns)
    return upper[:columns], lower[:columns]


def page_due_ns(flow: Flow, now_ns: int) -> int:
    """When it may say something else, although nothing has happened."""
    return now_ns + BLINK_NS - (now_ns - flow.since_ns) % BLINK_NS


def _lines(flow: Flow, language: str, for_ns: int) -> Lines:
    """The lines when the flow has been in its phase for so long."""
    first_turn = for_ns // TURN_NS % 2 == 0
    match flow.phase:
        case Phase.CROWDED:
            return say(language, Cue.TWO_TAGS), say(language, Phrase.LEAVE_ONE_TAG)
        case Phase.BLIND:
            reader = spot_text(language, flow.readers.spots[flow.readers.eligible[0]])
            return say(language, Phrase.CHECK, what=reader), ""
        case Phase.OFFERING:
            return say(language, Phrase.ALREADY if first_turn else Phrase.LEAVE_TAG), _known(flow, language)
        case Phase.CLEARING if flow.notice is Notice.KNOWN:
            return say(language, Phrase.ALREADY if first_turn else Phrase.LIFT_TAG), _known(flow, language)
        case Phase.DONE | Phase.OVER:
            return say(language, Phrase.ENROLMENT_DONE), say(language, Phrase.WITHOUT_TAG, n=flow.course.left)
    item = item_text(language, flow.course.wanted)
    if flow.notice is Notice.KEPT:
        return item if for_ns // BLINK_NS % 2 == 0 else "", say(language, Phrase.TAG_SAVED)
    if flow.phase is Phase.CLEARING:
        return item, say(language, Phrase.LIFT_TAG)
    if flow.notice is Notice.GONE and for_ns < NOTICE_NS:
        return item, say(language, Cue.GONE)
    if flow.phase is Phase.ASKING and flow.readers.littered:  # none is chosen yet, and what lies there is old
        return item, say(language, Phrase.LIFT_TAG) if first_turn else _request(flow, language)
    return item, _request(flow, language) if first_turn else _progress(flow, language)


def _known(flow: Flow, language: str) -> str:
    assert flow.known is not None, "a tag that stands for something lies there"
    return item_text(language, flow.known)


def _request(flow: Flow, language: str) -> str:
    chosen, spots = flow.readers.chosen, flow.readers.spots
    if chosen is not None:
        return say(language, Phrase.HOLD_TO_READER, reader=spot_text(language, spots[chosen]))
    with_pads = any(isinstance(spot, Pad) for spot in spots)
    return say(language, Phrase.HOLD_TO_ANY_PAD if with_pads else Phrase.HOLD_TO_ANY_READER)


def _progress(flow: Flow, language: str) -> str:
    return say(language, Phrase.PROGRESS, n=flow.course.number, of=len(flow.course.items))
