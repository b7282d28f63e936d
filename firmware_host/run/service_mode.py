"""The table in service: the game is away, and what comes in goes to the panel of service mode."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.games.phases import TRANSITIONS, Transition
from firmware_host.games.session import Session
from firmware_host.model.events import DeviceChanged, Input, Pressed, Released, SourceEdge, TagSeen, Withdrawn
from firmware_host.model.places import ALL_SLOTS, Slot, format_tag
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.table import TableConfig
from firmware_host.run.equipment import SAMPLE, Equipment
from firmware_host.service.page import Outcome, PanelInfo
from firmware_host.service.panel import Panel
from firmware_host.timing.arbiter import Arbiter

LOOK_NS = 125 * MS


class Service:
    """Takes what comes in while the panel is open, and shows what the panel says."""

    def __init__(self, info: PanelInfo, settings: Settings, equipment: Equipment, now_ns: int) -> None:
        seats = range(1, info.seats + 1)
        slots = () if info.piles else ALL_SLOTS
        self._arbiter = Arbiter(settings, seats, slots, calls=seats if info.call_buttons else ())
        self._equipment = equipment
        self._panel = Panel(info, now_ns)
        self._page: tuple[str, ...] = ()
        self._frame = b""
        self._brightness = info.brightness
        self._volume = info.volume
        self._due_ns: int | None = now_ns
        self.missed: list[DeviceChanged] = []
        for source in equipment.active:
            if isinstance(source, Slot):
                self._arbiter.preset_slot(source, True, now_ns)
            else:
                self._arbiter.preset_button(source, True, now_ns)

    @property
    def outcome(self) -> Outcome | None:
        """What was decided, as soon as service mode is over."""
        return self._panel.outcome

    # -- what comes in

    @property
    def due_ns(self) -> int | None:
        return self._due_ns

    def put(self, seen: Input, now_ns: int) -> None:
        """Pass on what contacts, readers and devices report; the game gets the state of devices later."""
        if isinstance(seen, SourceEdge):
            self._panel.contact(seen.source, seen.active, now_ns)
            self._arbiter.put(seen, now_ns)
            self._due_ns = now_ns
        elif isinstance(seen, TagSeen | Withdrawn):
            self._panel.tag(seen.at, format_tag(seen.tag), isinstance(seen, TagSeen), now_ns)
            self._due_ns = now_ns
        elif isinstance(seen, DeviceChanged):
            self._panel.health(seen.device)
            self.missed.append(seen)

    def advance(self, now_ns: int) -> None:
        for _, event in self._arbiter.release(now_ns):
            if isinstance(event, Pressed):
                self._panel.press(event.seat, event.call, now_ns)
            elif isinstance(event, Released):
                self._panel.release(event.seat, event.call, now_ns)
        self._arbiter.take_notes()
        self._panel.tick(now_ns)
        self._show()
        moments = [self._arbiter.due_ns, self._panel.due_ns]
        known = [moment for moment in moments if moment is not None]
        self._due_ns = max(now_ns + 1, min(known)) if known else None

    # -- what it comes to

    def _show(self) -> None:
        page, frame = self._panel.lines(self._equipment.scoreboard.columns), self._panel.frame()
        if page != self._page:
            self._page = page
            self._equipment.scoreboard.show(page, self._panel.language)
        if frame != self._frame:
            self._frame = frame
            self._equipment.leds.show(frame)
        brightness = self._panel.brightness
        if brightness != self._brightness:
            self._equipment.dim(brightness)
        self._brightness = brightness
        self._sound(self._panel.volume)

    def _sound(self, volume: int | None) -> None:
        """Let people hear how loud it is now."""
        soundboard = self._equipment.soundboard
        if soundboard is not None and volume is not None and volume != self._volume:
            soundboard.set_volume(volume)
            if self.outcome is None:
                soundboard.play(SAMPLE)
        self._volume = volume


def panel_info(
    config: TableConfig,
    session: Session,
    match_runs: bool,
    audits: tuple[tuple[str, str], ...],
    health: Iterable[DeviceChanged],
    *,
    speaker: bool = False,
) -> PanelInfo:
    """What the panel has to know of the table when it opens."""
    profile = config.profile
    return PanelInfo(
        seats=profile.seats,
        piles=profile.piles,
        language=session.settings.language,
        brightness=config.brightness,
        volume=config.volume if speaker else None,
        game=config.game,
        games=tuple(config.profiles),
        rounds=config.rounds,
        open_seats=config.open_seats,
        handicap=config.handicap,
        round_running=match_runs and Transition.VOIDED in TRANSITIONS[session.phase],
        match_running=match_runs,
        audits=audits,
        health=tuple(each.device for each in health),
        slots=not profile.piles,
        readers=bool(profile.readers),
        call_buttons=session.table.call_buttons,
    )
