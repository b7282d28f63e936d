"""Effects as sentences for people who watch or debug."""

from __future__ import annotations

from firmware_host.model import effects as e
from firmware_host.model.places import Pad, Pile
from firmware_host.model.plain_text import in_a_line
from firmware_host.model.states import MASKED, AbandonReason, AwayReason, void_words
from firmware_host.show.pages import margin_text


def effect_sentence(effect: e.Effect) -> str:
    """One plain sentence, safe to print, whatever a device has reported."""
    return in_a_line(_sentence(effect))


def _sentence(effect: e.Effect) -> str:
    match effect:
        case e.Judged():
            return _judged(effect)
        case e.TieBroken():
            rivals = " and ".join(f"seat {seat}" for seat in effect.seats)
            how = "by lot" if effect.drawn else "having won the fewest ties before"
            return (
                f"dead heat of {rivals} for {effect.what or 'the end'}: seat {effect.winner} gets it, {how}"
            )
        case e.PhaseEntered():
            return f"-- {effect.phase.name}"
        case e.SeatTaken():
            return f"seat {effect.seat} sits down"
        case e.RoundStarted():
            return f"round {effect.number} {'goes on' if effect.again else 'starts'}"
        case e.SlotChanged():
            return f"{effect.slot} is {effect.state.word}"
        case e.CardPlayed():
            return f"{effect.card} of seat {effect.card.seat} goes onto {effect.pile}"
        case e.CardArmed():
            where = f"it goes onto {effect.pile}" if effect.pile else "no pile takes it"
            return f"seat {effect.card.seat} holds {effect.card} to its pad: {where}"
        case e.TagRefused():
            return f"{effect.at}: {effect.tag or 'what lies there'} {_REFUSED[effect.cue]}"
        case e.DieShown():
            return f"seat {effect.seat} shows die {effect.die}, its {effect.count}."
        case e.LeftoverScanned():
            return f"seat {effect.card.seat} has {effect.card} left, {effect.count} in all"
        case e.RoundFinished():
            return f"seat {effect.seat} has ended the round"
        case e.RoundStuck():
            return "all agree that nobody can play any more"
        case e.RoundVoided():
            return f"round {effect.number} is void: {void_words(effect.reason, effect.seats)}"
        case e.Corrected():
            return f"seat {effect.seat} holds {effect.after}, not {effect.before} (said by {effect.by})"
        case e.RoundScored():
            scores, totals = _signed(effect.seats, effect.scores), _signed(effect.seats, effect.totals)
            return f"round {effect.number} scores {scores}; totals {totals}"
        case e.MatchEnded():
            winners = " and ".join(f"seat {seat}" for seat in effect.winners)
            return f"the match is won by {winners}: {_signed(effect.seats, effect.totals)}"
        case e.MatchAbandoned():
            return f"the match is given up: {_ABANDONED[effect.reason]}"
        case e.Refused():
            return f"refused: {effect.reason}"
        case _:
            return _of_devices(effect)


OfDevices = (
    e.LateSignal
    | e.Noise
    | e.SourceMasked
    | e.SourceUnmasked
    | e.EdgesLost
    | e.DeviceReported
    | e.WasInterrupted
)


def _of_devices(effect: OfDevices) -> str:
    match effect:
        case e.LateSignal():
            return _late(effect)
        case e.Noise():
            return f"{effect.source}: a disturbance, no change"
        case e.SourceMasked():
            return f"{effect.source} {MASKED[effect.reason]} and is ignored"
        case e.SourceUnmasked():
            return f"{effect.source} is used again"
        case e.EdgesLost():
            counts = {0: "some edges may be", 1: "1 edge was"}
            what = counts.get(effect.count, f"{effect.count} edges were")
            return f"{what} lost: verdicts of that moment are doubtful"
        case e.DeviceReported():
            device = effect.device
            words = f": {device.words}" if device.words else ""
            return f"{device.name} is {device.condition}{words}"
        case _:
            return f"the table was {_AWAY[effect.reason]}, and is back"


def _late(effect: e.LateSignal) -> str:
    behind = margin_text(effect.behind_ns)
    if isinstance(effect.source, Pad | Pile):
        return f"{effect.source}: a tag was reported {behind} after it was found, and counts from now on"
    return f"{effect.source}: an edge arrived {behind} after it happened, too late to be judged"


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
