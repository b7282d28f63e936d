"""One person in a running round of dice: throwing, placing, slapping, and watching the own dice."""

from __future__ import annotations

from random import Random

from firmware_host.durations import MS
from firmware_host.places import ALL_SLOTS, Slot
from firmware_host.players.dice_set import Dice, Die
from firmware_host.players.fingers import LONG_PRESS_NS, Actions, Fingers
from firmware_host.players.page_reading import PageReader, Wish
from firmware_host.players.skill import Skill
from firmware_host.players.world import RED, WHITE, YELLOW, PlayersWorld

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
