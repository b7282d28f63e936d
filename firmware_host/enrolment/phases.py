"""The phases of enrolling one tag after another, and what can make a difference in them."""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    """What is waited for."""

    ASKING = "a tag"
    SEEING = "that the tag stays, and stays alone"
    CROWDED = "that not more than one tag is left"
    OFFERING = "whether the tag is left there, so that it moves, or taken off"
    CLEARING = "that nothing is left on the reader"
    BLIND = "the reader"
    DONE = "nothing any more, and it is being said"
    OVER = "nothing any more"


class Sign(Enum):
    """What can make a difference."""

    EMPTY = "nothing lies on the reader any more"
    ONE = "one tag lies there"
    OLD = "one tag lies there, perhaps for a long time"
    SEVERAL = "more than one lie there"
    LOST = "the reader is lost"
    FOUND = "the reader is back"
    DUE = "the time is over"
    SKIP = "somebody wants the next one"
    BACK = "somebody wants the last one again"
    QUIT = "somebody has had enough"


class Notice(Enum):
    """Why it is waited for."""

    NONE = "there is nothing to say"
    KEPT = "the tag that lies there stands for what was asked for"
    KNOWN = "it stands for something else"
    OLD = "nobody was asked for it"
    GONE = "it was taken away too soon"
