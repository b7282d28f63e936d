"""One simulated person with dice, who throws all of them or none, and counts the leftover ones honestly."""

from __future__ import annotations

from random import Random

from firmware_host.durations import MS
from firmware_host.places import ALL_SLOTS, DICE, DieFace, Pad
from firmware_host.players.dice_set import Dice, seats_of
from firmware_host.players.fingers import LONG_PRESS_NS, Actions
from firmware_host.players.page_reading import PageReader, PageReading, Wish
from firmware_host.players.person import GLANCE_NS, RHYTHM_NS, Person
from firmware_host.players.round_player import FLASH_NS, LIFT_NS, LONG_LOOK_NS, RoundPlayer
from firmware_host.players.skill import Skill
from firmware_host.players.world import RED, PlayersWorld

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
