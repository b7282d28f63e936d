"""Open seats and handicaps of a table, checked against each of its games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import zip_longest

from firmware_host.games.games import GAMES
from firmware_host.model.places import MOST_SEATS
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.profile import Profile

_MOST = max(game.most_each for game in GAMES.values()) - 1

Limit = Callable[[Profile, Collection[int]], tuple[int, str]]
"""The highest difference that is possible with these seats, and the reason."""


def open_seats(profile: Profile, seats: Collection[int]) -> tuple[int, ...]:
    """The open seats of a table; all of them if none is named."""
    return tuple(seat for seat in range(1, profile.seats + 1) if not seats or seat in seats)


def usual_deal(profile: Profile, seats: Collection[int]) -> int:
    """What each seat is dealt if all open seats play."""
    game = GAMES[profile.game]
    return max(game.standard_deal([seat in seats for seat in range(1, profile.seats + 1)]))


class SeatingReader:
    """Reads `seats`, `handicap` and `extra`; at a table with two games they have to fit both."""

    def __init__(self, reader: FaultCollector, profiles: Collection[Profile]) -> None:
        self._reader = reader
        self._profiles = profiles
        self._most = max((profile.seats for profile in profiles), default=MOST_SEATS)

    def seats(self, root: Section) -> tuple[int, ...]:
        """The open seats; none named means all."""
        setting = root["seats"]
        if setting.value is None:
            return ()
        if not isinstance(setting.value, list):
            self._reader.fault(setting, "a list of seats, as in [1, 2, 3]")
            return ()
        seats = tuple(self._reader.number(entry, 1, self._most, what="a seat") for entry in setting.entries)
        if -1 in seats:
            return ()
        for number, entry in enumerate(setting.entries):
            if entry.value in seats[:number]:
                self._reader.fault(entry, "each seat once")
                return ()
        self._check_enough(setting, seats)
        return tuple(sorted(seats)) if len(seats) < self._most else ()

    def handicap(self, root: Section, seats: Collection[int]) -> tuple[int, ...]:
        """How many dice or cards fewer each seat is dealt (negative: more), up to the last that differs."""
        fewer = self._differences(root["handicap"], seats, self._most_fewer)
        more = self._differences(root["extra"], seats, self._most_more)
        if more:
            self._check_one_of_both(root["extra"], fewer)
        handicap = [less - extra for less, extra in zip_longest(fewer, more, fillvalue=0)]
        while handicap and handicap[-1] == 0:
            handicap.pop()
        return tuple(handicap)

    def _differences(self, setting: FileSetting, seats: Collection[int], limit: Limit) -> list[int]:
        """A number for each seat; none if there is a fault."""
        if setting.value is None:
            return []
        if not isinstance(setting.value, list) or len(setting.value) > self._most:
            found = f"a list of {len(setting.value)}" if isinstance(setting.value, list) else ""
            allowed = f"a list of up to {self._most} numbers, one for each seat"
            self._reader.fault(setting, allowed, found=found)
            return []
        return [
            self._difference(entry, seat, seats, limit) for seat, entry in enumerate(setting.entries, start=1)
        ]

    def _check_one_of_both(self, extra: FileSetting, fewer: Sequence[int]) -> None:
        for entry, less in zip(extra.entries, fewer, strict=False):
            if entry.value and less > 0:
                self._reader.fault(entry, "0, because handicap says that this seat is dealt fewer")

    def _check_enough(self, setting: FileSetting, seats: Collection[int]) -> None:
        for profile in self._profiles:
            game = GAMES[profile.game]
            if len(open_seats(profile, seats)) < game.fewest_seats or not seats:
                allowed = f"at least {game.fewest_seats} of the seats 1 to {profile.seats}, for {game.name}"
                self._reader.fault(setting, allowed)
                return

    def _difference(self, setting: FileSetting, seat: int, seats: Collection[int], limit: Limit) -> int:
        most, why = _MOST, ""
        for profile in self._profiles:
            playing = open_seats(profile, seats)
            if seat in playing and len(playing) >= GAMES[profile.game].fewest_seats:
                allowed, reason = limit(profile, playing)
                if allowed < most:
                    most, why = allowed, reason
        return self._reader.number(setting, 0, most, why=why)

    @staticmethod
    def _most_fewer(profile: Profile, playing: Collection[int]) -> tuple[int, str]:
        """How many fewer a seat can be dealt, and why not fewer still."""
        dealt = usual_deal(profile, playing)
        return dealt - 1, f"{len(playing)} who play are dealt {dealt} {GAMES[profile.game].things} each"

    @staticmethod
    def _most_more(profile: Profile, playing: Collection[int]) -> tuple[int, str]:
        """How many more than the others a seat can be dealt, and why not more still."""
        game = GAMES[profile.game]
        dealt = min(game.most_each, game.most_in_all - len(playing) + 1)
        return dealt - 1, f"with {len(playing)} who play, a seat is dealt at most {dealt} {game.things}"
