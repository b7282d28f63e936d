"""Why a GPIO driver can't start, and what to do about it."""

from __future__ import annotations


class GpioError(Exception):
    """A driver can't start; `seen` says what was found and `advice` what to do next."""

    def __init__(self, seen: str, advice: str) -> None:
        super().__init__(f"{seen}; {advice}")
        self.seen = seen
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.seen}; {self.advice}"


class NoSuchChip(GpioError, LookupError):
    """The machine has no GPIO chip of that name or label."""


class NoSuchLine(GpioError, LookupError):
    """The chip has no line of that number."""


class NotPermitted(GpioError, PermissionError):
    """The chip is there, but this user may not open it."""


class LineBusy(GpioError, RuntimeError):
    """Another program holds a line."""


class LibraryMissing(GpioError, ImportError):
    """A driver's library is not installed, or does not work on this machine."""
