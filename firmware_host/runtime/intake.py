"""From the devices' own words to seats, slots and events, by the wiring profile; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.config.tags import Registry
from firmware_host.events import DeviceChanged, Shown, Signal, SignalsLost, TagEvent, Withdrawn
from firmware_host.places import Source, Spot
from firmware_host.stamps import Stamp, exactly
from firmware_host.states import Condition, DeviceCondition
from hw.ports import Edge, Gap, Health, TagRead


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

    def signal(self, edge: Edge, shift_ns: int = 0) -> Signal:
        """What an edge says, with its stamp widened by what the driver can't know."""
        line, high, t_ns, seq, wide_ns = edge
        source, uncertainty_ns = self._lines[line]
        t_ns += shift_ns
        return Signal(source, not high, Stamp(t_ns - wide_ns - uncertainty_ns, t_ns + uncertainty_ns), seq)

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
        kind = Shown if read.present else Withdrawn
        stamp = Stamp(read.earliest_ns + shift_ns, read.latest_ns + shift_ns)
        return kind(self._spots[read.reader], self.registry.of(read.uid), stamp)

    def loss(self, gap: Gap, shift_ns: int = 0) -> SignalsLost:
        """What a gap in a driver's edges means."""
        return SignalsLost(gap.lost, gap.until_ns - gap.since_ns, exactly(gap.until_ns + shift_ns))

    def change(self, health: Health, now_ns: int) -> DeviceChanged:
        """What a device's health means."""
        name, condition = health.device, Condition(health.condition.value)
        seen, advice = (" ".join(text.split()) for text in (health.seen, health.advice))
        # In the text of an event this arrow stands between what was seen and the advice.
        seen, advice = (text.replace(") -> (", "), (") for text in (seen, advice))
        device = DeviceCondition(name, condition, seen, advice)
        return DeviceChanged(device, name in self._needed, exactly(now_ns), self._needed.get(name, 0))
