"""Cards on real drivers: kernel GPIO and I2C, a reader at every seat; hands and cards are another process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from firmware_host.model.effects import (
    Cue,
    DeviceReported,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    TagRefused,
    Verdict,
)
from firmware_host.model.places import CARD_NUMBERS, Call, Card, Colour, Pad
from firmware_host.model.states import Condition, Phase
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import Profile
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.profile.tags import Registry, simulated_uid
from firmware_host.show.lamps import panel_lamp_index, pile_lamp_index
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import stub_bus
from tests.kernel.guest.whole_match import SETTINGS, Match, Seen, check_standings, common_plan, leds_of, play
from wiring import profile_file

SEATS = 4
DEAL = (10,) * SEATS
CARD_SETTINGS = replace(SETTINGS, tag_settle_ns=400 * MS, leftover_ns=8 * S)


def profile_with(bus: int, folder: Path) -> Profile:
    """The shipped profile with its ports here."""
    text = profile_file("cards4").read_text(encoding="utf-8").replace("bus = 1", f"bus = {bus}")
    text = text.replace("/dev/ttyUSB", str(folder / "ttyV"))
    return parse_profile(text, "table.toml")


def plan_of(profile: Profile, bus: int, chip: SimChip, folder: Path) -> dict[str, Any]:
    """What the hands have to know."""
    seats, piles = range(1, SEATS + 1), profile.piles
    return common_plan(profile, bus, chip, folder) | {
        "calls": [profile.line_of(Call(seat)) for seat in seats],
        "panels": [leds_of(profile, panel_lamp_index(seat, piles)) for seat in seats],
        "piles": [
            [leds_of(profile, pile_lamp_index(pile, number))[0] for number in range(1, CARD_NUMBERS + 1)]
            for pile in range(1, piles + 1)
        ],
        "rounds": in_plain_words(ROUNDS),
    }


@pytest.mark.long  # the daemon plays dice on the same drivers
def test_a_card_match_comes_to_its_correct_standings(
    chip: SimChip, tmp_path: Path, say: Callable[[str], None]
) -> None:
    with stub_bus([0x71, 0x72]) as bus:
        profile = profile_with(bus, tmp_path)
        plan = plan_of(profile, bus, chip, tmp_path)
        match = Match(profile, CARD_SETTINGS, DEAL, Registry.for_cards(SEATS))
        seen = play(match, plan, "card_hands", tmp_path)
    say(f"cards: the slowest word of a tag came after {seen.slowest_tag_ns / MS:.0f} ms")
    check_standings(seen)
    check_verdicts(seen)
    check_tags(seen)
    check_rounds(seen)
    check_pause(seen)


def check_verdicts(seen: Seen) -> None:
    plays: list[tuple[int, str, int]] = []
    for wave in waves(ROUNDS):
        won = seen.won[len(plays) : len(plays) + len(wave.plays)]
        # A card that is read late is judged after slaps that it does not compete with.
        assert sorted(won) == sorted((seat, text) for seat, text, _ in wave.plays)
        plays += wave.plays
    late = sum(1 for _, _, rival in plays if rival)
    assert seen.verdicts == {Verdict.ACCEPTED: len(plays), Verdict.TOO_LATE: late}


def check_tags(seen: Seen) -> None:
    """Each tag was read on the pad where it lay and nowhere else; only what was wrong was refused."""
    came = {(at, uid) for at, uid, present in seen.tags if present}
    assert came == {(Pad(seat), uid) for seat, uid in shown(ROUNDS)}
    refused = [(each.at, each.tag, each.cue) for each in seen.of(TagRefused)]
    assert refused == [(Pad(wrong.pad), wrong.card, wrong.cue) for wrong in wrongs(ROUNDS)]


def check_rounds(seen: Seen) -> None:
    assert [finished.seat for finished in seen.of(RoundFinished)] == [each.caller for each in ROUNDS]
    leftovers = [scored.leftovers for scored in seen.of(RoundScored)]
    seats = range(1, SEATS + 1)
    assert leftovers == [tuple(len(each.left.get(seat, [])) for seat in seats) for each in ROUNDS]


def check_pause(seen: Seen) -> None:
    """Once a reader was lost; the round stood still until it was back, and no longer."""
    (silent,) = [wave.silent for wave in waves(ROUNDS) if wave.silent]
    lost = [each.device for each in seen.of(DeviceReported) if each.device.condition is Condition.LOST]
    assert {device.name for device in lost} == {silent}
    assert lost[-1].seen.startswith("does not answer")
    phases = [entered.phase for entered in seen.of(PhaseEntered)]
    assert phases.count(Phase.PAUSED) == 1
    pause = phases.index(Phase.PAUSED)
    assert phases[pause - 1 : pause + 3] == [Phase.PLAY, Phase.PAUSED, Phase.COUNTDOWN, Phase.PLAY]
    last = {report.device.name: report.device.condition for report in seen.of(DeviceReported)}
    assert set(last.values()) <= {"ok", "degraded"}, last  # an emulated reader may have to be asked twice


# Two rounds of cards for four: who shows what, who slaps when, what is left; and the same in plain words.
#
# All cards of a wave are held to their pads at the same time, and slapped one after the other when the
# table knows them. So a card may have to wait for the one below it, which is slapped just before.


class Wrong(NamedTuple):
    """A card on a pad where it means nothing, and what the sign says then."""

    pad: int
    card: Card
    cue: Cue
    words: str


class Wave(NamedTuple):
    """Whose card is slapped, which, and whose slap with the same card comes too late for it (0: nobody's).

    Before the slaps, the reader that is `silent` says nothing for a while. `wrong` is shown meanwhile.
    """

    plays: list[tuple[int, str, int]]
    wrong: Wrong | None = None
    silent: str = ""


class Cards(NamedTuple):
    """One round: what happens, who calls stop, and the Ligretto cards that seats have left."""

    waves: list[Wave]
    caller: int
    left: dict[int, list[str]]


FOREIGN = Wrong(3, Card(1, Colour.RED, 4), Cue.NOT_YOURS, "3: not your card")
AGAIN = Wrong(4, Card(4, Colour.BLUE, 2), Cue.IN_CENTRE, "4: already played")
ROUNDS = [
    Cards(
        [
            Wave([(1, "red 1", 0), (2, "yellow 1", 0), (4, "blue 1", 0)], wrong=FOREIGN),
            Wave([(1, "red 2", 2), (3, "green 1", 0), (4, "blue 2", 0)]),
            Wave([(1, "red 3", 0), (3, "green 2", 0)], wrong=AGAIN),
            Wave([(1, "red 4", 4), (2, "red 5", 0), (3, "yellow 2", 0)]),
        ],
        caller=2,
        left={1: ["blue 9", "yellow 7"], 4: ["red 10"]},
    ),
    Cards(
        [
            Wave([(1, "blue 1", 0), (2, "blue 1", 0), (3, "red 1", 0), (4, "yellow 1", 0)]),
            Wave([(1, "blue 2", 0), (2, "blue 2", 3), (4, "yellow 2", 0)]),
            Wave([(4, "yellow 3", 0), (1, "blue 3", 0), (2, "red 2", 0)], silent="pad-4"),
            Wave([(3, "red 3", 0), (1, "red 4", 0), (2, "blue 3", 4)]),
        ],
        caller=3,
        left={2: ["green 6"], 4: ["blue 3", "red 8"]},
    ),
]


def card_of(seat: int, text: str) -> Card:
    """The card of that seat that `red 4` names."""
    colour, number = text.split()
    return Card(seat, Colour[colour.upper()], int(number))


def uid_of(card: Card) -> str:
    return simulated_uid(card).hex()


def waves(rounds: list[Cards]) -> list[Wave]:
    """All waves of a match."""
    return [wave for each in rounds for wave in each.waves]


def wrongs(rounds: list[Cards]) -> list[Wrong]:
    """All that is wrong in a match."""
    return [wave.wrong for wave in waves(rounds) if wave.wrong is not None]


def shown(rounds: list[Cards]) -> set[tuple[int, str]]:
    """Each tag that comes to a seat's pad in a match."""
    pairs = {(wrong.pad, uid_of(wrong.card)) for wrong in wrongs(rounds)}
    for wave in waves(rounds):
        pairs |= {(seat, uid) for seat, uid, _ in _held(wave)}
    for each in rounds:
        pairs |= {(seat, uid_of(card_of(seat, text))) for seat, texts in each.left.items() for text in texts}
    return pairs


def in_plain_words(rounds: list[Cards]) -> list[dict[str, Any]]:
    """The rounds as hands need them, who know tags by their numbers only."""
    return [
        {
            "waves": [_wave(wave) for wave in each.waves],
            "caller": each.caller,
            "left": [
                [uid_of(card_of(seat, text)) for text in each.left.get(seat, [])]
                for seat in range(1, SEATS + 1)
            ],
        }
        for each in rounds
    ]


def _wave(wave: Wave) -> dict[str, Any]:
    wrong = wave.wrong
    return {
        "held": _held(wave),
        "slaps": [(seat, rival) for seat, _, rival in wave.plays],
        "wrong": None if wrong is None else (wrong.pad, uid_of(wrong.card), wrong.words),
        "silent": wave.silent,
    }


def _held(wave: Wave) -> list[tuple[int, str, str]]:
    """Who holds which card to the pad: its seat, its tag, and what it is."""
    return [
        (seat, uid_of(card_of(seat, text)), text)
        for owner, text, rival in wave.plays
        for seat in (owner, rival)
        if seat
    ]
