"""A round whose points fit no reading, as text: counts, dice, and what hands and table did around the end."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.durations import MS, S
from firmware_host.effects import (
    CardPlayed,
    Corrected,
    Judged,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    SlotChanged,
    TieBroken,
)
from firmware_host.players.movements import (
    ButtonPressed,
    CardHeld,
    CardLaid,
    CardPutBack,
    CardTaken,
    DieCleared,
    DiePut,
    DieTaken,
    LigrettoMoved,
    Movement,
    SlotTouched,
    Thrown,
)
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.simulation.truth.dice_causes import fate, press_kind
from firmware_host.simulation.truth.round_story import RoundStory
from firmware_host.simulation.truth.sheet_reading import SheetReading

BEFORE_NS, AFTER_NS = 6 * S, 3 * S
_SHOWN = (CardPlayed, Corrected, Judged, PhaseEntered, RoundFinished, RoundScored, SlotChanged, TieBroken)


def explained(story: RoundStory) -> str:
    """All lines of one round."""
    fair, scored = story.fair, story.scored
    lines = [f"demo --seed {story.seed}, round {scored.number}: {story.cause}"]
    names = (
        "finisher" if fair is None else f"finisher by the sheets {fair.finisher or 'nobody'}, by the table"
    )
    lines.append(
        f"  {names} {scored.finisher or 'nobody'}; {len(story.readings)} readings fit what hands did"
    )
    lines += _count_lines(story, fair)
    if fair is not None and fair.on_board:
        lines += _dice(story, fair)
    lines += _events(story, fair)
    return "\n".join(lines)


def _count_lines(story: RoundStory, fair: SheetReading | None) -> Iterator[str]:
    yield "  seat   left: sheets   table   points: sheets   table"
    for seat in story.table_left:
        left, points = (fair.left[seat], fair.points[seat]) if fair is not None else ("?", "?")
        mark = "   <" if points != story.table_points[seat] else ""
        yield (
            f"  {seat:>4} {left:>14} {story.table_left[seat]:>7} {points:>16} "
            f"{story.table_points[seat]:>7}{mark}"
        )


def _dice(story: RoundStory, fair: SheetReading) -> Iterator[str]:
    """Each die that counts for another seat at the table than by the sheets."""
    counted = story.counted(story.effects[-1].t_ns)
    for slot in sorted({*counted, *fair.on_board}):
        owner, judged = fair.on_board.get(slot), counted.get(slot)
        by_table = judged.seat if judged is not None else None
        if owner == by_table:
            continue
        if owner is not None:
            why = fate(story, slot, owner, fair.end_ns)
        else:
            why = press_kind(story, judged) if judged is not None else ""
        yield f"  {slot}: of {_seat(owner)} by the sheets, of {_seat(by_table)} by the table ({why})"


def _seat(seat: int | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def _events(story: RoundStory, fair: SheetReading | None) -> Iterator[str]:
    """What happened from a while before the first end to a while after the last one."""
    ends = [t_ns for t_ns, effect in story.effects if isinstance(effect, RoundFinished)]
    ends += [] if fair is None else [fair.end_ns]
    if not ends:
        return
    yield "  events, in seconds from the end by the sheets:" if fair is not None else "  events:"
    zero_ns = max(ends) if fair is None else fair.end_ns
    told = [(t_ns, _order, text) for _order, t_ns, text in _lines(story)]
    for t_ns, _, text in sorted(told):
        if min(ends) - BEFORE_NS <= t_ns <= max(ends) + AFTER_NS:
            end = "  == the end by the sheets" if fair is not None and t_ns == zero_ns else ""
            yield f"  {(t_ns - zero_ns) / S:>+9.3f}  {text}{end}"


def _lines(story: RoundStory) -> Iterator[tuple[int, int, str]]:
    puts = {t_ns for t_ns, movement in story.moves if isinstance(movement, DiePut | DieTaken)}
    for t_ns, movement in story.moves:
        if isinstance(movement, SlotTouched) and t_ns in puts:
            continue
        text = movement_text(movement)
        if text:
            yield 0, t_ns, f"hand   {text}"
    for t_ns, effect in story.effects:
        if isinstance(effect, _SHOWN):
            late = (
                f" ({(t_ns - effect.stamp.earliest_ns) / MS:.0f} ms after it)"
                if isinstance(effect, Judged)
                else ""
            )
            yield 1, t_ns, f"table  {effect_sentence(effect)}{late}"


def movement_text(movement: Movement) -> str:
    """A movement in a few words; nothing for one that is of no use here."""
    match movement:
        case Thrown(seat, left):
            return f"seat {seat} throws {left}"
        case DiePut(seat, die, slot):
            wrong = "" if (die.colour, die.face) == tuple(slot) else f" WRONG: {die.colour.word} {die.face}"
            return f"seat {seat} puts a die on {slot}{wrong}"
        case DieTaken(seat, _, slot):
            return f"seat {seat} takes the die back from {slot}"
        case DieCleared(_, slot):
            return f"the die on {slot} goes into the bag"
        case SlotTouched(slot, filled):
            return f"{slot} is {'set down again' if filled else 'lifted or knocked off'}"
        case ButtonPressed(seat, call):
            return f"seat {seat} presses{' the call button' if call else ''}"
        case CardTaken(card, own):
            return f"seat {card.seat} takes {card}{' from the Ligretto pile' if own else ''}"
        case CardHeld(card, at):
            return f"seat {card.seat} holds {card} to {at}"
        case CardPutBack(card):
            return f"seat {card.seat} puts {card} back"
        case CardLaid(card):
            return f"seat {card.seat} lays {card} in the centre"
        case LigrettoMoved(seat):
            return f"seat {seat} moves a card of the Ligretto pile to the row"
        case _:
            return ""
