"""What the table has shown so far, summed up.

Two runs with the same digest have shown the same frames and the same pages, in the same order.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from firmware_host.referee.step import Step

DIGEST_BYTES = 8


class ShownDigest:
    """Takes the steps of a match in their order."""

    def __init__(self) -> None:
        self.lit: Counter[int] = Counter()
        """How often each lamp went on; whoever counts on may clear it."""
        self._frame = b""
        self._sum = blake2b(digest_size=DIGEST_BYTES)

    @property
    def digest(self) -> str:
        """The sum of all that was shown so far."""
        return self._sum.hexdigest()

    def add(self, step: Step) -> None:
        """This is shown next."""
        frame, page = step.frame, step.page
        if frame is not None:
            before, self._frame = self._frame or bytes(len(frame)), frame
            self.lit.update(lamp for lamp, burns in enumerate(frame) if burns and not before[lamp])
            self._sum.update(b"lamps" + frame)
        if page is not None:
            self._sum.update("\n".join(("page", *page, "")).encode())
