"""Matches that are played to be recorded, by simulated people at simulated tables in virtual time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.skill import SKILLS, Skill
from firmware_host.lab.chips_table import ChipTable, chip_table
from firmware_host.lab.faults import CHIP_FAULTS as FAULT_KINDS
from firmware_host.lab.faults import parse_planned, plan
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.operator import RivalHand
from firmware_host.lab.party import Invitation, Misbehaviour, even_deal, hold_party
from firmware_host.lab.simulated_table import Behaviour, Simulated
from firmware_host.model.effects import MatchAbandoned, MatchEnded, PhaseEntered
from firmware_host.model.events import Command, Input, SourceEdge, TagEvent, parse_event_words
from firmware_host.model.settings import Settings
from firmware_host.model.states import AwayReason, Phase
from firmware_host.model.times import MS, S, exactly, parse_duration
from firmware_host.profile.profile import Profile
from firmware_host.referee import Step
from firmware_host.run.recorded_sessions import DeviceWait, come_back
from firmware_host.run.shell import Loop, Onlooker, Shell
from firmware_host.run.table_files import load_profile, table_of
from firmware_host.store.head import Head
from hw.sim.agenda import Agenda
from tests.recordings.recording import Entry, Outcomes, Recording, differences, replayed
from tests.soak.company import invite

LONGEST_NS = 1800 * S
"""No match takes longer."""
BELATED_NS = 300 * MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One match to be recorded.

    `happenings` say what happens besides: `"PLAY 1": "3s void"` is a command of the operator 3 s after the
    phase was entered the first time. Others are faults of devices, such as `storm seat 2 5s`;
    `away power 2s`; `belated seat 2 5s`, for so long its edges come too late; and what a reader says, such
    as `show pad 1 die 3 face 2`. They are separated by semicolons; `START` is the beginning.
    """

    about: str
    profile: str
    players: int
    seed: int
    rounds: int = 1
    deal: tuple[int, ...] | None = None
    skills: tuple[Skill, ...] = (SKILLS["regular"],)
    settings: Settings = field(default_factory=Settings)
    wrong: str = ""
    """What contacts do besides: bounce, noise, late."""
    owned: str = ""
    """By what dice are owned on a table with readers."""
    expert: bool = False
    chips: bool = False
    """Whether the table is simulated down to the registers, as devices that fail need it."""
    rival: bool = False
    """Whether somebody slaps in the very moment of another slap, now and then."""
    moody: bool = False
    """Whether the people are those of the soak test, who don't do all that the table asks for."""
    afterwards_ns: int = 3 * S
    """So long it is recorded after the end."""
    happenings: dict[str, str] = field(default_factory=dict)

    @property
    def table_profile(self) -> Profile:
        profile = load_profile(self.profile)
        return replace(profile, ownership=self.owned) if self.owned else profile

    @property
    def misbehaviour(self) -> Misbehaviour:
        contacts = frozenset(self.table_profile.lines.values())
        return Misbehaviour(**dict.fromkeys(self.wrong.split(), contacts))


class NotRepeatable(Exception):
    """A match can't be recorded: it does not end, or a new referee does not come to the same."""


class _Belated:
    """Stands before a shell, and holds the edges of one source back for longer than they may take."""

    def __init__(self, shell: Shell, agenda: Agenda, source: str) -> None:
        self._shell = shell
        self._agenda = agenda
        self._source = source

    @property
    def due_ns(self) -> int | None:
        return self._shell.due_ns

    def put(self, seen: Input, now_ns: int) -> None:
        if isinstance(seen, SourceEdge) and str(seen.source) == self._source:
            self._agenda.after(BELATED_NS, lambda: self._shell.put(seen, now_ns + BELATED_NS))
        else:
            self._shell.put(seen, now_ns)

    def advance(self, now_ns: int) -> None:
        self._shell.advance(now_ns)

    def end(self) -> None:
        """From now on its edges come in time."""
        self._source = ""


class _Table:
    """A table on which a match is recorded."""

    def __init__(self, match: Match) -> None:
        self.outcomes = Outcomes()
        self.table = (_moody if match.moody else _held)(match, self.outcomes.add)
        self.shell: Shell = self.table.shell
        self.loop: Loop = self.table.loop
        self.entries: list[Entry] = []
        self.over_ns: int | None = None
        self._happenings = match.happenings
        self._entered: dict[Phase, int] = {}
        self._pending: list[str] = []
        referee, devices = self.shell.referee, self.shell.devices
        assert devices is not None
        self._devices = devices
        self.head = Head(
            version="",
            begun="",
            event="",
            table=referee.session.table,
            settings=referee.session.settings,
            columns=devices[1].columns,
            seed=match.seed,
            t_ns=self.loop.now_ns,
        )
        assert not self.loop.active
        self.shell.on_input = self._came
        self.shell.onlookers.append(self._see)
        self._expect("START")

    def _came(self, seen: Input, arrived_ns: int) -> None:
        self.entries.append(Entry(self.shell.referee.advanced_ns, arrived_ns, seen))

    def _see(self, step: Step) -> None:
        for effect in step.effects:
            if isinstance(effect, MatchEnded | MatchAbandoned):
                self.over_ns = step.t_ns
            elif isinstance(effect, PhaseEntered):
                phase = effect.phase
                self._entered[phase] = self._entered.get(phase, 0) + 1
                self._expect(f"{phase.name} {self._entered[phase]}")

    def _expect(self, occasion: str) -> None:
        for text in filter(None, self._happenings.get(occasion, "").split(";")):
            delay, _, what = text.strip().partition(" ")
            self.table.agenda.after(parse_duration(delay), partial(self._pending.append, what))

    def run(self, afterwards_ns: int) -> int:
        """Play to the end, and so long after it; the time then."""
        while self.over_ns is None or self.loop.now_ns < self.over_ns + afterwards_ns:
            if self.loop.step() > LONGEST_NS:
                raise NotRepeatable("the match does not end")
            while self._pending:
                self._happen(self._pending.pop(0))
        return self.loop.now_ns

    def _happen(self, text: str) -> None:
        word, *rest = text.split()
        if word == "away":
            self._go_away(AwayReason(rest[0]), parse_duration(rest[1]))
        elif word in FAULT_KINDS:
            assert isinstance(self.table, ChipTable)
            *what, length = text.split()
            plan([parse_planned(f"{' '.join(what)} {self.table.agenda.now_ns}ns {length}")], self.table)
        elif word == "belated":
            late = _Belated(self.shell, self.table.agenda, " ".join(rest[:-1]))
            self.loop.feed(late)
            self.table.agenda.after(parse_duration(rest[-1]), late.end)
        else:
            seen = parse_event_words(word, rest, exactly(self.loop.now_ns))
            if isinstance(seen, TagEvent):
                self.shell.put(seen, self.loop.now_ns)
            else:
                assert isinstance(seen, Command)
                self.shell.command(seen)

    def _go_away(self, reason: AwayReason, for_ns: int) -> None:
        """The table is dark for so long, and nobody takes what comes; then it comes back as a daemon does."""
        shell, loop, (leds, scoreboard) = self.shell, self.loop, self._devices
        shell.disconnect()
        leds.show(bytes(len(shell.referee.frame)))
        scoreboard.show(("", ""), "en")
        shell.advance(shell.referee.advanced_ns + 1)
        wait = DeviceWait(loop.now_ns)
        loop.feed(wait)
        loop.run(loop.now_ns + for_ns)
        come_back(shell, loop, reason, wait.missed)
        shell.connect(leds, scoreboard)


def record(name: str, match: Match) -> Recording:
    """The match played; a new referee has come to the same with its inputs."""
    table = _Table(match)
    end_ns = table.run(match.afterwards_ns)
    table.table.close()
    played = Recording(name, match.about, table.head, table.entries, end_ns, table.outcomes.digests())
    if difference := differences(played, replayed(table.head, table.entries, end_ns)):
        raise NotRepeatable(difference)
    return played


def _held(match: Match, look_on: Onlooker) -> Simulated | ChipTable:
    profile, deal = match.table_profile, match.deal
    asked = Invitation(
        profile=profile,
        deal=deal or even_deal(profile, match.players),
        skills=match.skills,
        settings=match.settings,
        rounds=match.rounds,
        misbehaviour=match.misbehaviour,
        expert=match.expert,
    )
    party = hold_party(asked, match.seed, onlookers=[look_on], chips=match.chips)
    if match.rival:
        assert isinstance(party.things, Dice)
        spell = partial(party.table.spell, language=match.settings.language)
        RivalHand(party.world, party.crowd, party.things, PageReader(match.settings.language, spell))
    return party.table


def _moody(match: Match, look_on: Onlooker) -> ChipTable:
    profile = match.table_profile
    table = chip_table(
        profile,
        table=table_of(profile, match.rounds),
        settings=match.settings,
        draws=Random(match.seed),
        chance=Random(f"{match.seed} wires"),
        behaviour=Behaviour(match.misbehaviour.habits),
        onlookers=[look_on],
    )
    world = SimulatedTable(table)
    invite(profile, world, table.spell, str(match.seed))
    return table
