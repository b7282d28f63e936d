"""What could not be read of a store, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_host.visible import in_a_line

MOST_TOLD = 20


class Losses:
    """Whatever could not be read, each named once, in the order in which it was met."""

    def __init__(self) -> None:
        self._told: dict[str, None] = {}

    def add(self, words: object) -> None:
        """Something can't be read: which it is, and why. It is made fit to be printed anywhere."""
        self._told[in_a_line(str(words))] = None

    def add_missing(self, what: str, of: str, there: Iterable[int], first: int, last: int | None) -> None:
        """Those of the numbers from the first to the last (None: the highest) that are not there."""
        numbers = sorted(there)
        expected = first
        for number in [*numbers, *([] if last is None else [last + 1])]:
            if number - 1 > expected:
                self.add(f"{what}s {expected} to {number - 1} of {of} are missing")
            elif number > expected:
                self.add(f"{what} {expected} of {of} is missing")
            expected = max(expected, number + 1)

    def told(self, path: object) -> list[str]:
        """All of them as one message for people; they belong to the store at that place."""
        lines = [f"  {words}" for words in list(self._told)[:MOST_TOLD]]
        more = len(self._told) - MOST_TOLD
        lines += [f"  ... and {more} more"] if more > 0 else []
        return [f"{path} is damaged. This of what was asked for can't be read:", *lines] if lines else []

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)
