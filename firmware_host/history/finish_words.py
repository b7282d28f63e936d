"""What a photo finish says in each language: a row for each text, a cell for each language."""

from __future__ import annotations

import textwrap
from enum import Enum, unique

from firmware_host.history.finish import Finish, FinishRule, FinishScale, Rival, finish_scale
from firmware_host.history.scene import SIGNS
from firmware_host.model.phrases import LANGUAGES, TextRow, place_text, say
from firmware_host.model.places import Card, Slot
from firmware_host.model.times import MS, US, S
from firmware_host.show.lamps import ROW_SYMBOL

# fmt: off


@unique
class FinishText(Enum):
    """All texts of a photo finish except verdicts and colours."""

    TITLE = TextRow(de="Zielfoto", en="Photo finish", fr="Photo-finish",
                    it="Fotofinish", nl="Finishfoto", es="Foto finish")
    THE_END = TextRow(de="Rundenende", en="end of the round", fr="fin de la manche",
                      it="fine del turno", nl="einde van de ronde", es="fin de la ronda")
    IN_ROUND = TextRow(de="Runde {n}", en="round {n}", fr="manche {n}",
                       it="turno {n}", nl="ronde {n}", es="ronda {n}")
    AT = TextRow(de="nach {time}", en="after {time}", fr="après {time}",
                 it="dopo {time}", nl="na {time}", es="a los {time}")
    SEAT = TextRow(de="Platz {seat}", en="seat {seat}", fr="place {seat}",
                   it="posto {seat}", nl="plek {seat}", es="sitio {seat}")
    AND = TextRow(de="und", en="and", fr="et", it="e", nl="en", es="y")
    LATER = TextRow(de="{time} später", en="{time} later", fr="{time} plus tard",
                    it="{time} dopo", nl="{time} later", es="{time} después")
    EARLIER = TextRow(de="{time} früher", en="{time} earlier", fr="{time} plus tôt",
                      it="{time} prima", nl="{time} eerder", es="{time} antes")
    AT_ONCE = TextRow(de="gleichzeitig", en="at the same moment", fr="au même moment",
                      it="nello stesso istante", nl="op hetzelfde moment", es="en el mismo instante")
    AT_LEAST = TextRow(de="sicher {time}", en="at least {time}", fr="au moins {time}",
                       it="almeno {time}", nl="zeker {time}", es="al menos {time}")
    OVERLAPS = TextRow(de="überlappt {time}", en="overlaps by {time}", fr="recouvrement {time}",
                       it="sovrapposti {time}", nl="overlapt {time}", es="se solapan {time}")
    RECEIVED = TextRow(de="Eingang", en="arrival", fr="réception",
                       it="ricezione", nl="ontvangst", es="recepción")

    BY_STAMPS = TextRow(
        de="{winner} war sicher zuerst: Der Balken endet, bevor ein anderer beginnt.",
        en="{winner} was certainly first: the bar ends before any other begins.",
        fr="{winner} : premier avec certitude. La barre finit avant le début des autres.",
        it="{winner}: primo con certezza. La barra finisce prima che inizino le altre.",
        nl="{winner} was zeker eerst: de balk eindigt voordat een andere begint.",
        es="{winner} fue sin duda primero: su barra acaba antes de que empiece otra.")
    BY_EARLY = TextRow(
        de="{early}: gedrückt, bevor der Stein lag. Zu früh gedrückt überholt niemanden.",
        en="{early} slapped before it lay there. An early slap does not overtake.",
        fr="{early} : appui avant la pose. Un appui trop tôt ne dépasse personne.",
        it="{early}: premuto prima che fosse posato. Chi preme troppo presto non sorpassa.",
        nl="{early} drukte voordat het er lag. Wie te vroeg drukt, haalt niemand in.",
        es="{early}: pulsado antes de la colocación. Pulsar demasiado pronto no adelanta.")
    BY_OVERLAP = TextRow(
        de="Die Balken überlappen. Was {winner} bekam, stand sonst niemandem mehr zu.",
        en="The bars overlap. What {winner} got was nobody else's any more.",
        fr="Les barres se recouvrent. Ce que {winner} a obtenu n'était plus à prendre.",
        it="Le barre si sovrappongono. Quel che ha avuto {winner} non spettava più ad altri.",
        nl="De balken overlappen. Wat {winner} kreeg, was van niemand anders meer.",
        es="Las barras se solapan. Lo que recibió {winner} ya no era de nadie más.")
    BY_FEWEST = TextRow(
        de="Patt: {tied}. {Winner} hatte in dieser Partie die wenigsten Patts gewonnen ({won}).",
        en="Dead heat: {tied}. {Winner} had won the fewest dead heats of this match ({won}).",
        fr="Ex aequo : {tied}. {Winner} en avait gagné le moins dans cette partie ({won}).",
        it="Pari: {tied}. {Winner} ne aveva vinti di meno in questa partita ({won}).",
        nl="Gelijk: {tied}. {Winner} had er in deze partij de minste gewonnen ({won}).",
        es="Empate: {tied}. {Winner} era quien menos había ganado en esta partida ({won}).")
    BY_DRAW = TextRow(
        de="Patt: {tied}. Bisher gleich viele gewonnen, also entschied das Los: {winner}.",
        en="Dead heat: {tied}. As many won before, so lots were drawn: {winner}.",
        fr="Ex aequo : {tied}. Autant gagnés avant, donc tirage au sort : {winner}.",
        it="Pari: {tied}. Altrettanti vinti prima, quindi sorteggio: {winner}.",
        nl="Gelijk: {tied}. Evenveel gewonnen, dus het lot besliste: {winner}.",
        es="Empate: {tied}. Igual número ganados antes, así que sorteo: {winner}.")

    ARRIVAL_SAME = TextRow(
        de="Nach der Reihenfolge des Eingangs wäre es ebenso ausgegangen.",
        en="By order of arrival it would have ended the same way.",
        fr="Par ordre de réception, le résultat aurait été le même.",
        it="In ordine di ricezione sarebbe finita allo stesso modo.",
        nl="In volgorde van ontvangst was het net zo afgelopen.",
        es="Por orden de recepción habría acabado igual.")
    ARRIVAL_OTHER = TextRow(
        de="Nach der Reihenfolge des Eingangs hätte {first} gewonnen; sie zählt nie.",
        en="By order of arrival {first} would have won; that order never counts.",
        fr="Par ordre de réception, {first} aurait gagné ; cet ordre ne compte jamais.",
        it="In ordine di ricezione avrebbe vinto {first}; quell'ordine non conta mai.",
        nl="In volgorde van ontvangst had {first} gewonnen; die telt nooit.",
        es="Por orden de recepción habría ganado {first}; ese orden nunca cuenta.")
    ARRIVAL_UNKNOWN = TextRow(
        de="Die Reihenfolge des Eingangs ist hier nicht bekannt.",
        en="The order of arrival is not known here.",
        fr="L'ordre de réception n'est pas connu ici.",
        it="L'ordine di ricezione non è noto qui.",
        nl="De volgorde van ontvangst is hier niet bekend.",
        es="Aquí no se conoce el orden de recepción.")
    DOUBTFUL = TextRow(
        de="Zweifelhaft: Um diesen Moment gingen Signale verloren.",
        en="Doubtful: signals were lost around that moment.",
        fr="Douteux : des signaux ont été perdus autour de ce moment.",
        it="Dubbio: intorno a quel momento si sono persi segnali.",
        nl="Twijfelachtig: rond dat moment gingen signalen verloren.",
        es="Dudoso: alrededor de ese momento se perdieron señales.")
    KEY = TextRow(
        de="Irgendwann in der Zeit eines Balkens wurde gedrückt; genauer weiß es niemand.",
        en="The press was somewhere in the time of its bar; nobody knows it more exactly.",
        fr="L'appui a eu lieu pendant la durée de sa barre ; nul ne le sait mieux.",
        it="La pressione è avvenuta nel tempo della sua barra; di più non si sa.",
        nl="Ergens in de tijd van een balk is gedrukt; preciezer weet niemand het.",
        es="Se pulsó en algún momento de su barra; nadie lo sabe con más exactitud.")


# fmt: on

_RULES = {
    FinishRule.STAMPS: FinishText.BY_STAMPS,
    FinishRule.EARLY: FinishText.BY_EARLY,
    FinishRule.OVERLAP: FinishText.BY_OVERLAP,
    FinishRule.FEWEST_TIES: FinishText.BY_FEWEST,
    FinishRule.DRAW: FinishText.BY_DRAW,
}


def finish_text(language: str, what: FinishText, /, **parts: object) -> str:
    """The text in that language, with its parts."""
    text: str = what.value[LANGUAGES.index(language)]
    return text.format(**parts)


def time_text(language: str, time_ns: int) -> str:
    """A span of time as people of that language write it: 50 µs, 3.1 ms, 0.42 s."""
    for limit, unit, word, digits in ((999.5, US, "µs", 0), (99.95, MS, "ms", 1)):
        if time_ns / unit < limit:
            return _number(language, time_ns / unit, digits, word)
    return _number(language, time_ns / S, 2, "s")


def _number(language: str, value: float, digits: int, unit: str) -> str:
    number = f"{value:.{digits}f}"
    return f"{number if language == 'en' else number.replace('.', ',')} {unit}"


def seats_text(language: str, seats: list[int]) -> str:
    """Several seats in a sentence."""
    names = [finish_text(language, FinishText.SEAT, seat=seat) for seat in seats]
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {finish_text(language, FinishText.AND)} {names[-1]}"


def what_text(language: str, what: Slot | Card | None) -> str:
    """What was raced for, with the symbol of its row."""
    if what is None:
        return finish_text(language, FinishText.THE_END)
    return f"{ROW_SYMBOL[what.colour]} {place_text(language, what)}"


def when_text(language: str, finish: Finish) -> str:
    """In which round, and how long after its start, as far as that is known."""
    words = []
    if finish.round_number is not None:
        words.append(finish_text(language, FinishText.IN_ROUND, n=finish.round_number))
    if finish.started_ns is not None:
        since_s = _number(language, (finish.zero_ns - finish.started_ns) / S, 3, "s")
        words.append(finish_text(language, FinishText.AT, time=since_s))
    return ", ".join(words)


def margin_words(language: str, rival: Rival) -> tuple[str, str]:
    """How far behind the winner one was, and how much of that is certain."""
    if abs(rival.margin_ns) < US:
        margin = finish_text(language, FinishText.AT_ONCE)
    else:
        side = FinishText.EARLIER if rival.margin_ns < 0 else FinishText.LATER
        margin = finish_text(language, side, time=time_text(language, abs(rival.margin_ns)))
    sure = FinishText.AT_LEAST if rival.apart_ns > 0 else FinishText.OVERLAPS
    # rounded down: less is certain, not more
    apart_ns = (
        abs(rival.apart_ns) // US * US
        if abs(rival.apart_ns) < MS
        else abs(rival.apart_ns) // 100_000 * 100_000
    )
    return margin, finish_text(language, sure, time=time_text(language, apart_ns))


def finish_sentences(language: str, finish: Finish) -> list[str]:
    """Why it was decided like that, and what order of arrival would have said."""
    won = " : ".join(str(each.ties_won) for each in finish.tied)
    winner = seats_text(language, [finish.winner.seat])
    rule = finish_text(
        language,
        _RULES[finish.rule],
        winner=winner,
        Winner=_capital(winner),
        early=seats_text(language, [each.seat for each in finish.early] or [finish.winner.seat]),
        tied=seats_text(language, [each.seat for each in finish.tied] or [finish.winner.seat]),
        won=won,
    )
    first = finish.first_to_arrive
    if first is None:
        arrival = finish_text(language, FinishText.ARRIVAL_UNKNOWN)
    elif first == finish.winner.seat:
        arrival = finish_text(language, FinishText.ARRIVAL_SAME)
    else:
        name = seats_text(language, [first])
        arrival = finish_text(language, FinishText.ARRIVAL_OTHER, first=name)
    sentences = [_capital(rule), _capital(arrival)]
    if finish.is_doubtful:
        sentences.append(finish_text(language, FinishText.DOUBTFUL))
    return sentences


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


NAME_COLUMNS = 12
TICKS = 4


def finish_lines(finish: Finish, language: str, columns: int = 80) -> list[str]:
    """What was raced for, a lane for each rival, and why it was decided like that."""
    width = columns - NAME_COLUMNS
    scale = finish_scale(finish)
    when = when_text(language, finish)
    title = f"{finish_text(language, FinishText.TITLE)}: {what_text(language, finish.what)}"
    lines = [f"{title} ({when})" if when else title, _axis(scale, width)]
    for rival in finish.rivals:
        name = finish_text(language, FinishText.SEAT, seat=rival.seat)
        lines.append(f"{name:<{NAME_COLUMNS}}{_lane(finish, rival, scale, width)}")
        lines += _indented(_words(finish, rival, language), columns)
    for sentence in finish_sentences(language, finish):
        lines += textwrap.wrap(sentence, columns)
    return lines


def _axis(scale: FinishScale, width: int) -> str:
    cells = [" "] * (width + NAME_COLUMNS)
    for tick_ns, name in scale.ticks(TICKS):
        at = min(NAME_COLUMNS + int(scale.place(tick_ns) * width), len(cells) - len(name))
        cells[at : at + len(name)] = name
    return "".join(cells).rstrip()


def _lane(finish: Finish, rival: Rival, scale: FinishScale, width: int) -> str:
    """The stamp as a bar: full for the winner, a frame for the others; an arrow for one far away."""
    if not scale.holds(rival):
        return f"{'>':>{width}}" if rival.stamp.latest_ns > scale.to_ns else "<"
    first, last = (min(width - 1, int(scale.place(t_ns) * width)) for t_ns in rival.stamp)
    sign = SIGNS[rival.verdict]
    fill = "=" if rival is finish.winner else "-"
    inner = last - first - 1
    bar = f"[{sign:{fill}^{inner}}]" if inner > 0 else sign
    return " " * first + bar


def _words(finish: Finish, rival: Rival, language: str) -> str:
    told = [say(language, rival.verdict)]
    if rival is not finish.winner:
        told += margin_words(language, rival)
    if rival.arrived is not None:
        told.append(f"{finish_text(language, FinishText.RECEIVED)}: {rival.arrived}.")
    return ", ".join(told)


def _indented(text: str, columns: int) -> list[str]:
    indent = " " * NAME_COLUMNS
    return textwrap.wrap(text, columns, initial_indent=indent, subsequent_indent=indent)
