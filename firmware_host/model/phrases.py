"""All texts that the scoreboard and service mode show: a row for each phrase, a cell for each language.

Numbers go into the braces. A line of the scoreboard has twenty columns, and each text fits into it with its
largest numbers; only the start and stop calls may take two lines. The hints for the two buttons of service
mode are short pieces, which take turns where they do not fit side by side. Texts are written with all
accents: each display shows the nearest letter that it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, unique
from typing import NamedTuple

from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.places import Card, Colour, DieFace, Pad, Pile, Slot, Spot


class TextRow(NamedTuple):
    """A text in every language. A cell that is left out is empty, and `tests/model` names it."""

    de: str = ""
    en: str = ""
    fr: str = ""
    it: str = ""
    nl: str = ""
    es: str = ""


LANGUAGES: tuple[str, ...] = TextRow._fields

# fmt: off


@unique
class Phrase(Enum):
    """All phrases except verdicts, cues and colours, which follow below."""

    # -- while people play

    START = TextRow(de="Ligretto Start", en="Start Ligretto", fr="Ligretto, c'est parti",
                    it="Ligretto Via!", nl="Ligretto Start", es="Ligretto Inicio")
    STOP_DICE = TextRow(de="Ligretto Stopp", en="Ligretto STOP", fr="Ligretto, stop",
                        it="Ligretto Stop!", nl="Ligretto stop", es="Ligretto Fin")
    STOP_CARDS = TextRow(de="Ligretto Stop!", en="Ligretto, stop!", fr="Ligretto, stop",
                         it="Ligretto Stop!", nl="Ligretto stop!", es="¡Ligretto Fin!")
    PRESS_TO_PLAY = TextRow(de="Zum Spielen drücken", en="Press to play", fr="Appuyez pour jouer",
                            it="Premi per giocare", nl="Druk om te spelen", es="Pulsa para jugar")
    PRESS_TO_SIT = TextRow(de="Drücken = mitmachen", en="Press to sit down", fr="Appuyez pour entrer",
                           it="Premi per sederti", nl="Druk om mee te doen", es="Pulsa para entrar")
    ROUND = TextRow(de="Runde {n}/{of}", en="Round {n}/{of}", fr="Manche {n}/{of}",
                    it="Turno {n}/{of}", nl="Ronde {n}/{of}", es="Ronda {n}/{of}")
    PAUSED = TextRow(de="Pause", en="Paused", fr="Pause", it="Pausa", nl="Pauze", es="Pausa")
    HOLD_TO_GO_ON = TextRow(de="Weiter: halten", en="Hold to go on", fr="Maintenir: reprendre",
                            it="Tieni: riprendi", nl="Verder: vasthouden", es="Mantén: continuar")
    # are the leftover counts right? hold if not
    LEFT_RIGHT = TextRow(de="Falsch? Halten!", en="Wrong? Hold button!", fr="Faux ? Maintenir !",
                         it="Errato? Tieni!", nl="Fout? Vasthouden!", es="¿Mal? Mantén.")
    WHOSE = TextRow(de="Wessen Würfel? ({n})", en="Whose die? ({n})", fr="À qui, ce dé ? ({n})",
                    it="Dado di chi? ({n})", nl="Wiens steen? ({n})", es="¿De quién es? ({n})")
    SUM_WRONG = TextRow(de="Summe stimmt nicht", en="Sum can't be right", fr="Total impossible",
                        it="Somma impossibile", nl="Som klopt niet", es="La suma no cuadra")
    ENTER_DICE = TextRow(de="{seat}: 1x je Würfel", en="{seat}: press per die", fr="{seat}: 1 appui par dé",
                         it="{seat}: 1 volta a dado", nl="{seat}: 1x per steen", es="{seat}: 1 vez por dado")
    HOLDS = TextRow(de="Platz {seat} hat {n}?", en="Seat {seat} holds {n}?", fr="Place {seat} a {n} ?",
                    it="Posto {seat} ha {n}?", nl="Plek {seat} heeft {n}?", es="¿Sitio {seat} tiene {n}?")
    CONFIRM = TextRow(de="Andere: drücken=ja", en="Others: press = yes", fr="Autres: appui = oui",
                      it="Altri: premete = sì", nl="Anderen: druk = ja", es="Otros: pulsad = sí")
    DONE = TextRow(de="Platz {seat} ist fertig", en="Seat {seat} is done", fr="Place {seat} a fini",
                   it="Posto {seat} ha finito", nl="Plek {seat} is klaar", es="Sitio {seat} terminó")
    TAKE_OFF = TextRow(de="Würfel abräumen", en="Take all dice off", fr="Retirez les dés",
                       it="Togliete i dadi", nl="Stenen van het bord", es="Quitad los dados")
    DEAL = TextRow(de="Verteilen, drücken", en="Deal, then press", fr="Partagez, appuyez",
                   it="Dividete, premete", nl="Verdeel, druk", es="Repartid, pulsad")
    # so many dice or Ligretto cards for every seat
    EACH = TextRow(de="je {n}", en="{n} each", fr="{n} chacun", it="{n} a testa",
                   nl="ieder {n}", es="{n} cada uno")
    WINNER = TextRow(de="Sieg: {seats}", en="Winner: {seats}", fr="Gagne: {seats}",
                     it="Vince: {seats}", nl="Winnaar: {seats}", es="Gana: {seats}")
    # something does not work: check it
    CHECK = TextRow(de="Prüfen: {what}", en="Check: {what}", fr="Voir: {what}",
                    it="Guarda: {what}", nl="Kijk na: {what}", es="Mira: {what}")
    SEAT = TextRow(de="Platz {seat}", en="seat {seat}", fr="place {seat}",
                   it="posto {seat}", nl="plek {seat}", es="sitio {seat}")
    # the button that a seat calls stop with
    CALL_BUTTON = TextRow(de="Stopp {seat}", en="stop {seat}", fr="bouton stop {seat}",
                          it="stop {seat}", nl="stopknop {seat}", es="botón fin {seat}")
    CALLED = TextRow(de="Platz {seat} ruft Stopp", en="Seat {seat} called stop", fr="Place {seat} dit stop",
                     it="Posto {seat} dice stop", nl="Plek {seat} roept stop", es="Sitio {seat} dice fin")
    # the seat that ended the round has something left: it goes on
    REFUTED = TextRow(de="Falsch gestoppt", en="Wrong stop: go on", fr="Faux stop: suite",
                      it="Stop errato: avanti", nl="Foute stop: verder", es="Fin falso: seguid")
    # nobody can play any more
    STUCK = TextRow(de="Nichts geht mehr", en="Nobody can play on", fr="Plus rien à jouer",
                    it="Nessuno può giocare", nl="Niemand kan verder", es="Nadie puede jugar")
    # show leftover Ligretto cards to the pads
    SCAN_LEFT = TextRow(de="Ligretto-Rest zeigen", en="Ligretto left? Scan", fr="Scannez le reste",
                        it="Scansionate il resto", nl="Scan wat over is", es="Escanead el resto")
    ENTER_CARDS = TextRow(de="{seat}: 1x je Karte", en="{seat}: press per card",
                          fr="{seat}: appui par carte", it="{seat}: 1 volta a carta",
                          nl="{seat}: 1x per kaart", es="{seat}: 1 vez por carta")
    DEAL_CARDS = TextRow(de="Sortieren, drücken", en="Sort, deal, press", fr="Triez puis appuyez",
                         it="Ordinate, premete", nl="Sorteer, deel, druk", es="Ordenad y pulsad")
    # there was no power
    WAS_OFF = TextRow(de="Tisch war aus", en="Table was off", fr="Table était éteinte",
                      it="Tavolo era spento", nl="Tafel was uit", es="Mesa sin corriente")
    HOLD_TO_VOID = TextRow(de="Neu: alle halten", en="Void: all hold", fr="Nulle: tous tiennent",
                           it="Nulla: tutti tengono", nl="Opnieuw: allen vast", es="Nula: pulsad todos")

    # -- where cards are played at pads, instead of two verdicts

    FITS_NOWHERE = TextRow(de="passt nirgends", en="fits nowhere", fr="sans place",
                           it="senza posto", nl="past nergens", es="no encaja")
    NO_CARD = TextRow(de="keine Karte", en="no card", fr="pas de carte",
                      it="nessuna carta", nl="geen kaart", es="sin carta")

    # -- while tags are enrolled

    CARD_OF_SEAT = TextRow(de="Platz {seat}: {colour} {number}", en="seat {seat}: {colour} {number}",
                           fr="place {seat}: {colour} {number}", it="posto {seat}: {colour} {number}",
                           nl="plek {seat}: {colour} {number}", es="sitio {seat} {colour} {number}")
    FACE_OF_DIE = TextRow(de="Würfel {die}: {face} oben", en="die {die}: {face} up",
                          fr="dé {die}: {face} en haut", it="dado {die}: {face} sopra",
                          nl="steen {die}: {face} boven", es="dado {die}: {face} arriba")
    # readers: at a seat, at a pile
    PAD_READER = TextRow(de="Platz {seat}", en="pad {seat}", fr="place {seat}",
                         it="posto {seat}", nl="plek {seat}", es="sitio {seat}")
    PILE_READER = TextRow(de="Stapel {number}", en="pile {number}", fr="pile {number}",
                          it="pila {number}", nl="stapel {number}", es="pila {number}")
    HOLD_TO_ANY_PAD = TextRow(de="An irgendeinen Platz", en="Hold to any pad", fr="Présentez: une place",
                              it="Accosta a un posto", nl="Houd bij een plek", es="Acerca a un sitio")
    HOLD_TO_ANY_READER = TextRow(de="An irgendeinen Leser", en="Hold to any reader",
                                 fr="Présentez au lecteur", it="Accosta a un lettore",
                                 nl="Houd bij een lezer", es="Acerca a un lector")
    HOLD_TO_READER = TextRow(de="Halten an {reader}", en="Hold to {reader}", fr="Présentez: {reader}",
                             it="Accosta: {reader}", nl="Houd bij {reader}", es="Acerca a {reader}")
    # the n-th of so many
    PROGRESS = TextRow(de="{n} von {of}", en="{n} of {of}", fr="{n} sur {of}",
                       it="{n} di {of}", nl="{n} van {of}", es="{n} de {of}")
    TAG_SAVED = TextRow(de="Gemerkt, wegnehmen", en="Saved: take it off", fr="Noté, retirez",
                        it="Salvato, togli", nl="Bewaard, haal weg", es="Guardado, quita")
    LIFT_TAG = TextRow(de="Bitte wegnehmen", en="Please take it off", fr="Retirez-le",
                       it="Togli, per favore", nl="Haal het weg", es="Quita, por favor")
    # there are too many
    LEAVE_ONE_TAG = TextRow(de="Bitte nur eins", en="Leave only one", fr="N'en laissez qu'un",
                            it="Lasciane solo uno", nl="Laat er maar één", es="Deja solo uno")
    # the line below says what the tag on the reader stands for
    ALREADY = TextRow(de="Das ist schon", en="This already is", fr="C'est déjà",
                      it="Questo è già", nl="Dit is al", es="Esto ya es")
    # it moves to the item that is asked for if it is left there
    LEAVE_TAG = TextRow(de="Anders? Liegenlassen", en="Change? Leave it on", fr="Changer ? Laissez-le",
                        it="Cambiare? Lascialo", nl="Wijzigen? Laat staan", es="¿Cambiar? Déjalo ahí")
    ENROLMENT_DONE = TextRow(de="Fertig", en="Done", fr="Terminé", it="Finito", nl="Klaar", es="Terminado")
    # this many have no tag
    WITHOUT_TAG = TextRow(de="Ohne Tag: {n}", en="Without a tag: {n}", fr="Sans puce: {n}",
                          it="Senza tag: {n}", nl="Zonder tag: {n}", es="Sin etiqueta: {n}")

    # -- service mode: the menus

    TESTS = TextRow(de="Tests", en="Tests", fr="Tests", it="Test", nl="Tests", es="Pruebas")
    AUDITS = TextRow(de="Zähler", en="Counters", fr="Compteurs",
                     it="Contatori", nl="Tellers", es="Contadores")
    SETTINGS = TextRow(de="Einstellungen", en="Settings", fr="Réglages",
                       it="Impostazioni", nl="Instellingen", es="Ajustes")
    VOID_ROUND = TextRow(de="Runde ungültig", en="Void round", fr="Annuler la manche",
                         it="Annulla il turno", nl="Ronde ongeldig", es="Anular la ronda")
    END_MATCH = TextRow(de="Spiel beenden", en="End match", fr="Finir la partie",
                        it="Termina la partita", nl="Spel beëindigen", es="Acabar la partida")
    LEAVE_SERVICE = TextRow(de="Service verlassen", en="Leave service", fr="Quitter le service",
                            it="Esci dal servizio", nl="Service verlaten", es="Salir del servicio")
    LAMPS = TextRow(de="Lampen einzeln", en="Lamps one by one", fr="Lampes une à une",
                    it="Luci una a una", nl="Lampen één voor één", es="Luces una a una")
    COLOURS = TextRow(de="Alle Lampen", en="All lamps", fr="Toutes les lampes",
                      it="Tutte le luci", nl="Alle lampen", es="Todas las luces")
    BUTTONS = TextRow(de="Knöpfe", en="Buttons", fr="Boutons", it="Pulsanti", nl="Knoppen", es="Botones")
    SENSORS = TextRow(de="Felder und Leser", en="Places and readers", fr="Cases et lecteurs",
                      it="Caselle e lettori", nl="Velden en lezers", es="Casillas y lectores")
    SCOREBOARD = TextRow(de="Anzeige", en="Scoreboard", fr="Afficheur",
                         it="Tabellone", nl="Scorebord", es="Marcador")
    DEVICES = TextRow(de="Geräte", en="Devices", fr="Appareils",
                      it="Dispositivi", nl="Apparaten", es="Aparatos")

    # -- service mode: settings, with their values

    LANGUAGE = TextRow(de="Sprache: Deutsch", en="Language: English", fr="Langue: Français",
                       it="Lingua: Italiano", nl="Taal: Nederlands", es="Idioma: Español")
    BRIGHTNESS = TextRow(de="Helligkeit: {n}", en="Brightness: {n}", fr="Luminosité: {n}",
                         it="Luminosità: {n}", nl="Helderheid: {n}", es="Brillo: {n}")
    VOLUME = TextRow(de="Lautstärke: {n}", en="Volume: {n}", fr="Volume: {n}",
                     it="Volume: {n}", nl="Volume: {n}", es="Volumen: {n}")
    GAME_DICE = TextRow(de="Spiel: Würfel", en="Game: dice", fr="Jeu: dés",
                        it="Gioco: dadi", nl="Spel: stenen", es="Juego: dados")
    GAME_CARDS = TextRow(de="Spiel: Karten", en="Game: cards", fr="Jeu: cartes",
                         it="Gioco: carte", nl="Spel: kaarten", es="Juego: cartas")
    SEATS = TextRow(de="Plätze", en="Seats", fr="Places", it="Posti", nl="Plekken", es="Sitios")
    SEAT_OPEN = TextRow(de="Platz {seat}: offen", en="Seat {seat}: open", fr="Place {seat}: ouverte",
                        it="Posto {seat}: aperto", nl="Plek {seat}: open", es="Sitio {seat}: abierto")
    SEAT_CLOSED = TextRow(de="Platz {seat}: zu", en="Seat {seat}: closed", fr="Place {seat}: fermée",
                          it="Posto {seat}: chiuso", nl="Plek {seat}: dicht", es="Sitio {seat}: cerrado")
    FEWEST = TextRow(de="Mindestens {n} offen", en="At least {n} open", fr="Au moins {n} ouvertes",
                     it="Almeno {n} aperti", nl="Minstens {n} open", es="Al menos {n} abiertos")
    HANDICAPS = TextRow(de="Vorgaben", en="Handicaps", fr="Handicaps",
                        it="Handicap", nl="Handicaps", es="Ventajas")
    HANDICAP = TextRow(de="Platz {seat}: {n} weniger", en="Seat {seat}: {n} fewer",
                       fr="Place {seat}: moins {n}", it="Posto {seat}: {n} in meno",
                       nl="Plek {seat}: {n} minder", es="Sitio {seat}: {n} menos")

    EXTRA = TextRow(de="Platz {seat}: {n} mehr", en="Seat {seat}: {n} more",
                    fr="Place {seat}: plus {n}", it="Posto {seat}: {n} in più",
                    nl="Plek {seat}: {n} meer", es="Sitio {seat}: {n} más")
    # the rounds of the next matches
    AGREED_ROUNDS = TextRow(de="Rundenzahl: {n}", en="Match rounds: {n}", fr="Nb de manches: {n}",
                            it="Numero turni: {n}", nl="Aantal rondes: {n}", es="Nº de rondas: {n}")
    USUAL_ROUNDS = TextRow(de="Rundenzahl: üblich", en="Match rounds: usual", fr="Manches: habituel",
                           it="Numero turni: usuale", nl="Rondes: gewoon", es="Rondas: habitual")

    # -- service mode: questions

    VOID_SURE = TextRow(de="Runde ungültig?", en="Void this round?", fr="Annuler la manche ?",
                        it="Annullare il turno?", nl="Ronde ongeldig?", es="¿Anular la ronda?")
    END_SURE = TextRow(de="Spiel beenden?", en="End this match?", fr="Finir la partie ?",
                       it="Finire la partita?", nl="Spel beëindigen?", es="¿Acabar la partida?")

    # -- service mode: what the two buttons do

    NEXT = TextRow(de="1:weiter", en="1:next", fr="1:suivant", it="1:avanti", nl="1:verder", es="1:sigue")
    OK = TextRow(de="2:ok", en="2:ok", fr="2:ok", it="2:ok", nl="2:ok", es="2:ok")
    CHANGE = TextRow(de="2:ändern", en="2:change", fr="2:changer",
                     it="2:cambia", nl="2:wijzig", es="2:cambiar")
    PREVIOUS = TextRow(de="2:davor", en="2:previous", fr="2:avant",
                       it="2:prima", nl="2:vorige", es="2:anterior")
    JUMP = TextRow(de="2:springen", en="2:skip", fr="2:sauter", it="2:salta", nl="2:spring", es="2:saltar")
    BACK = TextRow(de="1 halten:zurück", en="hold 1:back", fr="tenir 1:retour",
                   it="tieni 1:indietro", nl="1 vast:terug", es="mantén 1:volver")
    EXIT = TextRow(de="1 halten:Ende", en="hold 1:leave", fr="tenir 1:quitter",
                   it="tieni 1:esci", nl="1 vast:stop", es="mantén 1:salir")
    NO = TextRow(de="1:nein", en="1:no", fr="1:non", it="1:annulla", nl="1:nee", es="1:cancelar")
    YES = TextRow(de="2 halten:ja", en="hold 2:yes", fr="tenir 2:oui",
                  it="tieni 2:sì", nl="2 vast:ja", es="mantén 2:sí")

    # -- service mode: tests

    PRESS_ANY = TextRow(de="Knöpfe drücken", en="Press the buttons", fr="Appuyez partout",
                        it="Premi i pulsanti", nl="Druk op de knoppen", es="Pulsa los botones")
    BOUNCES = TextRow(de="Prellen {n}", en="bounces {n}", fr="rebonds {n}",
                      it="rimbalzi {n}", nl="dender {n}", es="rebotes {n}")
    PUT_DOWN = TextRow(de="Etwas hinlegen", en="Put something down", fr="Posez quelque chose",
                       it="Posa qualcosa", nl="Leg iets neer", es="Pon algo encima")
    SHOW_TAG = TextRow(de="Tag an Leser halten", en="Hold up a tag", fr="Présentez une puce",
                       it="Avvicina un tag", nl="Houd een tag voor", es="Acerca una etiqueta")
    FILLED = TextRow(de="belegt", en="filled", fr="occupée", it="occupata", nl="bezet", es="ocupada")
    EMPTY = TextRow(de="leer", en="empty", fr="vide", it="vuota", nl="leeg", es="vacía")
    TAKEN_AWAY = TextRow(de="weg", en="gone", fr="retirée", it="via", nl="weg", es="fuera")
    ALL_LAMPS_IN = TextRow(de="Alle: {tint}", en="All: {tint}", fr="Toutes: {tint}",
                           it="Tutte: {tint}", nl="Alles: {tint}", es="Todas: {tint}")
    PILE = TextRow(de="Stapel {n}", en="pile {n}", fr="pile {n}",
                   it="pila {n}", nl="stapel {n}", es="montón {n}")
    PILE_HEAD = TextRow(de="Stapel {n}: Kopf", en="pile {n}: head", fr="pile {n}: tête",
                        it="pila {n}: testa", nl="stapel {n}: kop", es="montón {n}: cabeza")
    SYMBOL = TextRow(de="Zeichen {tint}", en="symbol {tint}", fr="symbole {tint}",
                     it="simbolo {tint}", nl="teken {tint}", es="símbolo {tint}")

    # -- service mode: lists

    NOT_COUNTED = TextRow(de="Noch nichts gezählt", en="Nothing counted yet", fr="Rien compté",
                          it="Nessun conteggio", nl="Nog niets geteld", es="Nada contado aún")
    ALL_WELL = TextRow(de="Alles geht", en="All devices are fine", fr="Tout fonctionne",
                       it="Tutto funziona", nl="Alles werkt", es="Todo funciona")

    # -- service mode: what is counted

    MATCHES = TextRow(de="Spiele", en="Matches", fr="Parties", it="Partite", nl="Spellen", es="Partidas")
    ROUNDS = TextRow(de="Runden", en="Rounds", fr="Manches", it="Turni", nl="Rondes", es="Rondas")
    VOID_ROUNDS = TextRow(de="Runden ungültig", en="Void rounds", fr="Manches nulles",
                          it="Turni annullati", nl="Ongeldige rondes", es="Rondas nulas")
    DEAD_HEATS = TextRow(de="Patts", en="Dead heats", fr="Ex aequo", it="Pari", nl="Gelijk", es="Empates")
    FALSE_CLAIMS = TextRow(de="Falsche Schläge", en="False claims", fr="Frappes pour rien",
                           it="Colpi a vuoto", nl="Valse slagen", es="Golpes en falso")
    LOST_EDGES = TextRow(de="Flanken verloren", en="Lost edges", fr="Fronts perdus",
                         it="Fronti persi", nl="Flanken kwijt", es="Flancos perdidos")
    LATE_SIGNALS = TextRow(de="Zu spät gemeldet", en="Late signals", fr="Signaux tardifs",
                           it="Segnali tardivi", nl="Late signalen", es="Señales tardías")
    FAULTS = TextRow(de="Störungen", en="Faults", fr="Pannes", it="Guasti", nl="Storingen", es="Averías")
    RESTARTS = TextRow(de="Neustarts", en="Restarts", fr="Redémarrages",
                       it="Riavvii", nl="Herstarts", es="Reinicios")
    UNUSED_BUTTONS = TextRow(de="Ungenutzt", en="Unused buttons", fr="Boutons inusités",
                             it="Pulsanti fermi", nl="Ongebruikt", es="Botones sin uso")

    # -- service mode: colours of lamps that no row has

    CYAN = TextRow(de="türkis", en="cyan", fr="cyan", it="ciano", nl="cyaan", es="cian")
    MAGENTA = TextRow(de="magenta", en="magenta", fr="magenta", it="magenta", nl="magenta", es="magenta")
    WHITE = TextRow(de="weiß", en="white", fr="blanc", it="bianco", nl="wit", es="blanco")

    # -- service mode: conditions of devices

    DEVICE_DEGRADED = TextRow(de="gestört", en="degraded", fr="perturbé",
                              it="disturbato", nl="gestoord", es="degradado")
    DEVICE_LOST = TextRow(de="fehlt", en="lost", fr="perdu", it="perso", nl="kwijt", es="perdido")


TextKey = Phrase | Verdict | Cue | Colour
"""The keys of the table; each has a row."""

TEXTS: Mapping[TextKey, TextRow] = {
    **{phrase: phrase.value for phrase in Phrase},
    # what follows a seat: its verdict,
    Verdict.ACCEPTED: TextRow(de="zählt", en="counts", fr="compte", it="vale", nl="telt", es="vale"),
    Verdict.TOO_LATE: TextRow(de="zu spät", en="too late", fr="trop tard",
                              it="tardi", nl="te laat", es="tarde"),
    Verdict.ILLEGAL: TextRow(de="falscher Platz", en="wrong place", fr="mal placé",
                             it="posto errato", nl="verkeerde plek", es="mal sitio"),
    Verdict.FALSE_CLAIM: TextRow(de="nichts da", en="false claim", fr="rien à prendre",
                                 it="nulla da prendere", nl="niets te halen", es="nada que pedir"),
    Verdict.LOCKED: TextRow(de="gesperrt", en="locked", fr="bloqué",
                            it="bloccato", nl="geblokkeerd", es="bloqueado"),
    Verdict.TAKEN_BACK: TextRow(de="nimmt zurück", en="took it back", fr="a repris",
                                it="ripreso", nl="neemt terug", es="lo recoge"),
    Verdict.REPEATED: TextRow(de="doppelt", en="slapped twice", fr="deux fois",
                              it="due volte", nl="dubbel", es="dos veces"),
    Verdict.NOT_RUNNING: TextRow(de="läuft nicht", en="not running", fr="pas en jeu",
                                 it="gioco fermo", nl="loopt niet", es="no se juega"),
    Verdict.DEAD_HEAT_WON: TextRow(de="Patt: gewonnen", en="DEAD HEAT won", fr="ex aequo gagné",
                                   it="pari: vinto", nl="gelijk: gewonnen", es="empate ganado"),
    Verdict.DEAD_HEAT_LOST: TextRow(de="Patt: verloren", en="DEAD HEAT lost", fr="ex aequo perdu",
                                    it="pari: perso", nl="gelijk: verloren", es="empate perdido"),
    # ... or what is wrong with its card or die
    Cue.UNKNOWN: TextRow(de="unbekannt", en="unknown tag", fr="puce inconnue",
                         it="tag sconosciuto", nl="onbekende tag", es="sin registrar"),
    Cue.NOT_YOURS: TextRow(de="fremde Karte", en="not your card", fr="pas votre carte",
                           it="carta non tua", nl="niet jouw kaart", es="no es tu carta"),
    Cue.TWO_TAGS: TextRow(de="zwei zugleich", en="two at once", fr="deux à la fois",
                          it="due insieme", nl="twee tegelijk", es="dos a la vez"),
    Cue.IN_CENTRE: TextRow(de="schon gespielt", en="already played", fr="déjà jouée",
                           it="già giocata", nl="al gespeeld", es="ya jugada"),
    Cue.WRONG_KIND: TextRow(de="falsches Spiel", en="wrong game", fr="pas de ce jeu",
                            it="altro gioco", nl="ander spel", es="de otro juego"),
    Cue.GONE: TextRow(de="zu früh weg", en="gone too soon", fr="retirée trop tôt",
                      it="tolta prima", nl="te vroeg weg", es="quitada antes"),
    Cue.UNREAD: TextRow(de="nicht lesbar", en="can't be read", fr="illisible",
                        it="illeggibile", nl="onleesbaar", es="no se lee"),
    Cue.WRONG_DIE: TextRow(de="falscher Würfel", en="wrong die", fr="mauvais dé",
                           it="dado errato", nl="verkeerde steen", es="dado erróneo"),
    Cue.WRONG_STOP: TextRow(de="falscher Stopp", en="wrong stop", fr="stop à tort",
                            it="stop sbagliato", nl="verkeerde stop", es="fin erróneo"),
    Colour.RED: TextRow(de="rot", en="red", fr="rouge", it="rosso", nl="rood", es="rojo"),
    Colour.YELLOW: TextRow(de="gelb", en="yellow", fr="jaune", it="giallo", nl="geel", es="amarillo"),
    Colour.GREEN: TextRow(de="grün", en="green", fr="vert", it="verde", nl="groen", es="verde"),
    Colour.BLUE: TextRow(de="blau", en="blue", fr="bleu", it="blu", nl="blauw", es="azul"),
}

# fmt: on


_TEXTS_IN: dict[str, dict[TextKey, str]] = {
    language: {what: row[column] for what, row in TEXTS.items()} for column, language in enumerate(LANGUAGES)
}

_BY_PADS = {Verdict.ILLEGAL: Phrase.FITS_NOWHERE, Verdict.FALSE_CLAIM: Phrase.NO_CARD}
"""The verdicts that have other texts where a slap plays the card on the pad."""


def say(language: str, what: TextKey, /, **numbers: object) -> str:
    """The text in that language, with its numbers."""
    text = _TEXTS_IN[language][what]
    return text.format(**numbers) if numbers else text


def verdict_key(verdict: Verdict, by_pads: bool) -> TextKey:
    """The row of a verdict. Where cards are played `by_pads`, nobody puts anything in a wrong place."""
    return _BY_PADS.get(verdict, verdict) if by_pads else verdict


def place_text(language: str, place: Slot | Card) -> str:
    """A place of the board, or a card whose owner is known: its colour and its number."""
    return f"{say(language, place.colour)} {place.number}"


def item_text(language: str, item: Card | DieFace) -> str:
    """The name of a card or a face on the scoreboard while tags are enrolled."""
    if isinstance(item, Card):
        colour = say(language, item.colour)
        return say(language, Phrase.CARD_OF_SEAT, seat=item.seat, colour=colour, number=item.number)
    return say(language, Phrase.FACE_OF_DIE, die=item.die, face=item.face)


def spot_text(language: str, spot: Spot) -> str:
    """The name of a reader on the scoreboard while tags are enrolled."""
    if isinstance(spot, Pad):
        return say(language, Phrase.PAD_READER, seat=spot.seat)
    if isinstance(spot, Pile):
        return say(language, Phrase.PILE_READER, number=spot.number)
    return place_text(language, spot)
