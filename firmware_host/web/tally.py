"""What is wrong again and again: each kind is one line in the log, and counted."""

from __future__ import annotations

import logging
from collections import Counter

log = logging.getLogger(__name__)


class Tally:
    """How often each kind of fault has happened, so that nobody can fill the log."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def note(self, what: str) -> None:
        """It has happened; the first time the log says so."""
        self.counts[what] += 1
        if self.counts[what] == 1:
            log.warning("%s; if it happens again, it is only counted", what)
