"""Whatever slaps and cards come, the rulings depend on their stamps, and neither on arrival nor on seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.cards.cards import CardPile, CardsPosition
from firmware_host.model.effects import Cue, TieBroken, Verdict
from firmware_host.model.places import CARD_NUMBERS, Card, Colour, Slot
from firmware_host.model.times import MS, US, Stamp
from firmware_host.timing.ties import TieBreaker
from tests.games.test_plays import RED, RED_FOUR, SETTINGS, CardCourt, Decided, Try, court, slap
from tests.thoroughness import tries

SEATS = (1, 2, 3, 4)
DEALT = (10, 10, 10, 10)
WIDTH_NS = 200 * US
"""How wide the stamp of a slap is."""
APART_NS = 7 * MS
"""A button can't be slapped twice within the time of two bursts of bounce."""

Case = tuple[CardsPosition, list[Try]]
chances = st.randoms(use_true_random=False)


@st.composite
def positions(draw: st.DrawFn) -> CardsPosition:
    """Some piles, of cards that are all different."""
    piles: list[CardPile | None] = []
    used: set[Card] = set()
    for _ in range(draw(st.integers(1, 3))):
        colour = draw(st.sampled_from([Colour.RED, Colour.RED, Colour.GREEN]))
        owners: list[int] = []
        for number in range(1, draw(st.integers(0, 6)) + 1):
            free = [seat for seat in SEATS if Card(seat, colour, number) not in used]
            owners.append(draw(st.sampled_from(free)))
            used.add(Card(owners[-1], colour, number))
        piles.append(CardPile(colour, tuple(owners)) if owners else None)
    return CardsPosition(DEALT, tuple(piles))


@st.composite
def wishes(draw: st.DrawFn, position: CardsPosition) -> list[tuple[Colour, int]]:
    """A few kinds of cards, so that many want the same: what piles want now, or would want then."""
    tops = [(pile.colour, pile.height) for pile in position.piles if pile is not None]
    kinds = [(Colour.RED, number) for number in (1, 2)]
    for colour, top in tops:
        kinds += [(colour, top + more) for more in (1, 1, 1, 1, 2, 2, 3) if top + more <= CARD_NUMBERS]
    return draw(st.lists(st.sampled_from(kinds[::-1]), min_size=1, max_size=3))


def own_card(position: CardsPosition, seat: int, kind: tuple[Colour, int]) -> Card | None:
    """That seat's card of that kind, if it has it still."""
    card = Card(seat, *kind)
    return None if position.is_in_centre(card) else card


bases = st.sampled_from([1000, 1000, 1000, 1000, 1000, 1030, 1300, 2100])
narrow = st.builds(
    lambda base_ms, step: Stamp(base_ms * MS + 50 * US * step, base_ms * MS + 50 * US * step + WIDTH_NS),
    bases,
    st.one_of(*[st.integers(0, 9)] * 4, st.integers(0, 400)),
)
found = st.builds(
    lambda ms, width_ms: Stamp(ms * MS, (ms + width_ms) * MS), st.integers(1000, 1030), st.integers(0, 19)
)
"""Edges that were only found by looking again, as soon as they may count as being in time."""


@st.composite
def slapping(draw: st.DrawFn, stamps: st.SearchStrategy[Stamp] = narrow, most: int = 9) -> Case:
    """A position, and slaps of any seats at any time."""
    position = draw(positions())
    kinds = draw(wishes(position))
    tries: list[Try] = []
    for _ in range(draw(st.integers(1, most))):
        seat, stamp = draw(st.sampled_from(SEATS)), draw(stamps)
        own = [each.stamp for each in tries if each.seat == seat]
        if any(
            each.earliest_ns < stamp.latest_ns + APART_NS and stamp.earliest_ns < each.latest_ns + APART_NS
            for each in own
        ):
            continue
        kind = draw(st.sampled_from(["card"] * 14 + ["none", "cue"]))
        card = own_card(position, seat, draw(st.sampled_from(kinds))) if kind == "card" else None
        cue = Cue.GONE if kind == "cue" else None
        read_ns = draw(st.sampled_from([0, 0, 0, 1 * MS, 40 * MS, 300 * MS])) if card is not None else 0
        delay_ns = draw(delays(stamp, SETTINGS.button_settle_ns))
        tries.append(Try(seat, stamp, card, cue=cue, delay_ns=delay_ns, read_ns=read_ns))
    return position, tries


def delays(stamp: Stamp, settle_ns: int) -> st.SearchStrategy[int]:
    """How much later than it could it may arrive, and be in time."""
    return st.integers(0, max(0, stamp.earliest_ns + settle_ns - stamp.latest_ns))


LOOKS_NS = (40 * MS, 80 * MS, 120 * MS)


@st.composite
def laying(draw: st.DrawFn) -> Case:
    """A position, and cards laid on piles whose readers look more or less often."""
    position = draw(positions())
    kinds = draw(wishes(position))
    tries: list[Try] = []
    for _ in range(draw(st.integers(1, 8))):
        seat = draw(st.sampled_from(SEATS))
        card = own_card(position, seat, draw(st.sampled_from(kinds)))
        if card is None:
            continue
        place = draw(st.sampled_from([1, 1, 1, *range(1, len(position.piles) + 2)]))
        look_ns = LOOKS_NS[place % 3]
        first_ns = 1000 * MS + draw(st.integers(0, 8)) * look_ns // 2
        stamp = Stamp(first_ns, first_ns + look_ns)
        tries.append(Try(seat, stamp, card, place, delay_ns=draw(st.integers(0, SETTINGS.tag_settle_ns))))
    return position, tries


def told(session: CardCourt) -> list[tuple[object, ...]]:
    """All that anybody hears of the rulings, in their order."""
    return [
        (
            each.now_ns,
            each.ruling.attempt.seat,
            each.ruling.attempt.stamp,
            each.ruling.attempt.card,
            each.ruling.verdict,
            each.ruling.play and (each.ruling.play.card, each.ruling.play.place),
            each.ruling.margin_ns,
            each.ruling.tie,
            each.ruling.cue,
            each.locked_until_ns if each.ruling.locks else 0,
        )
        for each in session.decided
    ]


def stamps_allow(session: CardCourt) -> bool:
    """Whether on each place every card may have come after all those that lie below it."""
    since_ns: dict[int, int] = {}
    for each in awards(session):
        play = each.ruling.play
        assert play is not None
        since_ns[play.place] = max(since_ns.get(play.place, 0), play.stamp.earliest_ns)
        if play.stamp.latest_ns < since_ns[play.place]:
            return False
    return True


def awards(session: CardCourt) -> list[Decided]:
    return [each for each in session.decided if each.won]


class Favour(TieBreaker):
    """Instead of a draws: some are always luckier than others, whatever their seats are called."""

    def __init__(self, luck: Mapping[int, int]) -> None:
        super().__init__(Random(1))
        self._luck = luck

    def settle(self, what: Slot | Card | None, seats: Sequence[int]) -> TieBroken:
        winner = min(seats, key=lambda seat: self._luck[seat])
        return TieBroken(what, tuple(sorted(seats)), (0,) * len(seats), True, winner)


attempts = pytest.mark.parametrize(
    ("cases", "wide"),
    [(slapping(), False), (slapping(stamps=found | narrow), False), (laying(), True)],
    ids=["slapped", "slapped and found by looking again", "laid"],
)


# -- arrival


@attempts
@given(data=st.data(), chance=chances)
def test_the_way_of_an_attempt_changes_nothing(
    cases: st.SearchStrategy[Case], wide: bool, data: st.DataObject, chance: Random
) -> None:
    position, tries = data.draw(cases)
    straight = [replace(each, delay_ns=0) for each in tries]
    other = chance.sample(tries, len(tries))
    assert told(court(*other, position=position, wide=wide)) == told(
        court(*straight, position=position, wide=wide)
    )


@given(slapping(), st.lists(st.integers(1000 * MS, 3000 * MS), max_size=20))
def test_asking_more_often_changes_nothing(case: Case, extra_ns: list[int]) -> None:
    position, tries = case
    often = court(*tries, position=position, extra_ns=extra_ns)
    assert [line[1:] for line in told(often)] == [line[1:] for line in told(court(*tries, position=position))]


# -- one answer each, and only what the rules allow


def check_fairness(position: CardsPosition, tries: list[Try], wide: bool) -> None:
    session = court(*tries, position=position, wide=wide)
    answered = Counter((each.ruling.attempt.seat, each.ruling.attempt.stamp) for each in session.decided)
    assert answered == Counter((each.seat, each.stamp) for each in tries)
    played = [each.ruling.attempt.card for each in awards(session)]
    assert len(set(played)) == len(played)
    assert len(session.position.centre) == len(position.centre) + len(played)
    assert stamps_allow(session), session.lines
    for each in session.decided:
        check_lock(each)
    check_nobody_was_passed_over(session)


def check_lock(each: Decided) -> None:
    """A fault of a slap locks; a cue, a laid card and bad luck never do."""
    ruling = each.ruling
    faults = (Verdict.ILLEGAL, Verdict.FALSE_CLAIM)
    locks = ruling.verdict in faults and ruling.cue is None and ruling.attempt.place is None
    assert ruling.locks is (locks or ruling.verdict is Verdict.LOCKED)
    if ruling.locks:
        lock_ns = each.locked_until_ns - ruling.attempt.stamp.latest_ns
        assert lock_ns in [SETTINGS.lock_ns << doublings for doublings in range(4)]


def check_nobody_was_passed_over(session: CardCourt) -> None:
    """Nobody has a place that another seat's card of the same kind fitted on surely before."""
    passed = [each for each in session.decided if not each.won and each.ruling.attempt.card is not None]
    below_ns: dict[int, int] = {}
    for award in awards(session):
        play = award.ruling.play
        assert play is not None
        for each in passed:
            attempt = each.ruling.attempt
            assert attempt.card is not None
            if (
                attempt.card[1:] == play.card[1:]
                and attempt.place in (None, play.place)
                and each.ruling.verdict in (Verdict.TOO_LATE, Verdict.DEAD_HEAT_LOST, Verdict.ILLEGAL)
                and each.ruling.cue is None
                and attempt.stamp.surely_before(play.stamp)
            ):
                assert attempt.stamp.latest_ns < below_ns.get(play.place, 0), (str(each), str(award))
        below_ns[play.place] = max(below_ns.get(play.place, 0), play.stamp.earliest_ns)


@attempts
@settings(max_examples=tries(60, 600))
@given(data=st.data())
def test_attempts_are_judged_fairly(cases: st.SearchStrategy[Case], wide: bool, data: st.DataObject) -> None:
    check_fairness(*data.draw(cases), wide=wide)


@given(
    st.permutations(range(1, 9)),
    st.lists(st.integers(0, WIDTH_NS), min_size=8, max_size=8),
    st.integers(1, 8),
)
def test_a_run_in_one_moment_is_played_whatever_came_first(
    seats: list[int], later_ns: list[int], most: int
) -> None:
    """Every stamp overlaps all the others, so each card may have followed the one below it."""
    run = [
        Try(seat, Stamp(1000 * MS + ns, 1000 * MS + ns + WIDTH_NS), Card(seat, RED, number))
        for number, (seat, ns) in enumerate(zip(seats[:most], later_ns, strict=False), start=1)
    ]
    session = court(*run, position=CardsPosition((10,) * 8))
    assert [each.ruling.attempt.card for each in awards(session)] == [each.card for each in run]


@settings(max_examples=tries(60, 600))
@given(slapping(most=14))
def test_who_is_turned_away_could_not_have_been_played(case: Case) -> None:
    """At the end, no card that was illegal fits after what lies there, by any reading of the stamps."""
    position, tries = case
    session = court(*tries, position=position)
    raised_ns: dict[int, int] = {}
    for each in awards(session):
        assert each.ruling.play is not None
        place, stamp = each.ruling.play.place, each.ruling.play.stamp
        raised_ns[place] = max(raised_ns.get(place, 0), stamp.earliest_ns)
    for each in session.decided:
        attempt = each.ruling.attempt
        if each.ruling.verdict is Verdict.ILLEGAL and attempt.card is not None and each.ruling.cue is None:
            for place in session.position.places_for(attempt.card):
                assert attempt.stamp.latest_ns < raised_ns.get(place, 0), session.lines


@given(slapping(), st.integers(0, 9))
def test_a_dead_heat_is_lost_only_by_who_was_in_it(case: Case, seed: int) -> None:
    position, tries = case
    session = court(*tries, position=position, ties=TieBreaker(Random(seed)))
    ties = [each.ruling.tie for each in session.decided if each.ruling.tie]
    for each in session.decided:
        if each.ruling.verdict is Verdict.DEAD_HEAT_LOST:
            play = each.ruling.play
            assert play is not None
            assert any(tie.winner == play.card.seat != each.ruling.attempt.seat in tie.seats for tie in ties)


@pytest.mark.parametrize("wide", [False, True])
@given(data=st.data())
def test_nobody_contends_with_somebody_surely_before_or_after(wide: bool, data: st.DataObject) -> None:
    position, tries = data.draw(laying() if wide else slapping(stamps=found | narrow))
    for each in court(*tries, position=position, wide=wide).decided:
        if each.ruling.verdict is Verdict.DEAD_HEAT_LOST:
            play, stamp = each.ruling.play, each.ruling.attempt.stamp
            assert play is not None
            assert not play.stamp.surely_before(stamp) and not stamp.surely_before(play.stamp)


@pytest.mark.parametrize("wide", [False, True])
@given(data=st.data())
def test_nobody_is_too_late_for_who_was_not_surely_before_unless_by_lot(
    wide: bool, data: st.DataObject
) -> None:
    position, tries = data.draw(laying() if wide else slapping(stamps=found | narrow))
    session = court(*tries, position=position, wide=wide)
    by_lot = [each.ruling.play for each in session.decided if each.ruling.tie is not None]
    for each in session.decided:
        if each.ruling.verdict is Verdict.TOO_LATE:
            play = each.ruling.play
            assert play is not None
            assert play in by_lot or play.stamp.surely_before(each.ruling.attempt.stamp), session.lines


# -- seats


def renamed(tries: list[Try], names: Mapping[int, int]) -> list[Try]:
    return [
        replace(
            each,
            seat=names[each.seat],
            card=each.card and Card(names[each.seat], each.card.colour, each.card.number),
        )
        for each in tries
    ]


def with_names(position: CardsPosition, names: Mapping[int, int]) -> CardsPosition:
    piles = [
        pile and CardPile(pile.colour, tuple(names[seat] for seat in pile.owners)) for pile in position.piles
    ]
    return CardsPosition(position.dealt, tuple(piles))


def come_to(session: CardCourt, names: Mapping[int, int]) -> Counter[tuple[object, ...]]:
    """What each attempt came to, whatever the seats are called."""
    return Counter(
        (
            names[each.ruling.attempt.seat],
            each.ruling.attempt.stamp,
            each.ruling.verdict,
            each.ruling.margin_ns,
            each.ruling.cue,
            each.ruling.locks and each.locked_until_ns,
        )
        for each in session.decided
    )


SAME = {seat: seat for seat in SEATS}


@pytest.mark.parametrize("wide", [False, True], ids=["slapped", "laid"])
@given(data=st.data(), other=st.permutations(SEATS))
def test_seat_numbers_mean_nothing_but_to_the_tie_break(
    wide: bool, data: st.DataObject, other: list[int]
) -> None:
    """Give every seat another number, and its luck with it: each gets just the verdicts that it got."""
    position, tries = data.draw(laying() if wide else slapping())
    names = dict(zip(SEATS, other, strict=True))
    before = court(*tries, position=position, ties=Favour(SAME), wide=wide)
    after = court(
        *renamed(tries, names),
        position=with_names(position, names),
        ties=Favour({names[seat]: seat for seat in SEATS}),
        wide=wide,
    )
    assert come_to(before, names) == come_to(after, SAME)


@given(slapping(), st.permutations(SEATS))
def test_where_stamps_leave_no_doubt_there_is_no_tie_break(case: Case, other: list[int]) -> None:
    position, tries = case
    spread = [
        replace(
            each, stamp=Stamp(1000 * MS + 10 * MS * rank, 1000 * MS + 10 * MS * rank + WIDTH_NS), delay_ns=0
        )
        for rank, each in enumerate(tries)
    ]
    names = dict(zip(SEATS, other, strict=True))
    before = court(*spread, position=position)
    after = court(*renamed(spread, names), position=with_names(position, names))
    assert not any(each.ruling.tie for each in before.decided)
    assert come_to(before, names) == come_to(after, SAME)


@pytest.mark.parametrize(
    ("position", "apart_ms", "which"),
    [(RED_FOUR, 0.01, 0), (f"{RED_FOUR} r3.3.3.3", 0, -1)],
    ids=["who wins the only place", "who goes away from two places"],
)
def test_the_lot_favours_none_of_three_contenders(position: str, apart_ms: float, which: int) -> None:
    drawn: Counter[int] = Counter()
    for seed in range(1200):
        session = court(
            *(slap(seat, RED, 5, 1000 + apart_ms * seat, 0.2) for seat in (1, 2, 3)),
            position=position,
            ties=TieBreaker(Random(seed)),
        )
        drawn[session.decided[which].ruling.attempt.seat] += 1
    assert all(330 <= drawn[seat] <= 470 for seat in (1, 2, 3)), drawn
