"""A whole table in virtual time with every chip simulated to the register.

Drivers, smbus2 and gpiozero are those of a real table. Contacts pull at the pins of the Pi
or of port expanders, LEDs burn as their chip's memory says, and a sign shows what it made
of the bytes on its cable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import FRAMES_KEPT, Behaviour, begin_game
from firmware_host.model.places import Source, Spot, Tag
from firmware_host.model.settings import Settings
from firmware_host.profile.device_kinds import LED_CHIPS, SIGNS
from firmware_host.profile.profile import BANK_LINES, GPIO, SCOREBOARD, Bank, Profile
from firmware_host.run.devices import INTERRUPTS, InputLines, install, loaded, sign_driver, soundboard_on
from firmware_host.run.equipment import RECHECK_NS, Equipment, HealthBox, Soundboard
from firmware_host.run.shell import Loop, Onlooker, Shell
from firmware_host.run.table_files import settings_for, simulated_registry
from firmware_host.show.lamps import frame_length
from firmware_host.timing.ties import RandomSource
from hw.clock import Clock
from hw.gpio.gpio_lamps import GpioLamps
from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.i2c.bus import I2cBus
from hw.ports import LedPanel, LedWire
from hw.scoreboard.charset import respelled
from hw.serial_port import OpenPort, SerialEnd
from hw.sim.agenda import Agenda, AgendaOwner, SimPinFactory, VirtualClock
from hw.sim.cable import Cable
from hw.sim.contacts import Contact
from hw.sim.i2c_bus import ChipModel, SimI2cBus
from hw.sim.mcp23017 import Mcp23017Model
from hw.sim.outputs import SimLedPanel, SimSpeaker
from hw.sim.pn532 import Pn532Model, SimTag
from hw.work import Work


class LedChipModel(ChipModel, Protocol):
    """A simulated LED chip, made without arguments."""

    on_change: Callable[[], None]
    """Called after whatever may change what is seen."""
    brightness: int

    def power_on(self) -> None:
        """The supply came back, or dipped."""

    def lit(self) -> Collection[int]:
        """The LEDs that a person sees burning."""


class SignModel(SerialEnd, Protocol):
    """A simulated sign."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads on it."""


def led_chip_model(kind: str) -> LedChipModel:
    """A simulated LED chip."""
    make: Callable[[], LedChipModel] = loaded(LED_CHIPS[kind].model)
    return make()


def sign_model(kind: str, columns: int) -> SignModel:
    """A simulated sign."""
    make: Callable[[int], SignModel] = loaded(SIGNS[kind].model)
    return make(columns)


SOUNDS_KEPT = 256


class InterruptEnd:
    """The wire between a chip's interrupt output and the Pi: it can be held at a level."""

    def __init__(self, pin: Any) -> None:
        self._pin = pin
        self._wanted = True
        self._held: bool | None = None

    def drive(self, high: bool) -> None:
        """The chip drives it."""
        self._wanted = high
        if self._held is None:
            self._set(high)

    def hold(self, high: bool) -> None:
        """Something else holds it."""
        self._held = high
        self._set(high)

    def let_go(self) -> None:
        """Only the chip drives it again."""
        self._held = None
        self._set(self._wanted)

    def _set(self, high: bool) -> None:
        (self._pin.drive_high if high else self._pin.drive_low)()


class BankEnd:
    """The end of a wire at a pin of an expander."""

    def __init__(self, model: Mcp23017Model, pin: int) -> None:
        self._model = model
        self._pin = pin

    def drive_low(self) -> None:
        self._model.set_pin(self._pin, False)

    def drive_high(self) -> None:
        self._model.set_pin(self._pin, True)


class SimulatedSite:
    """The ground for drivers in virtual time: pins, a bus with chips, cables with signs and readers."""

    recheck_ns = RECHECK_NS

    def __init__(
        self,
        profile: Profile,
        agenda: Agenda,
        health: HealthBox,
        uncertainty_ns: int,
        clock: Clock | None = None,
    ) -> None:
        self.tell = health.tell
        self.agenda = agenda
        self.clock = clock or VirtualClock()
        self.pins = SimPinFactory(self.now_ns, profile.board)
        self.interrupt_ends = {bank.name: self._interrupt_end(bank) for bank in profile.banks}
        self.banks = {bank.name: self._bank_model(bank) for bank in profile.banks}
        self.led_chips = {chip.name: led_chip_model(chip.kind) for chip in profile.led_chips}
        self.addresses = {bank.name: bank.address for bank in profile.banks}
        self.addresses |= {chip.name: chip.address for chip in profile.led_chips}
        self.models: dict[str, Mcp23017Model | LedChipModel] = {**self.banks, **self.led_chips}
        self.bus = SimI2cBus({self.addresses[name]: model for name, model in self.models.items()})
        self.charset = sign_driver(profile.sign, profile.columns, profile.charset).charset
        self.sign = sign_model(profile.sign, profile.columns)
        self.readers = {reader.name: Pn532Model(self.now_ns) for reader in profile.readers}
        self.registry = simulated_registry(profile)
        self.antennas = {reader.at: self.readers[reader.name] for reader in profile.readers}
        self.cables = {name: Cable(model, agenda) for name, model in self.readers.items()}
        if profile.sign_port:
            self.cables[SCOREBOARD] = Cable(self.sign, agenda)
        self.bauds: dict[str, int] = {}
        self.speaker = SimSpeaker(self.now_ns, SOUNDS_KEPT)
        self.profile = profile
        self._uncertainty_ns = uncertainty_ns

    def end(self, line: int) -> Any:
        """What a contact on that line pulls at."""
        if line < BANK_LINES:
            return self.pins.pin(f"GPIO{line}")
        for bank in self.profile.banks:
            for pin, its_line in bank.pins.items():
                if its_line == line:
                    return BankEnd(self.banks[bank.name], pin)
        raise LookupError(f"no pin has line {line}")

    # -- what drivers stand on

    def now_ns(self) -> int:
        return self.agenda.now_ns

    def inputs(self, name: str, lines: Iterable[int]) -> InputLines:
        pull = "up" if name == INTERRUPTS else self.profile.pull
        return GpiozeroLines(
            self.pins,
            lines,
            pull,
            int,
            self._uncertainty_ns,
            reports_losses=True,
            now_ns=self.now_ns,
            tell=self.tell,
            name=name,
        )

    def lamps(self, wires: Sequence[LedWire]) -> LedPanel:
        triples = [(wire.lamp, wire.colours, wire.led) for wire in wires]
        return GpioLamps.over_gpiozero(self.pins, triples, tell=self.tell)

    def open_bus(self) -> Any:
        return self.bus.open()

    def bus_reset(self) -> Callable[[], None] | None:
        if self.profile.reset is None:
            return None
        return self._reset_banks

    def open_port(self, name: str, path: str, baud: int, bits: int, parity: str) -> OpenPort:
        cable = self.cables[name]
        cable.baud = self.bauds[name] = self.bauds.get(name, baud)
        return cable.open()

    def own(self, work: Work) -> AgendaOwner:
        owner = AgendaOwner(work, self.agenda)
        if isinstance(work, I2cBus):
            work.on_interrupt(owner.wake)
        elif work.name in self.cables:
            self.cables[work.name].wake = owner.wake
        return owner

    def soundboard(self, seats: int) -> Soundboard:
        self.speaker = SimSpeaker(self.now_ns, SOUNDS_KEPT)
        return soundboard_on(self.speaker, seats)

    def stuck(self) -> list[str]:
        return []

    def close(self) -> None:
        """What is on its way to signs and readers gets there."""
        for cable in self.cables.values():
            cable.deliver_all()

    # -- inside

    def _interrupt_end(self, bank: Bank) -> InterruptEnd:
        return InterruptEnd(self.pins.pin(f"GPIO{bank.interrupt}"))

    def _bank_model(self, bank: Bank) -> Mcp23017Model:
        return Mcp23017Model(on_interrupt=self.interrupt_ends[bank.name].drive)

    def _reset_banks(self) -> None:
        for model in self.banks.values():
            model.power_on()


class Eyes:
    """What people see of the lamps: it follows LED chips and GPIO lamps, and keeps their history."""

    def __init__(self, profile: Profile, site: SimulatedSite, panel: SimLedPanel) -> None:
        self._wires = profile.lamp_wires
        self._site = site
        self._panel = panel
        for chip in site.led_chips.values():
            chip.on_change = self.look

    def on(self, panel: LedPanel) -> LedPanel:
        """The panel, with eyes on it: lamps on GPIO lines change when it is shown something."""
        return Watched(panel, self)

    def look(self) -> None:
        """Take in how all lamps burn now."""
        lit = {name: chip.lit() for name, chip in self._site.led_chips.items()}
        frame = bytearray(len(self._panel.frame))
        for wire in self._wires:
            if wire.chip != GPIO:
                frame[wire.lamp] |= wire.mask if wire.led in lit[wire.chip] else 0
            elif self._site.pins.pin(f"GPIO{wire.led}").state:
                frame[wire.lamp] |= wire.mask
        if bytes(frame) != self._panel.frame:
            self._panel.show(bytes(frame))


class Watched:
    """A panel that somebody looks at."""

    def __init__(self, panel: LedPanel, eyes: Eyes) -> None:
        self._panel = panel
        self._eyes = eyes

    def show(self, frame: bytes) -> None:
        self._panel.show(frame)
        self._eyes.look()

    def close(self) -> None:
        self._panel.close()
        self._eyes.look()


@dataclass(slots=True)
class ChipTable:
    """A table at work on simulated chips, and all that can be done to it."""

    agenda: Agenda
    contacts: dict[Source, Contact]
    leds: SimLedPanel
    shell: Shell
    loop: Loop
    site: SimulatedSite
    equipment: Equipment

    def has(self, at: Spot) -> bool:
        """Whether there is a reader."""
        return at in self.site.antennas

    def hold_to(self, at: Spot, tag: Tag) -> None:
        """Bring a tag before a reader."""
        self.site.antennas[at].put(SimTag(self.site.registry.uid_of(tag)))

    def take_from(self, at: Spot, tag: Tag) -> None:
        """Take it away again."""
        self.site.antennas[at].take(self.site.registry.uid_of(tag))

    @property
    def profile(self) -> Profile:
        """How it is wired."""
        return self.site.profile

    @property
    def display(self) -> SignModel:
        """The sign as people read it."""
        return self.site.sign

    def spell(self, text: str, language: str = "") -> str:
        """The text as a person reads it on the sign."""
        charset = self.site.charset
        return charset.spell(respelled(text, language, charset, self.equipment.scoreboard.columns))

    def close(self) -> None:
        """Lamps off, scoreboard blank, lines let go."""
        for contact in self.contacts.values():
            contact.stop()
        self.equipment.close()


def chip_table(
    profile: Profile,
    *,
    table: Table,
    settings: Settings,
    draws: RandomSource,
    chance: Random,
    behaviour: Behaviour | None = None,
    clock: Clock | None = None,
    onlookers: Iterable[Onlooker] = (),
    keep: int | None = FRAMES_KEPT,
) -> ChipTable:
    """A table on simulated chips; `draws` settle dead heats, `chance` drives bounce and noise."""
    behaviour = behaviour or Behaviour()
    settings = settings_for(profile, settings)
    agenda = Agenda()
    health = HealthBox()
    site = SimulatedSite(profile, agenda, health, settings.stamp_uncertainty_ns, clock)
    contacts = {
        source: Contact(site.end(line), agenda, chance, behaviour.habits(source))
        for line, source in sorted(profile.lines.items(), key=lambda wire: wire[1])
    }
    equipment = install(profile, site, health, site.registry)
    leds = SimLedPanel(frame_length(profile.seats, profile.piles), site.now_ns, keep)
    equipment.leds = Eyes(profile, site, leds).on(equipment.leds)
    shell, loop = begin_game(equipment, table, settings, draws, onlookers)
    return ChipTable(agenda, contacts, leds, shell, loop, site, equipment)
