"""Matches of simulated people that are written into a store as the daemon writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.party import Invitation, Misbehaviour, Party, even_deal, hold_party
from firmware_host.model.effects import Effect, MatchEnded
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S
from firmware_host.referee import Step
from firmware_host.run.recorded_sessions import RecordedSession, begin_session
from firmware_host.run.table_files import load_profile
from firmware_host.store import result_rows
from firmware_host.store.head import Head
from firmware_host.store.open_file import Row
from firmware_host.store.result_rows import Audits
from firmware_host.store.store_reader import reading
from firmware_host.store.writer import Writer
from hw.ports import Health
from tests.whole.recording import CLUMSY

COARSE = Settings(stamp_uncertainty_ns=15 * MS)
"""Stamps so doubtful that many a race is a dead heat, and lots are drawn."""
COLUMNS = 20
STORED_S = 20
"""Nobody waits for so long; a store that takes longer is stuck."""


class Copied(Writer):
    """Writes, and keeps a copy of all rows in the order in which they came."""

    def __init__(self, path: str, now_text: Callable[[], str]) -> None:
        self.rows: list[Row] = []
        self.told: list[Health] = []
        super().__init__(path, self.told.append, now_text, each_commit_safe=False)

    def begin_session(self, rows: Sequence[Row], tidy: Sequence[Row] = ()) -> None:
        self.rows += rows
        super().begin_session(rows, tidy)

    def put(self, rows: Sequence[Row]) -> None:
        self.rows += rows
        super().put(rows)


@dataclass(slots=True)
class Evening:
    """A party at a table with a journal; `over` when the match was played to its end."""

    party: Party
    playing: RecordedSession
    writer: Copied
    audits: Audits
    effects: list[tuple[int, Effect]] = field(default_factory=list)
    over: bool = False

    def go_on(self, until: Callable[[], bool]) -> None:
        """Let time pass until that is so."""
        loop = self.party.table.loop
        while not until():
            assert loop.step() < 3600 * S, "the match does not end"
            self.playing.journal.flush()

    def play(self) -> None:
        """Play the match to its end, and have it all written."""
        self.go_on(lambda: self.over)
        assert self.writer.settle(STORED_S)

    def seat(self, playing: RecordedSession) -> None:
        """The people play on with this shell."""
        table = self.party.table
        assert table.shell.devices is not None
        playing.shell.connect(*table.shell.devices)
        playing.journal.begin(self.writer)
        playing.shell.onlookers.append(self._heard)
        table.loop.feed(playing.shell)
        table.shell = playing.shell
        self.playing = playing

    def _heard(self, step: Step) -> None:
        self.effects += [(step.t_ns, effect) for effect in step.effects]
        self.over = self.over or any(isinstance(effect, MatchEnded) for effect in step.effects)


@contextmanager
def evening(
    path: Path,
    profile: str,
    seed: int,
    *,
    rounds: int = 1,
    players: int = 4,
    event: str = "",
    day: str = "2026-11-18",
    settings: Settings | None = None,
    wrong: bool = True,
) -> Iterator[Evening]:
    """People of three skills sit down; with `wrong` every contact bounces, is noisy and late."""
    wiring = load_profile(profile)
    lines = frozenset(wiring.lines.values())
    asked = Invitation(
        profile=wiring,
        deal=even_deal(wiring, players),
        skills=(CLUMSY, SKILLS["expert"], SKILLS["novice"]),
        rounds=rounds,
        settings=settings or Settings(),
        misbehaviour=Misbehaviour(bounce=lines, noise=lines, late=lines) if wrong else Misbehaviour(),
    )
    party = hold_party(asked, seed)
    loop, shell = party.table.loop, party.table.shell

    def now_text() -> str:
        seconds = loop.now_ns // S
        return f"{day}T20:{seconds // 60:02d}:{seconds % 60:02d}"

    head = Head(
        version="0.0",
        begun=now_text(),
        event=event,
        table=shell.referee.session.table,
        settings=shell.referee.session.settings,
        columns=COLUMNS,
        seed=seed,
        t_ns=loop.now_ns,
        active=tuple(loop.active),
    )
    games = 0
    if path.exists():
        with reading(str(path)) as book:
            games = book.games
    audits = Audits(now_text, games)
    writer = Copied(str(path), now_text)
    playing = begin_session(seed + 1_000_000, head, audits, now_text)
    people = Evening(party, playing, writer, audits)
    people.seat(playing)
    try:
        yield people
    finally:
        writer.close()
        party.close()


def add_match(path: Path, profile: str, seed: int, **asked: Any) -> Path:
    """A match is played to its end, and stands in the store as a session of its own."""
    with evening(path, profile, seed, **asked) as people:
        people.play()
    return path


def add_players(path: Path, players: Mapping[int, str], seats: Sequence[Mapping[int, int]]) -> None:
    """These sat there, in one match after the other; each match is the first of its session."""
    with reading(str(path)) as book:
        sessions = [match.session for match in book.matches()]
    rows = [row for each in players.items() for row in result_rows.player(*each)]
    for session_log, sat in zip(sessions, seats, strict=True):
        rows += result_rows.seats_of_match(session_log, 1, sat)
    writer = Writer(str(path), lambda health: None, lambda: "", each_commit_safe=False)
    writer.put(rows)
    assert writer.close()
