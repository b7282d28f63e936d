"""What the table says in every language: `phrases` is the table of texts, `saying` looks them up. Pure."""

from __future__ import annotations

from firmware_host.texts.phrases import LANGUAGES, Phrase, TextKey
from firmware_host.texts.saying import item_text, place_text, say, spot_text, verdict_key

__all__ = ["LANGUAGES", "Phrase", "TextKey", "item_text", "place_text", "say", "spot_text", "verdict_key"]
