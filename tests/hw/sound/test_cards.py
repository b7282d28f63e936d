"""Which card a table plays on, by what the kernel says of its cards."""

from __future__ import annotations

import pytest

from hw.sound.player import SoundCard, device_for, playing_cards, usual_card

CARDS = """\
 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 2 [Mic            ]: USB-Audio - USB Microphone
                      Maker USB Microphone at usb-3f980000.usb-1.2, full speed
 3 [Device         ]: USB-Audio - USB Audio Device
                      C-Media Electronics Inc. USB Audio Device at usb-3f980000.usb-1.3, full speed
"""
DEVICES = """\
00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
01-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
02-00: USB Audio : USB Audio : capture 1
03-00: USB Audio : USB Audio : playback 1 : capture 1
"""
HDMI, HEADPHONES, USB = ALL = playing_cards(CARDS, DEVICES)


def test_a_microphone_can_not_play() -> None:
    assert [card.name for card in ALL] == ["vc4hdmi0", "Headphones", "Device"]
    assert [card.is_hdmi for card in ALL] == [True, False, False]
    assert [card.is_usb for card in ALL] == [False, False, True]


@pytest.mark.parametrize("text", ["", "--- no soundcards ---\n", "\0garbage [ ]: "])
def test_without_cards_there_is_none(text: str) -> None:
    assert playing_cards(text, DEVICES) == []
    assert playing_cards(CARDS, text) == []


@pytest.mark.parametrize(
    ("cards", "usual"),
    [(ALL, USB), ([HDMI, HEADPHONES], HEADPHONES), ([HDMI], None), ([], None), ([USB, HEADPHONES], USB)],
)
def test_usb_is_taken_first_and_a_monitor_never(cards: list[SoundCard], usual: SoundCard | None) -> None:
    assert usual_card(cards) == usual


@pytest.mark.parametrize(
    ("named", "device"),
    [
        ("auto", "plughw:CARD=Device"),
        ("none", ""),
        ("Headphones", "plughw:CARD=Headphones"),
        ("vc4hdmi0", "sysdefault:CARD=vc4hdmi0"),
        ("default", "default"),
        ("plughw:1,0", "plughw:1,0"),
    ],
)
def test_a_card_may_be_named_by_its_name_or_as_alsa_calls_it(named: str, device: str) -> None:
    assert device_for(named, ALL) == device


def test_without_a_card_nothing_is_opened_unless_it_is_named() -> None:
    assert device_for("auto", []) == ""
    assert device_for("plughw:1", []) == "plughw:1"
