"""Messages of the feed as Server-Sent Events: with the players' names, and without."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

PERSONAL = frozenset({"name", "names", "player", "players"})
"""Keys whose values are personal data."""


@dataclass(frozen=True)
class Frame:
    """One message, ready to be sent."""

    told: dict[str, Any]
    full: bytes

    @cached_property
    def public(self) -> bytes:
        """Without names; made when somebody needs it, and once."""
        bare = without_names(self.told)
        return self.full if bare == self.told else event_bytes(bare)


@dataclass(frozen=True)
class Batch:
    """Several messages that are sent together, put together once for all."""

    frames: tuple[Frame, ...]

    @cached_property
    def full(self) -> bytes:
        """With names."""
        return b"".join(frame.full for frame in self.frames)

    @cached_property
    def public(self) -> bytes:
        """Without names."""
        return b"".join(frame.public for frame in self.frames)


def frame_of(told: dict[str, Any], line: bytes | None = None) -> Frame:
    """A message as a frame; `line` is the message as it came."""
    return Frame(told, event_bytes(told, line))


def event_bytes(told: dict[str, Any], line: bytes | None = None) -> bytes:
    """An event of a stream; its id says from where to go on."""
    data = json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode() if line is None else line
    data = b"data: " + data.rstrip(b"\r\n") + b"\n\n"
    if told["is"] not in ("snapshot", "step"):
        return data
    session = "".join(letter for letter in str(told["session"]) if letter.isalnum())
    return f"id: {session}:{int(told['n'])}\n".encode() + data


def without_names(value: Any) -> Any:
    """The same without personal data, at any depth."""
    if isinstance(value, dict):
        return {key: without_names(each) for key, each in value.items() if key not in PERSONAL}
    if isinstance(value, list):
        return [without_names(each) for each in value]
    return value
