"""A table as its feed tells it: what the picture in the terminal is made of."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from firmware_host.effect_text import parse_effect
from firmware_host.effects import Judged
from firmware_host.feed.feed_reader import FeedReader
from firmware_host.feed.merge_patch import State
from firmware_host.feed.table_state import Surroundings, table_state
from firmware_host.show.lamps import TICK_NS, Beat
from firmware_host.simulation.party import Party
from firmware_host.states import Condition, Phase

_BEATS = 8


@dataclass(frozen=True, slots=True)
class SeenTable:
    """The state, the lamps and the sign at one moment."""

    state: State
    lamps: tuple[tuple[int, int], ...]
    """The tint and the beat of each lamp."""
    page: tuple[str, ...]
    t_ns: int
    frame: bytes = b""
    """How the lamps really burn, where that can be seen: a button that is down lights its own."""

    def light(self, lamp: int) -> int:
        """The tint of a lamp as it burns at this moment; 0 if it is dark."""
        if self.frame:
            return self.frame[lamp]
        tint, beat = self.lamps[lamp]
        return tint if beat & 0x80 >> self.t_ns // TICK_NS % _BEATS else 0

    def at(self, t_ns: int) -> SeenTable:
        """The same at another moment."""
        return replace(self, t_ns=t_ns)

    def flickers(self, lamp: int) -> bool:
        """Whether a lamp says: act now."""
        return self.lamps[lamp][1] == Beat.FAST

    @property
    def phase(self) -> Phase | None:
        """None while the game stands still for another reason."""
        word = self.state["phase"]
        return Phase(word) if word in _PHASES else None

    @property
    def table(self) -> dict[str, Any]:
        """What kind of table it is."""
        about: dict[str, Any] = self.state["table"]
        return about

    def seat(self, seat: int) -> dict[str, Any]:
        """What is known of a seat."""
        about: dict[str, Any] = self.state["seats"][str(seat)]
        return about

    @property
    def seated(self) -> list[int]:
        """The seats that play."""
        return [int(seat) for seat, about in self.state["seats"].items() if about["seated"]]

    @property
    def lost_store(self) -> str:
        """Why nothing is kept of what is played, and what to do; empty if it is kept."""
        store = self.state.get("devices", {}).get("store", {})
        lost = store.get("condition") == Condition.LOST
        return "; ".join(filter(None, (store["seen"], store["advice"]))) if lost else ""

    def judged(self, seat: int) -> Judged | None:
        """The last verdict of a seat."""
        record = self.state.get("last", {}).get(str(seat))
        effect = None if record is None else parse_effect(json.dumps(record))
        return effect if isinstance(effect, Judged) else None


_PHASES = {phase.value for phase in Phase}


def seen_in(party: Party) -> SeenTable:
    """A table of this process, with the real light of its lamps."""
    referee = party.table.shell.referee
    state = table_state(referee, Surroundings(simulated=True), {})
    lamps = tuple((int(lamp.tint), int(lamp.beat)) for lamp in referee.lamps)
    return SeenTable(state, lamps, party.world.lines, party.world.now_ns, party.world.leds.frame)


def seen_by(reader: FeedReader, t_ns: int) -> SeenTable:
    """A table whose feed is read; `t_ns` is its present time."""
    text = reader.lamps
    lamps = tuple((int(text[at], 16), int(text[at + 1 : at + 3], 16)) for at in range(0, len(text), 3))
    return SeenTable(reader.state, lamps, reader.page, t_ns)
