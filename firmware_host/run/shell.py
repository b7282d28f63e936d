"""The shell around a referee, and the loop that feeds it: an order that one can read.

What comes in is written down and given to the referee. Each step that follows is committed to the journal,
then exhibited and sounded, then passed to the onlookers. So what people have seen was written before. Only
that a press was felt is shown at once (`PressLights`): that decides nothing.

The loop waits for a device or for the next due moment, takes what came, and moves on. It is the same in a
real table, in a simulated one in real time, and in virtual time: only the clock differs. It decides nothing
and polls nothing. The table has a time of its own: the clock's, shifted. It stands still while the power is
off or somebody has the table in service, so that no deadline of a game passes meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from firmware_host.model.effects import Judged, SourceMasked
from firmware_host.model.events import Command, DeviceChanged, Input, SourceEdge, TroubleReport
from firmware_host.model.places import Button, Call, Source, Spot, Tag
from firmware_host.model.times import MS
from firmware_host.referee import Referee, Step
from firmware_host.run.equipment import Equipment, Reporter, Soundboard
from firmware_host.run.equipment import Report as DeviceReport
from firmware_host.show.lamps import Tint, panel_lamp_index
from firmware_host.show.sounds import FELT
from hw.ports import Edge, Gap, Health, LedPanel, Scoreboard, TagRead

# The lamp of a seat answers its button at once, before anything is decided.
#
# It is blue as long as the button is down, or until the verdict is there. That says that the press was
# felt, and nothing about what it comes to: no verdict is blue, and none goes out with the finger. It
# depends on when an edge arrives, so it is not part of a step: it is neither written down nor replayed, and
# no decision depends on it.


class PressLights:
    """The buttons that are down and whose press has no verdict yet."""

    def __init__(self, referee: Referee) -> None:
        self._session = referee.session
        self._first_lamp = panel_lamp_index(1, referee.session.table.piles)
        self._felt: set[Button | Call] = set()
        self._down: set[Button | Call] = set()
        self._newest_ns: dict[Button | Call, int] = {}

    def touch(self, edge: SourceEdge) -> bool:
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
            lit[self._first_lamp + button.seat - 1] = Tint.BLUE
        return bytes(lit)


OnInput = Callable[[Input, int], None]
Onlooker = Callable[[Step], None]
"""Gets each step after it was exhibited."""


class StepLog(Protocol):
    """Keeps what comes in and what follows from it."""

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        """Note an input: how far the referee had advanced, when it arrived, and what it is.

        Whoever gives the same inputs to a new referee, advanced alike in between, gets the same steps.
        """

    def commit(self, step: Step) -> None:
        """Write down a step; it returns when the step may be shown."""


class Shell:
    """One referee at work."""

    def __init__(
        self,
        referee: Referee,
        journal: StepLog | None = None,
        devices: tuple[LedPanel, Scoreboard] | None = None,
        onlookers: Iterable[Onlooker] = (),
        soundboard: Soundboard | None = None,
    ) -> None:
        """Without a journal a match is over when the program ends."""
        self.referee = referee
        self.onlookers = list(onlookers)
        self.on_input: OnInput | None = None
        """Gets each input, and when it arrived."""
        self.on_felt: Callable[[SourceEdge], None] | None = None
        """Gets each press that was felt: its lamp has answered."""
        self._journal = journal
        self.devices = devices
        self.soundboard = soundboard
        self._press_lights = PressLights(referee)

    # -- what comes in

    def put(self, seen: Input, now_ns: int) -> None:
        """Take something that has arrived now."""
        if self._journal is not None:
            self._journal.came(self.referee.advanced_ns, now_ns, seen)
        self.referee.put(seen, now_ns)
        if isinstance(seen, SourceEdge) and self._press_lights.touch(seen):
            if self.devices is not None:
                self.devices[0].show(self._press_lights.over(self.referee.frame))
            if self.soundboard is not None and seen.active:
                self.soundboard.play(FELT)
            if self.on_felt is not None and seen.active:
                self.on_felt(seen)
        if self.on_input is not None:
            self.on_input(seen, now_ns)

    def command(self, command: Command | TroubleReport) -> None:
        """Take what counts from its stamp on, whenever it arrived."""
        self.put(command, self.referee.advanced_ns)

    # -- what follows

    @property
    def due_ns(self) -> int | None:
        """When `advance` is needed next."""
        return self.referee.due_ns

    def advance(self, now_ns: int) -> list[Step]:
        """Do all that is due by now; the steps that were taken."""
        taken = []
        for step in self.referee.advance(now_ns):
            if self._journal is not None:
                self._journal.commit(step)
            relit = self._press_lights.follow(step)
            if self.devices is not None:
                leds, scoreboard = self.devices
                if step.frame is not None or relit:
                    frame = self.referee.frame if step.frame is None else step.frame
                    leds.show(self._press_lights.over(frame))
                if step.page is not None:
                    scoreboard.show(step.page, self.referee.session.settings.language)
            if self.soundboard is not None:
                self.soundboard.follow(step, self.referee.session, now_ns)
            for look_on in self.onlookers:
                look_on(step)
            taken.append(step)
        return taken

    # -- on which devices

    def connect(self, leds: LedPanel, scoreboard: Scoreboard, soundboard: Soundboard | None = None) -> None:
        """Show it on these from now on, beginning with what is to be seen now."""
        self.devices, self.soundboard = (leds, scoreboard), soundboard
        leds.show(self.referee.frame)
        if self.referee.page:
            scoreboard.show(self.referee.page, self.referee.session.settings.language)

    def disconnect(self) -> None:
        """Show it on no device for a while."""
        self.devices = self.soundboard = None


Witness = Callable[[int, DeviceReport], None]
"""Gets each report of a device, and when it arrived."""


class InputSink(Protocol):
    """Whoever takes what comes in: the shell of a game, or the table in service."""

    @property
    def due_ns(self) -> int | None:
        """When `advance` is needed next."""

    def put(self, seen: Input, now_ns: int) -> None:
        """Take something that has arrived now."""

    def advance(self, now_ns: int) -> object:
        """Do all that is due by now."""


HELD_UP_NS = 1 * MS
CHECK_NS = 250 * MS
"""How often the lines are looked at, in case an edge was lost unnoticed."""


class Loop:
    """Drives one table: feeds what its devices report to whoever takes it at present."""

    def __init__(
        self, equipment: Equipment, sink: InputSink, shift_ns: int = 0, others: Sequence[Reporter] = ()
    ) -> None:
        self._equipment = equipment
        self._clock = equipment.clock
        self._reporters: list[Reporter] = [*equipment.lines, *equipment.others, *others]
        self._intake = equipment.intake
        self._sink = sink
        self._agenda = equipment.agenda
        waits = equipment.waits_for_devices
        self.descriptors = [each.fileno() for each in self._reporters] if waits else []
        self._checks = equipment.checks
        self.shift_ns = shift_ns
        self._lying: dict[Spot, set[bytes]] = {}
        self.health: dict[str, DeviceChanged] = {}
        """The last report of each device."""
        self._check_ns: int | None = self.now_ns + CHECK_NS if self._checks else None
        self.witnesses: list[Witness] = []
        self._looked_ns: int | None = self.now_ns if waits else None

    @property
    def now_ns(self) -> int:
        """The time of the table now."""
        return self._clock.now_ns() + self.shift_ns

    @property
    def active(self) -> list[Source]:
        """The sources whose contact is active now."""
        return self._equipment.active

    @property
    def present(self) -> dict[Spot, set[Tag]]:
        """What lies on each reader, as far as reported, by the registry as it is now."""
        registry = self._intake.registry
        return {at: {registry.of(uid) for uid in uids} for at, uids in self._lying.items() if uids}

    def shift(self, shift_ns: int) -> None:
        """From now on the time of the table is the clock's with this added."""
        by_ns, self.shift_ns = shift_ns - self.shift_ns, shift_ns
        if self._check_ns is not None:
            self._check_ns += by_ns
        if self._looked_ns is not None:
            self._looked_ns += by_ns

    def feed(self, sink: InputSink) -> None:
        """From now on this one takes what comes in."""
        self._sink = sink

    def step(self, limit_ns: int | None = None) -> int:
        """Wait until something is due or arrives, at most until the limit; return the time."""
        readable, due_ns = self._wait(limit_ns)
        clock_ns = self._clock.now_ns()
        now_ns = clock_ns + self.shift_ns
        if self._agenda is not None:
            self._agenda.run(clock_ns)
        # Held up between waking and now, there may be edges that nobody has announced.
        held_up = due_ns is not None and now_ns - due_ns > HELD_UP_NS
        if self._check_ns is not None and self._check_ns <= now_ns:
            self._check_ns = now_ns + CHECK_NS
            for check in self._checks:
                check()
            readable = True
        if readable or held_up:
            for reporter in self._reporters:
                for report in reporter.read():
                    self._take(report, now_ns)
        self._sink.advance(now_ns)
        if self._looked_ns is not None:
            self._looked_ns = now_ns
        return now_ns

    def _wait(self, limit_ns: int | None) -> tuple[bool, int | None]:
        """Wait for what comes first; whether a device has something to say, and what was due."""
        shift_ns, agenda = self.shift_ns, self._agenda
        due_ns = limit_ns
        sink_due_ns = self._sink.due_ns
        if sink_due_ns is not None and (due_ns is None or sink_due_ns < due_ns):
            due_ns = sink_due_ns
        if agenda is not None:
            agenda_due_ns = agenda.due_ns
            if agenda_due_ns is not None and (due_ns is None or agenda_due_ns + shift_ns < due_ns):
                due_ns = agenda_due_ns + shift_ns
        check_ns = self._check_ns
        if check_ns is not None and (due_ns is None or check_ns < due_ns):
            due_ns = check_ns
        until_ns = None if due_ns is None else due_ns - shift_ns
        return self._clock.wait(until_ns, self.descriptors), due_ns

    def _take(self, report: DeviceReport, now_ns: int) -> None:
        arrival_ns = now_ns
        if type(report) is Edge:
            edge = self._intake.source_edge(report, self.shift_ns)
            arrival_ns = self._arrival_ns(report.t_ns + self.shift_ns, now_ns)
            self._sink.put(edge, arrival_ns)
            if self._check_ns is not None:
                self._check_ns = min(self._check_ns, now_ns + self._equipment.recheck_ns)
        elif type(report) is Gap:
            self._sink.put(self._intake.loss(report, self.shift_ns), now_ns)
        elif type(report) is Health:
            changed = self._intake.change(report, now_ns)
            self.health[report.name] = changed
            self._sink.put(changed, now_ns)
        elif type(report) is TagRead:
            event = self._intake.tag(report, self.shift_ns)
            lying = self._lying.setdefault(event.at, set())
            (lying.add if report.present else lying.discard)(report.uid)
            self._sink.put(event, self._arrival_ns(event.stamp.latest_ns, now_ns))
        for witness in self.witnesses:
            witness(arrival_ns, report)

    def _arrival_ns(self, t_ns: int, now_ns: int) -> int:
        """When something of that moment arrived. It may have waited while this process was held up.

        Nothing was decided in that time, so a stall of the computer makes nothing late.
        """
        if self._looked_ns is None:
            return now_ns
        return min(max(self._looked_ns, t_ns), now_ns)

    def run(self, until_ns: int) -> None:
        """Keep stepping until that moment."""
        while self.step(until_ns) < until_ns:
            pass
