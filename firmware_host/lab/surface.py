"""The table as it stands in the world: its contacts, readers, lamps and scoreboard, and who moves them.

It has no drivers: those belong to whoever connects. What happens while nobody listens is lost, as it is
on a real table: contacts are found as they are then, and readers report again what lies before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from firmware_host.lab.simulated_table import FRAMES_KEPT, Antennas, Behaviour
from firmware_host.model.places import Source
from firmware_host.model.settings import Settings
from firmware_host.profile.profile import SCOREBOARD, Profile
from firmware_host.profile.tags import Registry
from firmware_host.run.table_files import simulated_registry
from firmware_host.show.lamps import frame_length
from hw.ports import Condition, Edge, Gap, Health
from hw.sim.agenda import Agenda
from hw.sim.contacts import Contact
from hw.sim.lines import BareLines
from hw.sim.link import Report
from hw.sim.outputs import SimLedPanel
from hw.sim.tag_readers import SimReaders

# The lines of a table as a daemon hears of them: those of an expander that is lost say nothing.
#
# When it is back, its driver reads all of its lines. So there is a gap, and then an edge for each line that
# is found in another state, which may have changed at any moment since.


@dataclass(slots=True)
class _Silence:
    """Since when nothing is heard of some lines, and their levels as they were heard last."""

    since_ns: int
    levels: dict[int, bool]


class HeardLines:
    """What is heard of these lines."""

    def __init__(self, lines: BareLines, now_ns: Callable[[], int]) -> None:
        self._lines = lines
        self._now_ns = now_ns
        self._heard: list[Edge | Gap] = []
        self._silences: dict[str, _Silence] = {}

    def read(self) -> list[Edge | Gap]:
        """What was heard since the last call."""
        self._hear()
        heard, self._heard = self._heard, []
        return heard

    def levels(self) -> dict[int, bool]:
        """The levels as they were heard."""
        levels = self._lines.levels()
        for silence in self._silences.values():
            levels |= silence.levels
        return levels

    def meet(self) -> None:
        """Another daemon listens: of what happened before it knows nothing."""
        for silence in self._silences.values():
            silence.since_ns = self._now_ns()

    def silence(self, bank: str, lines: Iterable[int]) -> None:
        """Nothing is heard of these lines of an expander from now on."""
        self._hear()
        levels = self._lines.levels()
        wired = {line: levels[line] for line in lines if line in levels}
        self._silences[bank] = _Silence(self._now_ns(), wired)

    def restore(self, bank: str) -> None:
        """The expander is back."""
        self._hear()
        silence, now_ns, levels = self._silences.pop(bank), self._now_ns(), self._lines.levels()
        self._heard.append(Gap(0, silence.since_ns, now_ns))
        for line, high in silence.levels.items():
            if levels[line] != high:
                self._lines.deliver(line, levels[line], now_ns, now_ns - silence.since_ns)

    def _hear(self) -> None:
        silent = {line for silence in self._silences.values() for line in silence.levels}
        self._heard += [edge for edge in self._lines.read() if edge.line not in silent]


BLANK = ("", "")
UNCERTAINTY_NS = Settings().stamp_uncertainty_ns


@dataclass(frozen=True, slots=True)
class ShownPage:
    """What the scoreboard showed from that moment on, and which daemon sent it."""

    t_ns: int
    daemon: int
    lines: tuple[str, ...]


@dataclass(slots=True)
class Sign:
    """The scoreboard: what it says, and all that it has said."""

    agenda: Agenda
    lines: tuple[str, ...] = BLANK
    history: list[ShownPage] = field(default_factory=list)

    def show(self, lines: tuple[str, ...], daemon: int) -> None:
        """Say this from now on."""
        self.lines = lines
        self.history.append(ShownPage(self.agenda.now_ns, daemon, lines))


class Surface(Antennas):
    """One table in the world; `chance` drives bounce, noise, and when readers look."""

    def __init__(
        self,
        profile: Profile,
        chance: Random,
        behaviour: Behaviour | None = None,
        registry: Registry | None = None,
        keep: int | None = FRAMES_KEPT,
    ) -> None:
        behaviour = behaviour or Behaviour()
        self.profile = profile
        self.agenda = Agenda()
        self.registry = registry or simulated_registry(profile)
        self.daemons = 0
        lines = BareLines(sorted(profile.lines), lambda: self.agenda.now_ns, UNCERTAINTY_NS)
        self._lines = HeardLines(lines, lambda: self.agenda.now_ns)
        self.contacts: dict[Source, Contact] = {
            source: Contact(lines.end(line), self.agenda, chance, behaviour.habits(source))
            for line, source in sorted(profile.lines.items(), key=lambda wire: wire[1])
        }
        self.leds = SimLedPanel(frame_length(profile.seats, profile.piles), lambda: self.agenda.now_ns, keep)
        self._frame = self.leds.frame
        self.display = Sign(self.agenda)
        self._page: ShownPage | None = None
        self._readers = SimReaders(
            self.agenda, chance, [profile.neighbours(spot) for spot in profile.readers]
        )
        spots = [spot.at for spot in profile.readers]
        self.antennas = dict(zip(spots, self._readers.readers, strict=True))
        self._lost: dict[str, Health] = {}
        self._news: list[Health] = []

    # -- what is reported to a daemon

    def meet(self) -> None:
        """Another daemon listens: report what is wrong, and what lies before the readers."""
        self.reports()
        self._lines.meet()
        self.daemons += 1
        self._news = list(self._lost.values())
        for reader in self._readers.readers:
            reader.restart()

    def levels(self) -> dict[int, bool]:
        """The level of each line, as far as it is known."""
        return self._lines.levels()

    def reports(self) -> list[Report]:
        """What there is to report since the last call."""
        health, self._news = self._news, []
        lost = {number for number, each in enumerate(self.profile.readers) if each.name in self._lost}
        tags = [read for read in self._readers.read() if read.reader not in lost]
        return [*self._lines.read(), *tags, *health]

    # -- what a daemon shows

    def show_frame(self, frame: bytes) -> None:
        """The lamps burn like that, but for those of a chip that is lost."""
        shown = frame
        if self._lost:
            dark = {wire.lamp for wire in self.profile.lamp_wires if wire.chip in self._lost}
            shown = bytes(0 if lamp in dark else value for lamp, value in enumerate(frame))
        self.leds.show(shown)
        self._frame = frame

    def show_page(self, lines: tuple[str, ...]) -> None:
        """The scoreboard says this, as soon as it is not lost any more."""
        self._page = ShownPage(self.agenda.now_ns, self.daemons, lines)
        if SCOREBOARD not in self._lost:
            self.display.show(lines, self.daemons)

    def go_dark(self) -> None:
        """The power is gone: nothing burns, and nothing is said."""
        self.leds.close()
        self._frame, self._page = self.leds.frame, None
        if self.display.lines != BLANK:
            self.display.show(BLANK, 0)

    # -- what goes wrong

    @property
    def devices(self) -> list[str]:
        """The names of what can be lost."""
        profile = self.profile
        names = [
            SCOREBOARD,
            *(bank.name for bank in profile.banks),
            *(chip.name for chip in profile.led_chips),
        ]
        return sorted([*names, *(reader.name for reader in profile.readers)])

    def lose(self, device: str, seen: str, advice: str = "") -> None:
        """A device falls silent and goes dark, and its driver says so."""
        self._lost[device] = Health(device, Condition.LOST, seen, advice)
        self._news.append(self._lost[device])
        if device == SCOREBOARD:
            self.display.show(BLANK, 0)
        for bank in self.profile.banks:
            if bank.name == device:
                self._lines.silence(device, list(bank.pins.values()))
        if self._lights(device):
            self.show_frame(self._frame)

    def restore(self, device: str) -> None:
        """It is back: it shows what it should, and reports again how things are."""
        del self._lost[device]
        self._news.append(Health(device, Condition.OK))
        if device == SCOREBOARD and self._page is not None:
            self.display.show(self._page.lines, self._page.daemon)
        for bank in self.profile.banks:
            if bank.name == device:
                self._lines.restore(device)
        if self._lights(device):
            self.show_frame(self._frame)
        for spot in self.profile.readers:
            if spot.name == device:
                self.antennas[spot.at].restart()

    def _lights(self, device: str) -> bool:
        """Whether it is a chip with lamps."""
        return any(chip.name == device for chip in self.profile.led_chips)

    @property
    def lost(self) -> set[str]:
        """The devices that are lost now."""
        return set(self._lost)
