"""A table in this process at which people play, with its pages; its time passes only when somebody lets it.

Host, store, sockets, chips and web server are the real ones. What takes a minute at a table takes a moment
here, and a browser that is slow misses nothing: no phase ends while a test looks.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from firmware_host.feed.addresses import HANDS_SOCKET, TELL_SOCKET
from firmware_host.feed.feed_client import tell_table
from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.person import Crowd
from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.hands import SimulatedTable as TableInHands
from firmware_host.lab.operator import RivalHand
from firmware_host.lab.party import Invitation, even_deal, people_of
from firmware_host.lab.world.visitors import VisitorSocket, hands_at
from firmware_host.model.places import Button
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.run.table_files import load_profile
from tests.run.evenings import Evening
from tests.web.browsers import PATIENCE_S, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in

T = TypeVar("T")
DEED_NS = 90 * MS
"""What a visitor's hands do takes so long at the table."""
LOOK_NS = 100 * MS
LONGEST_NS = 900 * S
REST_S = 0.25
HEARD_S = 0.001


class People:
    """Those who sit around a table, and the desk at which visitors take their seats."""

    def __init__(
        self, table: Evening, deal: tuple[int, ...], skill: str, dead_heats: bool, hands: Path
    ) -> None:
        self._table = table
        room, profile = table.room, table.room.profile
        chips = room.table
        world = TableInHands(chips)
        reader = PageReader(LANGUAGES, chips.spell)
        asked = Invitation(profile=profile, deal=deal, skills=(SKILLS[skill],))
        people, things = people_of(asked, world, reader, Random(7))
        crowd = Crowd(world, people)
        if dead_heats and isinstance(things, Dice):
            RivalHand(world, crowd, things, reader)
        crowd.arrive()
        hand_of = hands_at(profile, things, world, Random(7))
        self.desk = VisitorSocket(crowd, hand_of, world, reader, lambda: table.wait(DEED_NS), hands)

    def go_on(self, length_ns: int) -> None:
        """Let time pass, and look after visitors meanwhile."""
        for _ in range(0, length_ns, LOOK_NS):
            self.desk.look()
            self._table.wait(LOOK_NS)
        self.desk.look()


class _WokenTable(LiveTable):
    """A live table that does something only when somebody wants something."""

    def __init__(self, folder: Path, **config: Any) -> None:
        super().__init__(folder, simulated=True, **config)
        self.people: People | None = None
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)

    def ask(self, what: Callable[[Evening], T]) -> T:
        result: Future[T] = Future()
        self._jobs.put((what, result))
        os.eventfd_write(self._wake, 1)
        return result.result(PATIENCE_S)

    def stop(self) -> None:
        super().stop()
        os.close(self._wake)

    def _work(self, table: Evening) -> None:
        assert table._sockets is not None
        desks = [] if self.people is None else [self.people.desk]
        awaited = [*table._sockets.descriptors, *(each for desk in desks for each in desk.descriptors)]
        if self._wake in select.select([self._wake, *awaited], [], [], REST_S)[0]:
            os.eventfd_read(self._wake)
            while not self._jobs.empty():
                super()._work(table)
        for desk in desks:
            desk.look()


class PeopledTable:
    """The table, its people and its pages."""

    def __init__(
        self,
        folder: Path,
        profile: str = "dice4",
        deal: tuple[int, ...] = (6, 6, 6, 6),
        skill: str = "regular",
        dead_heats: bool = False,
        language: str = "en",
        rounds: int = 1,
    ) -> None:
        """`deal` is what each seat is dealt; nobody sits where that is 0."""
        self.folder = folder
        self.sockets = folder / "table"
        self.sockets.mkdir(exist_ok=True)
        usual = even_deal(load_profile(profile), sum(map(bool, deal)))
        self._live = _WokenTable(
            self.sockets,
            profile=profile,
            rounds=rounds,
            handicap=tuple(max(usual) - count for count in deal),
            settings=Settings(language=language),
        )
        self._port = 0
        self._serving = ExitStack()
        self.web: Served
        self._live.start()
        hands = self.sockets / HANDS_SOCKET
        self._live.people = self._live.ask(lambda table: People(table, deal, skill, dead_heats, hands))
        self.start_web()

    @property
    def url(self) -> str:
        """Where the pages are."""
        return f"http://127.0.0.1:{self._port}"

    def start_web(self) -> None:
        """Serve its pages, at the same port as before."""
        settings = replace(settings_in(self.folder), port=self._port)
        self.web = self._serving.enter_context(served(settings, self._live.found))
        self._port = self.web.port
        wait_until(lambda: self.web.server.hub.connected)

    def stop_web(self) -> None:
        """End its pages."""
        self._serving.close()

    def close(self) -> None:
        """End all."""
        self._serving.close()
        self._live.stop()
        if self._live.people is not None:
            self._live.people.desk.close()

    def tell(self, text: str) -> dict[str, Any]:
        """What the table answers."""
        return tell_table(self.sockets / TELL_SOCKET, text)

    # -- time

    def ask(self, what: Callable[[Evening], T]) -> T:
        """Do this at the table."""
        return self._live.ask(what)

    def let(self, length_ns: int) -> None:
        """Let so much time pass, and the web server hear of it."""
        people = self._live.people
        assert people is not None
        self.ask(lambda table: people.go_on(length_ns))
        self._be_heard()

    def until(self, what: str, so: Callable[[], T], each_ns: int = LOOK_NS) -> T:
        """Let time pass until that is so; what it is then."""
        for _ in range(0, LONGEST_NS, each_ns):
            found = so()
            if found:
                return found
            self.let(each_ns)
        raise AssertionError(f"waited {LONGEST_NS // S} s at the table for {what}")

    def until_phase(self, *phases: Phase) -> None:
        """Let time pass until the table is at one of these."""
        people = self._live.people
        assert people is not None

        def go_on(table: Evening) -> None:
            for _ in range(0, LONGEST_NS, LOOK_NS):
                if table.phase in phases:
                    return
                people.go_on(LOOK_NS)
            raise AssertionError(f"waited {LONGEST_NS // S} s at the table for {phases}, now {table.phase}")

        self.ask(go_on)
        self._be_heard()

    def _be_heard(self) -> None:
        latest, hub = self.latest, self.web.server.hub
        end_s = time.monotonic() + PATIENCE_S
        while f"{hub.session}:{hub.n}" != latest:
            assert time.monotonic() < end_s, f"waited {PATIENCE_S} s for the web server to hear of {latest}"
            time.sleep(HEARD_S)

    def presses(self, seat: int) -> bool:
        """Whether the button of that seat is down."""
        return Button(seat) in self.ask(lambda table: table.host.loop.active)

    # -- what pages show of it

    @property
    def state(self) -> dict[str, Any]:
        """The table as its pages know it."""
        return self.web.server.hub.state

    @property
    def latest(self) -> str:
        """The session and the number of what was decided last."""
        journal = self.ask(lambda table: table.host.recorded.journal)
        return f"{journal.id}:{journal.effects}"

    @property
    def language(self) -> str:
        """What it speaks."""
        return self.ask(lambda table: table.host.session.settings.language)

    def speak(self, language: str) -> None:
        """Let it speak that language, as after a session that began with it."""

        def change(table: Evening) -> None:
            session = table.host.session
            session.settings = replace(session.settings, language=language)

        self.ask(change)


def in_play(table: PeopledTable) -> None:
    """Let time pass until there is something to see: a round in which six things lie in the centre."""

    def lies() -> bool:
        state = table.state  # empty until the web server has heard of the table
        return state.get("phase") == "play" and len(state.get("board") or state.get("piles") or ()) >= 6

    table.until("a round with six things in the centre", lies)
