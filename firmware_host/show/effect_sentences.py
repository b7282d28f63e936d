"""Effects as sentences for people who watch or debug."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.model import effects as e
from firmware_host.model.places import Pad, Pile
from firmware_host.model.plain_text import in_a_line
from firmware_host.model.states import MASKED, AbandonReason, AwayReason, void_words
from firmware_host.show.pages import margin_text


def effect_sentence(effect: e.Effect) -> str:
    """One plain sentence, safe to print, whatever a device has reported."""
    row = _SENTENCES[type(effect)]
    return in_a_line(row.format(effect) if isinstance(row, str) else row(effect))


_REFUSED = {
    e.Cue.UNKNOWN: "is not enrolled",
    e.Cue.NOT_YOURS: "belongs to somebody else",
    e.Cue.TWO_TAGS: "is not alone there",
    e.Cue.IN_CENTRE: "lies in the centre already",
    e.Cue.WRONG_KIND: "belongs to the other game",
    e.Cue.GONE: "has gone",
    e.Cue.UNREAD: "can't be read",
    e.Cue.WRONG_DIE: "does not belong there",
}
_ABANDONED = {
    AbandonReason.PAUSED: "nobody resumed it",
    AbandonReason.UNREADY: "nobody was ready for a round",
    AbandonReason.OPERATOR: "by the operator",
}
_AWAY = {AwayReason.POWER: "off", AwayReason.SERVICE: "in service"}


def _judged(judged: e.Judged) -> str:
    words = [f"seat {judged.seat}: {judged.verdict.value.replace('-', ' ')}"]
    if judged.what is not None:
        words.append(f"for {judged.what}")
    if judged.margin_ns is not None and judged.rival is not None:
        margin = margin_text(judged.margin_ns).lstrip("+")
        tied = judged.verdict is e.Verdict.DEAD_HEAT_LOST  # nobody was behind
        words.append(
            f"within {margin} of seat {judged.rival}" if tied else f"by {margin} behind seat {judged.rival}"
        )
    elif judged.rival is not None:
        words.append(f"from seat {judged.rival}")
    if judged.cue is not None:
        words.append(f"({judged.cue.value.replace('-', ' ')})")
    if judged.doubtful:
        words.append("(doubtful)")
    return " ".join(words)


def _signed(seats: tuple[int, ...], numbers: tuple[int, ...]) -> str:
    return " ".join(f"{seat}:{numbers[seat - 1]:+d}" for seat in seats)


def _tie(tie: e.TieBroken) -> str:
    rivals = _seats(tie.seats)
    how = "by lot" if tie.drawn else "having won the fewest ties before"
    return f"dead heat of {rivals} for {tie.what or 'the end'}: seat {tie.winner} gets it, {how}"


def _seats(seats: tuple[int, ...]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)


def _scored(scored: e.RoundScored) -> str:
    scores, totals = _signed(scored.seats, scored.scores), _signed(scored.seats, scored.totals)
    return f"round {scored.number} scores {scores}; totals {totals}"


def _late(late: e.LateSignal) -> str:
    behind = margin_text(late.behind_ns)
    if isinstance(late.source, Pad | Pile):
        return f"{late.source}: a tag was reported {behind} after it was found, and counts from now on"
    return f"{late.source}: an edge arrived {behind} after it happened, too late to be judged"


def _lost(lost: e.EdgesLost) -> str:
    counts = {0: "some edges may be", 1: "1 edge was"}
    what = counts.get(lost.count, f"{lost.count} edges were")
    return f"{what} lost: verdicts of that moment are doubtful"


def _device(reported: e.DeviceReported) -> str:
    device = reported.device
    return f"{device.name} is {device.condition}{f': {device.words}' if device.words else ''}"


_SENTENCES: Mapping[type[e.Effect], str | Callable[[Any], str]] = {
    e.Judged: _judged,
    e.TieBroken: _tie,
    e.PhaseEntered: "-- {0.phase.name}",
    e.SeatTaken: "seat {0.seat} sits down",
    e.RoundStarted: lambda effect: f"round {effect.number} {'goes on' if effect.again else 'starts'}",
    e.SlotChanged: "{0.slot} is {0.state.word}",
    e.CardPlayed: "{0.card} of seat {0.card.seat} goes onto {0.pile}",
    e.CardArmed: lambda effect: (
        f"seat {effect.card.seat} holds {effect.card} to its pad: "
        + (f"it goes onto {effect.pile}" if effect.pile else "no pile takes it")
    ),
    e.TagRefused: lambda effect: f"{effect.at}: {effect.tag or 'what lies there'} {_REFUSED[effect.cue]}",
    e.DieShown: "seat {0.seat} shows die {0.die}, its {0.count}.",
    e.LeftoverScanned: "seat {0.card.seat} has {0.card} left, {0.count} in all",
    e.RoundFinished: "seat {0.seat} has ended the round",
    e.RoundStuck: "all agree that nobody can play any more",
    e.RoundVoided: lambda effect: f"round {effect.number} is void: {void_words(effect.reason, effect.seats)}",
    e.Corrected: "seat {0.seat} holds {0.after}, not {0.before} (said by {0.by})",
    e.RoundScored: _scored,
    e.MatchEnded: lambda effect: (
        f"the match is won by {_seats(effect.winners)}: {_signed(effect.seats, effect.totals)}"
    ),
    e.MatchAbandoned: lambda effect: f"the match is given up: {_ABANDONED[effect.reason]}",
    e.LateSignal: _late,
    e.Noise: "{0.source}: a disturbance, no change",
    e.SourceMasked: lambda effect: f"{effect.source} {MASKED[effect.reason]} and is ignored",
    e.SourceUnmasked: "{0.source} is used again",
    e.EdgesLost: _lost,
    e.DeviceReported: _device,
    e.WasInterrupted: lambda effect: f"the table was {_AWAY[effect.reason]}, and is back",
    e.Refused: "refused: {0.reason}",
}
"""A row for each kind of effect: its sentence, with attributes in the braces, or what makes it."""
