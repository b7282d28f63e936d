"""Careful people: they know what they want to play, watch the table, and do it again until it has counted.

All of them together are one course of deeds, so that a play is over before the next begins. They
see of the table what anybody sees: its scoreboard and its lamps. They wait while it is off or paused, put
right what it complains of, and begin the match anew if the table has forgotten it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from random import Random

from firmware_host.lab.bots.page_reading import PageReader, PageReading, Wish
from firmware_host.lab.bots.person import GREEN, RED, WHITE, Actions
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.surface import ShownPage
from firmware_host.model.effects import Judged, TagRefused, Verdict
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.places import ALL_SLOTS, Card, Colour, DieFace, Pad, Slot
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.show.pages import CALL_NS, cue_text, verdict_text
from firmware_host.store.store_reader import Decision
from tests.crash.plans import (
    DICE_EACH,
    SEATS,
    FalseClaim,
    MatchPlan,
    Play,
    RoundPlan,
    SideShow,
    WrongCard,
    WrongPlace,
    WrongStop,
)

GLANCE_NS = 60 * MS
TAP_NS = 80 * MS
PATIENCE_NS = 2500 * MS
REST_NS = 700 * MS
LOOK_NS = 1100 * MS
HOLD_NS = 1300 * MS
LOCKED_NS = 20_000 * MS

_ROUND = re.compile(r"Round (\d+)/\d+")
_WINNER = say("en", Phrase.WINNER, seats="")
_FREE = say("en", Phrase.PRESS_TO_PLAY)

Look = Generator[int, None, bool]


class People(ABC):
    """All people at one table, with one plan."""

    def __init__(self, world: SimulatedTable, plan: MatchPlan, chance: Random) -> None:
        self.plan = plan
        self.diary = Diary()
        self.outages = 0
        """How often the table went off or came back: odd while it is off. Who does that counts it here."""
        self._world = world
        self._chance = chance
        self._reader = PageReader("en", str)
        self._number = 1
        self._shown_off: set[tuple[int, int, int]] = set()
        self._away = self._fresh = True
        self._ways: dict[Wish, Callable[[PageReading], Actions]] = {
            Wish.SIT: self._sit,
            Wish.PLAY: self._play,
            Wish.CHECK: self._check,
            Wish.HOLD: self._go_on,
            Wish.TAKE_OFF: self._take_off,
            Wish.DEAL: self._press_ready,
        }

    def arrive(self) -> None:
        """They begin to live."""
        self._live(self._life())

    def _live(self, life: Actions) -> None:
        delay_ns = next(life, None)
        if delay_ns is not None:
            self._world.after(delay_ns, lambda: self._live(life))

    def _life(self) -> Actions:
        while not self.diary.over:
            reading = self._read()
            if reading.wish is not Wish.PLAY:
                self._away = True
            yield from self._ways.get(reading.wish, self._wait)(reading)
            yield GLANCE_NS

    # -- what each game says

    @abstractmethod
    def taken(self, counts: tuple[int, ...]) -> int:
        """How many plays of the round have counted, as the numbers on the scoreboard say."""

    @abstractmethod
    def _put_right(self, index: int) -> Actions:
        """The table runs again: see to it that only what has counted lies there."""

    @abstractmethod
    def _make(self, play: Play, counts: tuple[int, ...]) -> Actions:
        """Make a play, and wait until it has counted, or something else has happened."""

    @abstractmethod
    def _end(self) -> Actions:
        """All plays of the round have counted."""

    @abstractmethod
    def _show_off(self, show: SideShow) -> Look:
        """Do something that comes to nothing; whether the table has said so."""

    @abstractmethod
    def _show_left(self, counts: tuple[int, ...]) -> Actions:
        """Let the table know what is left."""

    def _wait(self, reading: PageReading) -> Actions:
        """Nothing is asked now."""
        if self._world.lines[0].startswith(_WINNER):
            self.diary.shown = self._world.lines
            self.diary.over = True
        yield GLANCE_NS

    # -- the same for both

    def _sit(self, reading: PageReading) -> Actions:
        first, second = self._world.lines
        if first == _FREE:
            self._fresh = True
            self._number = 1
            self._shown_off.clear()
            if self._chance.random() < 0.5:
                yield from self._take_off(reading)
            missing = set(SEATS)
        else:
            missing = set(SEATS) - seats_in(second)
        for seat in sorted(missing):
            self._tap(seat)
            yield self._chance.randint(20, 300) * MS
        yield REST_NS

    def _play(self, reading: PageReading) -> Actions:
        if not reading.counts:
            return  # the start call alone
        if self._fresh:
            self._fresh = False
            self.diary.begun += 1
        index = self.taken(reading.counts)
        if self._away:
            self._away = False
            yield from self._put_right(index)
        plays = self.round.plays
        if index >= len(plays):
            yield from self._end()
            return
        play = plays[index]
        show, key = play.before, (self.diary.begun, self._number, index)
        if show is not None and key not in self._shown_off:
            if (yield from self._show_off(show)):
                self._shown_off.add(key)
                self.diary.side_shows += 1
            return
        if not (yield from self._calm(play.seat, play.rival or play.seat)):
            return
        counts = self._read().counts
        if not counts or self.taken(counts) != index:
            return
        yield from self._make(play, counts)

    def _check(self, reading: PageReading) -> Actions:
        """Let it be known what is left; when the table knows, all say that it is right."""
        yield from self._show_left(reading.counts)
        now = self._read()
        if now.wish is not Wish.CHECK or len(now.counts) != len(SEATS):
            return
        if now.counts == self.round.left:
            yield from self._press_ready(reading)
        else:
            self._miscount(now.counts)
            yield REST_NS

    @abstractmethod
    def _miscount(self, counts: tuple[int, ...]) -> None:
        """The table counts otherwise."""

    def _press_ready(self, reading: PageReading) -> Actions:
        for seat in SEATS:
            if GREEN not in self._world.panel_light(seat, GLANCE_NS):
                self._tap(seat)
                yield self._chance.randint(10, 150) * MS
        yield REST_NS

    def _go_on(self, reading: PageReading) -> Actions:
        yield from self._hold(1)

    def _take_off(self, reading: PageReading) -> Actions:
        yield GLANCE_NS

    # -- eyes

    @property
    def round(self) -> RoundPlan:
        """The plan of the round that is played."""
        return self.plan.rounds[self._number - 1]

    def _read(self) -> PageReading:
        lines = self._world.lines
        number = _ROUND.match(lines[0])
        if number:
            self._number = int(number[1])
        return self._reader.read(lines)

    def _running(self) -> bool:
        return self._read().wish is Wish.PLAY

    def _until(self, seen: Callable[[], bool], within_ns: int = PATIENCE_NS) -> Look:
        """Look again and again; whether it was seen in time."""
        end_ns = self._world.now_ns + within_ns
        while not seen():
            if self._world.now_ns >= end_ns:
                return False
            yield GLANCE_NS
        return True

    def _calm(self, *seats: int) -> Look:
        """Wait until none of these is locked; whether the round still runs then."""

        def calm() -> bool:
            return not any(RED in self._world.panel_light(seat, LOOK_NS) for seat in seats)

        yield from self._until(lambda: calm() or not self._running(), LOCKED_NS)
        return self._running()

    def _until_counted(self, counts: tuple[int, ...]) -> Look:
        """Wait until the numbers have changed, or the round does not run any more."""
        yield from self._until(lambda: self._read().counts != counts)
        after = self._read()
        return after.wish is not Wish.PLAY or self.taken(after.counts) > self.taken(counts)

    def _watch_rival(self, play: Play) -> Actions:
        """The scoreboard tells of the rival after the win has stood for a while."""
        told, outages = f"{play.rival} too late", self.outages
        if (yield from self._until(lambda: self._world.lines[0].startswith(told) or not self._running())):
            lag_ns = margin_in(self._world.lines[0])
            if lag_ns is None:
                return  # the table was stopped meanwhile
            if abs(lag_ns - play.lag_ns) > ROUNDED_NS:
                self.diary.complaints.append(f"{self._world.lines[0]}, but the lag was {play.lag_ns} ns")
            self.diary.rivals += 1
        elif outages == self.outages and outages % 2 == 0:
            self.diary.complaints.append(f"nothing was said of the rival in {play}")

    # -- fingers

    def _tap(self, seat: int) -> None:
        self._world.press(seat)
        self._world.after(TAP_NS, lambda: self._world.release(seat))

    def _hold(self, seat: int) -> Actions:
        self._world.press(seat)
        yield HOLD_NS
        self._world.release(seat)
        yield REST_NS

    def _claim_falsely(self, show: FalseClaim) -> Look:
        """Slap for nothing; whether the seat's lamp has turned red."""
        if not (yield from self._calm(show.seat)):
            return False
        self._tap(show.seat)
        return (
            yield from self._until(lambda: RED in self._world.panel_light(show.seat, GLANCE_NS), 900 * MS)
        )


ROUNDED_NS = 150_000
"""A margin on the scoreboard is rounded to a tenth of a millisecond; stamps are in doubt by as much."""
_TOO_LATE = re.compile(r"\d+ too late \+([\d.]+)(us|ms|s)")
_UNIT_NS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}


@dataclass(slots=True)
class Diary:
    """What the people remember of their evening."""

    begun: int = 0
    over: bool = False
    shown: tuple[str, ...] = ()
    """The scoreboard when the winner was shown."""
    complaints: list[str] = field(default_factory=list)
    rivals: int = 0
    """Slaps of rivals that were seen to come too late, by the right margin."""
    repeated: int = 0
    side_shows: int = 0


def margin_in(line: str) -> int | None:
    """The margin in a line such as `3 too late +13.4ms`, in nanoseconds."""
    told = _TOO_LATE.fullmatch(line)
    return round(float(told[1]) * _UNIT_NS[told[2]]) if told else None


def seats_in(text: str) -> set[int]:
    """The seats that have sat down: `1 - 3 -` or `1-3 5`."""
    seats: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        seats |= set(range(int(first), int(last or first) + 1))
    return seats


_READER = PageReader("en", str)
_OF_WISH = {
    Wish.PLAY: Phase.PLAY,
    Wish.STOP: Phase.SETTLE,
    Wish.CHECK: Phase.SETTLE,
    Wish.TAKE_OFF: Phase.CLEAR,
    Wish.DEAL: Phase.CLEAR,
    Wish.HOLD: Phase.PAUSED,
}
_STARTS = (
    (say("en", Phrase.PRESS_TO_PLAY), Phase.ATTRACT),
    (say("en", Phrase.PRESS_TO_SIT), Phase.JOIN),
    (say("en", Phrase.WAS_OFF), Phase.PAUSED),
    (say("en", Phrase.REFUTED), Phase.COUNTDOWN),
    (say("en", Phrase.WINNER, seats=""), Phase.RESULT),
    ("Check:", Phase.PAUSED),
)
_SCORES = re.compile(r"Seat \d+ is done|Nobody can play on")
_COUNTING = re.compile(r"[321]")
_QUIET = re.compile(r"Round \d+/\d+|Start Ligretto")
_UNSAID = (Verdict.LOCKED, Verdict.NOT_RUNNING)


def phase_of(lines: tuple[str, ...]) -> Phase | None:
    """The phase that shows such a page, if that can be told."""
    first, second = lines
    for start, phase in _STARTS:
        if first.startswith(start):
            return phase
    if _SCORES.fullmatch(first):
        return Phase.SCORES
    if first.startswith("Round") and _COUNTING.fullmatch(second):
        return Phase.COUNTDOWN
    return _OF_WISH.get(_READER.read(lines).wish)


def news_of(lines: tuple[str, ...]) -> str | None:
    """The verdict or refusal that a page of a running round tells of."""
    if phase_of(lines) is not Phase.PLAY or _QUIET.fullmatch(lines[0]):
        return None
    return lines[0]


def told(decisions: Iterable[Decision], columns: int, by_pads: bool) -> list[str]:
    """All verdicts and refusals of a journal, as the scoreboard says them, in their order."""
    texts = []
    for decision in decisions:
        effect = decision.effect
        if isinstance(effect, Judged) and effect.verdict not in _UNSAID:
            texts.append(verdict_text("en", effect, columns, by_pads=by_pads))
        elif isinstance(effect, TagRefused):
            texts.append(cue_text("en", effect.at, effect.cue, columns))
    return texts


def first_untold(pages: Iterable[ShownPage], texts: list[str]) -> str | None:
    """The first news that was shown though it is not in these texts, or not in that order.

    A verdict may come back for the rest of its time, when what was told after it has gone; and what a
    daemon shows first may be what the one before it showed last.
    """
    place, daemon = 0, 0
    since: dict[str, int] = {}
    for page in pages:
        begins, daemon = page.daemon not in (0, daemon), page.daemon or daemon
        news = news_of(page.lines)
        if news is None:
            continue
        if news in since and (begins or page.t_ns < since[news] + CALL_NS):
            continue
        if news in texts[place:]:
            place = texts.index(news, place) + 1
        elif not (begins and news in texts[:place]):
            after = texts[place - 1] if place else "the beginning"
            return f"'{news}' was shown at {page.t_ns / S:.3f} s, and is not in the journal after '{after}'"
        since[news] = page.t_ns
    return None


KNOWN_NS = 1200 * MS
GONE_NS = 500 * MS
SCAN_NS = 600 * MS
WORDS = ("not your card", "already played")
_REFUTED = say("en", Phrase.REFUTED)


class CardPeople(People):
    """They hold cards to pads, slap, and call stop."""

    def __init__(self, world: SimulatedTable, plan: MatchPlan, chance: Random) -> None:
        super().__init__(world, plan, chance)
        self._lying: dict[int, Card] = {}

    def taken(self, counts: tuple[int, ...]) -> int:
        return sum(counts)

    def _make(self, play: Play, counts: tuple[int, ...]) -> Actions:
        card, rival_card = play.what, play.rival_card
        assert isinstance(card, Card)
        held = {play.seat: card} | ({play.rival: rival_card} if rival_card is not None else {})
        yield from self._put_right(0)  # nothing else may lie there
        self._hold_to(held)
        if (yield from self._until(lambda: self._known(*held) or not self._running(), KNOWN_NS)):
            yield play.slap_ns
            if self._running():
                self._tap(play.seat)
                if rival_card is not None:
                    self._world.after(play.lag_ns, lambda: self._tap(play.rival))
                yield play.lag_ns + GLANCE_NS
                counted = yield from self._until_counted(counts)
                if counted and rival_card is not None and self._running():
                    yield from self._watch_rival(play)
                elif not counted:
                    self.diary.repeated += 1
        yield from self._put_right(0)

    def _known(self, *seats: int) -> bool:
        """Whether the lamps say that the table knows these seats' cards, and that they fit."""
        return all(WHITE in self._world.panel_light(seat, GLANCE_NS) for seat in seats)

    def _put_right(self, index: int) -> Actions:
        """Take the cards back from the pads."""
        if self._lying:
            for seat, card in self._lying.items():
                self._world.withdraw(Pad(seat), card)
            self._lying = {}
            yield GONE_NS
        yield GLANCE_NS

    def _hold_to(self, cards: dict[int, Card]) -> None:
        self._lying = dict(cards)
        for seat, card in cards.items():
            self._world.show(Pad(seat), card)

    def _end(self) -> Actions:
        """The finisher calls stop."""
        yield from self._call(self.round.finisher)

    def _call(self, seat: int) -> Actions:
        yield from self._put_right(0)
        self._world.press_call(seat)
        yield TAP_NS
        self._world.release_call(seat)
        yield REST_NS

    # -- what comes to nothing

    def _show_off(self, show: SideShow) -> Look:
        if isinstance(show, FalseClaim):
            return (yield from self._claim_falsely(show))
        if isinstance(show, WrongStop):
            return (yield from self._stop_wrongly(show))
        assert isinstance(show, WrongCard)
        yield from self._put_right(0)
        self._hold_to({show.pad: show.card})
        told = [f"{show.pad}: {words}" for words in WORDS]
        seen = yield from self._until(lambda: self._world.lines[0] in told, 1500 * MS)
        yield from self._put_right(0)
        return seen

    def _stop_wrongly(self, show: WrongStop) -> Look:
        """Call stop with Ligretto cards left: they are shown, all agree, and the round goes on."""
        yield from self._call(show.seat)
        return (yield from self._until_refuted())

    def _until_refuted(self) -> Look:
        """See it through to the words that the stop was wrong; give up when anything else comes of it."""
        for _ in range(60):
            if self._world.lines[0] == _REFUTED:
                return True
            reading = self._read()
            if reading.wish is Wish.CHECK:
                yield from self._check(reading)
            elif reading.wish is not Wish.STOP:
                return False
            yield GLANCE_NS
        return False

    def _miscount(self, counts: tuple[int, ...]) -> None:
        """Some cards are not counted yet: they are shown once more."""

    def _show_left(self, counts: tuple[int, ...]) -> Actions:
        """Each seat shows its Ligretto cards to its pad until the table has counted all."""
        yield from self._put_right(0)
        if len(counts) != len(SEATS) or counts == self.round.left:
            return
        most = max(map(len, self.round.left_cards))
        for turn in range(most):
            cards = {
                seat: left[turn]
                for seat, left in zip(SEATS, self.round.left_cards, strict=True)
                if turn < len(left)
            }
            self._hold_to(cards)
            yield SCAN_NS
            yield from self._put_right(0)
            if self._read().wish is not Wish.CHECK:
                return


LIFT_NS = 150 * MS
_CHECK = re.compile(r"Check: (red|yellow|green|blue) ([1-6])")


class DicePeople(People):
    """They put dice on the board and slap."""

    def taken(self, counts: tuple[int, ...]) -> int:
        return DICE_EACH * len(SEATS) - sum(counts)

    def _make(self, play: Play, counts: tuple[int, ...]) -> Actions:
        slot, world = play.what, self._world
        assert isinstance(slot, Slot)
        start_ns = max(0, -play.slap_ns)
        world.after(start_ns, lambda: self._fill(slot))
        slap_ns = start_ns + play.slap_ns
        world.after(slap_ns, lambda: self._tap(play.seat))
        if play.rival:
            world.after(slap_ns + play.lag_ns, lambda: self._tap(play.rival))
        yield max(start_ns, slap_ns + play.lag_ns) + GLANCE_NS
        if (yield from self._until_counted(counts)):
            if play.rival and self._running():
                yield from self._watch_rival(play)
            yield REST_NS  # a slap that comes sooner may be taken for a rival's
        elif self._running():
            self.diary.repeated += 1
            yield from self._put_right(self.taken(self._read().counts or counts))

    def _put_right(self, index: int) -> Actions:
        counted = {play.what for play in self.round.plays[:index]}
        for slot in ALL_SLOTS:
            if self._world.is_filled(slot) and slot not in counted:
                self._world.empty(slot)
                yield LIFT_NS
            elif not self._world.is_filled(slot) and slot in counted:
                self._fill(slot)
                yield LIFT_NS
        yield REST_NS

    def _end(self) -> Actions:
        """The last die ends the round by itself."""
        yield GLANCE_NS

    def _show_off(self, show: SideShow) -> Look:
        if isinstance(show, FalseClaim):
            return (yield from self._claim_falsely(show))
        assert isinstance(show, WrongPlace)
        if not (yield from self._calm(show.seat)):
            return False
        slot, seat = show.slot, show.seat
        self._fill(slot)
        self._world.after(100 * MS, lambda: self._tap(seat))
        yield 250 * MS
        seen = yield from self._until(lambda: RED in self._world.slot_light(slot, GLANCE_NS), 1500 * MS)
        yield REST_NS
        if self._running():
            self._world.empty(slot)
            yield REST_NS
        return seen

    def _show_left(self, counts: tuple[int, ...]) -> Actions:
        """The table knows what is left: what was dealt less what has counted."""
        yield GLANCE_NS

    def _miscount(self, counts: tuple[int, ...]) -> None:
        words = f"round {self._number}: left {self.round.left}, the table says {counts}"
        if words not in self.diary.complaints:
            self.diary.complaints.append(words)

    def _take_off(self, reading: PageReading) -> Actions:
        for slot in ALL_SLOTS:
            if self._world.is_filled(slot):
                self._world.empty(slot)
                yield LIFT_NS
        yield REST_NS

    def _wait(self, reading: PageReading) -> Actions:
        """While it is paused the table may say which place looks otherwise than it should."""
        for line in self._world.lines:
            astray = _CHECK.fullmatch(line)
            if astray:
                slot = Slot(Colour[astray[1].upper()], int(astray[2]))
                if self._world.is_filled(slot):
                    self._world.empty(slot)
                else:
                    self._fill(slot)
                yield REST_NS
        yield from super()._wait(reading)

    def _fill(self, slot: Slot) -> None:
        self._world.fill(slot, DieFace(1, 1))
