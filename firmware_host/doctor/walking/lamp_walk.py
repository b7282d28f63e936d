"""The walk through all lamps: each light of each is lit alone for a while, and its name is shown."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.config.profile import Profile
from firmware_host.config.wires import lamp_name
from firmware_host.doctor.findings import Finding, State
from firmware_host.doctor.walking.walk import Walk
from firmware_host.show.lamps import Tint, frame_length

AROUND = 3
"""So many lamps before and after the present one are in the picture."""


class WalkLamp(NamedTuple):
    """One light of a lamp, and what is said while it burns."""

    lamp: int
    colours: int
    words: str


class LampWalk(Walk):
    """Each light burns for `step_ns`, or until the person wants the next one."""

    name = "leds"

    def __init__(self, profile: Profile, step_ns: int) -> None:
        super().__init__()
        self._lights = lights(profile)
        self._dark = bytes(frame_length(profile.seats, profile.piles))
        self._step_ns = step_ns
        self._at = 0
        self._until_ns: int | None = None

    @property
    def done(self) -> bool:
        return self._at >= len(self._lights)

    @property
    def due_ns(self) -> int | None:
        if self.done:
            return None
        return 0 if self._until_ns is None else self._until_ns

    @property
    def frame(self) -> bytes:
        if self.done:
            return self._dark
        light = self._lights[self._at]
        frame = bytearray(self._dark)
        frame[light.lamp] = light.colours
        return bytes(frame)

    def advance(self, now_ns: int) -> None:
        if self._until_ns is None:
            self._burn(now_ns)
        elif now_ns >= self._until_ns:
            self.go_on(now_ns)

    def go_on(self, now_ns: int) -> None:
        self._at += 1
        self._burn(now_ns)

    def picture(self) -> list[str]:
        if self.done:
            return [f"{self._at} of {len(self._lights)}: all were lit"]
        first = max(0, self._at - AROUND)
        shown = range(first, min(len(self._lights), self._at + AROUND + 1))
        lines = [f"{'->' if at == self._at else '  '} {self._lights[at].words}" for at in shown]
        return [*lines, f"{self._at + 1} of {len(self._lights)}; Enter: the next one"]

    def results(self) -> list[Finding]:
        if not self._lights:
            return [self.found("lamps", State.NOTE, "the profile wires none")]
        burned = min(self._at + (self._until_ns is not None), len(self._lights))
        seen = f"{burned} of {len(self._lights)} lights were lit, each alone"
        advice = "one that stayed dark, or was lit when another was named: check [lamps] in the profile"
        return [self.found("lamps", State.NOTE, seen, advice)]

    def _burn(self, now_ns: int) -> None:
        self._until_ns = now_ns + self._step_ns
        if not self.done:
            self.note(self._lights[self._at].words)


def lights(profile: Profile) -> list[WalkLamp]:
    """All lights in the order of a frame: a lamp of three colours is three of them."""
    wires = sorted(profile.lamp_wires, key=lambda wire: (wire.lamp, -wire.mask))
    return [WalkLamp(wire.lamp, wire.mask, _words(profile, wire.lamp, wire.mask)) for wire in wires]


def _words(profile: Profile, lamp: int, colours: int) -> str:
    name = lamp_name(profile, lamp)
    return name if colours == Tint.WHITE else f"{name}, {Tint(colours).name.lower()}"
