"""The equipment of a table, put together: what its lines, readers and devices mean by its profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from firmware_host.config.profile import GPIO, Profile, TagSpot
from firmware_host.config.tags import Registry
from firmware_host.durations import MS
from firmware_host.places import Pad
from firmware_host.runtime.equipment import Equipment, Reporter, World
from firmware_host.runtime.intake import Intake
from firmware_host.runtime.soundboard import Soundboard
from hw.clock import Clock
from hw.ports import EdgeSource, LedPanel, Scoreboard

BUS = "i2c"
RECHECK_NS = 25 * MS


def _no_lamps(brightness: int | None) -> None:
    """There are no lamps that could be dimmed."""


def _nothing() -> None:
    """There is nothing to close."""


def equip(
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
    dim: Callable[[int | None], None] = _no_lamps,
    close: Callable[[], None] = _nothing,
    soundboard: Soundboard | None = None,
) -> Equipment:
    """These devices as the equipment of a table; `uncertainty_ns` is that of each line, or of all."""
    spots = [reader.at for reader in profile.readers]
    worst_ns = uncertainty_ns if isinstance(uncertainty_ns, int) else max(uncertainty_ns.values())
    return Equipment(
        clock=clock,
        intake=Intake(profile.lines, uncertainty_ns, needed_devices(profile), spots, registry),
        lines=lines,
        leds=leds,
        scoreboard=scoreboard,
        uncertainty_ns=worst_ns,
        others=others,
        checks=checks,
        recheck_ns=recheck_ns,
        agenda=agenda,
        stuck=stuck,
        dim=dim,
        close=close,
        soundboard=soundboard,
    )


def needed_devices(profile: Profile) -> dict[str, int]:
    """The devices without which no round can go on, each with the seat that needs it (0: all do)."""
    needed = {GPIO: 0} | {bank.name: 0 for bank in profile.banks}
    needed |= {BUS: 0} if profile.banks else {}
    if profile.game == "cards" or profile.identified:
        needed |= {reader.name: reader.seat for reader in profile.readers if _plays(profile, reader)}
    return needed


def _plays(profile: Profile, reader: TagSpot) -> bool:
    """Whether a round is played by this reader; pads of a dice table only say whose dice are whose."""
    return profile.game == "cards" or not isinstance(reader.at, Pad)
