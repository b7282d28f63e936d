"""The lamp of a seat answers its button at once, before anything is decided.

It is blue as long as the button is down, or until the verdict is there. That says that the press was felt,
and nothing about what it comes to: no verdict is blue, and none goes out with the finger. It depends on when
an edge arrives, so it is not part of a step: it is neither written down nor replayed, and no decision depends
on it.
"""

from __future__ import annotations

from firmware_host.effects import Judged, SourceMasked
from firmware_host.events import Signal
from firmware_host.places import Button, Call
from firmware_host.referee.referee import Referee
from firmware_host.referee.step import Step
from firmware_host.show.lamps import Tint, panel_lamp_index


class PressLights:
    """The buttons that are down and whose press has no verdict yet."""

    def __init__(self, referee: Referee) -> None:
        self._session = referee.session
        self._felt: set[Button | Call] = set()
        self._down: set[Button | Call] = set()
        self._newest_ns: dict[Button | Call, int] = {}

    def touch(self, edge: Signal) -> bool:
        """Take an edge as it arrives; True if a press was felt or let go, so that a lamp changes."""
        button = edge.source
        if not isinstance(button, Button | Call):
            return False
        t_ns = edge.stamp.earliest_ns
        if t_ns < self._newest_ns.get(button, t_ns):
            return False  # a press that arrives after its own release would light the lamp for good
        self._newest_ns[button] = t_ns
        if edge.active is (button in self._down):
            return False
        if not edge.active:
            self._down.discard(button)
            was_felt = button in self._felt
            self._felt.discard(button)
            return was_felt
        self._down.add(button)
        if any(trouble.source == button for trouble in self._session.troubles.masked):
            return False
        self._felt.add(button)
        return True

    def follow(self, step: Step) -> bool:
        """A verdict or a mask takes the place of what was felt; True if one does so in this step."""
        if not self._felt:
            return False
        judged = {effect.seat for effect in step.effects if isinstance(effect, Judged)}
        masked = {effect.source for effect in step.effects if isinstance(effect, SourceMasked)}
        answered = {button for button in self._felt if button.seat in judged or button in masked}
        self._felt -= answered
        return bool(answered)

    def over(self, frame: bytes) -> bytes:
        """The frame with the lamps of these seats lit."""
        if not self._felt:
            return frame
        lit = bytearray(frame)
        for button in self._felt:
            lit[panel_lamp_index(button.seat, self._session.table.piles)] = Tint.BLUE
        return bytes(lit)
