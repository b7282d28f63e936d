"""Every word the table shows, in six languages.

A scoreboard line has twenty columns; a phrase with its numbers filled in fits in that.
Accents are kept here, and each display maps them to what it can show.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.effects import Verdict
from firmware_host.places import Colour


class Phrase(Enum):
    """What can be said; braces are filled in."""

    START = "start"
    STOP_DICE = "stop-dice"
    STOP_CARDS = "stop-cards"
    PRESS_TO_PLAY = "press-to-play"
    PRESS_TO_SIT = "press-to-sit"
    ROUND = "round"
    PAUSED = "paused"
    HOLD_TO_GO_ON = "hold-to-go-on"
    LEFT_RIGHT = "left-right"  # are the leftover counts right? hold if not
    ENTER_DICE = "enter-dice"
    HOLDS = "holds"
    CONFIRM = "confirm"
    DONE = "done"
    TAKE_OFF = "take-off"
    DEAL = "deal"
    WINNER = "winner"
    CHECK = "check"  # something is broken: look at it
    SEAT = "seat"
    CALL_BUTTON = "call-button"  # the button that a seat calls stop with
    CALLED = "called"  # this seat has called stop
    REFUTED = "refuted"  # whoever ended the round has something left: it goes on
    STUCK = "stuck"  # nobody can play any more
    SCAN_LEFT = "scan-left"  # show leftover Ligretto cards to the pads
    ENTER_CARDS = "enter-cards"
    DEAL_CARDS = "deal-cards"
    WAS_OFF = "was-off"  # the power was gone
    HOLD_TO_VOID = "hold-to-void"  # all together


_PHRASES: dict[str, dict[Phrase, str]] = {
    "de": {
        Phrase.START: "Ligretto Start",
        Phrase.STOP_DICE: "Ligretto Stopp",
        Phrase.STOP_CARDS: "Ligretto Stop!",
        Phrase.PRESS_TO_PLAY: "Zum Spielen drücken",
        Phrase.PRESS_TO_SIT: "Drücken = mitmachen",
        Phrase.ROUND: "Runde {n}/{of}",
        Phrase.PAUSED: "Pause",
        Phrase.HOLD_TO_GO_ON: "Weiter: halten",
        Phrase.LEFT_RIGHT: "Falsch? Halten!",
        Phrase.ENTER_DICE: "{seat}: 1x je Würfel",
        Phrase.HOLDS: "Platz {seat} hat {n}?",
        Phrase.CONFIRM: "Andere: drücken=ja",
        Phrase.DONE: "Platz {seat} ist fertig",
        Phrase.TAKE_OFF: "Würfel abräumen",
        Phrase.DEAL: "Verteilen, drücken",
        Phrase.WINNER: "Sieg: {seats}",
        Phrase.CHECK: "Prüfen: {what}",
        Phrase.SEAT: "Platz {seat}",
        Phrase.CALL_BUTTON: "Stopp {seat}",
        Phrase.CALLED: "Platz {seat} ruft Stopp",
        Phrase.REFUTED: "Falsch gestoppt",
        Phrase.STUCK: "Nichts geht mehr",
        Phrase.SCAN_LEFT: "Ligretto-Rest zeigen",
        Phrase.ENTER_CARDS: "{seat}: 1x je Karte",
        Phrase.DEAL_CARDS: "Sortieren, drücken",
        Phrase.WAS_OFF: "Tisch war aus",
        Phrase.HOLD_TO_VOID: "Neu: alle halten",
    },
    "en": {
        Phrase.START: "Start Ligretto",
        Phrase.STOP_DICE: "Ligretto STOP",
        Phrase.STOP_CARDS: "Ligretto, stop!",
        Phrase.PRESS_TO_PLAY: "Press to play",
        Phrase.PRESS_TO_SIT: "Press to sit down",
        Phrase.ROUND: "Round {n}/{of}",
        Phrase.PAUSED: "Paused",
        Phrase.HOLD_TO_GO_ON: "Hold to go on",
        Phrase.LEFT_RIGHT: "Wrong? Hold button!",
        Phrase.ENTER_DICE: "{seat}: press per die",
        Phrase.HOLDS: "Seat {seat} holds {n}?",
        Phrase.CONFIRM: "Others: press = yes",
        Phrase.DONE: "Seat {seat} is done",
        Phrase.TAKE_OFF: "Take all dice off",
        Phrase.DEAL: "Deal, then press",
        Phrase.WINNER: "Winner: {seats}",
        Phrase.CHECK: "Check: {what}",
        Phrase.SEAT: "seat {seat}",
        Phrase.CALL_BUTTON: "stop {seat}",
        Phrase.CALLED: "Seat {seat} called stop",
        Phrase.REFUTED: "Wrong stop: go on",
        Phrase.STUCK: "Nobody can play on",
        Phrase.SCAN_LEFT: "Ligretto left? Scan",
        Phrase.ENTER_CARDS: "{seat}: press per card",
        Phrase.DEAL_CARDS: "Sort, deal, press",
        Phrase.WAS_OFF: "Table was off",
        Phrase.HOLD_TO_VOID: "Void: all hold",
    },
    "fr": {
        Phrase.START: "Ligretto, c'est parti",
        Phrase.STOP_DICE: "Ligretto, stop",
        Phrase.STOP_CARDS: "Ligretto, stop",
        Phrase.PRESS_TO_PLAY: "Appuyez pour jouer",
        Phrase.PRESS_TO_SIT: "Appuyez pour entrer",
        Phrase.ROUND: "Manche {n}/{of}",
        Phrase.PAUSED: "Pause",
        Phrase.HOLD_TO_GO_ON: "Maintenir: reprendre",
        Phrase.LEFT_RIGHT: "Faux ? Maintenir !",
        Phrase.ENTER_DICE: "{seat}: 1 appui par dé",
        Phrase.HOLDS: "Place {seat} a {n} ?",
        Phrase.CONFIRM: "Autres: appui = oui",
        Phrase.DONE: "Place {seat} a fini",
        Phrase.TAKE_OFF: "Retirez les dés",
        Phrase.DEAL: "Partagez, appuyez",
        Phrase.WINNER: "Gagne: {seats}",
        Phrase.CHECK: "Voir: {what}",
        Phrase.SEAT: "place {seat}",
        Phrase.CALL_BUTTON: "bouton stop {seat}",
        Phrase.CALLED: "Place {seat} dit stop",
        Phrase.REFUTED: "Faux stop: suite",
        Phrase.STUCK: "Plus rien à jouer",
        Phrase.SCAN_LEFT: "Scannez le reste",
        Phrase.ENTER_CARDS: "{seat}: appui par carte",
        Phrase.DEAL_CARDS: "Triez puis appuyez",
        Phrase.WAS_OFF: "Table était éteinte",
        Phrase.HOLD_TO_VOID: "Nulle: tous tiennent",
    },
    "it": {
        Phrase.START: "Ligretto Via!",
        Phrase.STOP_DICE: "Ligretto Stop!",
        Phrase.STOP_CARDS: "Ligretto Stop!",
        Phrase.PRESS_TO_PLAY: "Premi per giocare",
        Phrase.PRESS_TO_SIT: "Premi per sederti",
        Phrase.ROUND: "Turno {n}/{of}",
        Phrase.PAUSED: "Pausa",
        Phrase.HOLD_TO_GO_ON: "Tieni: riprendi",
        Phrase.LEFT_RIGHT: "Errato? Tieni!",
        Phrase.ENTER_DICE: "{seat}: 1 volta a dado",
        Phrase.HOLDS: "Posto {seat} ha {n}?",
        Phrase.CONFIRM: "Altri: premete = sì",
        Phrase.DONE: "Posto {seat} ha finito",
        Phrase.TAKE_OFF: "Togliete i dadi",
        Phrase.DEAL: "Dividete, premete",
        Phrase.WINNER: "Vince: {seats}",
        Phrase.CHECK: "Guarda: {what}",
        Phrase.SEAT: "posto {seat}",
        Phrase.CALL_BUTTON: "stop {seat}",
        Phrase.CALLED: "Posto {seat} dice stop",
        Phrase.REFUTED: "Stop errato: avanti",
        Phrase.STUCK: "Nessuno può giocare",
        Phrase.SCAN_LEFT: "Scansionate il resto",
        Phrase.ENTER_CARDS: "{seat}: 1 volta a carta",
        Phrase.DEAL_CARDS: "Ordinate, premete",
        Phrase.WAS_OFF: "Tavolo era spento",
        Phrase.HOLD_TO_VOID: "Nulla: tutti tengono",
    },
    "nl": {
        Phrase.START: "Ligretto Start",
        Phrase.STOP_DICE: "Ligretto stop",
        Phrase.STOP_CARDS: "Ligretto stop!",
        Phrase.PRESS_TO_PLAY: "Druk om te spelen",
        Phrase.PRESS_TO_SIT: "Druk om mee te doen",
        Phrase.ROUND: "Ronde {n}/{of}",
        Phrase.PAUSED: "Pauze",
        Phrase.HOLD_TO_GO_ON: "Verder: vasthouden",
        Phrase.LEFT_RIGHT: "Fout? Vasthouden!",
        Phrase.ENTER_DICE: "{seat}: 1x per steen",
        Phrase.HOLDS: "Plek {seat} heeft {n}?",
        Phrase.CONFIRM: "Anderen: druk = ja",
        Phrase.DONE: "Plek {seat} is klaar",
        Phrase.TAKE_OFF: "Stenen van het bord",
        Phrase.DEAL: "Verdeel, druk",
        Phrase.WINNER: "Winnaar: {seats}",
        Phrase.CHECK: "Kijk na: {what}",
        Phrase.SEAT: "plek {seat}",
        Phrase.CALL_BUTTON: "stopknop {seat}",
        Phrase.CALLED: "Plek {seat} roept stop",
        Phrase.REFUTED: "Foute stop: verder",
        Phrase.STUCK: "Niemand kan verder",
        Phrase.SCAN_LEFT: "Scan wat over is",
        Phrase.ENTER_CARDS: "{seat}: 1x per kaart",
        Phrase.DEAL_CARDS: "Sorteer, deel, druk",
        Phrase.WAS_OFF: "Tafel was uit",
        Phrase.HOLD_TO_VOID: "Opnieuw: allen vast",
    },
    "es": {
        Phrase.START: "Ligretto Inicio",
        Phrase.STOP_DICE: "Ligretto Fin",
        Phrase.STOP_CARDS: "¡Ligretto Fin!",
        Phrase.PRESS_TO_PLAY: "Pulsa para jugar",
        Phrase.PRESS_TO_SIT: "Pulsa para entrar",
        Phrase.ROUND: "Ronda {n}/{of}",
        Phrase.PAUSED: "Pausa",
        Phrase.HOLD_TO_GO_ON: "Mantén: continuar",
        Phrase.LEFT_RIGHT: "¿Mal? Mantén.",
        Phrase.ENTER_DICE: "{seat}: 1 vez por dado",
        Phrase.HOLDS: "¿Sitio {seat} tiene {n}?",
        Phrase.CONFIRM: "Otros: pulsad = sí",
        Phrase.DONE: "Sitio {seat} terminó",
        Phrase.TAKE_OFF: "Quitad los dados",
        Phrase.DEAL: "Repartid, pulsad",
        Phrase.WINNER: "Gana: {seats}",
        Phrase.CHECK: "Mira: {what}",
        Phrase.SEAT: "sitio {seat}",
        Phrase.CALL_BUTTON: "botón fin {seat}",
        Phrase.CALLED: "Sitio {seat} dice fin",
        Phrase.REFUTED: "Fin falso: seguid",
        Phrase.STUCK: "Nadie puede jugar",
        Phrase.SCAN_LEFT: "Escanead el resto",
        Phrase.ENTER_CARDS: "{seat}: 1 vez por carta",
        Phrase.DEAL_CARDS: "Ordenad y pulsad",
        Phrase.WAS_OFF: "Mesa sin corriente",
        Phrase.HOLD_TO_VOID: "Nula: pulsad todos",
    },
}

_VERDICTS: dict[str, tuple[str, ...]] = {
    "de": (
        "zählt",
        "zu spät",
        "falscher Platz",
        "nichts da",
        "gesperrt",
        "läuft nicht",
        "Patt: gewonnen",
        "Patt: verloren",
    ),
    "en": (
        "counts",
        "too late",
        "wrong place",
        "false claim",
        "locked",
        "not running",
        "DEAD HEAT won",
        "DEAD HEAT lost",
    ),
    "fr": (
        "compte",
        "trop tard",
        "mal placé",
        "rien à prendre",
        "bloqué",
        "pas en jeu",
        "ex aequo gagné",
        "ex aequo perdu",
    ),
    "it": (
        "vale",
        "tardi",
        "posto errato",
        "nulla da prendere",
        "bloccato",
        "gioco fermo",
        "pari: vinto",
        "pari: perso",
    ),
    "nl": (
        "telt",
        "te laat",
        "verkeerde plek",
        "niets te halen",
        "geblokkeerd",
        "loopt niet",
        "gelijk: gewonnen",
        "gelijk: verloren",
    ),
    "es": (
        "vale",
        "tarde",
        "mal sitio",
        "nada que pedir",
        "bloqueado",
        "no se juega",
        "empate ganado",
        "empate perdido",
    ),
}

_COLOURS: dict[str, tuple[str, str, str, str]] = {
    "de": ("rot", "gelb", "grün", "blau"),
    "en": ("red", "yellow", "green", "blue"),
    "fr": ("rouge", "jaune", "vert", "bleu"),
    "it": ("rosso", "giallo", "verde", "blu"),
    "nl": ("rood", "geel", "groen", "blauw"),
    "es": ("rojo", "amarillo", "verde", "azul"),
}


def say(language: str, phrase: Phrase, **numbers: object) -> str:
    """The phrase in that language with its numbers filled in."""
    text = _PHRASES[language][phrase]
    return text.format(**numbers) if numbers else text


VERDICT_WORD: dict[str, dict[Verdict, str]] = {
    language: dict(zip(Verdict, words, strict=True)) for language, words in _VERDICTS.items()
}

COLOUR_WORD: dict[str, dict[Colour, str]] = {
    language: dict(zip(Colour, words, strict=True)) for language, words in _COLOURS.items()
}
