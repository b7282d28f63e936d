"""What is wrong with a card or a die, in six languages: the words that follow its seat."""

from __future__ import annotations

from firmware_host.effects import Cue, Verdict

_CUES: dict[str, tuple[str, ...]] = {
    "de": (
        "unbekannt",
        "fremde Karte",
        "zwei zugleich",
        "schon gespielt",
        "falsches Spiel",
        "zu früh weg",
        "nicht lesbar",
        "falscher Würfel",
    ),
    "en": (
        "unknown tag",
        "not your card",
        "two at once",
        "already played",
        "wrong game",
        "gone too soon",
        "can't be read",
        "wrong die",
    ),
    "fr": (
        "puce inconnue",
        "pas votre carte",
        "deux à la fois",
        "déjà jouée",
        "pas de ce jeu",
        "retirée trop tôt",
        "illisible",
        "mauvais dé",
    ),
    "it": (
        "tag sconosciuto",
        "carta non tua",
        "due insieme",
        "già giocata",
        "altro gioco",
        "tolta prima",
        "illeggibile",
        "dado errato",
    ),
    "nl": (
        "onbekende tag",
        "niet jouw kaart",
        "twee tegelijk",
        "al gespeeld",
        "ander spel",
        "te vroeg weg",
        "onleesbaar",
        "verkeerde steen",
    ),
    "es": (
        "sin registrar",
        "no es tu carta",
        "dos a la vez",
        "ya jugada",
        "de otro juego",
        "quitada antes",
        "no se lee",
        "dado erróneo",
    ),
}

_AT_PADS: dict[str, tuple[str, str]] = {
    "de": ("passt nirgends", "keine Karte"),
    "en": ("fits nowhere", "no card"),
    "fr": ("sans place", "pas de carte"),
    "it": ("senza posto", "nessuna carta"),
    "nl": ("past nergens", "geen kaart"),
    "es": ("no encaja", "sin carta"),
}

PAD_VERDICT_WORD: dict[str, dict[Verdict, str]] = {
    language: dict(zip((Verdict.ILLEGAL, Verdict.FALSE_CLAIM), words, strict=True))
    for language, words in _AT_PADS.items()
}
"""The verdicts that are called something else where a slap plays the card on the pad."""

CUE_WORD: dict[str, dict[Cue, str]] = {
    language: dict(zip(Cue, words, strict=True)) for language, words in _CUES.items()
}
