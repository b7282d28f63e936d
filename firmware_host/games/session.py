"""The table itself: seats, match, round and phase, moved on by events and by time.

`handle` takes an event of the arbiter, `decide` does what follows from what is known, and `tick` what is due
by the clock; all return effects. The session never reads a clock and never guesses an order: events come in
the order in which they happened. `known_ns` says up to when everything is known, and all decisions of a round
depend on that alone. `now_ns` only says when a decision is given; it is a function of stamps, too.
"""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter

from firmware_host.games.cards.card_phases import CardPlay, CardSettle, open_card_round
from firmware_host.games.dice.dice_phases import DicePlay, DiceSettle, open_dice_round
from firmware_host.games.games import CARD_GAME, DICE_GAME, Game, Table
from firmware_host.games.knowledge import Knowledge, LostDevice, MaskedSource, OpenRound
from firmware_host.games.phase_states import (
    Attract,
    Clear,
    Countdown,
    Join,
    Paused,
    PhaseState,
    Result,
    RoundState,
    Scores,
)
from firmware_host.games.phases import Transition, allow
from firmware_host.model.effects import (
    DeviceReported,
    DieShown,
    EdgesLost,
    Effect,
    PhaseEntered,
    Refused,
    SourceMasked,
    SourceUnmasked,
    WasInterrupted,
)
from firmware_host.model.errors import IllegalEvent, IllegalMove, MalformedText
from firmware_host.model.events import (
    DeviceChanged,
    Emptied,
    Event,
    Filled,
    Interrupted,
    Masked,
    Pressed,
    Released,
    SignalsLost,
    TagEvent,
    TagSeen,
    Unmasked,
    Withdrawn,
)
from firmware_host.model.places import Button, DieFace, Pad, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Condition, Phase
from firmware_host.model.times import S, Stamp, exactly
from firmware_host.timing.ties import RandomSource

_STATES: dict[Phase, type[PhaseState]] = {
    state.phase: state for state in (Attract, Join, Countdown, Paused, Scores, Clear, Result)
}
STATES: dict[Game, dict[Phase, type[PhaseState]]] = {
    DICE_GAME: {**_STATES, Phase.PLAY: DicePlay, Phase.SETTLE: DiceSettle},
    CARD_GAME: {**_STATES, Phase.PLAY: CardPlay, Phase.SETTLE: CardSettle},
}
"""What a table of each game does in each phase."""

_OPENERS: dict[Game, OpenRound] = {DICE_GAME: open_dice_round, CARD_GAME: open_card_round}

_CAUSED_BY_DEVICES = (Transition.IMPAIRED, Transition.RESTORED, Transition.COUNTED)
"""The transitions that a loose contact can cause again and again although nobody plays."""


_PLAYED = (Phase.COUNTDOWN, Phase.PLAY, Phase.PAUSED)
"""The phases in which a round may be played, or will be in a moment."""

CALL_LATE_NS = 1 * S
"""A stop call that arrives this late still counts, such as one behind an expander that was busy."""


class Session(Knowledge):
    """What the referee knows, and the phase that its table is in."""

    def __init__(self, table: Table, settings: Settings, draws: RandomSource, now_ns: int) -> None:
        super().__init__(table, settings, draws, now_ns, _OPENERS[table.game])
        self.state: PhaseState = Attract(self, now_ns)
        self.phase = self.state.phase

    # -- what comes in

    def handle(self, event: Event, known_ns: int, now_ns: int) -> list[Effect]:
        """Take an event; the effects of some come from a later `decide`."""
        self.known_ns = known_ns
        if isinstance(event, Pressed | Released):
            self._button(event, now_ns)
        elif isinstance(event, TagSeen | Withdrawn):
            self._tag(event, now_ns)
        elif isinstance(event, Filled | Emptied):
            (self.occupied.add if isinstance(event, Filled) else self.occupied.discard)(event.slot)
            self.state.landed(event, now_ns)
        elif isinstance(event, Masked | Unmasked | DeviceChanged):
            self._trouble(event, now_ns)
        elif isinstance(event, Interrupted):
            self._interrupt(event, now_ns)
        elif isinstance(event, SignalsLost):
            stamp = Stamp(event.stamp.earliest_ns - event.within_ns, event.stamp.latest_ns)
            self.emit(EdgesLost(event.count, stamp))
            if self.round is not None:
                self.round.doubt(stamp)
        else:
            try:
                allow(self.phase, event)
                self.state.command(event, now_ns)
            except (IllegalEvent, IllegalMove, MalformedText) as error:
                self.emit(Refused(type(event).__name__, str(error)))
        self._move_on(now_ns)
        return self.out.take()

    def decide(self, known_ns: int, now_ns: int) -> list[Effect]:
        """Decide all that is due now that everything that happened up to `known_ns` is known."""
        self.known_ns = known_ns
        hold_ns = self.settings.hold_ns
        held = [seat for seat, down in self.pressing.items() if down.latest_ns + hold_ns <= known_ns]
        for seat in sorted(held):
            down = self.pressing.pop(seat, None)
            if down is not None:  # an earlier hold may have led to another phase
                self.holding[seat] = down
                self.state.held(seat, now_ns)
                self._move_on(now_ns)
        self.state.decide(known_ns, now_ns)
        self._move_on(now_ns)
        return self.out.take()

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        awaits_ns = self.state.awaits_after_ns(known_ns)
        if self.pressing:
            # Only then it is certain that a button was not released in time.
            hold_ns = min(map(itemgetter(1), self.pressing.values())) + self.settings.hold_ns
            if awaits_ns is None or hold_ns < awaits_ns:
                awaits_ns = hold_ns
        return awaits_ns

    def tick(self, now_ns: int) -> list[Effect]:
        """Do all that is due by the clock."""
        self.state.tick(now_ns)
        self._move_on(now_ns)
        return self.out.take()

    def _button(self, event: Pressed | Released, now_ns: int) -> None:
        seat = event.seat
        if event.call:
            if isinstance(event, Pressed) and not self.ignores(event, now_ns):
                # One that came late may have been as late as now: what has been decided stays as it is.
                earliest_ns, latest_ns = event.stamp
                stamp = Stamp(earliest_ns, max(latest_ns, self.known_ns)) if event.late else event.stamp
                self.state.called(replace(event, stamp=stamp), now_ns)
        elif isinstance(event, Released):
            was_held = self.holding.pop(seat, None) is not None
            was_down = self.pressing.pop(seat, None) is not None
            if was_down:
                self.state.tapped(seat, now_ns)
            if was_down or was_held:
                self.state.released(event, now_ns)
        elif not event.late:
            # A press from before the question does not answer it.
            if event.stamp.earliest_ns >= self.asked_ns:
                self.pressing[seat] = event.stamp
            self.state.pressed(event, now_ns)

    def ignores(self, press: Pressed, now_ns: int) -> bool:
        """Whether a press came too late to be judged. A call needs no exact moment, so it may be late."""
        return press.late and (not press.call or now_ns - press.stamp.earliest_ns > CALL_LATE_NS)

    def _tag(self, event: TagEvent, now_ns: int) -> None:
        if self.tags.take(event, self.known_ns):
            at, tag = event.at, event.tag
            if isinstance(at, Pad) and isinstance(tag, DieFace) and isinstance(event, TagSeen):
                self._own(tag.die, at.seat, event.stamp)
            self.state.tagged(event, now_ns)

    def _own(self, die: int, seat: int, stamp: Stamp) -> None:
        """A seat shows one of its dice; while a round runs, no die can change its owner."""
        if not self.table.owned_by_tag:
            return
        started_ns = self.round.started_ns if self.round is not None else None
        if started_ns is None or stamp.latest_ns < started_ns or die not in self.owners:
            self.owners[die] = seat
            self.emit(DieShown(seat, die, list(self.owners.values()).count(seat)))

    def _trouble(self, event: Masked | Unmasked | DeviceChanged, now_ns: int) -> None:
        """A device or a source has changed its condition."""
        t_ns = event.stamp.latest_ns
        if isinstance(event, DeviceChanged):
            self.emit(DeviceReported(event.device, event.needed, t_ns))
            if event.device.condition is Condition.LOST:
                self.troubles.begin(LostDevice(event.device, event.needed, event.seat))
            else:
                self.troubles.end(event.device.name)
        elif isinstance(event, Masked):
            self.emit(SourceMasked(event.source, event.reason, t_ns))
            self.troubles.begin(MaskedSource(event.source, event.reason))
            # Its state is unknown from now on; that of a slot is reported when it is unmasked.
            if isinstance(event.source, Slot):
                self.occupied.discard(event.source)
            elif isinstance(event.source, Button):
                seat = event.source.seat
                self.pressing.pop(seat, None)
                self.holding.pop(seat, None)
                if self.round is not None:
                    self.round.judge_press(seat)
        else:
            self.emit(SourceUnmasked(event.source, t_ns))
            self.troubles.end(str(event.source))
        if self.round is not None:
            self.round.impair(self.impaired, t_ns)
        self.state.troubled(event.stamp, now_ns)

    def _interrupt(self, event: Interrupted, now_ns: int) -> None:
        """The table was away. Only a round has to wait until it is known what has changed."""
        t_ns = event.stamp.earliest_ns
        self.emit(WasInterrupted(event.reason, t_ns))
        self._forget_presses(now_ns)  # it is not known how long they were
        if self.round is not None:
            self.round.doubt(event.stamp)
        state = self.state
        if isinstance(state, RoundState) and state.phase in _PLAYED:
            self.back_ns = event.stamp.latest_ns
            self.interrupted = event.reason
            state.round.impair(True, t_ns)
            if state.phase is Phase.COUNTDOWN:
                state.leave(Transition.IMPAIRED)
            else:
                state.troubled(exactly(t_ns), now_ns)

    def _forget_presses(self, now_ns: int) -> None:
        """The buttons that are down can't become taps or calls any more."""
        if self.round is not None:
            for seat in self.down:
                self.round.judge_press(seat)
        self.ask(now_ns)

    def _move_on(self, now_ns: int) -> None:
        """Enter the phase that follows, if the present one is over."""
        if self.state.next is None:
            return
        self.phase, transition, effects = self.state.next
        phase = self.phase
        if transition is Transition.VOIDED:
            self.round = None
        if phase is Phase.ATTRACT:
            self.match = self.round = None
            self.seated = set()
            self.owners.clear()
            self.troubles.accept_none()
        if transition not in _CAUSED_BY_DEVICES:
            self.progress_ns = now_ns
        if phase not in _PLAYED and self.interrupted:
            self.end_interruption(now_ns)
        self._forget_presses(now_ns)
        self.entered_by = transition
        if phase is Phase.COUNTDOWN and self.round is None:
            assert self.match is not None
            self.open_round(self.match)
        self.state = STATES[self.table.game][phase](self, now_ns)
        self.emit(PhaseEntered(phase, now_ns))
        self.out += effects
