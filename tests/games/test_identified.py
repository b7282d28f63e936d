"""Places that tell which die lies on them: the sensor says when, the tag says what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games.dice.dice import parse_position
from firmware_host.games.games import Table
from firmware_host.model.effects import Cue, Judged, TagRefused
from firmware_host.model.events import Pause, StartMatch
from firmware_host.model.places import Card, Colour, DieFace, Slot, Stranger, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import MS, S, Stamp
from firmware_host.profile.profile import Profile
from firmware_host.run.table_files import LOOK_NS, load_profile, settings_for, table_of
from tests.games.card_driver import CardDriver
from tests.games.driver import RED, SLAP_NS

PROFILE = load_profile("dice4-rfid")
SLAPS = table_of(PROFILE)
CYCLE_NS = LOOK_NS * PROFILE.crowd
GONE_NS = 3 * CYCLE_NS
"""A reader has to miss a tag three times before it says that it has gone."""
LONG_NS = 3 * S
"""Long enough for a reader to notice anything."""

R1, R2, R3, Y1 = Slot(RED, 1), Slot(RED, 2), Slot(RED, 3), Slot(Colour.YELLOW, 1)
ANOTHER = Stranger("04a1b2c3")


def die_for(slot: Slot, which: int = 1) -> DieFace:
    """One of the six dice that belong on a place, with the right face down."""
    return DieFace(6 * slot.colour + which, slot.number)


class DiceHands(CardDriver):
    """Hands that put dice with tags on places that have readers.

    A reader finds a tag at the end of a whole turn of its group and misses it after three: none is slower.
    """

    def __init__(
        self,
        table: Table = SLAPS,
        settings: Settings | None = None,
        seed: int = 1,
        profile: Profile = PROFILE,
    ) -> None:
        super().__init__(table, settings_for(profile, settings or Settings()), seed)
        self.lying: dict[Slot, tuple[Tag, ...]] = {}
        self.placed: list[tuple[Slot, Stamp]] = []

    def put(self, slot: Slot, *tags: Tag) -> Stamp:
        """A die comes down, with these tags below it; none: its tag can't be read."""
        stamp = self.fill(slot)
        self.lying[slot] = tags
        self.placed.append((slot, stamp))
        for tag in tags:
            self.show(slot, tag, CYCLE_NS)
        return stamp

    def lift(self, slot: Slot) -> Stamp:
        """It is taken off."""
        stamp = self.empty(slot)
        for tag in self.lying.pop(slot, ()):
            self.withdraw(slot, tag, GONE_NS)
        return stamp

    def take_off(self, slot: Slot) -> None:
        """It is taken off, and its reader has noticed."""
        self.lift(slot)
        self.wait(LONG_NS)

    def place(self, slot: Slot, *tags: Tag) -> Stamp:
        """A die comes down, and it is judged."""
        stamp = self.put(slot, *tags)
        self.await_verdicts()
        return stamp

    def place_and_slap(self, seat: int, slot: Slot, which: int = 1) -> None:
        """The right die, and the slap for it."""
        self.put(slot, die_for(slot, which))
        self.wait(SLAP_NS)
        self.tap(seat)
        self.await_verdicts()

    def place_in_turn(self, *dice: tuple[Slot, int], gap_ms: int = 0) -> None:
        """Dice come down one after the other, numbered by colour, and are judged."""
        for slot, which in dice:
            self.put(slot, die_for(slot, which))
            self.wait(gap_ms * MS)
        self.await_verdicts()

    def await_verdicts(self) -> None:
        """All that has happened is judged."""
        self.wait(self.known_after_ns + 100 * MS)

    def resume(self, text: str) -> None:
        """Put the dice of a position on the board, and play on from it."""
        position = parse_position(text)
        for slot in sorted(position.board):
            self.fill(slot)
        self.wait(LONG_NS)
        self.command(StartMatch(position.dealt, self.exactly, text))
        self.count_down()

    @property
    def dice_lying(self) -> list[DieFace]:
        return [tag for tags in self.lying.values() for tag in tags if isinstance(tag, DieFace)]


def playing(*deal: int, table: Table = SLAPS, settings: Settings | None = None, seed: int = 1) -> DiceHands:
    """A round that has just begun."""
    hands = DiceHands(table, settings, seed)
    hands.start(*(deal or (6, 6, 6, 6)))
    hands.wait(100 * MS)
    return hands


@pytest.fixture
def play() -> DiceHands:
    """Four seats with six dice each; dice are claimed by slaps."""
    return playing()


# -- the right die


def test_a_die_is_judged_as_soon_as_its_own_reader_has_told(play: DiceHands) -> None:
    play.put(R1, die_for(R1))
    told_ns = play.now_ns + CYCLE_NS + play.settings.tag_settle_ns + play.contacts.delay_ns
    play.until(told_ns - 1)
    assert play.state(R1) is SlotState.FREE
    play.wait(1)
    assert play.state(R1) is SlotState.OPEN


def test_a_slap_is_answered_as_soon_as_the_reader_has_told(play: DiceHands) -> None:
    play.put(R1, die_for(R1))
    told_ns = play.now_ns + CYCLE_NS + play.settings.tag_settle_ns + play.contacts.delay_ns
    play.press(3)
    play.await_verdicts()
    assert play.last(Judged).decided_ns == told_ns


def test_a_slap_waits_for_every_reader_that_was_asked_before_it(play: DiceHands) -> None:
    """The first die can't be read: it may have been meant, and it may have been the wrong one."""
    stamp = play.put(Y1)
    play.put(R1, die_for(R1))
    play.press(3)
    play.await_verdicts()
    due_ns = stamp.latest_ns + play.settings.identify_ns + play.contacts.delay_ns
    assert play.last(Judged).decided_ns == due_ns and play.last(Judged).what == R1


def test_what_the_reader_finds_first_decides(play: DiceHands) -> None:
    play.put(R1, die_for(R1))
    play.show(R1, ANOTHER, CYCLE_NS + 1 * MS)
    play.await_verdicts()
    assert play.history(R1) == ["open"] and play.cues == []


def test_an_illegal_place_needs_no_reader(play: DiceHands) -> None:
    stamp = play.put(R2, die_for(R2))
    play.until(stamp.latest_ns + play.contacts.delay_ns)
    assert play.state(R2) is SlotState.ILLEGAL


def test_a_table_without_readers_does_not_wait_for_any() -> None:
    settings = settings_for(load_profile("dice4"), Settings())
    assert settings.identify_ns == 0
    tagged = settings_for(PROFILE, Settings())
    assert tagged.identify_ns >= CYCLE_NS + tagged.tag_settle_ns


def test_a_tag_that_is_told_at_the_last_moment_counts(play: DiceHands) -> None:
    stamp = play.fill(R1)
    judged_ns = stamp.latest_ns + play.settings.identify_ns
    play.show(R1, die_for(R1), judged_ns - play.settings.tag_settle_ns - play.now_ns)
    play.await_verdicts()
    assert play.history(R1) == ["open"]


def test_a_tag_that_is_told_too_late_is_unread(play: DiceHands) -> None:
    stamp = play.fill(R1)
    judged_ns = stamp.latest_ns + play.settings.identify_ns
    play.show(R1, die_for(R1), judged_ns - play.settings.tag_settle_ns - play.now_ns + 1)
    play.await_verdicts()
    assert play.history(R1) == ["illegal"]
    assert play.cues == [Cue.UNREAD]


# -- a wrong die on the right place

WRONG = [
    ((DieFace(1, 2),), Cue.WRONG_DIE),
    ((DieFace(7, 1),), Cue.WRONG_DIE),
    ((), Cue.UNREAD),
    ((ANOTHER,), Cue.UNKNOWN),
    ((Card(1, RED, 1),), Cue.WRONG_KIND),
    ((DieFace(1, 1), DieFace(2, 1)), Cue.TWO_TAGS),
    ((DieFace(1, 1), ANOTHER), Cue.TWO_TAGS),
]
WRONG_NAMES = ["face", "colour", "unread", "stranger", "card", "two dice", "a die and a stranger"]


@pytest.mark.parametrize(("tags", "cue"), WRONG, ids=WRONG_NAMES)
def test_what_does_not_belong_there_is_illegal_and_says_why(
    play: DiceHands, tags: tuple[Tag, ...], cue: Cue
) -> None:
    play.place(R1, *tags)
    assert play.history(R1) == ["illegal"]
    refused = play.last(TagRefused)
    assert (refused.at, refused.tag, refused.cue) == (R1, tags[0] if tags else None, cue)
    assert play.news.refused == {R1: refused}
    assert play.dice.position.heights == (0, 0, 0, 0)
    play.take_off(R1)
    assert play.history(R1) == ["illegal", "free"]


def test_the_cue_goes_with_the_tag(play: DiceHands) -> None:
    play.place(R1, DieFace(7, 1))
    assert play.news.refused
    play.take_off(R1)
    assert not play.news.refused


@pytest.mark.parametrize("gap_ms", [100, 300, 600, 900])
def test_the_right_die_soon_after_a_wrong_one(play: DiceHands, gap_ms: int) -> None:
    """The sensor tells that the wrong die has gone, though its reader does not know it yet."""
    play.place(R1, DieFace(7, 1))
    play.lift(R1)
    play.wait(gap_ms * MS)
    play.place_and_slap(1, R1)
    assert play.history(R1) == ["illegal", "free", "open", "counted"]
    assert play.cues == [Cue.WRONG_DIE]


@pytest.mark.parametrize("gap_ms", [300, 900])
def test_a_wrong_die_soon_after_a_right_one(play: DiceHands, gap_ms: int) -> None:
    play.place(R1, die_for(R1))
    play.lift(R1)
    play.wait(gap_ms * MS)
    play.place(R1, DieFace(7, 1))
    assert play.history(R1) == ["open", "free", "illegal"]
    assert play.cues == [Cue.WRONG_DIE]


def test_a_die_that_is_put_down_again_at_once_is_known_still(play: DiceHands) -> None:
    """Its reader has never missed it, and so has nothing to tell."""
    play.place(R1, die_for(R1))
    play.empty(R1)
    play.wait(100 * MS)
    play.fill(R1)
    play.await_verdicts()
    assert play.history(R1) == ["open", "free", "open"]


def test_a_die_between_two_rounds_is_illegal_and_says_nothing(play: DiceHands) -> None:
    play.command(Pause(play.exactly))
    play.wait(100 * MS)
    play.place(R1, die_for(R1))
    assert play.history(R1) == ["illegal"]
    assert play.cues == []


# -- a reader that sees the top of a die, too

BOTTOM, TOP = DieFace(1, 1), DieFace(1, 6)


@pytest.mark.parametrize(
    ("tags", "cue"),
    [
        ((DieFace(1, 2), DieFace(1, 5)), Cue.WRONG_DIE),
        ((DieFace(7, 1), DieFace(7, 6)), Cue.WRONG_DIE),
        ((BOTTOM, DieFace(1, 2)), Cue.TWO_TAGS),
        ((BOTTOM, DieFace(2, 6)), Cue.TWO_TAGS),
        ((BOTTOM, TOP, DieFace(2, 1)), Cue.TWO_TAGS),
    ],
    ids=["face", "colour", "neighbouring faces", "faces of two dice", "another die, too"],
)
def test_other_tags_together_are_still_wrong(play: DiceHands, tags: tuple[Tag, ...], cue: Cue) -> None:
    play.place(R1, *tags)
    assert play.history(R1) == ["illegal"]
    assert play.last(TagRefused).cue is cue


def test_a_top_that_is_read_first_waits_for_the_bottom(play: DiceHands) -> None:
    stamp = play.put(R1, TOP)
    play.show(R1, BOTTOM, CYCLE_NS + 20 * MS)
    told_ns = play.now_ns + CYCLE_NS + 20 * MS + play.settings.tag_settle_ns + play.contacts.delay_ns
    assert told_ns < stamp.latest_ns + play.settings.identify_ns
    play.until(told_ns - 1)
    assert play.state(R1) is SlotState.FREE
    play.wait(1)
    assert play.state(R1) is SlotState.OPEN and play.cues == []


def test_a_top_without_its_bottom_is_a_wrong_die_when_the_time_is_up(play: DiceHands) -> None:
    stamp = play.put(R1, TOP)
    play.until(stamp.latest_ns + play.settings.identify_ns + play.contacts.delay_ns - 1)
    assert play.state(R1) is SlotState.FREE
    play.await_verdicts()
    assert play.history(R1) == ["illegal"] and play.cues == [Cue.WRONG_DIE]


def test_a_die_that_was_knocked_off_comes_back_with_two_tags(play: DiceHands) -> None:
    knocked_off(play)
    play.place(R1, die_for(R1, 2), DieFace(2, 6))
    assert play.state(R1) is SlotState.MISSING and play.cues == [Cue.WRONG_DIE]
    play.take_off(R1)
    play.place(R1, TOP, BOTTOM)
    assert play.state(R1) is SlotState.COUNTED and play.cues == [Cue.WRONG_DIE]


# -- a die that was knocked off


def knocked_off(play: DiceHands, which: int = 1) -> None:
    """A counted die is knocked off its place, and its reader knows it."""
    play.place_and_slap(1, R1, which)
    play.take_off(R1)
    assert play.state(R1) is SlotState.MISSING


@pytest.mark.parametrize("other", [die_for(R1, 2), DieFace(1, 3), DieFace(7, 1), ANOTHER], ids=str)
def test_another_die_does_not_come_back_for_it(play: DiceHands, other: Tag) -> None:
    knocked_off(play)
    play.place(R1, other)
    assert play.state(R1) is SlotState.MISSING
    assert [(refused.at, refused.tag, refused.cue) for refused in play.all_of(TagRefused)] == [
        (R1, other, Cue.WRONG_DIE)
    ]
    play.take_off(R1)
    assert play.state(R1) is SlotState.MISSING
    play.place(R1, die_for(R1))
    assert play.state(R1) is SlotState.COUNTED
    assert play.dice.position.left == (5, 6, 6, 6)


def test_the_same_die_comes_back_soon_after_another(play: DiceHands) -> None:
    knocked_off(play)
    play.place(R1, die_for(R1, 2))
    play.lift(R1)
    play.wait(300 * MS)
    play.place(R1, die_for(R1))
    assert play.state(R1) is SlotState.COUNTED


def test_a_die_whose_tag_can_not_be_read_is_taken_for_the_one_that_was_there(play: DiceHands) -> None:
    knocked_off(play)
    play.place(R1)
    assert play.state(R1) is SlotState.COUNTED


def test_a_die_under_others_waits_on_when_it_comes_back(play: DiceHands) -> None:
    play.put(R1, die_for(R1))
    play.put(R2, die_for(R2))
    play.await_verdicts()
    play.lift(R1)
    play.wait(play.known_after_ns)
    play.place(R1, die_for(R1))
    play.tap(1)
    play.await_verdicts()
    assert play.history(R1) == ["open", "missing", "open", "counted"]


def test_a_die_that_lapsed_can_be_put_down_again(play: DiceHands) -> None:
    play.put(R1, die_for(R1))
    play.place_and_slap(1, R2)  # goes to the oldest, red 1
    play.wait(5 * S)
    assert play.history(R2) == ["open", "lapsed"]
    play.take_off(R2)
    play.place_and_slap(1, R2)
    assert play.history(R2) == ["open", "lapsed", "free", "open", "counted"]


def test_a_lapsed_die_under_another_counts_when_the_same_is_put_back(play: DiceHands) -> None:
    play.place(R1, die_for(R1))
    play.wait(5 * S)
    play.place_and_slap(1, R2)
    play.take_off(R1)
    play.place(R1, die_for(R1, 2))
    assert play.state(R1) is SlotState.MISSING
    play.take_off(R1)
    play.place_and_slap(1, R1)
    assert play.history(R1) == ["open", "lapsed", "missing", "open", "counted"]


def test_dice_of_a_position_may_come_back_as_any_die() -> None:
    """Nobody has seen which they were."""
    hands = DiceHands()
    hands.resume("r1y0g0b0 5/6,6/6,-,-")
    hands.empty(R1)
    hands.await_verdicts()
    hands.place(R1, DieFace(9, 4))
    assert hands.history(R1) == ["missing", "counted"]


# -- the end


def test_more_readers_in_one_group_give_more_time() -> None:
    crowded = replace(PROFILE, readers=tuple(replace(each, group=1) for each in PROFILE.readers))
    settings = settings_for(crowded, Settings())
    assert settings.identify_ns > 24 * LOOK_NS
    hands = DiceHands(profile=crowded)
    hands.start(6, 6, 6, 6)
    hands.fill(R1)
    hands.show(R1, die_for(R1), LOOK_NS * crowded.crowd)
    hands.await_verdicts()
    assert hands.history(R1) == ["open"]
