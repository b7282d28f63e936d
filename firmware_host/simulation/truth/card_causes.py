"""Why the points of a round of cards fit no reading."""

from __future__ import annotations

from firmware_host.effects import CardPlayed
from firmware_host.players.movements import LigrettoMoved
from firmware_host.simulation.truth.round_story import RoundStory


def card_cause(story: RoundStory) -> str:
    """The main cause in a few words that are the same for all rounds of its kind."""
    fair = story.fair
    if fair is None:
        return "no deal was seen"
    late = {
        movement.seat
        for t_ns, movement in story.moves
        if isinstance(movement, LigrettoMoved) and t_ns > fair.end_ns
    }
    played = [effect.card.seat for _, effect in story.effects if isinstance(effect, CardPlayed)]
    for seat, left in fair.left.items():
        if story.table_left[seat] < left and seat in late:
            return "Ligretto card moved to the row after the end"
        if story.table_left[seat] != left:
            more = story.table_left[seat] > left
            return "more Ligretto cards counted than left" if more else "Ligretto cards left not counted"
    for seat in fair.left:
        if played.count(seat) != fair.centre[seat]:
            more = played.count(seat) > fair.centre[seat]
            return "card counted after the end" if more else "card in the centre not counted"
    return "counts right, points wrong"
