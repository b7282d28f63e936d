"""What could not be read from a store, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_host.visible import in_a_line

MOST_SHOWN = 20


class Losses:
    """All that could not be read, each once, in the order in which it was found."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}

    def add(self, words: object) -> None:
        """Add something that can't be read: what it is, and why. Control characters are escaped."""
        self._lines[in_a_line(str(words))] = None

    def add_missing(self, what: str, of: str, there: Iterable[int], first: int, last: int | None) -> None:
        """Add the missing numbers between the first and the last (None: the highest one that is there)."""
        numbers = sorted(there)
        expected = first
        for number in [*numbers, *([] if last is None else [last + 1])]:
            if number - 1 > expected:
                self.add(f"{what}s {expected} to {number - 1} of {of} are missing")
            elif number > expected:
                self.add(f"{what} {expected} of {of} is missing")
            expected = max(expected, number + 1)

    def message(self, path: object) -> list[str]:
        """The lines of one message about all of them; empty if nothing is lost."""
        lines = [f"  {words}" for words in list(self._lines)[:MOST_SHOWN]]
        more = len(self._lines) - MOST_SHOWN
        lines += [f"  ... and {more} more"] if more > 0 else []
        return [f"{path} is damaged. This of what was asked for can't be read:", *lines] if lines else []

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)
