"""Dice that are owned by tag: shown to a pad once, and claimed by being placed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.model.effects import Cue, DieShown, Judged, RoundFinished, TagRefused, TieBroken, Verdict
from firmware_host.model.events import EndMatch, Pause, Resume, SetLeftover, VoidRound
from firmware_host.model.places import ALL_SLOTS, Card, Colour, DieFace, Pad, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS
from firmware_host.run.table_files import table_of
from tests.games.driver import BLUE, GREEN, RED, YELLOW
from tests.games.test_identified import CYCLE_NS, LONG_NS, PROFILE, DiceHands, die_for
from tests.thoroughness import tries

BY_TAG = table_of(replace(PROFILE, ownership="tag"))
COARSE = Settings(stamp_uncertainty_ns=15 * MS)
"""Every stamp is 30 ms wide."""
R1, R2, Y1, B1 = Slot(RED, 1), Slot(RED, 2), Slot(YELLOW, 1), Slot(BLUE, 1)
OVERLAPPING_MS = 10
"""Two coarse stamps so far apart are a dead heat."""


class Owners(DiceHands):
    """Hands that show dice to pads."""

    def show_die(self, seat: int, *dice: int) -> None:
        """These dice are shown one by one, some face down, until that counts."""
        for die in dice:
            tag = DieFace(die, 1 + die % 6)
            self.show(Pad(seat), tag)
            self.wait(300 * MS)
            self.withdraw(Pad(seat), tag)
            self.wait(300 * MS)
        self.wait(LONG_NS)

    @property
    def shown(self) -> list[tuple[int, int, int]]:
        return [(each.seat, each.die, each.count) for each in self.all_of(DieShown)]


def table(settings: Settings | None = None, seed: int = 1) -> Owners:
    return Owners(BY_TAG, settings, seed)


def playing(settings: Settings | None = None, seed: int = 1) -> Owners:
    """Seats 1 to 3 have shown a red, a yellow, a green and a blue die each, and a round has just begun."""
    hands = table(settings, seed)
    for seat in (1, 2, 3):
        hands.show_die(seat, *(6 * colour + seat for colour in Colour))
    hands.start(6, 6, 6, 0)
    hands.wait(100 * MS)
    return hands


@pytest.fixture
def play() -> Owners:
    return playing()


# -- whose a die is


def test_a_die_is_its_who_shows_it() -> None:
    hands = table()
    hands.show_die(1, 5, 6)
    hands.show_die(2, 7)
    assert hands.shown == [(1, 5, 1), (1, 6, 2), (2, 7, 1)]
    assert hands.session.owners == {5: 1, 6: 1, 7: 2}


def test_before_a_round_the_last_who_shows_it_has_it() -> None:
    hands = table()
    hands.show_die(1, 5)
    hands.show_die(2, 5)
    assert hands.shown == [(1, 5, 1), (2, 5, 1)]
    assert hands.session.owners == {5: 2}


def test_showing_a_die_twice_gives_no_second_one() -> None:
    hands = table()
    hands.show_die(1, 5, 5)
    assert hands.shown[-1] == (1, 5, 1)


def test_several_dice_at_a_time() -> None:
    hands = table()
    for die in (5, 6):
        hands.show(Pad(1), DieFace(die, 3))
    hands.wait(LONG_NS)
    assert hands.session.owners == {5: 1, 6: 1}


def test_what_is_no_die_is_nobodys() -> None:
    hands = table()
    hands.show(Pad(1), Card(1, RED, 1))
    hands.wait(LONG_NS)
    assert hands.shown == []


def test_a_die_on_its_place_is_shown_to_nobody(play: Owners) -> None:
    play.place(R1, DieFace(5, 1))
    assert 5 not in play.session.owners


def test_while_a_round_runs_a_die_that_was_forgotten_can_be_shown(play: Owners) -> None:
    play.show_die(3, 6)
    assert play.shown[-1] == (3, 6, 5)
    play.place(R1, DieFace(6, 1))
    assert play.verdicts == [(3, Verdict.ACCEPTED)]


def test_when_the_round_does_not_run_dice_change_hands_again(play: Owners) -> None:
    play.command(VoidRound(play.exactly))
    assert play.phase() is Phase.CLEAR
    play.show_die(2, 1)
    assert play.session.owners[1] == 2


def test_after_the_match_nobody_owns_anything(play: Owners) -> None:
    play.command(EndMatch(play.exactly))
    assert play.phase() is Phase.ATTRACT
    assert play.session.owners == {}


def test_what_was_shown_before_the_start_call_counts_for_that_round(play: Owners) -> None:
    """Though the table knows of it only when the round runs."""
    play.command(VoidRound(play.exactly))
    play.wait(LONG_NS)
    play.tap(1, 2, 3)
    assert play.phase() is Phase.COUNTDOWN
    play.until_deadline(100 * MS)
    play.show(Pad(2), DieFace(1, 1))
    play.wait(1000 * MS)
    assert play.phase() is Phase.PLAY
    assert play.session.owners[1] == 2


def test_dice_stay_whose_they_are_from_round_to_round(play: Owners) -> None:
    play.command(VoidRound(play.exactly))
    play.wait(LONG_NS)
    play.tap(1, 2, 3)
    play.count_down()
    play.place(R1, DieFace(1, 1))
    assert play.verdicts == [(1, Verdict.ACCEPTED)]


# -- a placement needs no slap


def test_a_placement_counts_for_its_owner_at_the_stamp_of_the_sensor(play: Owners) -> None:
    told_ns = play.now_ns + CYCLE_NS + play.settings.tag_settle_ns + play.contacts.delay_ns
    stamp = play.place(R1, DieFace(2, 1))
    judged = play.last(Judged)
    assert (judged.verdict, judged.seat, judged.stamp, judged.what) == (Verdict.ACCEPTED, 2, stamp, R1)
    assert judged.decided_ns == told_ns
    assert play.history(R1) == ["counted"]
    assert play.dice.position.left == (6, 5, 6, 0)


def test_a_placement_may_have_been_earlier_if_edges_were_lost(play: Owners) -> None:
    play.lose_edges()
    play.place(R1, DieFace(2, 1))
    play.place(Y1, DieFace(8, 1))
    assert [judged.doubtful for judged in play.all_of(Judged)] == [True, False]


def test_all_who_hold_their_buttons_still_call_the_round_void(play: Owners) -> None:
    play.hold(1, 2, 3)
    assert play.phase() is Phase.CLEAR
    assert play.verdicts == []


def test_a_press_when_no_round_runs_is_told_as_ever(play: Owners) -> None:
    play.command(Pause(play.exactly))
    play.wait(100 * MS)
    play.tap(1)
    assert play.verdicts == [(1, Verdict.NOT_RUNNING)]


@pytest.mark.parametrize(
    ("die", "whose"), [(5, "nobody's"), (4, "an empty seat's")], ids=["nobody's", "an empty seat's"]
)
def test_a_die_of_nobody_who_plays_is_illegal(die: int, whose: str) -> None:
    hands = table()
    hands.show_die(1, 1)
    hands.show_die(4, 4)
    hands.start(6, 6, 6, 0)
    hands.wait(100 * MS)
    hands.place(R1, DieFace(die, 1))
    assert hands.history(R1) == ["illegal"], whose
    refused = hands.last(TagRefused)
    assert (refused.at, refused.tag, refused.cue) == (R1, DieFace(die, 1), Cue.NOT_YOURS)
    assert hands.verdicts == []
    hands.take_off(R1)
    hands.place(R1, DieFace(1, 1))
    assert hands.history(R1) == ["illegal", "free", "counted"]


def test_a_die_that_is_taken_off_at_once_locks_nobody(play: Owners) -> None:
    for gap_ms in (30, 60, 120, 500, 700):
        play.put(R1, DieFace(1, 1))
        play.wait(gap_ms * MS)
        play.lift(R1)
        play.wait(2 * LONG_NS)
    assert Verdict.FALSE_CLAIM not in {verdict for _, verdict in play.verdicts}
    assert Verdict.LOCKED not in {verdict for _, verdict in play.verdicts}


# -- two dice of one seat at once


@pytest.mark.parametrize(("first", "second"), list(permutations((R2, Y1, B1), 2)), ids=str)
def test_each_of_two_dice_of_one_seat_counts_at_its_own_stamp(first: Slot, second: Slot) -> None:
    play = playing(COARSE)
    play.place(R1, die_for(R1, 2))
    play.effects.clear()
    stamps = {first: play.put(first, die_for(first))}
    play.wait(OVERLAPPING_MS * MS)
    stamps[second] = play.put(second, die_for(second))
    play.await_verdicts()
    assert {judged.what: judged.stamp for judged in play.all_of(Judged)} == stamps


@pytest.mark.parametrize(("first", "second"), [("red", "yellow"), ("yellow", "red")])
def test_the_later_of_the_last_two_dice_of_a_seat_ends_the_round(first: str, second: str) -> None:
    hands = near_the_end("r5y4g5b0 2/6,1/6,1/6,-")
    where = {"red": R6, "yellow": Slot(YELLOW, 5)}
    hands.put(where[first], die_for(where[first]))
    hands.wait(OVERLAPPING_MS * MS)
    last = hands.put(where[second], die_for(where[second]))
    hands.await_verdicts()
    assert hands.last(RoundFinished) == RoundFinished(1, last)
    # Each verdict has the stamp of its own die all the same.
    assert {(judged.what, judged.stamp) for judged in hands.all_of(Judged)} == set(hands.placed)


# -- the end of the round


R6, Y6, G6 = Slot(RED, 6), Slot(YELLOW, 6), Slot(GREEN, 6)
ENDS = (R6, Y6, G6)
"""Where the last dice of three seats may go."""


def near_the_end(text: str = "r5y5g5b0 1/6,1/6,1/6,-", settings: Settings = COARSE, seed: int = 1) -> Owners:
    """Seats 1 to 3 hold the dice with their number of each colour, and one or two are their last."""
    hands = table(settings, seed)
    for seat in (1, 2, 3):
        hands.show_die(seat, *(6 * colour + seat for colour in Colour))
    hands.resume(text)
    hands.wait(100 * MS)
    return hands


def finish(hands: Owners) -> int:
    """Who has ended the round by now."""
    return hands.last(RoundFinished).seat


def test_the_last_die_ends_the_round_at_the_stamp_of_the_sensor() -> None:
    hands = near_the_end()
    stamp = hands.place(R6, die_for(R6, 2))
    assert hands.phase() is Phase.SETTLE
    assert hands.last(RoundFinished) == RoundFinished(2, stamp)
    assert hands.all_of(TieBroken) == []


@pytest.mark.parametrize("gap_ms", [0, OVERLAPPING_MS, 29])
def test_two_last_dice_at_once_are_a_dead_heat(gap_ms: int) -> None:
    hands = near_the_end()
    hands.place_in_turn((R6, 2), (Y6, 3), gap_ms=gap_ms)
    tie = hands.last(TieBroken)
    assert (tie.what, tie.seats) == (None, (2, 3))
    assert finish(hands) == tie.winner == hands.dice.position.finisher


def test_three_last_dice_at_once_are_a_dead_heat_of_three() -> None:
    hands = near_the_end()
    hands.place_in_turn(*zip(ENDS, (3, 1, 2), strict=True), gap_ms=OVERLAPPING_MS)
    assert [tie.seats for tie in hands.all_of(TieBroken)] == [(1, 2, 3)]


def test_the_lot_falls_the_same_way_wherever_and_in_which_order_they_were_placed() -> None:
    """Of the slots, the seats and the order within the doubt, nothing decides."""
    for seed in range(6):
        winners: Counter[int] = Counter()
        for order in permutations(ENDS):
            for seats in permutations((1, 2, 3)):
                hands = near_the_end(seed=seed)
                hands.place_in_turn(*zip(order, seats, strict=True), gap_ms=5)
                winners[finish(hands)] += 1
        assert len(winners) == 1, (seed, winners)


def test_the_lot_favours_nobody() -> None:
    winners: Counter[int] = Counter()
    for seed in range(150):
        hands = near_the_end(seed=seed)
        hands.place_in_turn((R6, 1), (Y6, 2))
        winners[finish(hands)] += 1
    assert set(winners) == {1, 2}
    assert min(winners.values()) > 50, winners


def test_a_die_that_is_not_the_last_is_no_rival_for_the_end() -> None:
    hands = near_the_end("r5y5g4b0 1/6,2/6,1/6,-")
    hands.place_in_turn((R6, 1), (B1, 2))
    assert hands.all_of(TieBroken) == []
    assert hands.dice.position.left == (0, 1, 1, 0)
    assert finish(hands) == 1


def test_what_else_happens_on_the_board_makes_no_winner() -> None:
    """Two last dice are a dead heat, whatever came to another place just before the first of them."""
    hands = near_the_end()
    hands.put(Slot(BLUE, 4))  # does not belong there, and has nothing to do with it
    hands.wait(20 * MS)
    hands.place_in_turn((R6, 2), (Y6, 3), gap_ms=20)
    assert [tie.seats for tie in hands.all_of(TieBroken)] == [(2, 3)]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_surely_after_one_of_the_last_dice_ends_nothing(seed: int) -> None:
    """Red overlaps yellow and yellow green; but green surely comes after red, which ended the round."""
    hands = near_the_end(seed=seed)
    hands.place_in_turn(*zip(ENDS, (1, 2, 3), strict=True), gap_ms=23)
    assert [tie.seats for tie in hands.all_of(TieBroken)] == [(1, 2)]
    assert len(hands.all_of(RoundFinished)) == 1
    assert hands.dice.position.finisher == finish(hands) != 3
    assert hands.history(G6) == ["illegal"]
    assert hands.dice.position.left == (0, 0, 1, 0)


def test_a_seat_that_has_placed_its_last_die_places_no_other_in_the_same_moment() -> None:
    """More dice than it was dealt: the table goes on, and does not count them."""
    hands = near_the_end()
    hands.place_in_turn((R6, 1), (Y6, 1), gap_ms=OVERLAPPING_MS)
    assert finish(hands) == 1
    assert hands.dice.position.left == (0, 1, 1, 0)
    assert Verdict.FALSE_CLAIM not in {verdict for _, verdict in hands.verdicts}


@pytest.mark.parametrize("slots", list(permutations((R6, Y6, B1))), ids=str)
def test_of_dice_with_equal_stamps_no_place_comes_first(slots: tuple[Slot, Slot, Slot]) -> None:
    """The last die of one seat, and the last two of another: either may have ended the round."""
    hands = near_the_end("r5y5g4b0 1/6,2/6,1/6,-")
    hands.place_in_turn(*zip(slots, (1, 2, 2), strict=True))
    assert [tie.seats for tie in hands.all_of(TieBroken)] == [(1, 2)]


def test_a_finisher_who_has_dice_left_plays_on_and_they_are_still_its_own() -> None:
    hands = near_the_end("r5y5g4b0 1/6,2/6,1/6,-", Settings())
    hands.place(R6, die_for(R6, 1))
    hands.until_deadline()
    hands.hold(1)
    hands.tap(1)
    hands.until_deadline()
    hands.tap(2, 3)
    hands.tap(1, 2, 3)
    assert hands.phase() is Phase.COUNTDOWN
    hands.count_down()
    hands.place(Y6, die_for(Y6, 1))
    assert finish(hands) == 1
    assert hands.dice.position.left == (0, 2, 1, 0)


def test_when_a_die_has_no_owner_after_a_wrong_count_its_player_can_call_stop() -> None:
    """Seat 1 says that it has a die left after all, and it turns out to lie on the board."""
    hands = near_the_end("r5y5g4b0 1/6,2/6,1/6,-", Settings())
    hands.place(R6, die_for(R6, 1))
    hands.until_deadline()
    hands.command(SetLeftover(1, 1, hands.exactly))
    while hands.phase() is Phase.SETTLE:
        hands.until_deadline()
    hands.count_down()
    hands.wait(100 * MS)
    hands.hold(1)
    assert [each.seat for each in hands.all_of(RoundFinished)] == [1, 1]
    assert hands.phase() is Phase.SETTLE


# -- whatever happens


seats_ = st.integers(1, 4)
dice_ = st.integers(1, 24)
slots_ = st.sampled_from(ALL_SLOTS)
deeds = st.one_of(
    st.tuples(st.just("next"), st.sampled_from(Colour), st.integers(1, 6), st.integers(0, 60)),
    st.tuples(st.just("next"), st.sampled_from(Colour), st.integers(1, 6), st.sampled_from((0, 300, 900))),
    st.tuples(st.just("all at once"), st.lists(seats_, min_size=4, max_size=4), st.integers(0, 12)),
    st.tuples(st.just("put"), slots_, dice_, st.integers(1, 6), st.sampled_from((0, 5, 400))),
    st.tuples(st.just("lift"), slots_, st.sampled_from((0, 5, 40, 400))),
    st.tuples(st.just("show"), seats_, dice_),
    st.tuples(st.just("tap"), seats_),
    st.tuples(st.just("wait"), st.sampled_from((1, 30, 600, 3000, 9000))),
    st.tuples(st.sampled_from(("pause", "resume", "void"))),
)


def do(hands: Owners, deed: tuple[object, ...]) -> None:
    """One thing that hands or an operator may do."""
    now = hands.exactly
    match deed:
        case "next", Colour() as colour, int(which), int(wait_ms):
            round_ = hands.session.round
            height = round_.position.heights[colour] if isinstance(round_, DiceRound) else 0
            slot = Slot(colour, min(height + 1, 6))
            put_if_free(hands, slot, die_for(slot, which))
            hands.wait(wait_ms * MS)
        case "all at once", list() as seats, int(gap_ms):
            for colour, seat in zip(Colour, seats, strict=True):
                do(hands, ("next", colour, seat, gap_ms))
        case "put", Slot() as slot, int(die), int(face), int(wait_ms):
            put_if_free(hands, slot, DieFace(die, face))
            hands.wait(wait_ms * MS)
        case "lift", Slot() as slot, int(wait_ms):
            if slot in hands.lying:
                hands.lift(slot)
            hands.wait(wait_ms * MS)
        case "show", int(seat), int(die):
            hands.show_die(seat, die)
        case "tap", int(seat):
            hands.tap(seat)
        case "wait", int(wait_ms):
            hands.wait(wait_ms * MS)
        case ("pause",):
            hands.command(Pause(now))
        case ("resume",):
            hands.command(Resume(now))
        case _:
            hands.command(VoidRound(now))


def put_if_free(hands: Owners, slot: Slot, tag: DieFace) -> None:
    """A place holds one die, and a die lies in one place."""
    if slot not in hands.lying and all(tag.die != each.die for each in hands.dice_lying):
        hands.put(slot, tag)


@settings(max_examples=tries(30, 300), deadline=None)
@given(st.lists(deeds, max_size=25), st.sampled_from([Settings(), COARSE]), st.booleans())
def test_nobody_gains_or_loses_anything_but_by_an_own_die(
    story: list[tuple[object, ...]], exact: Settings, short: bool
) -> None:
    hands = table(exact)
    for seat in (1, 2, 3):
        hands.show_die(seat, *(6 * colour + seat for colour in Colour))
    hands.start(*((2, 2, 2, 0) if short else (6, 6, 6, 0)))
    for deed in story:
        do(hands, deed)
        round_ = hands.session.round
        if isinstance(round_, DiceRound):
            position = round_.position
            assert 0 <= position.claimed <= sum(position.heights)
            assert sum(position.left) + position.claimed == sum(position.dealt)
    hands.wait(2 * LONG_NS)
    verdicts = {judged.verdict for judged in hands.all_of(Judged)}
    assert verdicts <= {Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON, Verdict.NOT_RUNNING}
    for judged in hands.all_of(Judged):
        if judged.verdict is not Verdict.NOT_RUNNING:
            assert judged.stamp in [stamp for slot, stamp in hands.placed if slot == judged.what]


def test_who_holds_no_die_in_spite_of_a_corrected_count_stops_the_round() -> None:
    """The count says one too many: a die lies there that nobody is said to have placed."""
    hands = near_the_end()
    hands.place(R6, die_for(R6, 2))
    seat = finish(hands)
    hands.until_deadline()
    hands.command(SetLeftover(seat, 1, hands.exactly))
    while hands.phase() is not Phase.PLAY:
        hands.until_deadline()
    hands.wait(100 * MS)
    press = hands.press(seat)
    hands.wait(hands.settings.hold_ns + hands.known_after_ns)
    assert hands.last(RoundFinished) == RoundFinished(seat, press)
    assert hands.phase() is Phase.SETTLE and len(hands.all_of(RoundFinished)) == 2
