"""Makes up inputs: honest play in every phase, and all that hands, wires, readers and operators do besides.

It looks at the referee to know what would be honest now, so that deep states are reached; what it makes up is
a plain sequence, and running that needs none of this. An idea is a few inputs that belong together, such as a
die with the slaps for it. Ideas follow each other so closely that they mix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from random import Random

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.games import GAMES
from firmware_host.games.round import Round
from firmware_host.lab.scenarios.wording import Input, Order, Scenario, Sighting, Statement
from firmware_host.model.events import (
    Command,
    DeviceChanged,
    EndMatch,
    Interrupted,
    Pause,
    Resume,
    SetLeftover,
    SignalsLost,
    StartMatch,
    TroubleReport,
    VoidRound,
)
from firmware_host.model.places import (
    ALL_SLOTS,
    DICE,
    PLACES_PER_ROW,
    Button,
    Call,
    Card,
    Colour,
    DieFace,
    Pad,
    Pile,
    Slot,
    Source,
    Spot,
    Stranger,
    Tag,
)
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, Phase, SlotState
from firmware_host.model.times import MS, S, exactly
from tests.fuzz.cases import next_card, profile_of, some_card
from tests.fuzz.running import Run, arrival_of

TAP_NS = 60 * MS


class Hands:
    """All that moves at one table."""

    def __init__(self, case: Scenario, run: Run, chance: Random) -> None:
        profile = profile_of(case.profile, case.ownership)
        self._run = run
        self._chance = chance
        self._settings = run.settings
        self._seats = profile.seats
        self._dice = profile.game == "dice"
        self._readers = profile.identified
        self._by_tag = profile.ownership == "tag"
        self._pads = bool(profile.pads)
        self._calls = run.table.call_buttons
        self._sources = list(profile.lines.values())
        self._spots: list[Spot] = [reader.at for reader in profile.readers]
        self._game = GAMES[profile.game]
        self._occupied: set[Slot] = set(run.referee.session.occupied)
        self._lying: dict[Spot, Tag] = {}
        self._dealt_in: Round | None = None
        self._in_hand: dict[int, int] = {}
        self._agenda: list[tuple[int, int, Statement | Callable[[], None]]] = []
        self._numbers = count()
        self._t_ns = 0
        self._arrived_ns = 0
        # Each sequence has more of some things and nothing of others, so that rare ones meet.
        self._stories = chance.randint(2, 4) if chance.random() < 0.5 else 0
        """So many dice come at first, and nothing else until all that follows from them is over."""
        self._odd = 0 if self._stories else chance.choice((0, 0.03, 0.12))
        self._imprecision = 0 if self._stories else chance.choice((0, 0.12))
        self._forgetful = 0 if self._stories else chance.choice((0.05, 0.2, 0.4))
        self._rivalry = 0.8 if self._stories else chance.choice((0.1, 0.3, 0.6))
        self._pace = chance.choice((0.3, 1, 2, 4))
        self._liking: dict[str, float] = {}

    def inputs(self) -> Iterator[Statement]:
        """Inputs without end, in the order of their arrival; each has to be put in before the next."""
        if self._by_tag:
            self._deal_tags(0)
            self._t_ns = S + self._settings.tag_settle_ns
        while True:
            while not self._agenda or self._agenda[0][0] > self._t_ns:
                self._have_an_idea()
            arrival_ns, _, statement = heappop(self._agenda)
            if callable(statement):
                self._let_pass(arrival_ns)
                statement()
            elif arrival_ns >= self._arrived_ns:
                self._arrived_ns = arrival_ns
                yield statement

    # -- how inputs come in

    def _move(self, t_ns: int, source: Source, active: bool) -> None:
        """A contact changes. Mostly that is told at once."""
        t_ns, arrival_ns, wide_ns = self._imprecise(t_ns, self._settings.slot_settle_ns)
        self._add(Input(0, t_ns, arrival_ns, source, active, wide_ns=wide_ns))

    def _see(self, t_ns: int, at: Spot, tag: Tag, present: bool) -> None:
        """A reader finds a tag, or that it has gone."""
        if present:
            self._lying[at] = tag
        else:
            self._lying.pop(at, None)
        t_ns, arrival_ns, wide_ns = self._imprecise(t_ns, self._settings.tag_settle_ns)
        if self._chance.random() < 0.7:
            wide_ns = 40 * MS
        self._add(Sighting(0, t_ns, arrival_ns, at, tag, present, wide_ns=wide_ns))

    def _imprecise(self, t_ns: int, settle_ns: int) -> tuple[int, int, int]:
        """When it is said to have happened, when that is told, and how long before it may have happened."""
        chance = self._chance
        t_ns = max(t_ns, 0)
        arrival_ns, wide_ns = t_ns, 0
        if chance.random() < self._imprecision:
            late_ns = (settle_ns, settle_ns + 1, chance.randint(0, settle_ns), 2 * S, 20 * MS, -20 * MS)
            arrival_ns += chance.choice(late_ns)
        if chance.random() < self._imprecision / 2:
            wide_ns = chance.choice((MS, 4 * MS, 50 * MS, S))
        return t_ns, max(arrival_ns, self._arrived_ns), wide_ns

    def _order(self, t_ns: int, command: Command | TroubleReport) -> None:
        self._add(Order(0, max(t_ns, self._arrived_ns), command))

    def _later(self, t_ns: int, follow_up: Callable[[], None]) -> None:
        """Somebody looks at the table then, and does something if there is a reason."""
        heappush(self._agenda, (t_ns, next(self._numbers), follow_up))

    def _let_pass(self, t_ns: int) -> None:
        if t_ns > self._arrived_ns:
            self._arrived_ns = t_ns
            self._run.until(t_ns)

    def _add(self, statement: Statement) -> None:
        heappush(self._agenda, (arrival_of(statement), next(self._numbers), statement))

    # -- what hands do

    def _tap(self, t_ns: int, seat: int, for_ns: int = TAP_NS) -> None:
        self._move(t_ns, Button(seat), True)
        self._move(t_ns + for_ns, Button(seat), False)

    def _hold(self, t_ns: int, seat: int) -> None:
        """A long press, now and then one that is a little too short, or has no end."""
        long_ns = self._chance.choice(
            (self._settings.hold_ns, self._settings.hold_ns, self._settings.all_hold_ns)
        )
        for_ns = int(long_ns * self._chance.choice((0.9, 1.1, 1.1, 1.5, 3))) + self._chance.choice(
            (-1, 0, MS)
        )
        self._move(t_ns, Button(seat), True)
        if self._chance.random() < 0.95:
            self._move(t_ns + max(for_ns, MS), Button(seat), False)

    def _fill(self, t_ns: int, slot: Slot) -> None:
        self._occupied.add(slot)
        self._move(t_ns, slot, True)
        if self._readers and self._chance.random() < 0.95:
            good = self._chance.random() < 0.9
            die = 1 + PLACES_PER_ROW * slot.colour + self._chance.randrange(PLACES_PER_ROW)
            if self._by_tag and good:
                die = self._die_owed(slot.colour) or die
            tag: Tag = DieFace(die, slot.number) if good else self._some_tag()
            self._see(t_ns + self._chance.randint(0, 100) * MS, slot, tag, True)

    def _die_owed(self, colour: Colour) -> int | None:
        """A die of that colour that a seat with dice left has shown and that lies nowhere."""
        round_ = self._run.referee.session.round
        lying = {
            tag.die for at, tag in self._lying.items() if isinstance(at, Slot) and isinstance(tag, DieFace)
        }
        owed = dict(enumerate(round_.owed, start=1)) if isinstance(round_, DiceRound) else {}
        owners = self._run.referee.session.owners
        dice = [die for die, seat in owners.items() if owed.get(seat) and DieFace(die, 1).colour is colour]
        dice = [die for die in dice if die not in lying]
        return self._chance.choice(dice) if dice else None

    def _empty(self, t_ns: int, slot: Slot) -> None:
        self._occupied.discard(slot)
        self._move(t_ns, slot, False)
        tag = self._lying.get(slot)
        if tag is not None and self._chance.random() < 0.95:
            self._see(t_ns + self._chance.randint(0, 100) * MS, slot, tag, False)

    def _some_tag(self) -> Tag:
        chance = self._chance
        return chance.choice(
            (
                some_card(self._seats, chance),
                DieFace(chance.randint(1, DICE), chance.randint(1, PLACES_PER_ROW)),
                Stranger(f"04{chance.randrange(3):06x}"),
            )
        )

    def _gap_ns(self) -> int:
        """From one idea to the next."""
        chance = self._chance
        return chance.choice(
            (
                0,
                chance.randint(0, 3) * MS,
                chance.randint(1, 100) * MS,
                chance.randint(50, 700) * MS,
                chance.randint(50, 700) * MS,
                chance.randint(500, 2500) * MS,
            )
        )

    def _seat(self) -> int:
        """Mostly a seat that plays."""
        seated = sorted(self._run.referee.session.seated)
        if seated and self._chance.random() < 0.95:
            return self._chance.choice(seated)
        return self._chance.randint(1, self._seats)

    def _owner(self, *, last: bool = False) -> int:
        """A seat that puts down one of its dice, or the `last` one of a seat.

        Who has none left in truth places no more, whatever is counted.
        """
        round_ = self._run.referee.session.round
        if isinstance(round_, DiceRound) and round_ is not self._dealt_in:
            self._dealt_in, self._in_hand = round_, dict(enumerate(round_.owed, start=1))
        seats = [seat for seat, left in self._in_hand.items() if left == 1 or (left and not last)]
        seat = self._chance.choice(seats) if seats and self._chance.random() < 0.95 else self._seat()
        self._in_hand[seat] = max(0, self._in_hand.get(seat, 0) - 1)
        return seat

    def _everybody(self) -> list[int]:
        seats = sorted(self._run.referee.session.seated) or list(range(1, self._seats + 1))
        self._chance.shuffle(seats)
        if self._chance.random() < 0.1:
            seats.pop()
        return seats

    # -- ideas

    def _have_an_idea(self) -> None:
        phase = self._run.referee.session.phase
        ideas = _HONEST[phase]
        if self._stories and phase is Phase.PLAY:
            if self._stories > 1:
                self._stories -= 1
                (self._place if self._dice else self._play_card)(self._t_ns)
                self._rivalry, self._forgetful = self._chance.choice(((0.3, 0.5), (0.1, 0.8)))
                self._t_ns += int(self._gap_ns() * self._pace)
                return
            if self._agenda:
                self._t_ns = self._agenda[0][0]
                return
        if self._chance.random() < self._odd:
            ideas = _ODD
        elif phase in (Phase.PLAY, Phase.PAUSED) and (phase is Phase.PLAY or self._chance.random() < 0.3):
            ideas = _DICE if self._dice else _CARDS
        weights = [weight * self._likes(idea) for weight, idea in ideas]
        ((_, idea),) = self._chance.choices(ideas, weights if sum(weights) else None)
        idea(self, self._t_ns)
        self._t_ns += int(self._gap_ns() * self._pace)

    def _likes(self, idea: Idea) -> float:
        """How often this table has an idea, compared to others; waiting has to be possible."""
        name = idea.__name__
        if name not in self._liking:
            usual = idea in (Hands._wait, Hands._place, Hands._play_card)
            self._liking[name] = 1 if usual else self._chance.choice((0.03, 0.3, 1, 1, 3))
        return self._liking[name]

    def _place(self, t_ns: int) -> None:
        """A die comes to the next place of a row. Its owner slaps, or forgets it, or a rival slaps, too."""
        chance = self._chance
        free = [slot for slot in ALL_SLOTS if slot not in self._occupied]
        nexts = [slot for slot in free if slot.number == 1 or _below(slot) in self._occupied]
        if not self._dice or not nexts:
            return
        slot, seat = chance.choice(nexts), self._owner(last=chance.random() < (0.5 if self._stories else 0.2))
        self._fill(t_ns, slot)
        if self._by_tag:
            return
        if chance.random() < self._forgetful:
            self._forget(t_ns, slot, seat)
        elif chance.random() < self._rivalry:
            self._rob(t_ns, slot, seat)
        else:
            late_ms = chance.choice(
                (chance.randint(20, 500), chance.randint(20, 150), -chance.randint(1, 150))
            )
            (self._hold if chance.random() < 0.1 else self._tap)(t_ns + late_ms * MS, seat)

    def _forget(self, t_ns: int, slot: Slot, seat: int) -> None:
        """Nobody slaps for a die, the row goes on, and in the end the owner sees it."""
        chance = self._chance
        seen_ns = t_ns + self._settings.claim_late_ns + chance.randint(20, 500) * MS
        self._later(seen_ns, lambda: self._revive(seen_ns, slot, seat))
        if chance.random() < 0.7 and slot.number < PLACES_PER_ROW:
            next_ns = t_ns + self._settings.fresh_ns + chance.randint(-100, 1000) * MS
            self._fill(next_ns, slot._replace(number=slot.number + 1))
            self._tap(next_ns + chance.randint(20, 500) * MS, self._owner())

    def _rob(self, t_ns: int, slot: Slot, seat: int) -> None:
        """A rival slaps, too, about when the owner does, who sees later on what has come of it."""
        chance = self._chance
        slap_ns = t_ns + chance.randint(20, 300) * MS
        before_ns = chance.choice((0, *[chance.randint(1, 80) * MS] * 4))
        rivals = [each for each in self._everybody() if each != seat] or [seat]
        self._tap(slap_ns - before_ns, chance.choice(rivals))
        self._tap(slap_ns, seat)
        patience_ns = max(self._settings.reclaim_ns, S)
        later_ns = slap_ns + chance.randint(chance.choice((300 * MS, patience_ns * 2 // 3)), patience_ns)
        self._later(later_ns, lambda: self._reclaim(later_ns, slot, seat))

    def _set_down_again(self, t_ns: int) -> None:
        """A die is lifted and set down again, and somebody slaps for it.

        Mostly it was taken by a rival, so that it is reclaimed, or nobody has slapped for it in time.
        """
        chance, round_ = self._chance, self._run.referee.session.round
        lapsed = [(slot, self._seat()) for slot in ALL_SLOTS if _is_lapsed(round_, slot)]
        lost = [(slot, seat) for slot, seat in self._run.lost if slot in self._occupied]
        counted = [(slot, self._seat()) for slot in sorted(self._occupied) if chance.random() < 0.1]
        kinds = [dice for dice in (lost, lost, lapsed, lapsed, counted) if dice]
        if not kinds:
            return
        slot, seat = chance.choice(chance.choice(kinds))
        self._again(t_ns, slot, seat)

    def _revive(self, t_ns: int, slot: Slot, seat: int) -> None:
        """The owner sees that nobody has slapped in time."""
        if _is_lapsed(self._run.referee.session.round, slot):
            self._again(t_ns, slot, seat)

    def _reclaim(self, t_ns: int, slot: Slot, seat: int) -> None:
        """The owner sees that a rival has got the die, and takes it back or says that none is left."""
        if (slot, seat) in self._run.lost:
            if self._chance.random() < 0.15:
                self._hold(t_ns, seat)
            else:
                self._again(t_ns, slot, seat)

    def _again(self, t_ns: int, slot: Slot, seat: int) -> None:
        """That die is lifted and set down again then, and that seat slaps."""
        chance = self._chance
        down_ns = t_ns + chance.choice((*[chance.randint(50, 500)] * 3, chance.randint(1, 3000))) * MS
        self._move(t_ns, slot, False)
        self._move(down_ns, slot, True)
        if chance.random() < 0.85:
            self._tap(down_ns + chance.randint(20, 300) * MS, seat)

    def _take_back(self, t_ns: int) -> None:
        """The last die of a row is lifted, and somebody slaps."""
        tops = [
            slot for slot in self._occupied if slot._replace(number=slot.number + 1) not in self._occupied
        ]
        if tops:
            self._empty(t_ns, self._chance.choice(sorted(tops)))
            if self._chance.random() < 0.7:
                self._tap(t_ns + self._chance.randint(50, 500) * MS, self._seat())

    def _slap(self, t_ns: int) -> None:
        self._tap(t_ns, self._seat())

    def _race(self, t_ns: int) -> None:
        """Several press at about the same moment."""
        off_ns = self._settings.stamp_uncertainty_ns
        for seat in self._everybody()[: self._chance.randint(2, 4)]:
            self._tap(t_ns + self._chance.choice((0, off_ns, 2 * off_ns, 2 * off_ns + 1, MS)), seat)

    def _hold_one(self, t_ns: int) -> None:
        self._hold(t_ns, self._seat())

    def _hold_all(self, t_ns: int) -> None:
        for seat in self._everybody():
            self._hold(t_ns + self._chance.randint(0, 300) * MS, seat)

    def _tap_all(self, t_ns: int) -> None:
        for seat in self._everybody():
            self._tap(t_ns + self._chance.randint(0, 300) * MS, seat)

    def _misplace(self, t_ns: int) -> None:
        """A die comes to any place, or goes from it, whatever is there."""
        slot = self._chance.choice(ALL_SLOTS)
        if self._dice:
            (self._fill if self._chance.random() < 0.6 else self._empty)(t_ns, slot)

    def _clear(self, t_ns: int) -> None:
        """The board is cleared, mostly as a whole; then everybody is ready."""
        for slot in sorted(self._occupied):
            if self._chance.random() < 0.98:
                self._empty(t_ns + self._chance.randint(0, 500) * MS, slot)
        if self._by_tag and self._chance.random() < 0.2:
            self._deal_tags(t_ns)
        if self._chance.random() < 0.8:
            for seat in self._everybody():
                self._tap(t_ns + self._chance.randint(600, 1000) * MS, seat)

    def _deal_tags(self, t_ns: int) -> None:
        """Dice are shown to the pads of their owners."""
        for die in self._chance.sample(range(1, DICE + 1), self._chance.choice((3, DICE))):
            tag, at = DieFace(die, self._chance.randint(1, PLACES_PER_ROW)), Pad(self._seat())
            self._see(t_ns, at, tag, True)
            if self._chance.random() < 0.9:
                self._see(t_ns + 20 * MS, at, tag, False)
            t_ns += 20 * MS

    def _dispute(self, t_ns: int) -> None:
        """A seat holds its button, enters a count, and the others confirm it."""
        seat = self._seat()
        long_ns = self._settings.hold_ns + 50 * MS
        self._tap(t_ns, seat, long_ns)
        t_ns += long_ns + 100 * MS
        for _ in range(self._chance.choice((0, 1, 1, 2, 3, 7))):
            self._tap(t_ns, seat)
            t_ns += 100 * MS + TAP_NS
        if self._chance.random() < 0.7:
            self._tap(t_ns, seat, long_ns)
            t_ns += long_ns + 100 * MS
        else:
            t_ns += self._settings.entry_ns + 10 * MS
        for other in self._everybody():
            if other != seat:
                self._tap(t_ns + self._chance.randint(0, 200) * MS, other)
        self._t_ns = max(self._t_ns, t_ns)

    def _wait(self, t_ns: int) -> None:
        """Time passes: a little, until the next thing is due by the clock, or for long."""
        settings, chance = self._settings, self._chance
        deadline_ns = self._run.referee.session.state.deadline_ns
        waits = [settings.claim_late_ns, settings.stop_ns, settings.lock_ns, chance.randint(1, 5) * S]
        if deadline_ns is not None:
            waits += [deadline_ns - self._run.zero_ns - t_ns] * 3
        if chance.random() < 0.05:
            waits = [settings.idle_ns, settings.stuck_ns, settings.paused_ns, 3600 * S]
        self._t_ns += min(max(0, chance.choice(waits)), 3600 * S) + chance.choice((-MS, 0, 1, MS, 100 * MS))
        if not self._agenda:
            self._let_pass(self._t_ns)

    # -- cards

    def _card(self) -> Card:
        """Mostly a card that could be played now."""
        round_ = self._run.referee.session.round
        seats = sorted(self._run.referee.session.seated)
        if isinstance(round_, CardRound) and seats and self._chance.random() < 0.85:
            card = next_card(round_.position, seats, self._chance)
            if card is not None:
                return card
        return some_card(self._seats, self._chance)

    def _play_card(self, t_ns: int) -> None:
        """A card is held to its pad and slapped, or laid on the reader of a pile; rivals do the same."""
        chance = self._chance
        first = self._card()
        cards = [first]
        if chance.random() < 0.3:
            cards += [first._replace(seat=self._seat()) for _ in range(chance.randint(1, 2))]
        settle_ns = self._settings.tag_settle_ns
        for card in cards:
            if not self._pads:
                self._lay(t_ns + chance.choice((0, 0, 10 * MS, 100 * MS)), card)
                continue
            pad = Pad(card.seat if chance.random() < 0.95 else self._seat())
            self._see(t_ns, pad, card, True)
            late_ns = chance.choice((settle_ns + 50 * MS, settle_ns + 50 * MS, settle_ns, 0, -100 * MS))
            slap_ns = t_ns + late_ns + chance.choice((0, 0, self._settings.stamp_uncertainty_ns, MS))
            if chance.random() < 0.9:
                self._tap(slap_ns, pad.seat)
            if chance.random() < 0.8:
                self._see(slap_ns + chance.randint(-50, 300) * MS, pad, card, False)

    def _lay(self, t_ns: int, card: Card) -> None:
        round_ = self._run.referee.session.round
        places = round_.position.places_for(card) if isinstance(round_, CardRound) else []
        if not places or self._chance.random() < 0.1:
            places = [self._chance.randint(1, 4 * self._seats)]
        pile = Pile(places[0])
        self._see(t_ns, pile, card, True)
        if self._chance.random() < 0.5:
            self._see(t_ns + self._chance.randint(0, 1000) * MS, pile, card, False)

    def _show_leftover(self, t_ns: int) -> None:
        """A leftover card is shown to its pad."""
        card = some_card(self._seats, self._chance)
        if self._pads:
            self._see(t_ns, Pad(card.seat), card, True)
            self._see(t_ns + 300 * MS, Pad(card.seat), card, False)

    def _call(self, t_ns: int) -> None:
        """Somebody calls stop."""
        if self._calls:
            call = Call(self._seat())
            self._move(t_ns, call, True)
            self._move(t_ns + TAP_NS, call, False)
        else:
            self._hold(t_ns, self._seat())

    # -- what should not happen

    def _any_edge(self, t_ns: int) -> None:
        """An edge of any contact, also one to the state that it is in."""
        self._move(t_ns, self._chance.choice(self._sources), self._chance.random() < 0.5)

    def _any_tag(self, t_ns: int) -> None:
        if self._spots:
            self._see(t_ns, self._chance.choice(self._spots), self._some_tag(), self._chance.random() < 0.6)

    def _glitch(self, t_ns: int) -> None:
        """A contact bounces, or a spark jumps over."""
        source = self._chance.choice(self._sources)
        for _ in range(self._chance.randint(1, 3)):
            self._move(t_ns, source, True)
            self._move(t_ns + self._chance.randint(1, 3000) * 1000, source, False)
            t_ns += self._chance.randint(1, 8) * MS

    def _storm(self, t_ns: int) -> None:
        """A contact chatters for long."""
        source = self._chance.choice(self._sources)
        if self._chance.random() < 0.3:
            for number in range(130):
                self._move(t_ns + number * self._chance.randint(20, 40) * MS, source, number % 2 == 0)

    def _trouble(self, t_ns: int) -> None:
        chance = self._chance
        mood = chance.random()
        if mood < 0.4:
            within_ns = chance.choice((0, 50 * MS, S))
            self._order(t_ns, SignalsLost(chance.choice((0, 1, 5, 10**9)), within_ns, exactly(0)))
        elif mood < 0.8:
            condition = chance.choice(list(Condition))
            device = DeviceCondition(chance.choice(("left", "leds", "pad-1")), condition)
            seat = chance.choice((0, 0, chance.randint(1, self._seats)))
            self._order(t_ns, DeviceChanged(device, chance.random() < 0.7, exactly(0), seat))
        else:
            self._order(t_ns, Interrupted(chance.choice(list(AwayReason)), exactly(0)))

    def _command(self, t_ns: int) -> None:
        """The operator commands something, with any value."""
        chance, now = self._chance, exactly(0)
        number = chance.choice((-1, 0, 1, 2, 3, 10, 11, 24, 25, 99, 10**6, 2**63))
        deal = tuple(
            chance.choice((0, 1, 2, 6, 6, 10, 12, 24, -1, 10**6))
            for _ in range(chance.randint(0, self._seats + 1))
        )
        session = self._run.referee.session
        position = getattr(session.round, "position", "")
        texts = ("", "", str(position), "r1y0g0b0 5/6,6/6", "10,10 r1.2", "r9y9g9b9 9/9", "x" * 99, "-", "\0")
        usual = self._game.standard_deal([True] * self._seats)
        command: Command = chance.choice(
            (
                StartMatch(chance.choice((deal, usual)), now, chance.choice(texts), chance.random() < 0.5),
                StartMatch(usual, now, dealt=chance.random() < 0.5),
                Pause(now),
                Resume(now),
                Resume(now),
                VoidRound(now),
                EndMatch(now),
                SetLeftover(chance.randint(-1, self._seats + 1), number, now),
                SetLeftover(self._seat(), chance.randint(0, 3), now),
            )
        )
        self._order(t_ns, command)

    def _resume(self, t_ns: int) -> None:
        self._order(t_ns, Resume(exactly(0)))

    def _start(self, t_ns: int) -> None:
        usual = self._game.standard_deal([True] * self._seats)
        deal = tuple(min(each, self._chance.randint(1, 3)) for each in usual)
        self._order(t_ns, StartMatch(deal, exactly(0), dealt=self._chance.random() < 0.5))

    def _put_back_missing(self, t_ns: int) -> None:
        round_ = self._run.referee.session.round
        for slot in round_.misplaced if round_ is not None else ():
            (self._empty if slot in self._occupied else self._fill)(t_ns, slot)


def _is_lapsed(round_: Round | None, slot: Slot) -> bool:
    return isinstance(round_, DiceRound) and round_.records.at(slot).visible is SlotState.LAPSED


def _below(slot: Slot) -> Slot:
    return slot._replace(number=slot.number - 1)


Idea = Callable[[Hands, int], None]
Ideas = list[tuple[float, Idea]]

_DICE: Ideas = [
    (10, Hands._place),
    (4, Hands._set_down_again),
    (0.7, Hands._take_back),
    (1.0, Hands._slap),
    (0.4, Hands._race),
    (0.7, Hands._hold_one),
    (0.15, Hands._hold_all),
    (0.7, Hands._misplace),
    (0.4, Hands._put_back_missing),
    (0.4, Hands._wait),
]
_CARDS: Ideas = [
    (10, Hands._play_card),
    (0.7, Hands._slap),
    (0.4, Hands._race),
    (0.7, Hands._call),
    (0.3, Hands._hold_one),
    (0.15, Hands._hold_all),
    (0.4, Hands._wait),
]
_ODD: Ideas = [
    (2, Hands._any_edge),
    (1, Hands._any_tag),
    (1, Hands._glitch),
    (0.1, Hands._storm),
    (0.5, Hands._trouble),
    (0.5, Hands._command),
    (1, Hands._misplace),
    (1, Hands._hold_one),
    (1, Hands._slap),
    (0.5, Hands._tap_all),
    (0.5, Hands._wait),
    (0.2, Hands._deal_tags),
]
_BETWEEN: Ideas = [(3, Hands._clear), (2, Hands._tap_all), (2, Hands._wait), (0.3, Hands._place)]
_HONEST: dict[Phase, Ideas] = {
    Phase.ATTRACT: [(1, Hands._start), (1, Hands._tap_all), (0.5, Hands._wait), (1, Hands._clear)],
    Phase.JOIN: [(2, Hands._tap_all), (1, Hands._hold_one), (1, Hands._wait), (0.5, Hands._start)],
    Phase.COUNTDOWN: [(5, Hands._wait), (1, Hands._slap), (0.3, Hands._place)],
    Phase.PLAY: [],
    Phase.PAUSED: [
        (2, Hands._resume),
        (2, Hands._hold_one),
        (2, Hands._put_back_missing),
        (1, Hands._hold_all),
        (1, Hands._wait),
    ],
    Phase.SETTLE: [
        (3, Hands._wait),
        (2, Hands._tap_all),
        (1.5, Hands._dispute),
        (1, Hands._slap),
        (1, Hands._show_leftover),
        (1, Hands._set_down_again),
        (0.5, Hands._command),
    ],
    Phase.SCORES: _BETWEEN,
    Phase.CLEAR: _BETWEEN,
    Phase.RESULT: _BETWEEN,
}
