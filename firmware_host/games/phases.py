"""The phases of the table, the transitions between them, and what an operator may do in each.

What is not in these tables can't happen: `next_phase` and `allow` raise, and nothing has changed. The
diagrams and the table in docs/session.md are drawn from them by docs/draw.py.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.model.errors import IllegalEvent
from firmware_host.model.events import Command, EndMatch, Pause, Resume, SetLeftover, StartMatch, VoidRound
from firmware_host.model.states import Phase


class Transition(Enum):
    """The causes of a change of phase."""

    SEATED = "the first player sits down"
    DESERTED = "too few players come"
    JOINED = "the players have joined"
    CALLED = "the operator starts a match"
    DEALT = "the operator starts a match that is dealt already, and the board is empty"
    COUNTED = "the countdown ends"
    STOPPED = "the operator pauses"
    IMPAIRED = "something that the round needs is lost or masked"
    RESTORED = "all that was missing is back"
    IDLED = "nothing is placed for a long time"
    RESUMED = "the operator resumes, or a player holds the button"
    FINISHED = "a seat's last die is claimed, or stop is called"
    STUCK = "all say that nobody can play any more"
    REFUTED = "the seat that ended it has something left"
    SETTLED = "the leftover counts stand"
    SHOWN = "shown long enough, or everybody presses, or somebody begins to clear the board"
    READY = "board empty, players ready"
    OVER = "board empty, all rounds played"
    VOIDED = "the round is void"
    ABANDONED = "the match is given up"


TRANSITIONS: dict[Phase, dict[Transition, Phase]] = {
    Phase.ATTRACT: {
        Transition.SEATED: Phase.JOIN,
        Transition.CALLED: Phase.CLEAR,
        Transition.DEALT: Phase.COUNTDOWN,
    },
    Phase.JOIN: {
        Transition.JOINED: Phase.CLEAR,
        Transition.CALLED: Phase.CLEAR,
        Transition.DEALT: Phase.COUNTDOWN,
        Transition.DESERTED: Phase.ATTRACT,
        Transition.ABANDONED: Phase.ATTRACT,
    },
    Phase.COUNTDOWN: {
        Transition.COUNTED: Phase.PLAY,
        Transition.IMPAIRED: Phase.PAUSED,
        Transition.FINISHED: Phase.SETTLE,
        Transition.VOIDED: Phase.CLEAR,
        Transition.ABANDONED: Phase.ATTRACT,
    },
    Phase.PLAY: {
        Transition.STOPPED: Phase.PAUSED,
        Transition.IMPAIRED: Phase.PAUSED,
        Transition.IDLED: Phase.PAUSED,
        Transition.FINISHED: Phase.SETTLE,
        Transition.STUCK: Phase.SETTLE,
        Transition.VOIDED: Phase.CLEAR,
        Transition.ABANDONED: Phase.ATTRACT,
    },
    Phase.PAUSED: {
        Transition.STOPPED: Phase.PAUSED,
        Transition.RESUMED: Phase.PLAY,
        Transition.RESTORED: Phase.COUNTDOWN,
        Transition.FINISHED: Phase.SETTLE,
        Transition.VOIDED: Phase.CLEAR,
        Transition.ABANDONED: Phase.ATTRACT,
    },
    Phase.SETTLE: {
        Transition.SETTLED: Phase.SCORES,
        Transition.REFUTED: Phase.COUNTDOWN,
        Transition.VOIDED: Phase.CLEAR,
        Transition.ABANDONED: Phase.ATTRACT,
    },
    Phase.SCORES: {
        Transition.SHOWN: Phase.CLEAR,
        Transition.ABANDONED: Phase.ATTRACT,
    },
    Phase.CLEAR: {
        Transition.READY: Phase.COUNTDOWN,
        Transition.OVER: Phase.RESULT,
        Transition.ABANDONED: Phase.ATTRACT,
    },
    Phase.RESULT: {
        Transition.SHOWN: Phase.ATTRACT,
        Transition.ABANDONED: Phase.ATTRACT,
    },
}


COMMANDS: dict[Phase, tuple[type[Command], ...]] = {
    Phase.ATTRACT: (StartMatch,),
    Phase.JOIN: (StartMatch, EndMatch),
    Phase.COUNTDOWN: (VoidRound, EndMatch),
    Phase.PLAY: (Pause, VoidRound, EndMatch),
    Phase.PAUSED: (Pause, Resume, VoidRound, EndMatch),
    Phase.SETTLE: (SetLeftover, VoidRound, EndMatch),
    Phase.SCORES: (EndMatch,),
    Phase.CLEAR: (EndMatch,),
    Phase.RESULT: (EndMatch,),
}
"""The commands that an operator may give in each phase."""


class CheckStep(Enum):
    """The steps of the leftover check."""

    LATE = "late"  # the stop call; inputs from before the end may still come in
    ASK = "ask"  # dice lie there without an owner: who placed one presses
    CHECK = "check"  # the counts are shown
    ENTRY = "entry"  # one seat presses once for each die or card it has left
    CONFIRM = "confirm"  # the others press to confirm that count


class CheckTransition(Enum):
    """The causes of a change of step."""

    UNOWNED = "dice lie there without an owner"
    OWNED = "each of them has an owner, or time is up"
    IN = "all that happened before the end is in"
    DISPUTED = "a seat holds its button"
    ENTERED = "the seat holds its button again, or is quiet for long after its last press"
    NOTHING_ENTERED = "the seat has pressed nothing for long"
    CONFIRMED = "all others press, or half of them have when time is up"
    NOT_CONFIRMED = "time is up, and fewer than half of the others have pressed"
    CORRECTED = "the operator enters a count"


CHECK_STEPS: dict[CheckStep, dict[CheckTransition, CheckStep]] = {
    CheckStep.LATE: {CheckTransition.UNOWNED: CheckStep.ASK, CheckTransition.IN: CheckStep.CHECK},
    CheckStep.ASK: {CheckTransition.OWNED: CheckStep.CHECK, CheckTransition.CORRECTED: CheckStep.CHECK},
    CheckStep.CHECK: {CheckTransition.DISPUTED: CheckStep.ENTRY, CheckTransition.CORRECTED: CheckStep.CHECK},
    CheckStep.ENTRY: {
        CheckTransition.ENTERED: CheckStep.CONFIRM,
        CheckTransition.NOTHING_ENTERED: CheckStep.CHECK,
        CheckTransition.CORRECTED: CheckStep.CHECK,
    },
    CheckStep.CONFIRM: {
        CheckTransition.CONFIRMED: CheckStep.CHECK,
        CheckTransition.NOT_CONFIRMED: CheckStep.CHECK,
        CheckTransition.CORRECTED: CheckStep.CHECK,
    },
}
"""The transitions of the leftover check. In CHECK it ends when all press, or when time is up."""


def next_phase(phase: Phase, transition: Transition) -> Phase:
    """The phase after a transition; IllegalEvent names both if it is not possible."""
    try:
        return TRANSITIONS[phase][transition]
    except KeyError:
        raise IllegalEvent(transition.name, phase.name) from None


def allow(phase: Phase, command: Command) -> None:
    """Return if the command is possible in the phase; otherwise IllegalEvent names both."""
    if type(command) not in COMMANDS[phase]:
        raise IllegalEvent(type(command).__name__, phase.name)
