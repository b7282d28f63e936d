"""Whole rounds of cards from raw edges and readers' words: what is decided depends on stamps alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.cards.cards import parse_position
from firmware_host.games.games import CARD_GAME, Table
from firmware_host.games.phase_states import COUNT_FROM
from firmware_host.model.effects import (
    CardPlayed,
    Effect,
    Judged,
    LateSignal,
    Noise,
    Refused,
    RoundFinished,
    RoundStuck,
    Verdict,
)
from firmware_host.model.events import (
    Command,
    EndMatch,
    Pause,
    Resume,
    SetLeftover,
    SourceEdge,
    StartMatch,
    TagEvent,
    TagSeen,
    VoidRound,
    Withdrawn,
)
from firmware_host.model.places import Button, Call, Card, Colour, Pad, Pile, Spot, Stranger, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, US, S, Stamp, exactly
from firmware_host.referee import Referee
from tests.games.card_driver import CALL_BUTTONS, LONG_PRESS, LOOK_NS, PILES_AND_CALLS, CardDriver

RED, YELLOW, GREEN, BLUE = Colour
SETTINGS = Settings()
DOUBT_NS = SETTINGS.stamp_uncertainty_ns
SEATS = (1, 2, 3)
START = "10,10,10,- r1.2.3 r2"
START_NS = 10 * S + COUNT_FROM * SETTINGS.count_ns
"""The start call."""
END_NS = START_NS + 600 * S


class Arriving(NamedTuple):
    """What reaches the table, and how long after it could."""

    thing: SourceEdge | TagEvent
    delay_ns: int

    @property
    def arrives_ns(self) -> int:
        return self.thing.stamp.latest_ns + self.delay_ns


class Wires:
    """A referee in a round of cards, and what arrives there."""

    def __init__(self, table: Table, seed: int = 1) -> None:
        self.effects: list[Effect] = []
        self.referee = Referee(table, SETTINGS, Random(seed), 10 * S)
        self.session = self.referee.session
        start = StartMatch(parse_position(START).dealt, exactly(10 * S), START)
        self.referee.put(start, 10 * S)
        self._advance(10 * S)

    def run(self, arriving: list[Arriving], until_ns: int = END_NS) -> list[Effect]:
        """All that comes of these, in whatever order they arrive."""
        for each in sorted(arriving, key=lambda each: each.arrives_ns):
            self._advance(each.arrives_ns - 1)
            self.referee.put(each.thing, each.arrives_ns)
        self._advance(until_ns)
        return [effect for effect in self.effects if not isinstance(effect, LateSignal | Noise)]

    def _advance(self, now_ns: int) -> None:
        for step in self.referee.advance(now_ns):
            self.effects += step.effects


def edges(source: Button | Call, down_ns: int, up_ns: int) -> Iterator[SourceEdge]:
    for seq, (active, t_ns) in enumerate(((True, down_ns), (False, up_ns))):
        yield SourceEdge(source, active, Stamp(t_ns - DOUBT_NS, t_ns + DOUBT_NS), down_ns + seq)


def tag_words(at: Spot, tag: Tag, comes_ns: int, goes_ns: int) -> Iterator[TagEvent]:
    yield TagSeen(at, tag, Stamp(comes_ns, comes_ns + LOOK_NS))
    yield Withdrawn(at, tag, Stamp(goes_ns, goes_ns + LOOK_NS))


cards_of = {seat: [Card(seat, RED, n) for n in (1, 3, 4, 2, 5)] + [Card(seat, BLUE, 1)] for seat in SEATS}
gaps = st.sampled_from([10 * MS, 60 * MS, 300 * MS, 900 * MS]) | st.integers(0, 40).map(lambda n: n * 50 * US)
presses = st.lists(
    st.tuples(gaps, st.sampled_from([30 * MS, 80 * MS, 200 * MS, 1200 * MS, 3500 * MS])), max_size=4
)
showings = st.lists(
    st.tuples(gaps, st.integers(0, 6), st.sampled_from([150 * MS, 700 * MS, 2000 * MS])), max_size=3
)


@st.composite
def stories(draw: st.DrawFn, table: Table) -> list[Arriving]:
    """What hands do from shortly before the start call on, and how long the word of it takes."""
    things: list[SourceEdge | TagEvent] = []
    for seat in SEATS:
        things += _pressed(draw, Button(seat), START_NS - 20 * MS, draw(presses))
        if table.call_buttons:
            things += _pressed(draw, Call(seat), START_NS + 1500 * MS, draw(presses)[:1])
        if table.pads:
            things += _shown(draw, seat)
        else:
            things += _laid(draw, seat)
    button_ns, tag_ns = SETTINGS.button_settle_ns - 1 * MS, SETTINGS.tag_settle_ns
    return [
        Arriving(thing, draw(st.integers(0, button_ns if isinstance(thing, SourceEdge) else tag_ns)))
        for thing in things
    ]


def _pressed(
    draw: st.DrawFn, source: Button | Call, t_ns: int, pressed: list[tuple[int, int]]
) -> Iterator[SourceEdge]:
    for gap_ns, for_ns in pressed:
        t_ns += 20 * MS + gap_ns
        yield from edges(source, t_ns, t_ns + for_ns)
        t_ns += for_ns


def _shown(draw: st.DrawFn, seat: int) -> Iterator[TagEvent]:
    t_ns = START_NS - 500 * MS
    for gap_ns, which, for_ns in draw(showings):
        t_ns += gap_ns
        own = cards_of[seat]
        tag: Tag = own[which] if which < len(own) else Stranger("04a1b2c3")
        yield from tag_words(Pad(seat), tag, t_ns, t_ns + for_ns)
        t_ns += for_ns + LOOK_NS


def _laid(draw: st.DrawFn, seat: int) -> Iterator[TagEvent]:
    t_ns = START_NS - 200 * MS
    for gap_ns, which, for_ns in draw(showings):
        t_ns += gap_ns
        tag = cards_of[seat][which % len(cards_of[seat])]
        yield from tag_words(Pile(draw(st.integers(1, 3))), tag, t_ns, t_ns + for_ns)
        t_ns += for_ns + LOOK_NS


TABLES = {"pads and calls": CALL_BUTTONS, "pads": LONG_PRESS, "piles": PILES_AND_CALLS}
tables = pytest.mark.parametrize("name", TABLES)


# -- arrival


@tables
@given(data=st.data())
def test_the_way_through_the_wires_changes_nothing(name: str, data: st.DataObject) -> None:
    table = TABLES[name]
    story = data.draw(stories(table))
    straight = [each._replace(delay_ns=0) for each in story]
    shuffled = data.draw(st.permutations(story))
    one, other = Wires(table).run(straight), Wires(table).run(list(shuffled))
    assert other == one


@tables
@given(data=st.data())
def test_every_press_has_one_answer_at_most_and_every_card_lies_in_the_centre_once(
    name: str, data: st.DataObject
) -> None:
    table = TABLES[name]
    story = data.draw(stories(table))
    wires = Wires(table)
    effects = wires.run(story)
    judged = Counter(
        (effect.seat, effect.stamp, effect.what) for effect in effects if isinstance(effect, Judged)
    )
    assert all(count == 1 for count in judged.values())
    played = [effect.card for effect in effects if isinstance(effect, CardPlayed)]
    assert len(set(played)) == len(played)
    finished = [effect for effect in effects if isinstance(effect, RoundFinished)]
    for effect in effects:
        if isinstance(effect, Judged) and effect.verdict in (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON):
            later = [end for end in finished[:1] if end.stamp.surely_before(effect.stamp)]
            assert not later, "a card was played after the round was over"


@given(data=st.data())
def test_every_press_on_the_pad_of_a_running_round_has_its_answer(data: st.DataObject) -> None:
    story = data.draw(stories(LONG_PRESS))
    effects = Wires(LONG_PRESS).run(story)
    over = any(isinstance(effect, RoundFinished | RoundStuck) for effect in effects)
    answered = Counter((effect.seat, effect.stamp) for effect in effects if isinstance(effect, Judged))
    downs = [each.thing for each in story if isinstance(each.thing, SourceEdge) and each.thing.active]
    for down in downs:
        up = next(
            each.thing
            for each in story
            if isinstance(each.thing, SourceEdge)
            and each.thing.source == down.source
            and each.thing.seq == down.seq + 1
        )
        short = up.stamp.latest_ns - down.stamp.earliest_ns < SETTINGS.hold_ns
        if short and not over:
            assert isinstance(down.source, Button)
            assert answered[(down.source.seat, down.stamp)] == 1, down


# -- anything at all


HANDS = ("press", "press", "release", "show", "show", "withdraw", "lay", "call")
OTHERS = ("pause", "resume", "void", "leftover", "end", "mask", "unmask", "lost", "back", "start")
deeds = st.sampled_from([*HANDS, *OTHERS])
waits = st.sampled_from([0, 1, 15, 66, 200, 400, 1100, 3000, 9000])


@tables
@given(
    story=st.lists(st.tuples(deeds, st.integers(1, 4), st.integers(0, 7), waits), max_size=40),
    seed=st.integers(0, 3),
)
def test_whatever_is_done_no_time_is_lost_and_no_card_either(
    name: str, story: list[tuple[str, int, int, int]], seed: int
) -> None:
    driver = CardDriver(TABLES[name], seed=seed)
    driver.start_cards("2,1,3,- r1.2.3 r2")
    for deed, seat, which, wait_ms in story:
        perform(driver, deed, seat, which)
        driver.wait(wait_ms * MS)
        check_position(driver)
    driver.wait(1200 * S)
    assert driver.phase() is Phase.ATTRACT
    assert driver.session.state.due_after_ns(driver.now_ns) is None
    wins = [
        effect for effect in driver.all_of(Judged) if effect.verdict.name in ("ACCEPTED", "DEAD_HEAT_WON")
    ]
    assert len(wins) == len(driver.played)


def perform(driver: CardDriver, deed: str, seat: int, which: int) -> None:
    card = Card(seat, RED if which else BLUE, max(which, 1))
    commands: dict[str, Command] = {
        "pause": Pause(driver.exactly),
        "resume": Resume(driver.exactly),
        "void": VoidRound(driver.exactly),
        "leftover": SetLeftover(seat, which, driver.exactly),
        "start": StartMatch((2, 1, 3, 0), driver.exactly),
    }
    match deed:
        case "press":
            driver.press(seat)
        case "release":
            driver.release(seat)
        case "show":
            driver.show(Pad(seat), card)
        case "withdraw":
            driver.withdraw(Pad(seat), card)
        case "lay":
            driver.show(Pile(which + 1), card)
        case "call":
            driver.call_down(seat)
        case "mask":
            driver.mask(Button(seat), "stuck")
        case "unmask":
            driver.unmask(Button(seat))
        case "lost" | "back":
            driver.device("pads", "lost" if deed == "lost" else "ok")
        case "end" if which == 7:
            driver.command(EndMatch(driver.exactly))
        case _ if deed in commands:
            driver.command(commands[deed])


def check_position(driver: CardDriver) -> None:
    """What the table knows of the centre can be written down and read again."""
    if isinstance(driver.session.round, CardRound):
        position = driver.session.round.position
        assert parse_position(str(position)) == position
        assert sum(position.counts) == len(position.centre)


# -- a whole match


@pytest.mark.parametrize(
    ("deal", "text", "why"),
    [
        ((10, 10), "10,9", "no round can go on from '10,9,-,-'"),
        ((10, 10), "10,10 r1 stop=1", "no round can go on from '10,10,-,- r1 stop=1'"),
        ((10, 10), "10,10 r1 stuck", "no round can go on from '10,10,-,- r1 stuck'"),
        ((10, 10), "10,10 r1.3", "seat 3 does not play, and has a card in the centre"),
        ((10, 10), "r3y0g6b2 4/6,2/6", "is no position of cards"),
        ((11, 10), "", "a seat has more than 10 Ligretto cards"),
        ((10,), "", "1 playing, allowed are 2 to 12"),
        ((10,) * 5, "", "this table has 4 seats"),
    ],
)
def test_a_match_that_can_not_be_is_refused(deal: tuple[int, ...], text: str, why: str) -> None:
    driver = CardDriver()
    driver.command(StartMatch(deal, driver.exactly, text))
    assert why in driver.last(Refused).reason
    assert driver.phase() is Phase.ATTRACT and driver.session.match is None


def test_a_table_of_cards_has_a_place_for_every_one() -> None:
    assert CALL_BUTTONS.piles == 16 and Table(game=CARD_GAME, seats=12).piles == 48
    assert Table().piles == 0


def test_a_match_begins_though_tags_lie_around() -> None:
    driver = CardDriver()
    driver.show(Pile(1), Card(1, RED, 1))
    driver.show(Pad(1), Card(1, RED, 2))
    driver.wait(1 * S)
    driver.command(StartMatch((10, 10), driver.exactly))
    assert driver.phase() is Phase.COUNTDOWN
