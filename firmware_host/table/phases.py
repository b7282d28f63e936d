"""The phases of the table and the one table of ways between them.

What is not in the table can't happen: `follow` raises and nothing has changed. The
picture in docs/session.md is drawn from this table by `draw`.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.errors import IllegalEvent


class Phase(Enum):
    """What the table is doing."""

    ATTRACT = "attract"  # nobody plays: lights run, the last standings roll by
    JOIN = "join"  # seats press to sit down
    COUNTDOWN = "countdown"  # three, two, one
    PLAY = "play"  # a round is running
    PAUSED = "paused"  # a round is stopped for a while
    SETTLE = "settle"  # late stamps come in, then everybody checks the leftover dice
    SCORES = "scores"  # the points of the round
    CLEAR = "clear"  # the board is emptied and the dice are dealt again
    RESULT = "result"  # the standings of the match


class Turn(Enum):
    """What makes the table go from one phase to another."""

    SEATED = "the first player sits down"
    DESERTED = "too few players come"
    CALLED = "the match is called"
    BLOCKED = "called with things lying on the board"
    COUNTED = "the countdown ends"
    STOPPED = "the operator pauses"
    IMPAIRED = "something that the round needs is lost or masked"
    RESTORED = "all that was missing is back"
    IDLED = "nothing is placed for long"
    RESUMED = "the operator resumes, or a player holds the button"
    FINISHED = "a seat's last die is claimed, or stop is called"
    STUCK = "all say that nobody can play any more"
    REFUTED = "whoever ended it turns out to have something left"
    SETTLED = "the leftover counts stand"
    SHOWN = "shown long enough, or everybody presses"
    READY = "board empty, players ready"
    OVER = "board empty, all rounds played"
    VOIDED = "the round is void"
    ABANDONED = "the match is given up"


TRANSITIONS: dict[Phase, dict[Turn, Phase]] = {
    Phase.ATTRACT: {
        Turn.SEATED: Phase.JOIN,
        Turn.CALLED: Phase.COUNTDOWN,
        Turn.BLOCKED: Phase.CLEAR,
    },
    Phase.JOIN: {
        Turn.CALLED: Phase.COUNTDOWN,
        Turn.BLOCKED: Phase.CLEAR,
        Turn.DESERTED: Phase.ATTRACT,
        Turn.ABANDONED: Phase.ATTRACT,
    },
    Phase.COUNTDOWN: {
        Turn.COUNTED: Phase.PLAY,
        Turn.IMPAIRED: Phase.PAUSED,
        Turn.FINISHED: Phase.SETTLE,
        Turn.VOIDED: Phase.CLEAR,
        Turn.ABANDONED: Phase.ATTRACT,
    },
    Phase.PLAY: {
        Turn.STOPPED: Phase.PAUSED,
        Turn.IMPAIRED: Phase.PAUSED,
        Turn.IDLED: Phase.PAUSED,
        Turn.FINISHED: Phase.SETTLE,
        Turn.STUCK: Phase.SETTLE,
        Turn.VOIDED: Phase.CLEAR,
        Turn.ABANDONED: Phase.ATTRACT,
    },
    Phase.PAUSED: {
        Turn.STOPPED: Phase.PAUSED,
        Turn.RESUMED: Phase.PLAY,
        Turn.RESTORED: Phase.COUNTDOWN,
        Turn.FINISHED: Phase.SETTLE,
        Turn.VOIDED: Phase.CLEAR,
        Turn.ABANDONED: Phase.ATTRACT,
    },
    Phase.SETTLE: {
        Turn.SETTLED: Phase.SCORES,
        Turn.REFUTED: Phase.COUNTDOWN,
        Turn.VOIDED: Phase.CLEAR,
        Turn.ABANDONED: Phase.ATTRACT,
    },
    Phase.SCORES: {
        Turn.SHOWN: Phase.CLEAR,
        Turn.ABANDONED: Phase.ATTRACT,
    },
    Phase.CLEAR: {
        Turn.READY: Phase.COUNTDOWN,
        Turn.OVER: Phase.RESULT,
        Turn.ABANDONED: Phase.ATTRACT,
    },
    Phase.RESULT: {
        Turn.SHOWN: Phase.ATTRACT,
        Turn.ABANDONED: Phase.ATTRACT,
    },
}


def follow(phase: Phase, turn: Turn) -> Phase:
    """The phase that a turn leads to; IllegalEvent names both if it leads nowhere."""
    try:
        return TRANSITIONS[phase][turn]
    except KeyError:
        raise IllegalEvent(turn.name, phase.name) from None


def draw() -> str:
    """The transition table as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.ATTRACT.name}"]
    for phase, turns in TRANSITIONS.items():
        ways: dict[Phase, list[str]] = {}
        for turn, target in turns.items():
            ways.setdefault(target, []).append(turn.value)
        lines += [
            f"    {phase.name} --> {target.name}: {'<br/>'.join(causes)}" for target, causes in ways.items()
        ]
    return "\n".join(lines)
