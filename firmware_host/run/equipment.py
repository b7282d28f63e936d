"""Everything around one table that is not the game: its devices at work, and the clock they go by.

Equipment outlives the games that are played on it: referees come and go, contacts, lamps and readers stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from firmware_host.games.session import Session
from firmware_host.model.events import DeviceChanged, SignalsLost, SourceEdge, TagEvent, TagSeen, Withdrawn
from firmware_host.model.places import Pad, Source, Spot
from firmware_host.model.times import MS, Stamp, exactly
from firmware_host.profile.profile import GPIO, Profile
from firmware_host.profile.tags import Registry
from firmware_host.referee import Step
from firmware_host.show.sounds import Heard, Sound, sounds_of
from hw.clock import Clock
from hw.ports import Clip, Edge, EdgeSource, Gap, Health, LedPanel, Scoreboard, Speaker, TagRead, Tell
from hw.work import Mailbox


class Intake:
    """Knows which line is whose, how far its stamps may be off, and which devices a round needs.

    A low line means an active contact. Stamps come on the clock's time and are moved onto the table's,
    which is shifted against it. `uncertainty_ns` is that of each line, or of all. `needed` names devices,
    each with the seat that needs it (0: all do). Readers are numbered by their place in `spots`.
    """

    def __init__(
        self,
        lines: Mapping[int, Source],
        uncertainty_ns: int | Mapping[int, int],
        needed: Mapping[str, int] | None = None,
        spots: Sequence[Spot] = (),
        registry: Registry | None = None,
    ) -> None:
        each_ns = (
            uncertainty_ns if isinstance(uncertainty_ns, Mapping) else dict.fromkeys(lines, uncertainty_ns)
        )
        self._lines = {line: (source, each_ns[line]) for line, source in lines.items()}
        self._needed = needed or {}
        self._spots = spots
        self.registry = registry or Registry({})

    def source_edge(self, edge: Edge, shift_ns: int = 0) -> SourceEdge:
        """What an edge says, with its stamp widened by what the driver can't know."""
        line, high, t_ns, seq, wide_ns = edge
        source, uncertainty_ns = self._lines[line]
        t_ns += shift_ns
        return SourceEdge(
            source, not high, Stamp(t_ns - wide_ns - uncertainty_ns, t_ns + uncertainty_ns), seq
        )

    def widen(self, uncertainty_ns: int) -> None:
        """From now on every stamp may be off at least this far, either way."""
        self._lines = {
            line: (source, max(own_ns, uncertainty_ns)) for line, (source, own_ns) in self._lines.items()
        }

    def active(self, levels: Mapping[int, bool]) -> list[Source]:
        """The sources whose contact is active at these levels."""
        return [self._lines[line][0] for line, high in levels.items() if not high and line in self._lines]

    def tag(self, read: TagRead, shift_ns: int = 0) -> TagEvent:
        """What a reader says of a tag, and what that tag stands for."""
        kind = TagSeen if read.present else Withdrawn
        stamp = Stamp(read.earliest_ns + shift_ns, read.latest_ns + shift_ns)
        return kind(self._spots[read.reader], self.registry.of(read.uid), stamp)

    def loss(self, gap: Gap, shift_ns: int = 0) -> SignalsLost:
        """What a gap in a driver's edges means."""
        return SignalsLost(gap.lost, gap.until_ns - gap.since_ns, exactly(gap.until_ns + shift_ns))

    def change(self, health: Health, now_ns: int) -> DeviceChanged:
        """What a device's health means."""
        seen, advice = (" ".join(text.split()) for text in (health.seen, health.advice))
        # In the text of an event this arrow stands between what was seen and the advice.
        seen, advice = (text.replace(") -> (", "), (") for text in (seen, advice))
        device = replace(health, seen=seen, advice=advice)
        needed = device.name in self._needed
        return DeviceChanged(device, needed, exactly(now_ns), self._needed.get(device.name, 0))


Report = Edge | Gap | Health | TagRead


class Reporter(Protocol):
    """Whatever has something to report: lines, readers, or the health of all devices."""

    def read(self) -> Sequence[Report]:
        """What arrived since the last call."""

    def fileno(self) -> int:
        """A descriptor that is readable while `read` has something."""

    def close(self) -> None:
        """Nothing more is reported."""


class World(Protocol):
    """A simulated world around the table, in which things happen at their own moments."""

    @property
    def due_ns(self) -> int | None:
        """When something happens next."""

    def run(self, until_ns: int) -> None:
        """Let everything happen that is due by then."""


BUS = "i2c"
RECHECK_NS = 25 * MS


class Equipment:
    """The devices of one table, opened."""

    def __init__(
        self,
        profile: Profile,
        clock: Clock,
        uncertainty_ns: int | Mapping[int, int],
        *,
        lines: Sequence[EdgeSource],
        leds: LedPanel,
        scoreboard: Scoreboard,
        registry: Registry | None = None,
        others: Sequence[Reporter] = (),
        checks: Sequence[Callable[[], None]] = (),
        recheck_ns: int = RECHECK_NS,
        agenda: World | None = None,
        stuck: Callable[[], list[str]] = list,
        dim: Callable[[int | None], None] = lambda brightness: None,
        close: Callable[[], None] = lambda: None,
        soundboard: Soundboard | None = None,
    ) -> None:
        """`uncertainty_ns` is that of each line, or of all."""
        spots = [reader.at for reader in profile.readers]
        self.intake = Intake(profile.lines, uncertainty_ns, needed_devices(profile), spots, registry)
        self.uncertainty_ns = (
            uncertainty_ns if isinstance(uncertainty_ns, int) else max(uncertainty_ns.values())
        )
        """How far any stamp of these drivers may be from the truth, either way."""
        self.clock, self.lines, self.others = clock, lines, others
        self.leds, self.scoreboard = leds, scoreboard
        self.checks = checks
        """What the loop should do now and then."""
        self.recheck_ns = recheck_ns
        """How soon to do it after an edge, which may have taken another one with it.

        By then the other one has arrived, if it was only under way.
        """
        self.agenda = agenda
        self.stuck = stuck
        """The names of buses and ports whose owners don't come back from a step."""
        self.dim = dim
        """Lets all LED chips burn that brightly, from 0 to 15; None is as the profile says."""
        self.close = close
        """Lamps off, scoreboard blank, threads ended, lines let go; may be called again."""
        self.soundboard = soundboard
        """The sounds of the table; None if it has no speaker."""
        self.people: frozenset[int] | None = None
        """The seats at which somebody sits for as long as this runs; None where people come and go."""

    def set_volume(self, volume: int) -> None:
        """Play all sounds that loud, from 0 to 10, if there is a speaker."""
        if self.soundboard is not None:
            self.soundboard.set_volume(volume)

    @property
    def waits_for_devices(self) -> bool:
        """Whether devices wake the loop; those of a simulated world report only when it is their turn."""
        return self.agenda is None

    @property
    def active(self) -> list[Source]:
        """The sources whose contact is active now."""
        return [source for each in self.lines for source in self.intake.active(each.levels())]


def needed_devices(profile: Profile) -> dict[str, int]:
    """The devices without which no round can go on, each with the seat that needs it (0: all do)."""
    needed = {GPIO: 0} | {bank.name: 0 for bank in profile.banks}
    needed |= {BUS: 0} if profile.banks else {}
    cards = profile.game == "cards"
    if cards or profile.identified:  # pads of a dice table only say whose dice are whose
        readers = (each for each in profile.readers if cards or not isinstance(each.at, Pad))
        needed |= {reader.name: reader.seat for reader in readers}
    return needed


STALE_NS = 250 * MS
"""What was decided so long ago is not sounded any more: after a stall it would all sound at once."""
SAMPLE = Heard(Sound.COUNTED, 1)
"""What is played to show how loud it is."""


class Soundboard:
    """Plays sounds; their clips were made when the table was put together."""

    def __init__(self, speaker: Speaker, clips: Mapping[Heard, Clip], close: Callable[[], None]) -> None:
        self.speaker = speaker
        self._clips = clips
        self._close = close

    def play(self, heard: Heard) -> None:
        """Play it now; this never waits."""
        self.speaker.play(self._clips[heard])

    def follow(self, step: Step, session: Session, now_ns: int) -> None:
        """Play what is heard of a step that was just shown."""
        if now_ns - step.t_ns > STALE_NS:
            return
        for heard in sounds_of(session, step.effects, step.t_ns, step.page is not None):
            self.play(heard)

    def set_volume(self, volume: int) -> None:
        """From 0, which is silent, to 10."""
        self.speaker.set_volume(volume)

    def close(self) -> None:
        """Fall silent; may be called again."""
        self._close()


class HealthBox(Mailbox[Health]):
    """The health of all devices as one thing that reports."""

    read = Mailbox[Health].take

    def __init__(self) -> None:
        super().__init__()
        self.tell: Tell = self.post
