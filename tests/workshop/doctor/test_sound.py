"""The sound: what the doctor learns of card and player, and that it plays the sound of a start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.workshop.doctor.device_findings import SoundFacts
from firmware_host.workshop.doctor.device_look import look_at_sound
from firmware_host.workshop.doctor.system import System
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay, stretches, strongest
from tests.workshop.doctor.tree import Tree

USB = "plughw:CARD=Device (USB-Audio - USB Audio Device)"
HDMI = " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n"


CANT_PLAY = "ALSA lib pcm.c: Unknown PCM\naplay: main:831: audio open error: No such device\n"
LATE = "  rate         : 48000\n  buffer_size  : 4096\n  period_size  : 1024\n"
GOOD = SoundFacts(device="plughw:CARD=Device", cards=(USB,), ahead_ns=12_000_000)
OTHER = SoundFacts(
    card="plughw:CARD=Other", device="plughw:CARD=Other", cards=(USB,), complaint="No such device"
)


def test_a_card_is_played_on_and_it_is_said_how_soon_it_sounds(tree: Tree) -> None:
    tree.sound_card()
    assert look_at_sound(tree.system(), "auto") == GOOD
    (played,) = tree.played
    assert len(played) == 48_000 * 4 * 350 // 1000


@pytest.mark.parametrize(
    ("card", "player_says", "facts"),
    [
        ("auto", LATE, replace(GOOD, ahead_ns=106_666_666)),
        ("auto", "", replace(GOOD, ahead_ns=0)),
        ("auto", None, replace(GOOD, installed=False, ahead_ns=0)),
        ("plughw:CARD=Other", CANT_PLAY, OTHER),
    ],
)
def test_what_a_player_says_is_understood(
    tree: Tree, card: str, player_says: str | None, facts: SoundFacts
) -> None:
    tree.sound_card()
    tree.player_says = player_says
    assert look_at_sound(tree.system(), card) == facts


def test_nothing_is_played_where_no_card_is_wanted(tree: Tree) -> None:
    tree.sound_card()
    assert look_at_sound(tree.system(), "none").card == "none"
    assert tree.played == []


def test_a_monitor_is_played_on_only_if_it_is_named(tree: Tree) -> None:
    assert look_at_sound(tree.system(), "auto") == SoundFacts()
    tree.write("/proc/asound/cards", HDMI)
    tree.write("/proc/asound/pcm", "00-00: MAI PCM : MAI PCM : playback 1")
    facts = look_at_sound(tree.system(), "auto")
    assert facts.device == "" and len(facts.cards) == 1 and "sysdefault:CARD=vc4hdmi0" in facts.cards[0]
    assert look_at_sound(tree.system(), "vc4hdmi0").device == "sysdefault:CARD=vc4hdmi0"


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
