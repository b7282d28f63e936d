"""A station in virtual time with simulated readers and a sign, and somebody who does what the sign says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from firmware_host.cli.terminal import Keyboard
from firmware_host.model.phrases import Phrase, item_text, say
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S
from firmware_host.profile.tags import Enrolled, simulated_uid
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.cli.tag_readers import Enrolling, TagFile, settle_ns
from firmware_host.workshop.enrolling.enroller import Enroller, EnrolState
from firmware_host.workshop.enrolling.tag_station import simulated_station
from firmware_host.workshop.enrolling.worklist import Worklist
from hw.scoreboard.charset import respelled
from hw.sim.pn532 import SimTag

LOOK_NS = 150 * MS
"""How often somebody looks at the sign."""


class Keys(Keyboard):
    """Keys that are pressed at given moments."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        super().__init__()
        self.plan: list[tuple[int, str]] = []
        self._now_ns = now_ns

    def read(self) -> str:
        due = [key for t_ns, key in self.plan if t_ns <= self._now_ns()]
        self.plan = [(t_ns, key) for t_ns, key in self.plan if t_ns > self._now_ns()]
        return "".join(due)


class Bench:
    """Someone enrols these at a reader; the tags in the items are those that `simulated_uid` makes up."""

    def __init__(
        self,
        path: Path,
        items: Sequence[Enrolled],
        *,
        profile: str = "cards4",
        reader: str = "pad-1",
        chosen: bool = False,
        again: bool = False,
        language: str = "en",
    ) -> None:
        wiring = load_profile(profile)
        self.items = items
        self.station, self.site = simulated_station(wiring)
        self.agenda = self.site.agenda
        self.reader = self.site.readers[reader]
        self.cable = self.site.cables[reader]
        self.keys = Keys(self.station.clock.now_ns)
        self.told: list[str] = []
        self.language = language
        file = TagFile(path)
        self.worklist = Worklist(items, file.registry_text, again=again)
        number = [spot.name for spot in wiring.readers].index(reader) if chosen else None
        self.enroller = Enroller(self.worklist, wiring.readers, number, settle_ns(wiring, Settings()))
        self.enrolling = Enrolling(self.station, self.enroller, file, language, self.keys, self.told.append)
        self.sayings: list[tuple[str, ...]] = []

    def run(self, for_ns: int, until: Callable[[], bool] = lambda: False) -> None:
        """Let time pass, until something is so or it is over."""
        end_ns = self.station.clock.now_ns() + for_ns
        if not self.told:
            self.enrolling.begin()
        while self.station.clock.now_ns() < end_ns and not self.over and not until():
            self.enrolling.step()
            if not self.sayings or self.sayings[-1] != self.site.sign.lines:
                self.sayings.append(self.site.sign.lines)

    def run_until(self, text: str) -> None:
        """Until the sign says this, in either line."""
        self.run(60 * S, lambda: any(text in line for line in self.site.sign.lines))
        assert any(text in line for line in self.site.sign.lines), self.site.sign.lines

    @property
    def over(self) -> bool:
        return self.enroller.state is EnrolState.OVER

    def put(self, item: Enrolled) -> None:
        self.reader.put(SimTag(simulated_uid(item)))

    def take(self, item: Enrolled) -> None:
        self.reader.take(simulated_uid(item))

    def said(self, text: str) -> bool:
        """Whether the sign has said this at some time."""
        return any(text in line for lines in self.sayings for line in lines)

    def close(self) -> None:
        self.station.close()
        for cable in self.site.cables.values():
            cable.deliver_all()
        self.agenda.run(self.agenda.now_ns + 1 * S)  # chips obey what they were told last


class Obedient:
    """Somebody at the bench who looks at nothing but the sign."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        language, charset = bench.language, bench.site.charset

        def spell(text: str) -> str:
            return charset.spell(respelled(text, language, charset, bench.station.scoreboard.columns))

        self._items = {spell(item_text(language, item)): item for item in bench.items}
        self._off = [spell(say(language, which)) for which in (Phrase.TAG_SAVED, Phrase.LIFT_TAG)]
        self._end = spell(say(language, Phrase.ENROLMENT_DONE))
        self.holds: Enrolled | None = None
        self._look()

    def _look(self) -> None:
        upper, lower = self._bench.site.sign.lines
        wanted = self._items.get(upper)
        if self.holds is not None and (lower in self._off or upper in self._off or wanted != self.holds):
            if upper or lower:
                self._bench.take(self.holds)
                self.holds = None
        elif self.holds is None and wanted is not None and lower not in self._off:
            self._bench.put(wanted)
            self.holds = wanted
        if upper != self._end:
            self._bench.agenda.after(LOOK_NS, self._look)
