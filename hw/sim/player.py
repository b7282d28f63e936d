"""A simulated player with a card behind it: it takes samples as `aplay` does, at the pace of its own clock.

A block goes from the pipe into the player's hands when those are empty, and from there into the card's buffer
when a period of it is free. Each sample is kept with the moment at which it leaves the card.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import NamedTuple

from hw.sound.player import BLOCK_BYTES, CHANNELS, PERIOD, PERIODS, RATE

SECOND_NS = 1_000_000_000


class HeardBlock(NamedTuple):
    """The first channel of a block, when it was written, and when it began to leave the card."""

    written_ns: int
    heard_ns: int
    samples: array[int]


class SimPlayer:
    """A player whose card is `faster` parts in a million faster than the clock of its table."""

    def __init__(self, now_ns: Callable[[], int], faster: int = 0) -> None:
        self.heard: list[HeardBlock] = []
        self.gaps = 0
        """How often the card ran dry."""
        self.ended = False
        self.said = ""
        """What it says is wrong."""
        self.stalled = False
        self.closed = False
        self._now_ns = now_ns
        self._period_ns = PERIOD * SECOND_NS * 1_000_000 // (RATE * (1_000_000 + faster))
        self._pipe: list[HeardBlock] = []
        self._free_ns = 0  # when the card has played everything that it was given

    def waiting(self) -> int:
        if self.ended:
            raise BrokenPipeError(self.said)
        now_ns = self._now_ns()
        if not self.stalled:
            # A block is taken when the one before it goes into the buffer, where two are ahead of it then.
            ahead_ns = PERIODS * self._period_ns
            self._pipe = [block for block in self._pipe if block.heard_ns - ahead_ns > now_ns]
        return len(self._pipe) * BLOCK_BYTES

    def write(self, data: bytes) -> None:
        if self.closed or self.ended:
            raise BrokenPipeError(self.said)
        now_ns = self._now_ns()
        samples = array("h", data)[::CHANNELS]
        for at in range(0, len(samples), PERIOD):
            if self._free_ns <= now_ns:
                self.gaps += bool(self.heard)
                self._free_ns = now_ns + (PERIODS - 1) * self._period_ns  # it starts when its buffer is full
            block = HeardBlock(now_ns, self._free_ns, samples[at : at + PERIOD])
            self._free_ns += self._period_ns
            self._pipe.append(block)
            self.heard.append(block)

    def complaint(self) -> str:
        return self.said

    def close(self) -> None:
        self.closed = True

    @property
    def samples(self) -> array[int]:
        """All that was given to the card, in the first channel."""
        return array("h", [sample for block in self.heard for sample in block.samples])
