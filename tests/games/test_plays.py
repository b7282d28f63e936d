"""Cards slapped and cards laid: who plays, who comes too late, who is locked.

Times are milliseconds. A slap becomes known to the court when it has settled, a laid card when its tag
counts, as at the table; what was ruled can be read as lines such as `2 too-late red 5 +20`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import pytest

from firmware_host.games.cards.cards import CardsPosition, parse_position
from firmware_host.games.cards.plays import NEVER_NS, Attempt, PlayRuling, Plays
from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.events import TagSeen
from firmware_host.model.places import Card, Colour, Pile
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, Stamp, exactly
from firmware_host.timing.lanes import StampQueue, TagLane
from firmware_host.timing.ties import TieBreaker
from tests.timing.judging import at

RED, YELLOW, GREEN, BLUE = Colour
SETTINGS = Settings(stamp_uncertainty_ns=0, locks="strict")
WON_AND_LOST = [Verdict.DEAD_HEAT_WON, Verdict.DEAD_HEAT_LOST]
WINNING = (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON)
NOBODY = "10,10,10,10"
RED_FOUR = "10,10,10,10 r4.4.4.4"
"""Four red cards of seat 4 lie on place 1, which wants a red five."""
TWO_PLACES = f"{RED_FOUR} r3.3.3.3"
"""The same, and place 2 wants a red five as well."""
END_NS = 60_000 * MS
CARD_BY_NS = 350 * MS
"""A card that is read this long after its slap is still the one that was slapped."""


@dataclass(frozen=True, slots=True)
class Try:
    """A slap with that card (None: without one), or a card laid on a place."""

    seat: int
    stamp: Stamp
    card: Card | None = None
    place: int | None = None
    cue: Cue | None = None
    delay_ns: int = 0
    """How much later than it could it arrives."""
    read_ns: int = 0
    """How much later than its slap its card counts; 0 if it lay on the pad before."""


@dataclass(frozen=True, slots=True)
class Decided:
    """One ruling, when it was made, and until when its seat is locked by it."""

    now_ns: int
    ruling: PlayRuling
    locked_until_ns: int

    @property
    def won(self) -> bool:
        return self.ruling.verdict in WINNING

    def __str__(self) -> str:
        ruling = self.ruling
        card = f" {ruling.attempt.card}" if ruling.attempt.card else ""
        place = f" on {ruling.play.place}" if ruling.play and self.won else ""
        margin = "" if ruling.margin_ns is None else f" {ruling.margin_ns / MS:+g}"
        cue = f" ({ruling.cue.value})" if ruling.cue else ""
        return f"{ruling.attempt.seat} {ruling.verdict.value}{card}{place}{margin}{cue}"


class CardCourt:
    """Knows each attempt when it is settled, and rules whenever something is due."""

    def __init__(
        self, position: CardsPosition, ties: TieBreaker, settings: Settings = SETTINGS, wide: bool = False
    ) -> None:
        self.plays = Plays(settings, ties, position, wide_ns=settings.tag_settle_ns if wide else 0)
        self.decided: list[Decided] = []
        self._slaps: StampQueue[Try] = StampQueue()
        self._delay_ns = settings.settle_ns
        self._tags = TagLane(settings.tag_settle_ns)
        self._coming: list[tuple[int, Try]] = []
        self._unread: list[tuple[int, Attempt, Card]] = []

    def hear(self, tries: Iterable[Try]) -> None:
        """These will arrive, those of equal moments in this order."""
        self._coming += [(each.stamp.latest_ns + each.delay_ns, each) for each in tries]
        self._coming.sort(key=lambda coming: coming[0])

    def sit(self, until_ns: int = END_NS, extra_ns: Sequence[int] = ()) -> None:
        """Rule whenever something is due, and at the extra moments as well."""
        now_ns = -1
        while True:
            due_ns = min(self._moments(now_ns, extra_ns), default=until_ns + 1)
            if self._coming and self._coming[0][0] <= due_ns:
                arrives_ns, each = self._coming.pop(0)
                self._arrive(each, arrives_ns)
                continue
            if due_ns > until_ns:
                break
            assert due_ns > now_ns, "what is due was not done"
            now_ns = due_ns
            self._step(now_ns)

    def _moments(self, now_ns: int, extra_ns: Sequence[int]) -> list[int]:
        awaits_ns = self.plays.awaits_after_ns(now_ns - self._delay_ns)
        moments = [self._slaps.first_ns, self._tags.first_ns, awaits_ns, *(each[0] for each in self._unread)]
        due = [ns + self._delay_ns for ns in moments if ns is not None]
        return due + [ns for ns in extra_ns if ns > now_ns]

    def _step(self, now_ns: int) -> None:
        known_ns = now_ns - self._delay_ns
        for each in self._slaps.take(known_ns):
            if each.card is not None and each.read_ns:
                attempt = self.slap(each.seat, each.stamp)
                attempt.card_by_ns = each.stamp.latest_ns + CARD_BY_NS
                self._unread.append((each.stamp.latest_ns + each.read_ns, attempt, each.card))
                self.plays.let_go(each.seat)
            elif each.card is not None and each.cue is None:
                self.slap(each.seat, each.stamp, each.card)
            else:
                self.slap(each.seat, each.stamp).cue = each.cue
                self.plays.let_go(each.seat)
        for _, event in self._tags.take(known_ns):
            assert isinstance(event.tag, Card) and isinstance(event.at, Pile)
            self.plays.lay(event.tag, event.stamp, event.at.number, known_ns, doubtful=event.late)
        for counts_ns, attempt, card in [each for each in self._unread if each[0] <= known_ns]:
            attempt.card, attempt.card_by_ns, attempt.due_ns = card, 0, attempt.stamp.latest_ns
            self._unread.remove((counts_ns, attempt, card))
        self.rule(now_ns)

    def _arrive(self, each: Try, now_ns: int) -> None:
        if each.place is None:
            self._slaps.put(each.stamp, (each.seat,), each)
        else:
            assert each.card is not None
            self._tags.put(TagSeen(Pile(each.place), each.card, each.stamp), now_ns)

    def slap(self, seat: int, stamp: Stamp, card: Card | None = None) -> Attempt:
        """A seat slaps, with that card on its pad; without one it may be the beginning of a call."""
        attempt = Attempt(seat, stamp, card, NEVER_NS if card is None else stamp.latest_ns)
        self.plays.waiting.append(attempt)
        return attempt

    def rule(self, now_ns: int) -> None:
        """Let everything be decided that is ripe."""
        while (ruling := self.plays.next_ruling(now_ns - self._delay_ns)) is not None:
            self.decided.append(Decided(now_ns, ruling, self.locked_until_ns(ruling.attempt.seat)))

    def locked_until_ns(self, seat: int) -> int:
        return self.plays.locks.until_ns(seat)

    @property
    def position(self) -> CardsPosition:
        return self.plays.position

    @property
    def lines(self) -> list[str]:
        return list(map(str, self.decided))


def court(
    *tries: Try,
    position: str | CardsPosition = RED_FOUR,
    ties: TieBreaker | None = None,
    settings: Settings = SETTINGS,
    wide: bool = False,
    extra_ns: Sequence[int] = (),
) -> CardCourt:
    """The court after all these attempts are judged."""
    start = parse_position(position) if isinstance(position, str) else position
    session = CardCourt(start, ties or TieBreaker(Random(1)), settings, wide)
    session.hear(tries)
    session.sit(extra_ns=extra_ns)
    return session


def slap(seat: int, colour: Colour, number: int, ms: float, width_ms: float = 0) -> Try:
    """A seat slaps with a card of its own on its pad."""
    return Try(seat, at(ms, width_ms), Card(seat, colour, number))


def lay(seat: int, colour: Colour, number: int, ms: float, width_ms: float, place: int) -> Try:
    """A card is laid on a place, and its reader found it some time in that interval."""
    return Try(seat, at(ms, width_ms), Card(seat, colour, number), place)


def ruled(*tries: Try, position: str = RED_FOUR, wide: bool = False) -> list[str]:
    """What these attempts come to, line by line in the order of the rulings."""
    return court(*tries, position=position, wide=wide).lines


# -- slaps that fit, and that do not


def test_a_card_that_fits_is_played_when_all_that_may_have_come_before_is_known() -> None:
    session = court(slap(1, RED, 5, 1000))
    assert session.lines == ["1 accepted red 5 on 1"]
    assert session.decided[0].now_ns == 1000 * MS + SETTINGS.settle_ns


def test_a_one_opens_the_first_free_place() -> None:
    assert ruled(slap(1, BLUE, 1, 1000), slap(2, RED, 1, 1000)) == [
        "1 accepted blue 1 on 2",
        "2 accepted red 1 on 3",
    ]


def test_ones_never_meet() -> None:
    lines = ruled(*(slap(seat, GREEN, 1, 1000, 5) for seat in (1, 2, 3, 4)), position=NOBODY)
    assert lines == [f"{seat} accepted green 1 on {seat}" for seat in (1, 2, 3, 4)]


def test_the_second_of_two_is_told_by_how_much() -> None:
    session = court(slap(1, RED, 5, 1020), slap(2, RED, 5, 1000))
    assert session.lines == ["2 accepted red 5 on 1", "1 too-late red 5 +20"]
    lost = session.decided[1].ruling
    assert lost.play is not None and lost.play.card == Card(2, RED, 5)
    assert not lost.locks


def test_too_late_is_said_once_for_each_play_and_then_it_is_a_fault() -> None:
    session = court(slap(1, RED, 5, 1020), slap(2, RED, 5, 1000), slap(1, RED, 5, 1200))
    assert session.lines == ["2 accepted red 5 on 1", "1 too-late red 5 +20", "1 illegal red 5"]
    assert session.decided[2].ruling.locks


def test_long_after_the_rival_it_is_no_bad_luck_any_more() -> None:
    just_ms = SETTINGS.just_lost_ns / MS
    assert ruled(slap(2, RED, 5, 1000), slap(1, RED, 5, 1000 + just_ms))[1] == "1 too-late red 5 +500"
    assert ruled(slap(2, RED, 5, 1000), slap(1, RED, 5, 1001 + just_ms))[1] == "1 illegal red 5"


def test_who_was_before_the_rival_and_fits_nowhere_has_lost_nothing_to_it() -> None:
    """Red five comes before red four is played, and then another seat's five is."""
    lines = ruled(
        slap(1, RED, 5, 1000),
        slap(2, RED, 4, 1001),
        slap(3, RED, 5, 1002),
        position="10,10,10,10 r4.4.4",
    )
    assert sorted(lines) == ["1 illegal red 5", "2 accepted red 4 on 1", "3 accepted red 5 on 1"]


def test_a_rival_whose_own_first_slap_fits_nowhere_is_locked_and_draws_no_lot() -> None:
    """The card of that first slap is read so late that the rivals have been waiting for it."""
    session = court(
        Try(1, at(1000), Card(1, RED, 5), read_ns=40 * MS),
        slap(2, RED, 4, 1010),
        slap(1, RED, 5, 1020),
        slap(3, RED, 5, 1030),
        position="10,10,10,10 r4.4.4",
    )
    assert session.lines == [
        "2 accepted red 4 on 1",
        "1 illegal red 5",
        "1 locked red 5",
        "3 accepted red 5 on 1",
    ]


def test_own_earlier_card_of_the_other_box_is_no_rival() -> None:
    """A seat has each card once, so what it has played itself never makes it too late."""
    lines = ruled(slap(1, RED, 5, 1000), slap(1, RED, 5, 1100))
    assert lines == ["1 accepted red 5 on 1", "1 illegal red 5 (in-the-centre)"]


def test_a_seat_is_no_rival_of_itself() -> None:
    """Both slaps are for the same card, and the second is known before the first is decided."""
    position = parse_position(RED_FOUR)
    for seed in range(6):
        session = CardCourt(position, TieBreaker(Random(seed)))
        session.slap(1, at(1000, 15), Card(1, RED, 5))
        session.slap(1, at(1007, 0.2), Card(1, RED, 5))
        session.rule(1200 * MS)
        assert session.lines == ["1 accepted red 5 on 1", "1 illegal red 5 (in-the-centre)"]
        assert session.decided[0].ruling.tie is None


def test_a_double_slap_of_one_card_is_told_of_and_does_not_lock() -> None:
    session = court(slap(1, RED, 5, 1000), slap(1, RED, 5, 1010))
    assert session.lines[1] == "1 illegal red 5 (in-the-centre)"
    assert not session.decided[1].ruling.locks and not session.locked_until_ns(1)


# -- locks


def test_a_card_that_fits_nowhere_locks_its_seat_from_the_slap_on() -> None:
    session = court(
        slap(1, BLUE, 7, 1000), slap(1, RED, 5, 1500), slap(1, RED, 5, 2499), slap(1, RED, 5, 3499)
    )
    assert session.lines == [
        "1 illegal blue 7",
        "1 locked red 5",
        "1 locked red 5",
        "1 accepted red 5 on 1",
    ]
    assert [each.locked_until_ns // MS for each in session.decided] == [2000, 2500, 3499, 3499]


def test_locks_of_cards_grow_as_those_of_dice_do() -> None:
    session = court(*(Try(1, at(ms)) for ms in (1000, 3000, 6000)))
    assert session.lines == ["1 false-claim"] * 3
    assert [each.locked_until_ns // MS for each in session.decided] == [2000, 5000, 10_000]


def test_a_lock_is_for_its_own_seat() -> None:
    assert ruled(slap(1, BLUE, 7, 1000), slap(2, RED, 5, 1100))[1] == "2 accepted red 5 on 1"


@pytest.mark.parametrize("cue", Cue)
def test_where_a_cue_says_what_is_wrong_nothing_locks(cue: Cue) -> None:
    session = court(Try(1, at(1000), cue=cue))
    assert session.lines == [f"1 illegal ({cue.value})"]
    assert not session.decided[0].ruling.locks and not session.locked_until_ns(1)


def test_a_slap_while_locked_is_locked_though_a_cue_says_what_is_wrong() -> None:
    session = court(Try(1, at(1000)), Try(1, at(1500), cue=Cue.GONE))
    assert session.lines == ["1 false-claim", "1 locked"]
    assert session.decided[1].locked_until_ns == 2500 * MS


# -- dead heats


@pytest.mark.parametrize(("position", "number"), [("10,10,10,10 r4", 2), (RED_FOUR, 5)])
def test_two_in_one_moment_are_a_dead_heat(position: str, number: int) -> None:
    session = court(slap(1, RED, number, 1000, 0.2), slap(2, RED, number, 1000.1, 0.2), position=position)
    verdicts = {each.ruling.attempt.seat: each.ruling.verdict for each in session.decided}
    tie = session.decided[0].ruling.tie
    assert tie is not None and tie.seats == (1, 2) and tie.drawn
    loser = 3 - tie.winner
    assert verdicts == {tie.winner: Verdict.DEAD_HEAT_WON, loser: Verdict.DEAD_HEAT_LOST}
    assert not session.locked_until_ns(loser)


def test_in_a_chain_of_three_only_who_may_have_been_first_contends() -> None:
    """One and two overlap, two and three overlap, one was surely before three."""
    for seed in range(20):
        session = court(
            slap(1, RED, 5, 1000, 0.2),
            slap(2, RED, 5, 1000.15, 0.2),
            slap(3, RED, 5, 1000.3, 0.2),
            ties=TieBreaker(Random(seed)),
        )
        tie = session.decided[0].ruling.tie
        assert tie is not None and tie.seats == (1, 2)
        verdicts = {each.ruling.attempt.seat: each.ruling.verdict for each in session.decided}
        assert verdicts[3] is Verdict.TOO_LATE


def test_two_places_are_enough_for_two() -> None:
    lines = ruled(slap(1, RED, 5, 1000, 0.2), slap(2, RED, 5, 1000, 0.2), position=TWO_PLACES)
    assert lines == ["1 accepted red 5 on 1", "2 accepted red 5 on 2"]


def test_three_for_two_places_draw_lots_twice_and_one_goes_away() -> None:
    lost = set()
    for seed in range(60):
        session = court(
            *(slap(seat, RED, 5, 1000, 0.2) for seat in (1, 2, 3)),
            position=TWO_PLACES,
            ties=TieBreaker(Random(seed)),
        )
        assert [each.ruling.verdict for each in session.decided] == [Verdict.DEAD_HEAT_WON, *WON_AND_LOST]
        lost.add(session.decided[2].ruling.attempt.seat)
    assert lost == {1, 2, 3}


def test_who_is_surely_first_of_three_has_one_of_two_places_without_a_lot() -> None:
    session = court(
        slap(1, RED, 5, 1000, 0.2),
        slap(2, RED, 5, 1001, 0.2),
        slap(3, RED, 5, 1001.1, 0.2),
        position=TWO_PLACES,
    )
    assert session.lines[0] == "1 accepted red 5 on 1"
    tie = session.decided[1].ruling.tie
    assert tie is not None and tie.seats == (2, 3)


def test_the_loser_of_a_dead_heat_takes_another_place_that_has_opened_meanwhile() -> None:
    session = court(
        slap(1, RED, 5, 1000, 0.4),
        slap(2, RED, 5, 1000, 0.4),
        slap(3, RED, 4, 1000.3, 0.4),
        position="10,10,10,10 r4.4.4.4 r3.3.3",
    )
    verdicts = sorted((each.ruling.attempt.seat, each.won) for each in session.decided)
    assert verdicts == [(1, True), (2, True), (3, True)]


# -- the card below


def test_a_card_follows_one_that_was_played_in_the_same_moment() -> None:
    lines = ruled(slap(2, RED, 5, 1000, 0.2), slap(1, RED, 4, 1000.1, 0.2), position="10,10,10,10 r4.4.4")
    assert lines == ["1 accepted red 4 on 1", "2 accepted red 5 on 1"]


def test_a_card_that_was_slapped_surely_before_the_one_below_it_is_illegal() -> None:
    lines = ruled(slap(2, RED, 5, 1000, 0.2), slap(1, RED, 4, 1000.3, 0.2), position="10,10,10,10 r4.4.4")
    assert lines == ["2 illegal red 5", "1 accepted red 4 on 1"]


def test_a_whole_run_in_one_moment_is_played_in_order() -> None:
    lines = ruled(*(slap(seat, RED, 5 - seat, 1000, 0.2) for seat in (1, 2, 3, 4)), position=NOBODY)
    assert lines == [f"{seat} accepted red {5 - seat} on 1" for seat in (4, 3, 2, 1)]


def test_a_rival_who_waits_behind_an_attempt_of_its_own_contends_all_the_same() -> None:
    """Seat 2 has slapped for a four that may still come, and then for the five, as seat 1 does.

    The wide stamp is that of an edge that was only found by looking again.
    """
    seen = set()
    for seed in range(20):
        session = court(
            slap(2, GREEN, 4, 1000, 0.2),
            Try(3, at(1000, 15), Card(3, GREEN, 3)),
            slap(2, RED, 5, 1007, 0.2),
            slap(1, RED, 5, 1007.1, 0.2),
            position="10,10,10,10 r4.4.4.4 g4.4",
            ties=TieBreaker(Random(seed)),
        )
        seen.add(next(str(each) for each in session.decided if str(each).endswith("red 5 on 1")))
    assert seen == {"1 dead-heat-won red 5 on 1", "2 dead-heat-won red 5 on 1"}


def test_slaps_that_only_wait_for_each_other_are_decided() -> None:
    """Each first slap has a rival in the other seat's second, which waits for the first one of its own."""
    session = court(
        *(slap(1, RED, 5, 1000, 15), slap(1, GREEN, 4, 1007, 0.2)),
        *(slap(2, GREEN, 4, 1000, 15), slap(2, RED, 5, 1007, 0.2)),
        position="10,10,10,10 r4.4.4.4 g4.4.4",
    )
    assert sorted(each.ruling.verdict.name for each in session.decided) == [
        *["DEAD_HEAT_LOST"] * 2,
        *["DEAD_HEAT_WON"] * 2,
    ]


def test_each_card_of_a_run_comes_after_all_those_below_it() -> None:
    """A reader looked three times: first it found the six, then the five, then the four below both.

    What another reader finds, which looks less often, has nothing to do with that.
    """
    tries = (lay(3, RED, 6, 1000, 40, 1), lay(2, RED, 5, 1040, 40, 1), lay(1, RED, 4, 1080, 40, 1))
    start = "10,10,10,10 r4.4.4"
    alone = ["1 accepted red 4 on 1", "2 accepted red 5 on 1", "3 illegal red 6"]
    assert sorted(ruled(*tries, position=start, wide=True)) == alone
    elsewhere = lay(4, BLUE, 1, 1000, 140, 5)
    assert sorted(ruled(*tries, elsewhere, position=start, wide=True)) == [*alone, "4 accepted blue 1 on 5"]


# -- cards that are read after their slaps


def unread(seat: int, number: int, ms: float, read_ms: float, colour: Colour = RED) -> Try:
    return Try(seat, at(ms, 0.2), Card(seat, colour, number), read_ns=round(read_ms * MS))


def test_a_slap_before_it_is_first_though_its_card_is_read_later() -> None:
    lines = ruled(unread(1, 5, 1000, 300), slap(2, RED, 5, 1010, 0.2))
    assert lines == ["1 accepted red 5 on 1", "2 too-late red 5 +10"]


def test_a_slap_whose_card_lay_there_waits_for_no_later_one() -> None:
    session = court(slap(2, RED, 5, 1000, 0.2), unread(1, 5, 1010, 300))
    assert session.lines == ["2 accepted red 5 on 1", "1 too-late red 5 +10"]
    assert session.decided[0].now_ns < 1100 * MS


def test_two_slaps_in_one_moment_are_a_dead_heat_whenever_their_cards_are_read() -> None:
    session = court(unread(1, 5, 1000, 300), slap(2, RED, 5, 1000.1, 0.2), unread(3, 5, 1000.1, 10))
    assert session.decided[0].ruling.verdict is Verdict.DEAD_HEAT_WON
    tie = session.decided[0].ruling.tie
    assert tie is not None and tie.seats == (1, 2, 3)


def test_a_card_waits_for_the_one_below_that_is_not_read_yet() -> None:
    lines = ruled(unread(1, 5, 1000, 300), slap(2, RED, 6, 1010, 0.2))
    assert lines == ["1 accepted red 5 on 1", "2 accepted red 6 on 1"]


def test_nobody_waits_for_a_slap_that_can_be_no_rival() -> None:
    """Ones open piles of their own, and the red four of seat 4 lies in the centre already."""
    session = court(unread(4, 6, 1000, 340), slap(2, RED, 1, 1010, 0.2), position=f"{RED_FOUR} r3.3.3")
    assert session.lines[0] == "2 accepted red 1 on 3" and session.decided[0].now_ns < 1100 * MS
    session = court(unread(4, 6, 1000, 340), slap(2, RED, 4, 1010, 0.2), position=f"{RED_FOUR} r3.3.3")
    assert session.lines[0] == "2 accepted red 4 on 2" and session.decided[0].now_ns < 1100 * MS


def test_nobody_waits_for_a_slap_that_is_locked() -> None:
    session = court(slap(1, BLUE, 7, 900), unread(1, 5, 1000, 340), slap(2, RED, 5, 1010, 0.2))
    assert session.decided[1].ruling.verdict is Verdict.LOCKED
    assert session.lines[2] == "2 accepted red 5 on 1" and session.decided[2].now_ns < 1100 * MS


def test_the_second_slap_of_a_seat_waits_for_its_first() -> None:
    lines = ruled(unread(1, 5, 1000, 300), slap(1, RED, 6, 1100, 0.2))
    assert lines == ["1 accepted red 5 on 1", "1 accepted red 6 on 1"]


# -- presses without a card


def press(session: CardCourt, seat: int, ms: float) -> None:
    session.slap(seat, at(ms))
    session.rule(round(ms * MS))


def test_a_press_without_a_card_is_judged_when_the_button_comes_up() -> None:
    session = court()
    press(session, 1, 1000)
    session.rule(NEVER_NS - 1)
    assert session.lines == [] and session.plays.awaits_after_ns(0) is None
    session.plays.let_go(2)
    session.plays.let_go(1)
    session.rule(1100 * MS)
    assert session.lines == ["1 false-claim"]
    assert session.locked_until_ns(1) == 2000 * MS


def test_a_press_that_becomes_a_call_is_nothing_else() -> None:
    session = court()
    press(session, 1, 1000)
    press(session, 2, 1000)
    session.plays.was_call(1)
    session.plays.let_go(1)
    session.plays.let_go(2)
    session.rule(2000 * MS)
    assert session.lines == ["2 false-claim"]


def test_letting_go_does_not_hurry_a_slap_with_a_card() -> None:
    session = court()
    session.slap(1, exactly(1000 * MS), Card(1, RED, 5))
    session.plays.let_go(1)
    session.rule(1001 * MS)
    assert session.lines == []


def test_who_fits_is_not_rejection_while_a_rival_waits_for_its_own_button() -> None:
    """Seat 2 has slapped for the five as well, and nobody knows yet what its press before that was."""
    for seed in range(12):
        session = CardCourt(parse_position(RED_FOUR), TieBreaker(Random(seed)))
        session.slap(2, at(1000))
        for seat in (1, 2):
            session.slap(seat, at(1050, 0.2), Card(seat, RED, 5))
        session.rule(1200 * MS)
        assert session.lines == []
        session.plays.was_call(2)
        session.rule(1300 * MS)
        assert [each.ruling.verdict for each in session.decided] == WON_AND_LOST


def test_the_end_takes_back_what_is_surely_after_it() -> None:
    session = court()
    session.slap(4, at(999))
    for seat, ms in ((1, 999), (2, 1000.1), (3, 1000.3)):
        session.slap(seat, at(ms, 0.2), Card(seat, RED, 5))
    assert [each.seat for each in session.plays.close(at(1000, 0.2))] == [3, 4]
    assert not session.plays.close(at(1000, 0.2))


def test_a_verdict_hangs_on_what_happened_around_its_slap() -> None:
    settings = Settings(stamp_uncertainty_ns=100_000)
    session = court(slap(1, RED, 5, 1000, 0.2), settings=settings)
    contest_ns = session.plays.contest_ns(session.decided[0].ruling.attempt)
    assert contest_ns == (499_800_000, 1_000_400_000)


# -- laid cards


def test_a_laid_card_goes_where_it_lies() -> None:
    lines = ruled(lay(1, RED, 5, 1000, 40, 2), position=TWO_PLACES, wide=True)
    assert lines == ["1 accepted red 5 on 2"]


def test_a_card_laid_where_it_does_not_belong_is_illegal_and_locks_nobody() -> None:
    session = court(lay(1, RED, 5, 1000, 40, 2), lay(1, RED, 5, 1300, 40, 1), wide=True)
    assert session.lines == ["1 illegal red 5", "1 accepted red 5 on 1"]
    assert not session.decided[0].ruling.locks


def test_cards_laid_on_one_place_within_one_look_are_a_dead_heat() -> None:
    winners = set()
    for seed in range(20):
        session = court(
            lay(1, RED, 5, 1000, 40, 1), lay(2, RED, 5, 1010, 40, 1), wide=True, ties=TieBreaker(Random(seed))
        )
        assert [each.ruling.verdict for each in session.decided] == WON_AND_LOST
        winners.add(session.decided[0].ruling.attempt.seat)
    assert winners == {1, 2}


def test_cards_laid_on_different_places_never_meet() -> None:
    lines = ruled(
        lay(1, RED, 5, 1000, 40, 1),
        lay(2, RED, 5, 1010, 40, 2),
        position=TWO_PLACES,
        wide=True,
    )
    assert lines == ["1 accepted red 5 on 1", "2 accepted red 5 on 2"]


def test_ones_laid_on_the_same_free_place_meet() -> None:
    session = court(lay(1, RED, 1, 1000, 40, 3), lay(2, BLUE, 1, 1010, 40, 3), position=NOBODY, wide=True)
    assert [each.ruling.verdict for each in session.decided] == WON_AND_LOST


def test_the_later_of_two_laid_cards_is_too_late_on_that_place_only() -> None:
    lines = ruled(
        lay(1, RED, 5, 1000, 40, 1),
        lay(2, RED, 5, 1100, 40, 1),
        lay(3, RED, 5, 1100, 40, 5),
        wide=True,
    )
    assert lines == ["1 accepted red 5 on 1", "2 too-late red 5 +100", "3 illegal red 5"]


def test_cards_of_one_seat_that_are_just_laid_down_do_not_wait_for_each_other() -> None:
    lines = ruled(lay(1, BLUE, 9, 1000, 40, 2), lay(1, RED, 5, 1010, 40, 1), wide=True)
    assert sorted(lines) == ["1 accepted red 5 on 1", "1 illegal blue 9"]


def test_a_card_laid_in_the_same_look_as_the_one_below_follows_it() -> None:
    lines = ruled(lay(2, RED, 6, 1000, 40, 1), lay(1, RED, 5, 1020, 40, 1), wide=True)
    assert lines == ["1 accepted red 5 on 1", "2 accepted red 6 on 1"]


def test_what_came_too_late_to_be_put_in_order_is_doubtful() -> None:
    late = Try(1, at(1000, 40), Card(1, RED, 5), 1, delay_ns=2 * SETTINGS.tag_settle_ns)
    session = court(late, wide=True)
    assert session.lines == ["1 accepted red 5 on 1"]
    assert session.decided[0].ruling.attempt.doubtful
