"""The file in which a world keeps its dice or cards from one run to the next.

It is replaced as a whole, so a world that is killed leaves the old one or the new one. As it is another file
each time, other worlds are kept out by a lock on an empty file beside it, which stays.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware_host.files import file_place, read_text, replace_whole
from firmware_host.lab.bots.belongings import Decks, Dice, Die, parse_area
from firmware_host.lab.bots.card_area import CardArea
from firmware_host.lab.hands import SimulatedTable
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.places import ALL_SLOTS, Card, Colour, DieFace, Slot
from firmware_host.model.times import MS
from firmware_host.profile.table import Unreadable

PATIENCE_S = 5.0
LOOK_S = 0.05
KEEP_S = 1.0
COMES_TO_REST_NS = 100 * MS
LOCKS = Path("/proc/locks")


class TakenThings(TableError):
    """Another world has these dice or cards."""


class UnusableThings(TableError):
    """Dice or cards can't be kept there."""


class ThingsFile:
    """One world's dice or cards; the world that was there before has to be gone."""

    def __init__(self, path: Path, deal: tuple[int, ...]) -> None:
        self._path = path
        self._deal = list(deal)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(path.with_suffix(".lock"))
        self._kept_s = time.monotonic()

    def lay_out(self, things: Dice | Decks, world: SimulatedTable) -> bool:
        """Put all where it was when it was kept last; whether that is known, and fits the people who play."""
        try:
            data: dict[str, Any] = json.loads(read_text(self._path))
            if data.get("deal") != self._deal:
                return False
            restore(things, data["things"])
        except (Unreadable, BadSettings, ValueError, KeyError, AttributeError, OtherBelongings):
            return False
        if isinstance(things, Dice):
            for slot, die in things.board.items():
                world.fill(slot, DieFace(die.number, die.face))
        return True

    def keep_now_and_then(self, things: Dice | Decks) -> None:
        """Write it down if that was long ago: this process may be killed."""
        if time.monotonic() - self._kept_s > KEEP_S:
            self.keep(things)

    def keep(self, things: Dice | Decks) -> None:
        """Write down where all is now."""
        text = json.dumps({"deal": self._deal, "things": kept(things)})
        try:
            replace_whole(self._path, text.encode(), durable=False)
        except OSError as error:
            raise UnusableThings(f"{self._path} can't be written: {error.strerror}") from None
        self._kept_s = time.monotonic()

    def close(self) -> None:
        """Let the next world have them."""
        os.close(self._lock)


def _locked(path: Path) -> int:
    """The file, as soon as no other world has it any more."""
    file = _opened(path)
    end_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end_s:
                holder = _holder(file)
                os.close(file)
                end = f"stop it: kill -KILL {holder}" if holder else "stop it first"
                why = f"{path}: another simulated table uses it and does not stop; {end}"
                raise TakenThings(why) from None
            time.sleep(LOOK_S)
        else:
            return file


def _opened(path: Path) -> int:
    """The file itself; one that a link leads to may be anybody's."""
    try:
        with file_place(path) as place:
            how = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            return os.open(place.name, how, 0o644, dir_fd=place.folder)
    except OSError as error:
        raise UnusableThings(f"{path} can't be used: {error.strerror}") from None


def _holder(file: int) -> int | None:
    """The process that has locked this file, if the kernel says so."""
    mine = os.fstat(file)
    try:
        locks = [line.split() for line in LOCKS.read_text().splitlines()]
    except OSError:
        return None
    # n: FLOCK ADVISORY WRITE pid major:minor:inode start end
    pids = [int(words[4]) for words in locks if words[1] == "FLOCK" and words[5].endswith(f":{mine.st_ino}")]
    return next((pid for pid in pids if _has_open(pid, mine)), None)


def _has_open(pid: int, file: os.stat_result) -> bool:
    """Whether that process has this file open: on another disk, a file may have the same number."""
    with suppress(OSError):  # the process may have ended, or be another user's
        for each in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # it may be closed meanwhile
                if os.path.samestat(each.stat(), file):
                    return True
    return False


# The dice or cards of a table as plain data, so that people can go on with them later.
#
# In the data, a card in somebody's fingers lies where it came from, and nobody has said anything.


BAG = "bag"
Data = Mapping[str, Any]


class OtherBelongings(TableError):
    """The data does not fit the dice or cards of this table."""


def kept(things: Dice | Decks) -> Data:
    """The data of the dice or cards: lists, numbers and texts."""
    return _kept_cards(things) if isinstance(things, Decks) else _kept_dice(things)


def restore(things: Dice | Decks, data: Data) -> None:
    """Put everything where it was; OtherBelongings, and no change, if the data does not fit."""
    try:
        if isinstance(things, Decks):
            _restore_cards(things, data)
        else:
            _restore_dice(things, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise OtherBelongings(f"these are not the things of this table: {error}") from None


def _kept_dice(dice: Dice) -> Data:
    places = {die.number: BAG for die in dice.bag}
    places |= {die.number: str(slot) for slot, die in dice.board.items()}
    places |= {die.number: str(seat) for seat, hand in dice.hands.items() for die in hand}
    faces = {die.number: die.face for die in _all_dice(dice)}
    return {
        "seats": sorted(dice.hands),
        "dealt": dice.dealt,
        "dice": [[faces[number], places[number]] for number in sorted(faces)],
    }


def _restore_dice(dice: Dice, data: Data) -> None:
    slots = {str(slot): slot for slot in ALL_SLOTS}
    hands: dict[int, list[Die]] = {int(seat): [] for seat in data["seats"]}
    board: dict[Slot, Die] = {}
    bag: list[Die] = []
    every = sorted(_all_dice(dice), key=lambda die: die.number)
    for die, (face, place) in zip(every, data["dice"], strict=True):
        known = Die(die.number, die.colour, int(face))
        if place in slots:
            board[slots[place]] = known
        else:
            (bag if place == BAG else hands[int(place)]).append(known)
    if len(bag) + len(board) + sum(map(len, hands.values())) != len(every):
        raise ValueError("two dice lie on one place")
    dice.bag, dice.board, dice.hands, dice.dealt = bag, board, hands, bool(data["dealt"])


def _all_dice(dice: Dice) -> list[Die]:
    return [*dice.bag, *dice.board.values(), *(die for hand in dice.hands.values() for die in hand)]


def _kept_cards(decks: Decks) -> Data:
    centre = decks.centre
    return {
        "areas": [str(area) for area in decks.areas.values()],
        "piles": [_numbers(pile) for pile in centre.piles],
        "beside": _numbers(centre.beside),
        "dealt": decks.dealt,
    }


def _restore_cards(decks: Decks, data: Data) -> None:
    areas = [_at_rest(parse_area(text)) for text in data["areas"]]
    piles = [_cards(pile) for pile in data["piles"]]
    beside = _cards(data["beside"])
    if len(piles) != len(decks.centre.piles):
        raise ValueError(f"{len(piles)} piles")
    played = sorted(card for area in areas for card in area.played)
    if played != sorted([*beside, *(card for pile in piles for card in pile)]):
        raise ValueError("other cards lie in the centre than were played")
    decks.areas = {area.seat: area for area in areas}
    decks.centre.lay_out(piles, beside)
    decks.dealt = bool(data["dealt"])


def _at_rest(area: CardArea) -> CardArea:
    if area.held is not None:
        area.put_back()
    return area


def _numbers(cards: list[Card]) -> list[list[int]]:
    return [[card.seat, int(card.colour), card.number] for card in cards]


def _cards(numbers: list[list[int]]) -> list[Card]:
    return [Card(seat, Colour(colour), number) for seat, colour, number in numbers]
