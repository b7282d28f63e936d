"""Every phrase of service mode, in six languages side by side.

A scoreboard line has twenty columns; a phrase with its numbers filled in fits in that. What the buttons
do comes in short pieces, which take turns where they do not fit side by side.
"""

from __future__ import annotations

from enum import Enum, unique

from firmware_host.settings import LANGUAGES

# One column for each language of LANGUAGES: German, English, French, Italian, Dutch, Spanish.
# fmt: off


@unique
class Word(Enum):
    """What can be said; braces are filled in."""

    # the menus
    TESTS = ("Tests", "Tests", "Tests", "Test", "Tests", "Pruebas")
    AUDITS = ("Zähler", "Counters", "Compteurs", "Contatori", "Tellers", "Contadores")
    SETTINGS = ("Einstellungen", "Settings", "Réglages", "Impostazioni", "Instellingen", "Ajustes")
    VOID_ROUND = ("Runde ungültig", "Void round", "Annuler la manche",
                  "Annulla il turno", "Ronde ongeldig", "Anular la ronda")
    END_MATCH = ("Spiel beenden", "End match", "Finir la partie",
                 "Termina la partita", "Spel beëindigen", "Acabar la partida")
    LEAVE = ("Service verlassen", "Leave service", "Quitter le service",
             "Esci dal servizio", "Service verlaten", "Salir del servicio")
    LAMPS = ("Lampen einzeln", "Lamps one by one", "Lampes une à une",
             "Luci una a una", "Lampen één voor één", "Luces una a una")
    COLOURS = ("Alle Lampen", "All lamps", "Toutes les lampes",
               "Tutte le luci", "Alle lampen", "Todas las luces")
    BUTTONS = ("Knöpfe", "Buttons", "Boutons", "Pulsanti", "Knoppen", "Botones")
    SENSORS = ("Felder und Leser", "Places and readers", "Cases et lecteurs",
               "Caselle e lettori", "Velden en lezers", "Casillas y lectores")
    SCOREBOARD = ("Anzeige", "Scoreboard", "Afficheur", "Tabellone", "Scorebord", "Marcador")
    DEVICES = ("Geräte", "Devices", "Appareils", "Dispositivi", "Apparaten", "Aparatos")

    # settings, with their values
    LANGUAGE = ("Sprache: Deutsch", "Language: English", "Langue: Français",
                "Lingua: Italiano", "Taal: Nederlands", "Idioma: Español")
    BRIGHTNESS = ("Helligkeit: {n}", "Brightness: {n}", "Luminosité: {n}",
                  "Luminosità: {n}", "Helderheid: {n}", "Brillo: {n}")
    GAME_DICE = ("Spiel: Würfel", "Game: dice", "Jeu: dés", "Gioco: dadi", "Spel: stenen", "Juego: dados")
    GAME_CARDS = ("Spiel: Karten", "Game: cards", "Jeu: cartes",
                  "Gioco: carte", "Spel: kaarten", "Juego: cartas")
    SEATS = ("Plätze", "Seats", "Places", "Posti", "Plekken", "Sitios")
    SEAT_OPEN = ("Platz {seat}: offen", "Seat {seat}: open", "Place {seat}: ouverte",
                 "Posto {seat}: aperto", "Plek {seat}: open", "Sitio {seat}: abierto")
    SEAT_CLOSED = ("Platz {seat}: zu", "Seat {seat}: closed", "Place {seat}: fermée",
                   "Posto {seat}: chiuso", "Plek {seat}: dicht", "Sitio {seat}: cerrado")
    FEWEST = ("Mindestens {n} offen", "At least {n} open", "Au moins {n} ouvertes",
              "Almeno {n} aperti", "Minstens {n} open", "Al menos {n} abiertos")
    HANDICAPS = ("Vorgaben", "Handicaps", "Handicaps", "Handicap", "Handicaps", "Ventajas")
    HANDICAP = ("Platz {seat}: {n} weniger", "Seat {seat}: {n} fewer", "Place {seat}: moins {n}",
                "Posto {seat}: {n} in meno", "Plek {seat}: {n} minder", "Sitio {seat}: {n} menos")

    # questions
    VOID_SURE = ("Runde ungültig?", "Void this round?", "Annuler la manche ?",
                 "Annullare il turno?", "Ronde ongeldig?", "¿Anular la ronda?")
    END_SURE = ("Spiel beenden?", "End this match?", "Finir la partie ?",
                "Finire la partita?", "Spel beëindigen?", "¿Acabar la partida?")

    # what the two buttons do
    NEXT = ("1:weiter", "1:next", "1:suivant", "1:avanti", "1:verder", "1:sigue")
    OK = ("2:ok", "2:ok", "2:ok", "2:ok", "2:ok", "2:ok")
    CHANGE = ("2:ändern", "2:change", "2:changer", "2:cambia", "2:wijzig", "2:cambiar")
    PREVIOUS = ("2:davor", "2:previous", "2:avant", "2:prima", "2:vorige", "2:anterior")
    JUMP = ("2:springen", "2:skip", "2:sauter", "2:salta", "2:spring", "2:saltar")
    BACK = ("1 halten:zurück", "hold 1:back", "tenir 1:retour",
            "tieni 1:indietro", "1 vast:terug", "mantén 1:volver")
    EXIT = ("1 halten:Ende", "hold 1:leave", "tenir 1:quitter",
            "tieni 1:esci", "1 vast:stop", "mantén 1:salir")
    NO = ("1:nein", "1:no", "1:non", "1:annulla", "1:nee", "1:cancelar")
    YES = ("2 halten:ja", "hold 2:yes", "tenir 2:oui", "tieni 2:sì", "2 vast:ja", "mantén 2:sí")

    # tests
    PRESS_ANY = ("Knöpfe drücken", "Press the buttons", "Appuyez partout",
                 "Premi i pulsanti", "Druk op de knoppen", "Pulsa los botones")
    BOUNCES = ("Prellen {n}", "bounces {n}", "rebonds {n}", "rimbalzi {n}", "dender {n}", "rebotes {n}")
    PUT_DOWN = ("Etwas hinlegen", "Put something down", "Posez quelque chose",
                "Posa qualcosa", "Leg iets neer", "Pon algo encima")
    SHOW_TAG = ("Tag an Leser halten", "Hold up a tag", "Présentez une puce",
                "Avvicina un tag", "Houd een tag voor", "Acerca una etiqueta")
    FILLED = ("belegt", "filled", "occupée", "occupata", "bezet", "ocupada")
    EMPTY = ("leer", "empty", "vide", "vuota", "leeg", "vacía")
    GONE = ("weg", "gone", "retirée", "via", "weg", "fuera")
    ALL = ("Alle: {tint}", "All: {tint}", "Toutes: {tint}", "Tutte: {tint}", "Alles: {tint}", "Todas: {tint}")
    PILE = ("Stapel {n}", "pile {n}", "pile {n}", "pila {n}", "stapel {n}", "montón {n}")
    PILE_HEAD = ("Stapel {n}: Kopf", "pile {n}: head", "pile {n}: tête",
                 "pila {n}: testa", "stapel {n}: kop", "montón {n}: cabeza")
    SYMBOL = ("Zeichen {tint}", "symbol {tint}", "symbole {tint}",
              "simbolo {tint}", "teken {tint}", "símbolo {tint}")

    # lists
    NOT_COUNTED = ("Noch nichts gezählt", "Nothing counted yet", "Rien compté",
                   "Nessun conteggio", "Nog niets geteld", "Nada contado aún")
    ALL_WELL = ("Alles geht", "All devices are fine", "Tout fonctionne",
                "Tutto funziona", "Alles werkt", "Todo funciona")


# fmt: on


def say(language: str, word: Word, **numbers: object) -> str:
    """The phrase in that language with its numbers filled in."""
    text = word.value[LANGUAGES.index(language)]
    return text.format(**numbers) if numbers else text
