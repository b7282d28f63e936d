"""One simulated person with dice, who throws all of them or none, and counts the leftover ones honestly."""

from __future__ import annotations

from random import Random

from firmware_host.lab.bots.belongings import Dice, Die, seats_of
from firmware_host.lab.bots.page_reading import PageReader, PageReading, Wish
from firmware_host.lab.bots.person import (
    GLANCE_NS,
    LONG_PRESS_NS,
    RED,
    RHYTHM_NS,
    WHITE,
    YELLOW,
    Actions,
    Fingers,
    Person,
    PlayersWorld,
)
from firmware_host.lab.bots.skill import Skill
from firmware_host.model.places import ALL_SLOTS, DICE, DieFace, Pad, Slot
from firmware_host.model.times import MS

MIND_NS = 600 * MS  # after this long a placed die should have its owner
NOTICE_NS = 200 * MS  # the table has reacted to a die by then
PEER_NS = 300 * MS  # long enough to see a flicker
LONG_LOOK_NS = 1100 * MS  # long enough to see any rhythm
FLASH_NS = 700 * MS  # a lamp that flashes red has flashed by then
LIFT_NS = 300 * MS  # taking a die and putting it back


class RoundPlayer:
    """Plays the dice of one hand. `minding` has the dice that it put down lately and watches."""

    def __init__(
        self,
        seat: int,
        skill: Skill,
        dice: Dice,
        world: PlayersWorld,
        reader: PageReader,
        chance: Random,
        fingers: Fingers,
        *,
        slaps: bool = True,
        answer_ns: int = 0,
    ) -> None:
        self.minding: dict[Slot, int] = {}
        self._seat = seat
        self._skill = skill
        self._dice = dice
        self._world = world
        self._reader = reader
        self._chance = chance
        self._fingers = fingers
        self._tap_in = fingers.tap_in if slaps else _no_slap
        self._keep_down_in = fingers.keep_down_in if slaps else _no_slap
        self._tap = fingers.tap if slaps else _nothing
        self._put: set[Slot] = set()  # where this person put dice in this round
        self._put_ns = 0
        self._slaps = slaps
        self._last: Slot | None = None
        """Where this person put the last die, if the slap for it may have got nothing."""
        self._answer_ns = answer_ns  # how much later than usual the table answers

    @property
    def _hand(self) -> list[Die]:
        return self._dice.hands[self._seat]

    @property
    def own(self) -> list[Slot]:
        """Where dice lie that this person put there in this round."""
        return [slot for slot in ALL_SLOTS if slot in self._put and slot in self._dice.board]

    def _running(self) -> bool:
        return self._reader.read(self._world.lines).wish is Wish.PLAY

    def play(self) -> Actions:
        """One throw, and all dice of it that can be placed; without any dice, the stop call."""
        self.begin()
        if not self._hand:
            yield from self._call_stop()
            return
        yield self._skill.throw.draw(self._chance)
        self._dice.throw(self._seat)
        while self._running() and not self._fingers.asked_for:
            yield self._skill.reaction.draw(self._chance)
            yield from self._mind()
            target = self._choose()
            if target is None:
                break
            yield from self._put_down(*target)
        if self._hand and self._running() and self._happens(self._skill.wrong_rate):
            self._tap()

    def _choose(self) -> tuple[Die, Slot] | None:
        """A die of the throw that fits onto the board now."""
        for die in self._hand:
            if die.face == self._dice.height(die.colour) + 1:
                return die, Slot(die.colour, die.face)
        return None

    def _put_down(self, die: Die, slot: Slot) -> Actions:
        """Place the die with one hand and slap with the other; keep the button of the last die down."""
        skill, chance = self._skill, self._chance
        if self._happens(skill.misplace_rate):
            slot = self._wrong_slot() or slot
        self._fingers.let_go()
        self._dice.reach(self._seat, slot)
        reach_ns = skill.reach.draw(chance)
        offset_ns = int(chance.gauss(skill.slap_offset_ns, skill.slap_spread_ns))
        if self._happens(skill.early_rate):
            offset_ns = -chance.randrange(reach_ns)
        elif self._happens(skill.late_rate):
            offset_ns += chance.randint(500, 3500) * MS
        keeps = len(self._hand) == 1 and not self._happens(skill.let_go_rate)
        slap = self._keep_down_in if keeps else self._tap_in
        if offset_ns < 0:
            slap(max(0, reach_ns + offset_ns))
        yield reach_ns
        if self._world.is_filled(slot) or slot in self._dice.board:
            if self._happens(skill.reflex_rate):
                self._tap_in(max(0, offset_ns))
                self._last = None
            return
        if not self._running() or die not in self._hand:
            return
        self.lay(die, slot)
        if offset_ns >= 0:
            slap(offset_ns)
        if not keeps and self._happens(skill.twice_rate):
            self._tap_in(max(0, offset_ns) + 180 * MS)
        if self._happens(skill.knock_rate):
            yield from self._knock()

    def begin(self) -> None:
        """Nothing lies anywhere if a round begins."""
        if not self._dice.board:
            self._put.clear()

    def lay(self, die: Die, slot: Slot) -> None:
        """Put a die down on a free place, and keep it in mind."""
        self._dice.put(self._seat, die, slot)
        self._put.add(slot)
        self._last = slot if self._slaps else None
        self._fill(slot)
        self.minding[slot] = self._put_ns = self._world.now_ns

    def _call_stop(self) -> Actions:
        """Say that none is left if the table has not called it: hold the own button, unless it is held yet.

        Who sees that the last die flashes red takes it back instead.
        """
        yield MIND_NS + NOTICE_NS + self._answer_ns
        while not self._fingers.at_rest:
            yield NOTICE_NS
        for slot in list(self.minding):
            if RED in self._world.slot_light(slot, MIND_NS) and self._world.is_filled(slot):
                yield LIFT_NS
                self.lift(slot)
        if self._running() and not self._hand:
            yield from self._fingers.hold(LONG_PRESS_NS)

    def _wrong_slot(self) -> Slot | None:
        free = [
            slot
            for slot in ALL_SLOTS
            if slot not in self._dice.board and slot.number != self._dice.height(slot.colour) + 1
        ]
        return self._chance.choice(free) if free else None

    def _knock(self) -> Actions:
        """Knock a die off with the sleeve, and put it back at once."""
        others = [slot for slot in self._dice.board if self._world.is_filled(slot)]
        slot = self._chance.choice(others)
        self._world.empty(slot)
        yield LIFT_NS + self._skill.reaction.draw(self._chance)
        if slot in self._dice.board:
            self._fill(slot)

    def _mind(self) -> Actions:
        """Watch the own dice: take back wrong ones, and see that the others are counted."""
        for slot, since_ns in list(self.minding.items()):
            if self._world.now_ns - since_ns > LONG_LOOK_NS + NOTICE_NS + self._answer_ns:
                if RED in self._world.slot_light(slot, LONG_LOOK_NS) and self._world.is_filled(slot):
                    yield LIFT_NS
                    if RED in self._world.slot_light(slot, FLASH_NS):  # it was not just missing in a red row
                        self.lift(slot)
                elif self.is_wrong(slot) and self._world.is_filled(slot):
                    yield LIFT_NS
                    self.lift(slot)
                    self._tap_in(100 * MS)
                else:
                    del self.minding[slot]
        lost = self._last is not None and YELLOW in self._world.panel_light(self._seat, PEER_NS)
        if lost and not self._waits(self.own, PEER_NS):
            yield from self._reclaim()
        counts = self._reader.read(self._world.lines).counts
        settled = self._world.now_ns - self._put_ns > MIND_NS + self._answer_ns
        place = self._dice.players.index(self._seat)
        if settled and place < len(counts) and counts[place] > len(self._hand):
            yield from self._claim_again()

    def is_wrong(self, slot: Slot) -> bool:
        """Whether a die that counts does not belong there, and nothing lies on it yet."""
        die = self._dice.board.get(slot)
        return die is not None and self._is_on_top(slot) and (die.colour, die.face) != tuple(slot)

    def _is_on_top(self, slot: Slot) -> bool:
        return slot in self._dice.board and slot.number == self._dice.height(slot.colour)

    def _claim_again(self) -> Actions:
        """Slap again for an own die that nobody has claimed: the scoreboard counts more than the hand has."""
        lying = [slot for slot in self._dice.board if slot in self._put]
        if self._waits(lying, PEER_NS):
            if RED not in self._world.panel_light(self._seat, PEER_NS):
                self._tap()
            return
        for slot in lying:
            if WHITE in self._world.slot_light(slot, LONG_LOOK_NS):
                yield from self._put_again(slot)
                return
        yield from self._reclaim()

    def _waits(self, slots: list[Slot], for_ns: int) -> bool:
        """Whether one of these dice still has no owner."""
        return any(WHITE in self._world.slot_light(slot, for_ns) for slot in slots)

    def _reclaim(self) -> Actions:
        """Lift the last own die, put it down again and slap: it counts for somebody else."""
        slot, self._last = self._last, None
        if slot in self._put and self._world.is_filled(slot):
            yield from self._put_again(slot)

    def _put_again(self, slot: Slot) -> Actions:
        """Lift a die that nobody claimed in time, put it down again and slap."""
        self._world.empty(slot)
        yield LIFT_NS
        if slot in self._dice.board:
            self._fill(slot)
            self._put_ns = self._world.now_ns
            if slot in self.minding:
                self.minding[slot] = self._put_ns
            self._tap_in(100 * MS)

    def _fill(self, slot: Slot) -> None:
        self._world.fill(slot, self._dice.board[slot].tag)

    def lift(self, slot: Slot) -> None:
        """Take a die back, unless somebody else has removed it."""
        self.minding.pop(slot, None)
        self._put.discard(slot)
        if slot in self._dice.board:
            self._world.empty(slot)
            self._dice.take_back(self._seat, slot)

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self._chance.random() < rate


def _nothing() -> None:
    """Do nothing: where dice are owned by tag, no slap is needed."""


def _no_slap(delay_ns: int) -> None:
    """The same, in a while."""


SHOW_NS = 300 * MS
CLEAR_NS = 220 * MS  # taking a die off the board into the bag


class DicePerson(Person):
    """Plays dice."""

    def __init__(
        self,
        seat: int,
        seats: list[int],
        skill: Skill,
        dice: Dice,
        world: PlayersWorld,
        reader: PageReader,
        chance: Random,
        *,
        owned_by_tag: bool = False,
        answer_ns: int = 0,
    ) -> None:
        super().__init__(seat, seats, skill, dice, world, reader, chance)
        self._dice = dice
        self._owned_by_tag = owned_by_tag
        self._answer_ns = answer_ns
        self._round = RoundPlayer(
            seat,
            skill,
            dice,
            world,
            reader,
            chance,
            self._fingers,
            slaps=not owned_by_tag,
            answer_ns=answer_ns,
        )

    @property
    def round(self) -> RoundPlayer:
        """The dice of this seat at play."""
        return self._round

    @property
    def left(self) -> int:
        return len(self._dice.hands.get(self.seat, []))

    # -- before and after a round

    def _deal_out(self, reading: PageReading) -> None:
        """Deal what the scoreboard says. An operator may have started with other seats, or another deal.

        While it says something else in turn, deal as before if the same seats play, and wait if not. A lamp
        that has just gone out may seem to burn yet; then there are too few dice: deal as before.
        """
        dice = self._dice
        playing = self._invited()
        counts = reading.counts * len(playing) if len(reading.counts) == 1 else reading.counts
        enough = sum(counts) <= DICE
        if playing and enough and len(counts) == len(playing):
            shares = dict(zip(playing, counts, strict=True))
            dice.dealt_to = tuple(shares.get(seat, 0) for seat in range(1, len(dice.dealt_to) + 1))
        if playing in ([], seats_of(dice.dealt_to)) or not enough:
            dice.deal()

    def _invited(self) -> list[int]:
        """The seats whose lamps say that they play; none if the table has no such lamps."""
        seats = range(1, len(self._dice.dealt_to) + 1)
        return [seat for seat in seats if any(self._world.panel_light(seat, RHYTHM_NS))]

    def _get_ready(self) -> Actions:
        """Show each die to the pad, if dice are owned by tag."""
        self._round.begin()
        if self._owned_by_tag:
            for die in self._dice.hands.get(self.seat, ()):
                tag = DieFace(die.number, die.face)
                self._world.show(Pad(self.seat), tag)
                yield SHOW_NS
                self._world.withdraw(Pad(self.seat), tag)
                yield SHOW_NS

    def _take_off(self, reading: PageReading) -> Actions:
        """Help to clear the board; each person begins with another row."""
        first = (self.seat - 1) * len(ALL_SLOTS) // len(self._seats)
        for slot in ALL_SLOTS[first:] + ALL_SLOTS[:first]:
            if slot in self._dice.board:
                yield CLEAR_NS
                if slot in self._dice.board:
                    self._world.empty(slot)
                    self._dice.clear(slot)
        yield GLANCE_NS

    def _knows_round(self, reading: PageReading) -> bool:
        """Whether these people have dealt for this round; a resumed table may show another one."""
        as_many = len(reading.counts) in (0, len(self._dice.players))
        return self.seat in self._dice.hands and as_many

    @property
    def _place(self) -> int:
        """Where the scoreboard lists this seat among those that play."""
        return self._dice.players.index(self.seat)

    # -- the leftover check

    def _stop(self, reading: PageReading) -> Actions:
        """Stop playing, and take back wrong dice and, as their lamps say, those that came too late."""
        yield self._skill_time(1)
        self._fingers.let_go()
        flashing = [slot for slot in self._round.own if RED in self._world.slot_light(slot, LONG_LOOK_NS)]
        if self._round.minding or flashing:
            yield LONG_LOOK_NS + self._answer_ns
        for slot in {**self._round.minding, **dict.fromkeys(flashing)}:
            wrong = self._round.is_wrong(slot) or RED in self._world.slot_light(slot, FLASH_NS)
            if self._world.is_filled(slot) and wrong:
                yield LIFT_NS
                self._round.lift(slot)
        self._round.minding.clear()
        self._answer(reading)

    def _check(self, reading: PageReading) -> Actions:
        """Compare the dice in the hand with the table's count."""
        if self._round.minding:
            yield from self._stop(reading)
        if not self._knows_round(reading):
            self._answer(reading)
            return
        if reading.counts[self._place] == self.left:
            yield self._skill_time(2)
            self._fingers.tap()
        else:
            yield from self._fingers.hold(LONG_PRESS_NS)
        self._answer(reading)

    def _own_up(self, reading: PageReading) -> Actions:
        yield self._skill_time(2)
        now = self._look()
        if now.wish is Wish.ASK and self._knows_round(now) and now.counts[self._place] > self.left:
            self._fingers.tap()
        yield GLANCE_NS

    # -- the round

    def _play(self, reading: PageReading) -> Actions:
        """Play, but call the round off if nothing has fitted for minutes, or if nobody has dealt for it."""
        self._dice.dealt = False
        if self._looks_on(reading):
            yield GLANCE_NS
        elif self._was_paused or not self._knows_round(reading):
            self._was_paused = False
            yield from self._call_off()
        else:
            yield from self._round.play()

    def _look_on(self, reading: PageReading) -> Actions:
        """Let the visitor play; but help to call off a round that nobody has dealt for."""
        self._dice.dealt = False
        self._was_paused = False
        if self._knows_round(reading) or self._looks_on(reading):
            yield GLANCE_NS
        else:
            yield from self._call_off()

    def _looks_on(self, reading: PageReading) -> bool:
        """Whether others play, and nothing was dealt to this seat."""
        dice = self._dice
        return bool(dice.hands) and self.seat not in dice.hands and len(reading.counts) == len(dice.players)
