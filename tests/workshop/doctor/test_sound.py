"""What the doctor says of the sound, and that it plays the sound of a start on the card of the table."""

from __future__ import annotations

import pytest

from firmware_host.workshop.doctor.device_findings import SoundFacts, judge_sound
from firmware_host.workshop.doctor.device_look import look_at_sound
from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.system import System
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay, stretches, strongest
from tests.workshop.doctor.tree import Tree

USB = "plughw:CARD=Device (USB-Audio - USB Audio Device)"
HDMI = " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n"


def test_a_card_that_plays_is_fine_and_it_is_said_how_soon_it_sounds(tree: Tree) -> None:
    tree.sound_card()
    facts = look_at_sound(tree.system(), "auto")
    assert facts == SoundFacts(device="plughw:CARD=Device", cards=(USB,), ahead_ns=12_000_000)
    finding = judge_sound(facts)
    assert (finding.state, finding.subject) == (State.OK, "plughw:CARD=Device")
    assert finding.seen == "has played the sound of a start; sounds wait 12 ms in player and card"
    (played,) = tree.played
    assert len(played) == 48_000 * 4 * 350 // 1000


def test_nothing_is_played_where_no_card_is_wanted(tree: Tree) -> None:
    tree.sound_card()
    finding = judge_sound(look_at_sound(tree.system(), "none"))
    assert finding.state is State.NOTE and "wants none" in finding.seen
    assert tree.played == []


def test_without_a_card_the_table_plays_without_sound(tree: Tree) -> None:
    finding = judge_sound(look_at_sound(tree.system(), "auto"))
    assert (finding.state, finding.advice) == (State.NOTE, "")
    assert "there is none that plays" in finding.seen


def test_a_monitor_is_played_on_only_if_it_is_named(tree: Tree) -> None:
    tree.write("/proc/asound/cards", HDMI)
    tree.write("/proc/asound/pcm", "00-00: MAI PCM : MAI PCM : playback 1")
    finding = judge_sound(look_at_sound(tree.system(), "auto"))
    assert finding.state is State.NOTE and "sysdefault:CARD=vc4hdmi0" in finding.seen and finding.advice
    assert look_at_sound(tree.system(), "vc4hdmi0").device == "sysdefault:CARD=vc4hdmi0"


def test_a_player_that_is_missing_is_named_with_its_package(tree: Tree) -> None:
    tree.sound_card()
    tree.player_says = None
    finding = judge_sound(look_at_sound(tree.system(), "auto"))
    assert (finding.state, finding.seen) == (State.WARN, "aplay is not installed")
    assert finding.advice == "sudo apt install alsa-utils"


@pytest.mark.parametrize("cards", [True, False])
def test_a_card_that_can_not_be_opened_is_named_with_those_that_can(tree: Tree, cards: bool) -> None:
    if cards:
        tree.sound_card()
    tree.player_says = "ALSA lib pcm.c: Unknown PCM\naplay: main:831: audio open error: No such device\n"
    finding = judge_sound(look_at_sound(tree.system(), "plughw:CARD=Other"))
    assert (finding.state, finding.subject) == (State.WARN, "plughw:CARD=Other")
    assert finding.seen == "can't play: No such device"
    assert finding.advice.endswith(f"those that play: {USB}" if cards else "no card here plays")


def test_a_card_that_sounds_late_is_no_good_for_a_table(tree: Tree) -> None:
    tree.sound_card()
    tree.player_says = "  rate         : 48000\n  buffer_size  : 4096\n  period_size  : 1024\n"
    finding = judge_sound(look_at_sound(tree.system(), "auto"))
    assert finding.state is State.WARN and "106 ms" in finding.seen and finding.advice


def test_what_a_player_does_not_say_is_left_out(tree: Tree) -> None:
    tree.sound_card()
    tree.player_says = ""
    assert judge_sound(look_at_sound(tree.system(), "auto")).seen == "has played the sound of a start"


@needs_aplay
def test_it_is_really_played(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = FileCard(tmp_path_factory.mktemp("alsa"), monkeypatch)
    facts = look_at_sound(System(), CARD)
    assert (facts.installed, facts.complaint, facts.ahead_ns) == (True, "", 12_000_000)
    ((begin, end),) = stretches(card.heard, 48_000)
    assert (end - begin) / 48_000 == pytest.approx(0.35, abs=0.01)
    assert strongest(card.heard[begin : begin + 4800], [740, 1480], 48_000) == 1480


def test_a_player_that_is_not_there_or_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System()
    assert system.play(["/nowhere/aplay"], b"") is None
    assert system.play(["/"], b"") == "/: Permission denied"
    monkeypatch.setattr("firmware_host.workshop.doctor.system.COMMAND_S", 0.05)
    assert system.play(["sleep", "5"], b"") == "sleep: the card takes no sound"
