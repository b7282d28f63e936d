"""What counters, colours and the conditions of devices are called, in six languages."""

from __future__ import annotations

from firmware_host.settings import LANGUAGES
from firmware_host.show.lamps import ROW_TINT, Tint
from firmware_host.show.phrases import COLOUR_WORD

# One column for each language of LANGUAGES: German, English, French, Italian, Dutch, Spanish.
# fmt: off

_AUDITS = {
    "matches": ("Spiele", "Matches", "Parties", "Partite", "Spellen", "Partidas"),
    "rounds": ("Runden", "Rounds", "Manches", "Turni", "Rondes", "Rondas"),
    "void rounds": ("Runden ungültig", "Void rounds", "Manches nulles",
                    "Turni annullati", "Ongeldige rondes", "Rondas nulas"),
    "dead heats": ("Patts", "Dead heats", "Ex aequo", "Pari", "Gelijk", "Empates"),
    "false claims": ("Falsche Schläge", "False claims", "Frappes pour rien",
                     "Colpi a vuoto", "Valse slagen", "Golpes en falso"),
    "lost edges": ("Flanken verloren", "Lost edges", "Fronts perdus",
                   "Fronti persi", "Flanken kwijt", "Flancos perdidos"),
    "late signals": ("Zu spät gemeldet", "Late signals", "Signaux tardifs",
                     "Segnali tardivi", "Late signalen", "Señales tardías"),
    "faults": ("Störungen", "Faults", "Pannes", "Guasti", "Storingen", "Averías"),
    "restarts": ("Neustarts", "Restarts", "Redémarrages", "Riavvii", "Herstarts", "Reinicios"),
    "unused buttons": ("Ungenutzt", "Unused buttons", "Boutons inusités",
                       "Pulsanti fermi", "Ongebruikt", "Botones sin uso"),
}

_TINTS = {
    Tint.CYAN: ("türkis", "cyan", "cyan", "ciano", "cyaan", "cian"),
    Tint.MAGENTA: ("magenta", "magenta", "magenta", "magenta", "magenta", "magenta"),
    Tint.WHITE: ("weiß", "white", "blanc", "bianco", "wit", "blanco"),
}

_CONDITIONS = {
    "degraded": ("gestört", "degraded", "perturbé", "disturbato", "gestoord", "degradado"),
    "lost": ("fehlt", "lost", "perdu", "perso", "kwijt", "perdido"),
}

# fmt: on

AUDIT_WORD: dict[str, dict[str, str]] = {
    language: {label: names[column] for label, names in _AUDITS.items()}
    for column, language in enumerate(LANGUAGES)
}
"""The counters that have a name of their own, by their label; others are shown by the label."""

TINT_WORD: dict[str, dict[Tint, str]] = {
    language: {
        **{ROW_TINT[colour]: name for colour, name in COLOUR_WORD[language].items()},
        **{tint: names[column] for tint, names in _TINTS.items()},
    }
    for column, language in enumerate(LANGUAGES)
}

CONDITION_WORD: dict[str, dict[str, str]] = {
    language: {condition: names[column] for condition, names in _CONDITIONS.items()}
    for column, language in enumerate(LANGUAGES)
}
"""What is said of a device that is not `ok`."""
