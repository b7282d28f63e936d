"""The sign of the table with a notice on it for a while, such as a PIN.

A notice is on the device only. The referee's page goes on underneath, and so does what the feed tells of it:
who wants to read the notice has to stand at the table.
"""

from __future__ import annotations

from hw.ports import Scoreboard


class NoticeSign:
    """A scoreboard that shows a notice instead of what it is given, until the notice is over."""

    def __init__(self, sign: Scoreboard) -> None:
        self._sign = sign
        self._below: tuple[tuple[str, ...], str] | None = None
        self.until_ns: int | None = None
        """When the notice is over; None if there is none."""

    @property
    def columns(self) -> int:
        """How many characters fit in a line."""
        return self._sign.columns

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Show these lines from now on, or as soon as the notice is over."""
        self._below = lines, language
        if self.until_ns is None:
            self._sign.show(lines, language)

    def notice(self, lines: tuple[str, ...], until_ns: int) -> None:
        """Show this until then."""
        self.until_ns = until_ns
        self._sign.show(lines)

    def end_notice(self) -> None:
        """Show again what is underneath."""
        if self.until_ns is not None:
            self.until_ns = None
            if self._below is not None:
                self._sign.show(*self._below)

    def look(self, now_ns: int) -> None:
        """End the notice if it is over."""
        if self.until_ns is not None and now_ns >= self.until_ns:
            self.end_notice()

    def close(self) -> None:
        """Leave a blank display behind."""
        self._sign.close()
