"""Where readers tell the dice apart, how long a reader takes changes no decision: only when it is told."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.model.effects import Effect, Judged, RoundFinished, TieBroken
from firmware_host.model.events import Input, SourceEdge, TagSeen
from firmware_host.model.places import Button, Colour, DieFace, Slot, Source
from firmware_host.model.times import MS, Stamp, exactly
from tests.referee.test_patience import SETTINGS, TABLES, decisions, rounds

READERS = TABLES["readers, by slap"]
QUICK_MS = 5
SLOWEST_MS = (SETTINGS.identify_ns - SETTINGS.tag_settle_ns) // MS - 10
"""So that a die is known in time, and before it is lifted."""
RED1, BLUE1 = Slot(Colour.RED, 1), Slot(Colour.BLUE, 1)


def read(inputs: list[tuple[int, Input]], takes_ms: list[int]) -> list[tuple[int, Input]]:
    """The same with the right die on every place, each of which its reader tells so long after it came."""
    told: list[tuple[int, Input]] = []
    for _, seen in inputs:
        if isinstance(seen, SourceEdge) and isinstance(seen.source, Slot) and seen.active:
            slot, t_ns = seen.source, seen.stamp.latest_ns
            look = Stamp(t_ns, t_ns + takes_ms[len(told) % len(takes_ms)] * MS)
            told.append(
                (look.latest_ns, TagSeen(slot, DieFace(6 * slot.colour + slot.number, slot.number), look))
            )
    return sorted([*inputs, *told], key=lambda each: each[0])


def verdicts(inputs: list[tuple[int, Input]], takes_ms: list[int]) -> list[Effect]:
    """All verdicts in their order, and the end, which is told after all that is decided at the same time."""
    effects = decisions(READERS, read(inputs, takes_ms), patient=False)
    judged = [each for each in effects if isinstance(each, Judged | TieBroken)]
    return [*judged, *(each for each in effects if isinstance(each, RoundFinished))]


def early_last_slap() -> list[tuple[int, Input]]:
    """Seat 1 slaps for its die a moment before that is down; seat 2 puts a die down later, and slaps."""
    acts: list[tuple[int, Source]] = [(3980, Button(1)), (4000, RED1), (4150, BLUE1), (4170, Button(2))]
    return [
        (ms * MS, SourceEdge(source, True, exactly(ms * MS), seq)) for seq, (ms, source) in enumerate(acts)
    ]


@given(rounds(), st.lists(st.integers(QUICK_MS, SLOWEST_MS), min_size=1, max_size=8))
@example(early_last_slap(), [SLOWEST_MS])
@example(early_last_slap(), [SLOWEST_MS, QUICK_MS])
def test_slow_readers_change_no_decision(inputs: list[tuple[int, Input]], takes_ms: list[int]) -> None:
    assert verdicts(inputs, takes_ms) == verdicts(inputs, [QUICK_MS])


def test_an_early_slap_has_its_die_although_the_reader_was_slow() -> None:
    judged = [each for each in verdicts(early_last_slap(), [SLOWEST_MS]) if isinstance(each, Judged)]
    assert [(each.seat, each.verdict.value, each.what) for each in judged] == [
        (1, "accepted", RED1),
        (2, "accepted", BLUE1),
    ]
