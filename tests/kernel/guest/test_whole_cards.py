"""Cards on real drivers: kernel GPIO and I2C, a reader at every seat; hands and cards are another process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.effects import (
    DeviceReported,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    TagRefused,
    Verdict,
)
from firmware_host.model.places import CARD_NUMBERS, Call, Pad
from firmware_host.model.states import Condition, Phase
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import Profile
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.profile.tags import Registry
from firmware_host.show.lamps import panel_lamp_index, pile_lamp_index
from tests.kernel.guest.card_plan import ROUNDS, SEATS, in_plain_words, shown, waves, wrongs
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import stub_bus
from tests.kernel.guest.whole_match import SETTINGS, Match, Seen, check_standings, common_plan, leds_of, play
from wiring import profile_file

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
