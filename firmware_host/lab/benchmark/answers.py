"""How soon people get an answer: from the edge of a press to its verdict, and to its lamp.

A table with the wiring of each profile plays in real time, with contacts that bounce and readers that take
their time. What happened is known from the hands' own log, and not from the stamps of the table.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, Protocol

import wiring
from firmware_host.lab.benchmark.latency import VerdictLog, begin_round, nothing_collected, quantiles
from firmware_host.lab.bots.person import Actions
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.party import Misbehaviour, even_deal
from firmware_host.lab.simulated_table import Behaviour, Simulated, simulated_table
from firmware_host.model.effects import WINNING, Judged, Verdict
from firmware_host.model.events import EndMatch
from firmware_host.model.places import (
    ALL_SLOTS,
    CARD_NUMBERS,
    PLACES_PER_ROW,
    Card,
    Colour,
    DieFace,
    Pad,
    Pile,
    Slot,
)
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S, exactly
from firmware_host.profile.profile import Profile
from firmware_host.run.table_files import load_profile, table_of
from firmware_host.show.lamps import panel_lamp_index
from firmware_host.show.picture import cue_end_ns
from hw.clock import sharpen_timers


class Happenings(Protocol):
    """What is to happen, each at its moment; the agenda of a simulated table."""

    @property
    def due_ns(self) -> int | None:
        """When something happens next."""

    def run(self, until_ns: int) -> None:
        """Let everything happen that is due by then."""

    def after(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Do this in a while."""


class RealTimeHands:
    """Runs an agenda by the clock, and the actions of hands with it."""

    def __init__(self, agenda: Happenings) -> None:
        self._agenda = agenda
        self._orders: SimpleQueue[Actions | None] = SimpleQueue()
        self._begun = self._done = 0
        self._pool = ThreadPoolExecutor(1)
        self._life = self._pool.submit(self._live)

    def begin(self, actions: Iterable[Actions]) -> None:
        """Let hands do these things at the same time."""
        for each in actions:
            self._begun += 1
            self._orders.put(each)

    @property
    def busy(self) -> bool:
        """Whether some hands are still at it. An error on their thread gets out of here."""
        if self._life.done():
            self._life.result()
        return self._begun != self._done

    def close(self) -> None:
        """End the thread."""
        self._orders.put(None)
        self._pool.shutdown()

    def _live(self) -> None:
        sharpen_timers()
        while True:
            self._agenda.run(time.monotonic_ns())
            due_ns = self._agenda.due_ns
            wait_s = None if due_ns is None else max(0, due_ns - time.monotonic_ns()) / S
            try:
                actions = self._orders.get(timeout=wait_s)
            except Empty:
                continue
            if actions is None:
                return
            self._agenda.run(time.monotonic_ns())
            self._go_on(actions)

    def _go_on(self, actions: Actions) -> None:
        delay_ns = next(actions, None)
        if delay_ns is None:
            self._done += 1
        else:
            self._agenda.after(delay_ns, lambda: self._go_on(actions))


SECONDS = 20
SETTINGS = Settings(count_ns=200 * MS)
"""A short countdown; all else is as people play."""


def measure_answers(
    seed: int = 0, profiles: Sequence[str] = (), seconds: float | None = None
) -> dict[str, dict[str, Any]]:
    """The figures of each shipped profile, or of those that are named; of each about `seconds` of play.

    A table with readers at its places is measured with both ownerships.
    """
    seconds = SECONDS if seconds is None else seconds
    figures = {}
    for name in profiles or wiring.profile_names():
        profile = load_profile(name)
        figures[name] = _measure(profile, seed, seconds)
        if profile.identified:
            figures[f"{name}, by tag"] = _measure(replace(profile, ownership="tag"), seed, seconds)
    return figures


def _measure(profile: Profile, seed: int, seconds: float) -> dict[str, Any]:
    journal, hand_log = VerdictLog(), HandLog()
    contacts = frozenset(profile.lines.values())
    table = simulated_table(
        profile,
        table=table_of(profile),
        settings=SETTINGS,
        draws=Random(seed),
        journal=journal,
        behaviour=Behaviour(Misbehaviour(bounce=contacts).habits),
        keep=None,
        live=True,
    )
    world = SimulatedTable(table)
    drill = drill_for(profile, world, hand_log, Random(seed))
    hands = RealTimeHands(table.agenda)
    answers = _Answers(profile, table, hand_log, journal)
    try:
        left_ns = round(seconds * S)
        with nothing_collected():
            while left_ns > 0:
                began_ns = time.monotonic_ns()
                _play_round(profile, table, hands, drill, left_ns)
                left_ns -= time.monotonic_ns() - began_ns
                answers.collect()
    finally:
        hands.close()
        table.close()
    return answers.figures()


def _play_round(profile: Profile, table: Simulated, hands: RealTimeHands, drill: Drill, for_ns: int) -> None:
    begin_round(table, even_deal(profile, profile.seats))
    _let(table, hands, drill.prepare())
    _let(table, hands, drill.play(for_ns))
    table.shell.command(EndMatch(exactly(time.monotonic_ns())))
    _let(table, hands, drill.clear())


def _let(table: Simulated, hands: RealTimeHands, actions: Iterable[Actions]) -> None:
    """The table lives while hands do these things."""
    hands.begin(actions)
    while hands.busy:
        table.loop.step(time.monotonic_ns() + 50 * MS)


class _Answers:
    """Finds the verdict and the lamp that belong to each press, round by round."""

    def __init__(self, profile: Profile, table: Simulated, hand_log: HandLog, journal: VerdictLog) -> None:
        self._slaps = profile.ownership == "slap" and (profile.game == "dice" or bool(profile.pads))
        self._panels = {seat: panel_lamp_index(seat, profile.piles) for seat in range(1, profile.seats + 1)}
        self._table = table
        self._hand_log = hand_log
        self._journal = journal
        self._counted: Counter[Verdict] = Counter()
        self._accepted_ns: list[int] = []
        self._false_ns: list[int] = []
        self._lamp_ns: list[int] = []
        self._presses = 0

    def collect(self) -> None:
        """Take over what has been logged since the last call."""
        presses, laid = self._hand_log.presses, self._hand_log.laid
        self._presses += sum(map(len, presses.values())) if self._slaps else len(laid)
        free_ns = dict.fromkeys(self._panels, 0)
        """When each panel shows no verdict any more."""
        for verdict in self._journal.verdicts:
            judged = verdict.judged
            began_ns = self._began_ns(judged)
            self._counted[judged.verdict] += 1
            if judged.verdict in WINNING:
                self._accepted_ns.append(verdict.committed_ns - began_ns)
            elif judged.verdict is Verdict.FALSE_CLAIM:
                self._false_ns.append(verdict.committed_ns - began_ns)
            if free_ns[judged.seat] < began_ns and (lamp_ns := self._lamp_after_ns(judged.seat, began_ns)):
                self._lamp_ns.append(lamp_ns - began_ns)
            free_ns[judged.seat] = cue_end_ns(judged)
        self._journal.verdicts.clear()
        self._table.leds.history.clear()
        presses.clear()
        laid.clear()

    def _began_ns(self, judged: Judged) -> int:
        """When the hand did what is judged."""
        if not self._slaps:
            assert judged.what is not None
            return self._hand_log.laid[judged.what]
        return min(self._hand_log.presses[judged.seat], key=lambda t_ns: abs(t_ns - judged.stamp.latest_ns))

    def _lamp_after_ns(self, seat: int, began_ns: int) -> int | None:
        """When the first frame in which the seat's lamp has changed since then was handed to the lamps."""
        lamp = self._panels[seat]
        before = 0
        for shown_ns, frame in self._table.leds.history:
            if shown_ns <= began_ns:
                before = frame[lamp]
            elif frame[lamp] != before:
                return shown_ns
        return None

    def figures(self) -> dict[str, Any]:
        """Milliseconds from the edge; and what there was to measure."""
        accepted = sum(self._counted[verdict] for verdict in WINNING)
        return {
            **quantiles("press_to_verdict", self._accepted_ns, ("p50", "p99")),
            **quantiles("press_to_lamp", self._lamp_ns, ("p50", "p99")),
            **quantiles("press_to_false_claim", self._false_ns, ("p50", "p99")),
            "presses": self._presses,
            "accepted": accepted,
            "false_claims": self._counted[Verdict.FALSE_CLAIM],
            "other_verdicts": self._counted.total() - accepted - self._counted[Verdict.FALSE_CLAIM],
            "lamps": len(self._lamp_ns),
            "late": self._journal.late,
        }


# What hands do while the table's answers are timed: legal moves at a lively pace, and slaps for nothing.
#
# Nobody finishes the round. A seat moves again only when its last verdict has gone from its panel, as
# otherwise nobody could see when the panel answers.


SLAP_NS = (60 * MS, 150 * MS)
"""From the die to the slap, as regular players do it."""
ARMED_SLAP_NS = (300 * MS, 450 * MS)
"""From the card on the pad to the slap: its owner waits for the panel."""
TAP_NS = 80 * MS
TAKE_NS = 120 * MS
"""From a slap until the card is taken off the pad."""
CYCLE_NS, READER_CYCLE_NS = 1200 * MS, 1900 * MS
"""From one move of a seat to the next: a verdict is shown for a second, and readers make it later."""
SHOWN_NS = 300 * MS
"""How long a die is held to a pad, and until the next one is."""
QUIET_NS = 1800 * MS
"""A slap so long after everything else can only be a false claim."""
ANSWERED_NS = 1200 * MS
"""By then every verdict is there."""
BETWEEN_NS = 300 * MS
"""Between the false claims of two seats."""
FORGOTTEN_NS, READER_FORGOTTEN_NS = 300 * MS, 2 * S
"""Until the table knows that everything has gone."""
FEWER_THAN_A_HAND = 5
"""So many dice of each seat are placed, so that nobody has none left."""


class HandLog:
    """When hands did what, by the clock."""

    def __init__(self) -> None:
        self.presses: defaultdict[int, list[int]] = defaultdict(list)
        self.laid: dict[Slot | Card, int] = {}

    def pressed(self, seat: int) -> None:
        """A button is about to go down."""
        self.presses[seat].append(time.monotonic_ns())

    def placed(self, what: Slot | Card) -> None:
        """A die or a card is about to come down."""
        self.laid[what] = time.monotonic_ns()


class Drill(Protocol):
    """The moves of a game. Each call gives the actions that hands do at the same time."""

    def prepare(self) -> list[Actions]:
        """What has to be done when the round has begun."""

    def play(self, for_ns: int) -> list[Actions]:
        """Moves for about that long, or until everything lies there; then slaps for nothing."""

    def clear(self) -> list[Actions]:
        """Take everything off the table, when the round is over."""


def drill_for(profile: Profile, world: SimulatedTable, log: HandLog, chance: Random) -> Drill:
    """The moves that suit this table."""
    return (CardDrill if profile.game == "cards" else DiceDrill)(profile, world, log, chance)


class DiceDrill:
    """A die comes down on the next place of a row, and its owner slaps, unless a tag says whose it is."""

    def __init__(self, profile: Profile, world: SimulatedTable, log: HandLog, chance: Random) -> None:
        self._seats = profile.seats
        self._by_tag = profile.ownership == "tag"
        self._cycle_ns = READER_CYCLE_NS if profile.identified else CYCLE_NS
        self._forgotten_ns = READER_FORGOTTEN_NS if profile.identified else FORGOTTEN_NS
        self._world = world
        self._log = log
        self._chance = chance
        places = sorted(ALL_SLOTS, key=lambda slot: slot.number)[: FEWER_THAN_A_HAND * self._seats]
        self._moves = [(slot, place % self._seats + 1) for place, slot in enumerate(places)]

    def prepare(self) -> list[Actions]:
        return [self._show_dice(seat) for seat in range(1, self._seats + 1)] if self._by_tag else []

    def play(self, for_ns: int) -> list[Actions]:
        return [self._place(for_ns)]

    def clear(self) -> list[Actions]:
        return [self._take_off()]

    def _show_dice(self, seat: int) -> Actions:
        for slot in (slot for slot, owner in self._moves if owner == seat):
            self._world.show(Pad(seat), _die(slot))
            yield SHOWN_NS
            self._world.withdraw(Pad(seat), _die(slot))
            yield SHOWN_NS

    def _place(self, for_ns: int) -> Actions:
        pace_ns = self._cycle_ns // self._seats
        for slot, seat in self._moves[: max(1, for_ns // pace_ns)]:
            self._log.placed(slot)
            self._world.fill(slot, _die(slot))
            slap_ns = self._chance.randint(*SLAP_NS)
            yield slap_ns
            if self._by_tag:
                yield TAP_NS
            else:
                yield from _tap(self._world, self._log, seat)
            yield pace_ns - slap_ns - TAP_NS + self._chance.randint(-20 * MS, 20 * MS)
        if not self._by_tag:
            yield QUIET_NS
            for seat in range(1, self._seats + 1):
                yield from _tap(self._world, self._log, seat)
                yield BETWEEN_NS
        yield ANSWERED_NS

    def _take_off(self) -> Actions:
        for slot, _ in self._moves:
            self._world.empty(slot)
        yield self._forgotten_ns


class CardDrill:
    """Everybody plays the same pile upwards in turn: by pad and slap, or on the readers of the piles."""

    def __init__(self, profile: Profile, world: SimulatedTable, log: HandLog, chance: Random) -> None:
        self._seats = profile.seats
        self._pads = bool(profile.pads)
        self._layer = profile.piles // profile.seats
        self._cycle_ns = CYCLE_NS if self._pads else READER_CYCLE_NS
        self._world = world
        self._log = log
        self._chance = chance

    def prepare(self) -> list[Actions]:
        return []

    def play(self, for_ns: int) -> list[Actions]:
        return [self._play(seat, for_ns) for seat in range(1, self._seats + 1)]

    def clear(self) -> list[Actions]:
        return []

    def _play(self, seat: int, for_ns: int) -> Actions:
        """The moves of one seat; the seats begin one after the other."""
        yield seat * self._cycle_ns // self._seats
        for count, (card, pile) in enumerate(self._cards(seat)):
            if count * self._cycle_ns >= for_ns:
                break
            yield from self._slap(seat, card) if self._pads else self._lay(card, pile)
        if self._pads:
            yield QUIET_NS
            yield from _tap(self._world, self._log, seat)
        yield ANSWERED_NS

    def _cards(self, seat: int) -> Iterator[tuple[Card, Pile]]:
        """What the seat plays, and where: each layer of the piles lies there before the next one begins."""
        for number in range(1, CARD_NUMBERS + 1):
            for colour in range(self._layer):
                yield Card(seat, Colour(colour), number), Pile(colour * self._seats + seat)

    def _slap(self, seat: int, card: Card) -> Actions:
        slap_ns = self._chance.randint(*ARMED_SLAP_NS)
        self._world.show(Pad(seat), card)
        yield slap_ns
        yield from _tap(self._world, self._log, seat)
        yield TAKE_NS
        self._world.withdraw(Pad(seat), card)
        yield self._cycle_ns - slap_ns - TAP_NS - TAKE_NS

    def _lay(self, card: Card, pile: Pile) -> Actions:
        self._log.placed(card)
        self._world.show(pile, card)
        yield self._cycle_ns // 2
        self._world.withdraw(pile, card)
        yield self._cycle_ns - self._cycle_ns // 2 + self._chance.randint(-20 * MS, 20 * MS)


def _tap(world: SimulatedTable, log: HandLog, seat: int) -> Actions:
    """A short press."""
    log.pressed(seat)
    world.press(seat)
    yield TAP_NS
    world.release(seat)


def _die(slot: Slot) -> DieFace:
    """The die that belongs there, with the right face up."""
    return DieFace(PLACES_PER_ROW * slot.colour + slot.number, slot.number)
