"""Whatever slaps and dice come, the rulings depend on their stamps and on nothing else."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.effects import WINNING, TieBroken, Verdict
from firmware_host.model.places import Colour, Slot
from firmware_host.model.times import MS, Stamp, exactly
from firmware_host.timing.ties import TieBreaker
from tests.timing.judging import Court, Hit, Place, at, court

SEATS = (1, 2, 3, 4)

moments = (st.integers(0, 8) | st.integers(0, 60)).map(lambda step: 1000 + 25 * step)
stamps = st.builds(at, moments, st.sampled_from([0, 0, 20, 60]))
left_dice = st.tuples(*(st.integers(1, 4) for _ in SEATS))


@st.composite
def dice(draw: st.DrawFn) -> list[Place]:
    """Dice on different slots, some of them where they do not belong."""
    found = draw(st.lists(st.tuples(stamps, st.sampled_from([1, 1, 1, 3])), max_size=4))
    return [
        Place(Slot(colour, number), stamp) for colour, (stamp, number) in zip(Colour, found, strict=False)
    ]


@st.composite
def slaps(draw: st.DrawFn) -> list[Hit]:
    """Slaps of any seats at any time; one button alone can't be hit twice at once."""
    hits: list[Hit] = []
    for hit in draw(st.lists(st.builds(Hit, st.sampled_from(SEATS), stamps), max_size=8)):
        if all(other.seat != hit.seat or _apart(other.stamp, hit.stamp) for other in hits):
            hits.append(hit)
    return hits


def _apart(one: Stamp, other: Stamp) -> bool:
    return one.surely_before(other) or other.surely_before(one)


def outcome(session: Court) -> Counter[tuple[object, ...]]:
    """All rulings, however ordered: when, on whom, what, which die, by how much, in which tie."""
    return Counter((each.judged, each.tie) for each in session.judgements)


def verdicts(session: Court) -> Counter[tuple[int, Stamp, Verdict, TieBroken | None]]:
    """What each slap came to, and in which tie."""
    rulings = [(each.judged, each.tie) for each in session.judgements]
    return Counter((judged.seat, judged.stamp, judged.verdict, tie) for judged, tie in rulings)


def owned(session: Court) -> list[Slot]:
    """Every die that was counted for a seat."""
    judged = [each.judged for each in session.judgements]
    return [each.what for each in judged if each.verdict in WINNING and isinstance(each.what, Slot)]


@given(dice(), slaps(), left_dice, st.randoms(use_true_random=False))
def test_slaps_with_equal_stamps_may_come_in_any_order(
    dice: list[Place], hits: list[Hit], left: tuple[int, ...], chance: Random
) -> None:
    """Where there is enough for everybody, who gets which of the dice is nobody's loss."""
    shuffled = chance.sample(hits, len(hits))
    one, other = court(*dice, *hits, left=left), court(*dice, *shuffled, left=left)
    assert verdicts(one) == verdicts(other)
    assert sorted(owned(one)) == sorted(owned(other))


@given(dice(), slaps(), left_dice, st.lists(st.integers(1000 * MS, 6000 * MS), max_size=20))
def test_asking_more_often_changes_nothing(
    dice: list[Place], hits: list[Hit], left: tuple[int, ...], extra_ns: list[int]
) -> None:
    seldom, often = court(*dice, *hits, left=left), court(*dice, *hits, left=left, extra_ns=extra_ns)
    assert outcome(often) == outcome(seldom)


@given(dice(), slaps(), left_dice)
def test_every_slap_gets_one_answer_and_every_die_one_owner(
    dice: list[Place], hits: list[Hit], left: tuple[int, ...]
) -> None:
    session = court(*dice, *hits, left=left)
    answered = Counter(each.judged.seat for each in session.judgements)
    assert answered == Counter(hit.seat for hit in hits)
    counted = owned(session)
    assert len(set(counted)) == len(counted)
    assert set(counted) <= {die.slot for die in dice if die.slot.number == 1}


@given(dice(), slaps(), left_dice, st.permutations(SEATS))
def test_where_stamps_leave_no_doubt_seat_numbers_mean_nothing(
    dice: list[Place], hits: list[Hit], left: tuple[int, ...], other: list[int]
) -> None:
    """Give every seat another number: each gets just the rulings it got under its own."""
    renamed = dict(zip(SEATS, other, strict=True))
    apart = [Hit(hit.seat, exactly(hit.stamp.earliest_ns + index)) for index, hit in enumerate(hits)]
    moved = [Hit(renamed[hit.seat], hit.stamp) for hit in apart]
    before = court(*dice, *apart, left=left)
    after = court(*dice, *moved, left=tuple(left[other.index(seat)] for seat in SEATS))
    assert [f"{renamed[int(line[0])]}{line[1:]}" for line in map(str, before.judgements)] == list(
        map(str, after.judgements)
    )


@given(dice(), slaps(), st.integers(0, 9))
def test_a_dead_heat_is_lost_only_by_who_was_in_it(dice: list[Place], hits: list[Hit], seed: int) -> None:
    session = court(*dice, *hits, ties=TieBreaker(Random(seed)))
    ties = {each.tie.what: each.tie for each in session.judgements if each.tie}
    for each in session.judgements:
        if each.judged.verdict is Verdict.DEAD_HEAT_LOST:
            tie = ties[each.judged.what]
            assert each.judged.seat in tie.seats
            assert each.judged.seat != tie.winner
