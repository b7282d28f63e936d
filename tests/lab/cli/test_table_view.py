"""The picture of the demo: it fits, uses the room that there is, breaks no words, and needs no colours."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator

import pytest
from rich.console import Console, ConsoleDimensions

from firmware_host.cli.table_view import (
    CUE_NS,
    LEAST_COLUMNS,
    LEAST_LINES,
    NOT_SHOWN,
    CardView,
    DiceView,
    SeenTable,
    TablePicture,
)
from firmware_host.feed.teller import Surroundings, table_state
from firmware_host.games.cards.card_round import CardRound
from firmware_host.lab.party import Invitation, Party, even_deal, hold_party
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.model.times import S
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.show.lamps import Beat, Tint, panel_lamp_index
from tests.thoroughness import some

LEAST = (LEAST_COLUMNS, LEAST_LINES)


def seen_in(party: Party) -> SeenTable:
    """A table of this process, as its feed tells it."""
    referee = party.table.shell.referee
    state = table_state(referee, Surroundings(simulated=True), {})
    lamps = tuple((int(lamp.tint), int(lamp.beat)) for lamp in referee.lamps)
    return SeenTable(state, lamps, party.world.lines, party.world.now_ns)


class Picture:
    """A party that somebody watches in a terminal without colours."""

    def __init__(self, profile: str, seats: int, seed: int = 3, language: str = "en") -> None:
        table = load_profile(profile)
        self.view = TablePicture(table.game)
        self.told: list[str] = []
        asked = Invitation(
            profile=table, deal=even_deal(table, seats), rounds=1, settings=Settings(language=language)
        )
        self.party: Party = hold_party(asked, seed, onlookers=[self._tell])

    def _tell(self, step: Step) -> None:
        self.view.observe(step.effects, step.t_ns)
        self.told += [effect_sentence(effect) for effect in step.effects if not isinstance(effect, NOT_SHOWN)]

    def moments(self, every_ns: int = S // 2) -> Iterator[str]:
        """The names of the phases, as a match goes by."""
        while (phase := self.party.table.shell.referee.session.phase.name) != "RESULT":
            self.party.table.loop.run(self.party.world.now_ns + every_ns)
            yield phase

    def lines(self, columns: int = LEAST_COLUMNS, lines: int = LEAST_LINES) -> list[str]:
        """What is seen at a terminal of that size."""
        console = Console(
            width=columns, height=lines, file=io.StringIO(), force_terminal=True, color_system=None
        )
        size = ConsoleDimensions(columns, lines)
        segments = console.render_lines(self.view.render(seen_in(self.party), size), pad=False)
        return ["".join(each.text for each in line) for line in segments]


@pytest.mark.parametrize(("profile", "seats"), [("dice4", 4), ("cards4", 4), ("cards12", 12)])
def test_the_picture_fits_into_a_terminal_at_every_moment(profile: str, seats: int) -> None:
    picture = Picture(profile, seats)
    seen: set[str] = set()
    for phase, size in zip(picture.moments(S), itertools.cycle([LEAST, (80, 24), LEAST, (200, 50)])):
        lines = picture.lines(*size)
        assert len(lines) == size[1] and max(map(len, lines)) <= size[0], phase
        seated = picture.party.table.shell.referee.session.seated
        assert all(any(f") {seat} " in line for line in lines) for seat in seated), phase
        assert not any("…" in line for line in lines), phase
        seen.add(phase)
    assert {"PLAY", "SETTLE", "SCORES"} <= seen


@pytest.mark.parametrize("language", some(2, LANGUAGES))
def test_no_verdict_is_broken_in_any_language(language: str) -> None:
    picture = Picture("cards12", 12, language=language)
    for _ in picture.moments(CUE_NS):
        assert not any("…" in line for line in picture.lines())


def test_the_log_is_broken_only_between_words() -> None:
    picture = Picture("cards12", 12)
    for _ in picture.moments():
        pass
    words = set(" ".join(picture.told).split())
    log = itertools.dropwhile(lambda line: "what the referee says" not in line, picture.lines())
    (scores,) = [told for told in picture.told if told.startswith("round 1 scores")]
    shown = [word for line in list(log)[1:-1] for word in line.strip("│ ").split()]
    assert {word for word in shown if not word[0].isdigit() or word[1:2] != ":"} <= words
    assert scores.split()[-1] in shown


def test_more_room_is_used_for_what_has_happened() -> None:
    picture = Picture("cards12", 12)
    moments = picture.moments()
    while len(picture.told) < 60:
        next(moments)

    def told(columns: int, lines: int) -> int:
        shown = "\n".join(picture.lines(columns, lines))
        return sum(line in shown for line in dict.fromkeys(picture.told))

    assert 3 <= told(80, 24) < told(80, 40) < told(200, 50)
    assert told(200, 50) > 40


def test_a_terminal_that_has_become_too_small_is_told_what_is_needed() -> None:
    (line,) = Picture("dice4", 4).lines(77, 30)
    assert line == "the picture needs 78 x 24; the terminal has 77 x 30"


@pytest.mark.parametrize("view", [CardView(), DiceView()])
def test_what_to_do_takes_one_line(view: CardView | DiceView) -> None:
    game = "cards" if isinstance(view, CardView) else "dice"
    for profile in {"cards": ("cards4", "cards2-piles"), "dice": ("dice4", "dice4-rfid")}[game]:
        picture = Picture(profile, 2)
        for _ in picture.moments():
            assert len(view.what_to_do(seen_in(picture.party))) <= LEAST_COLUMNS


# -- without colours


def test_a_pile_that_is_wanted_looks_different_from_the_others() -> None:
    picture = Picture("cards4", 4)
    seen = 0
    for _ in picture.moments():
        session = picture.party.table.shell.referee.session
        if not isinstance(session.round, CardRound):
            continue
        lamps = picture.party.table.shell.referee.lamps
        per_pile = (len(lamps) - session.table.seats) // session.table.piles
        wanted = [
            pile.height
            for at, pile in enumerate(session.round.position.piles)
            if pile is not None and not pile.full and lamps[at * per_pile + pile.height + 1].beat == Beat.FAST
        ]
        centre = "\n".join(line[: line.index("│", 1)] for line in picture.lines()[3:7])
        assert sorted(part[0] for part in centre.split("[")[1:]) == sorted(map(str, wanted))
        seen += len(wanted)
        if seen > 30:
            return
    raise AssertionError(f"only {seen} piles were wanted")


def test_the_lamp_of_a_seat_says_its_colour() -> None:
    picture = Picture("dice4", 4, seed=8)
    seen: set[str] = set()
    for _ in picture.moments(S // 4):
        now, lines = seen_in(picture.party), picture.lines()
        for seat in range(1, 5):
            letter = Tint(now.light(panel_lamp_index(seat))).name[0].replace("O", ".")
            assert any(f"({letter}) {seat} " in line for line in lines)
            seen.add(letter)
        if {"G", "R", "Y", "."} <= seen:
            return
    raise AssertionError(f"only these were seen: {seen}")
