"""`simulate`: many matches in virtual time."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.terminal import can_draw, columns_for, console, wrapped
from firmware_host.cli.written import WrittenFile, check_place, write_whole
from firmware_host.lab.bots.movements import (
    ButtonPressed,
    CardHeld,
    CardLaid,
    CardPutBack,
    CardTaken,
    DieCleared,
    DiePut,
    DieTaken,
    LigrettoMoved,
    Movement,
    SlotTouched,
    Thrown,
)
from firmware_host.lab.cli.options import invitation, party_options, seed_or_chance
from firmware_host.lab.faults import CHIP_FAULTS, PlannedFault, parse_planned
from firmware_host.lab.party import Invitation, Party
from firmware_host.lab.scenarios.running import Recorder
from firmware_host.lab.tournament import Tally, play_match, play_matches
from firmware_host.lab.truth.oracles import SheetReading
from firmware_host.lab.truth.witness import RoundStory, fate, press_kind
from firmware_host.model.effects import (
    CardPlayed,
    Corrected,
    Judged,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    SlotChanged,
    TieBroken,
)
from firmware_host.model.errors import BadSettings, MalformedText, TableError
from firmware_host.model.times import MS, S
from firmware_host.show.effect_sentences import effect_sentence

SEAT_COLOUR = "#3b6ea5"
SECOND_COLOUR = "#d98032"


def draw(tally: Tally, facts: dict[str, Any], path: Path) -> None:
    """Four plots in one file: wins and scores by seat, round lengths, margins of lost races."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 7), layout="constrained")
    axes = figure.subplots(2, 2)
    seats = facts["seats"]
    even = facts["matches"] / len(seats)
    axes[0][0].bar(list(seats), [each["wins"] for each in seats.values()], color=SEAT_COLOUR)
    axes[0][0].axhline(even, color="grey", linestyle="--", linewidth=1, label="even share")
    axes[0][0].set(title="Matches won", xlabel="seat")
    axes[0][0].legend(loc="lower right")
    axes[0][1].bar(list(seats), [each["mean_score"] for each in seats.values()], color=SECOND_COLOUR)
    axes[0][1].axhline(0, color="grey", linewidth=1)
    axes[0][1].set(title="Mean score of a match", xlabel="seat")
    axes[1][0].hist([length / S for length in tally.round_lengths_ns], bins=40, color=SEAT_COLOUR)
    axes[1][0].set(title="Length of a round", xlabel="seconds", ylabel="rounds")
    axes[1][1].hist([margin / MS for margin in tally.margins_ns], bins=40, color=SECOND_COLOUR)
    axes[1][1].set(title="How late the losers of a race were", xlabel="ms", ylabel="slaps")
    figure.suptitle(
        f"{facts['matches']} matches of {facts['game']} for {len(seats)}, "
        f"{facts['dead_heats']} dead heats, seed {facts['seed']}"
    )
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix.removeprefix("."))
    write_whole(path, drawn.getvalue())


_ROWS = {
    "points_wrong": "rounds whose points fit no reading of the sheets",
    "wrong_finisher": "rounds with a wrong finisher",
    "wrong_winner": "matches with a wrong winner",
    "stop_taken_back": "rounds with a stop call taken back",
    "corrected": "rounds with a corrected count",
    "locked": "seats locked, of all seats in all rounds",
    "play_share": "time of a match that is play",
}


def truth_lines(truth: dict[str, Any]) -> list[str]:
    """A line for each share, and one for each cause of wrong points."""
    lines = [f"{words:<50}{truth[key]:>8.2%}" for key, words in _ROWS.items()]
    each, in_all = truth["locked_seconds_each"], truth["locked_seconds_in_all"]
    lines.append(f"a locked seat is locked for {each} s in its round on average; {in_all} s in all")
    return lines + _cause_lines(truth["causes"])


def _cause_lines(causes: dict[str, int]) -> list[str]:
    """The causes by what was wrong, most frequent first."""
    kinds = Counter[str]()
    for cause, count in causes.items():
        kinds[cause.partition(": ")[0]] += count
    lines = ["", "wrong points, by cause"] if causes else []
    for kind, total in kinds.most_common():
        lines.append(f"{total:>6}  {kind}")
        own = [(count, cause.partition(": ")[2]) for cause, count in causes.items() if _is_of(cause, kind)]
        lines += [f"{count:>12}  {detail}" for count, detail in own if detail]
    return lines


def _is_of(cause: str, kind: str) -> bool:
    return cause.partition(": ")[0] == kind


BEFORE_NS, AFTER_NS = 6 * S, 3 * S
_SHOWN = (CardPlayed, Corrected, Judged, PhaseEntered, RoundFinished, RoundScored, SlotChanged, TieBroken)


def explained(story: RoundStory) -> str:
    """All lines of one round."""
    fair, scored = story.fair, story.scored
    lines = [f"simulate --record FILE --seed {story.seed}, round {scored.number}: {story.cause}"]
    names = (
        "finisher" if fair is None else f"finisher by the sheets {fair.finisher or 'nobody'}, by the table"
    )
    lines.append(
        f"  {names} {scored.finisher or 'nobody'}; {len(story.readings)} readings fit what hands did"
    )
    lines += _count_lines(story, fair)
    if fair is not None and fair.on_board:
        lines += _dice(story, fair)
    lines += _events(story, fair)
    return "\n".join(lines)


def _count_lines(story: RoundStory, fair: SheetReading | None) -> Iterator[str]:
    yield "  seat   left: sheets   table   points: sheets   table"
    for seat in story.table_left:
        left, points = (fair.left[seat], fair.points[seat]) if fair is not None else ("?", "?")
        mark = "   <" if points != story.table_points[seat] else ""
        yield (
            f"  {seat:>4} {left:>14} {story.table_left[seat]:>7} {points:>16} "
            f"{story.table_points[seat]:>7}{mark}"
        )


def _dice(story: RoundStory, fair: SheetReading) -> Iterator[str]:
    """Each die that counts for another seat at the table than by the sheets."""
    counted = story.counted(story.effects[-1].t_ns)
    for slot in sorted({*counted, *fair.on_board}):
        owner, judged = fair.on_board.get(slot), counted.get(slot)
        by_table = judged.seat if judged is not None else None
        if owner == by_table:
            continue
        if owner is not None:
            why = fate(story, slot, owner, fair.end_ns)
        else:
            why = press_kind(story, judged) if judged is not None else ""
        yield f"  {slot}: of {_seat(owner)} by the sheets, of {_seat(by_table)} by the table ({why})"


def _seat(seat: int | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def _events(story: RoundStory, fair: SheetReading | None) -> Iterator[str]:
    """What happened from a while before the first end to a while after the last one."""
    ends = [t_ns for t_ns, effect in story.effects if isinstance(effect, RoundFinished)]
    ends += [] if fair is None else [fair.end_ns]
    if not ends:
        return
    yield "  events, in seconds from the end by the sheets:" if fair is not None else "  events:"
    zero_ns = max(ends) if fair is None else fair.end_ns
    told = [(t_ns, _order, text) for _order, t_ns, text in _lines(story)]
    for t_ns, _, text in sorted(told):
        if min(ends) - BEFORE_NS <= t_ns <= max(ends) + AFTER_NS:
            end = "  == the end by the sheets" if fair is not None and t_ns == zero_ns else ""
            yield f"  {(t_ns - zero_ns) / S:>+9.3f}  {text}{end}"


def _lines(story: RoundStory) -> Iterator[tuple[int, int, str]]:
    puts = {t_ns for t_ns, movement in story.moves if isinstance(movement, DiePut | DieTaken)}
    for t_ns, movement in story.moves:
        if isinstance(movement, SlotTouched) and t_ns in puts:
            continue
        text = movement_text(movement)
        if text:
            yield 0, t_ns, f"hand   {text}"
    for t_ns, effect in story.effects:
        if isinstance(effect, _SHOWN):
            late = (
                f" ({(t_ns - effect.stamp.earliest_ns) / MS:.0f} ms after it)"
                if isinstance(effect, Judged)
                else ""
            )
            yield 1, t_ns, f"table  {effect_sentence(effect)}{late}"


def movement_text(movement: Movement) -> str:
    """A movement in a few words; nothing for one that is of no use here."""
    match movement:
        case Thrown(seat, left):
            return f"seat {seat} throws {left}"
        case DiePut(seat, die, slot):
            wrong = "" if (die.colour, die.face) == tuple(slot) else f" WRONG: {die.colour.word} {die.face}"
            return f"seat {seat} puts a die on {slot}{wrong}"
        case DieTaken(seat, _, slot):
            return f"seat {seat} takes the die back from {slot}"
        case DieCleared(_, slot):
            return f"the die on {slot} goes into the bag"
        case SlotTouched(slot, filled):
            return f"{slot} is {'set down again' if filled else 'lifted or knocked off'}"
        case ButtonPressed(seat, call):
            return f"seat {seat} presses{' the call button' if call else ''}"
        case CardTaken(card, own):
            return f"seat {card.seat} takes {card}{' from the Ligretto pile' if own else ''}"
        case CardHeld(card, at):
            return f"seat {card.seat} holds {card} to {at}"
        case CardPutBack(card):
            return f"seat {card.seat} puts {card} back"
        case CardLaid(card):
            return f"seat {card.seat} lays {card} in the centre"
        case LigrettoMoved(seat):
            return f"seat {seat} moves a card of the Ligretto pile to the row"
        case _:
            return ""


SEEDS_APART = 1_000_000
"""Match i of `--seed s` is that of `--record` with the seed s * 1000000 + i: no two seeds share one."""
MATCHES = 100
NAME_COLUMNS = 24


@click.command()
@party_options(misbehaving="none")
@click.option("--matches", type=click.IntRange(min=1), help=f"How many.  [default: {MATCHES}]")
@click.option("--workers", type=click.IntRange(min=1), help="Processes to use.  [default: one per core]")
@click.option("--json", "as_json", is_flag=True, help="Print the statistics as JSON.")
@click.option(
    "--explain",
    type=click.IntRange(min=1),
    metavar="N",
    help="Also print the first N rounds whose points fit no reading of the rule sheets, and why.",
)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw them into this .svg or .png file.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Play one match, whose seed is --seed itself, and record it as a scenario for `replay`.",
)
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="'KIND WHAT [START [LENGTH]]'",
    help="With --record: play on simulated chips, and let a device fail, such as 'unplug scoreboard 10s 5s'; "
    f"repeatable. Kinds: {', '.join(CHIP_FAULTS)}.  [default: from 15s for 5s]",
)
def simulate(
    matches: int | None,
    workers: int | None,
    as_json: bool,
    explain: int | None,
    plot: Path | None,
    record: Path | None,
    faults: tuple[str, ...],
    **options: Any,
) -> None:
    """Play many matches in virtual time and show the statistics.

    Simulated people play on simulated hardware; nothing waits for real time.

    \b
    Examples:
      ligretto-table simulate --matches 1000 --seed 1
      ligretto-table simulate --game cards --seats 6 --rounds 5
      ligretto-table simulate --seats 2 --skill expert,novice --plot races.svg
      ligretto-table simulate --record match.txt --fault 'unplug left 14s'
      ligretto-table replay -v match.txt
    """
    if plot is not None:
        _check_plot(plot)
    asked = invitation(options)
    seed = seed_or_chance(options["seed"])
    began = time.monotonic()
    keep = explain or 0
    if record is not None:
        if matches is not None:
            raise BadSettings(["--matches can't be combined with --record, which plays one match"])
        tally = _recorded(asked, seed, keep, _planned(asked, faults), record)
    else:
        if faults:
            raise BadSettings(["--fault needs --record: it is for one match"])
        seeds = range(seed * SEEDS_APART, seed * SEEDS_APART + (matches or MATCHES))
        tally = _play(asked, seeds, workers, keep, quiet=as_json)
    summary = tally.summary(seat for seat, dice in enumerate(asked.deal, start=1) if dice)
    facts = {"game": asked.profile.game, "seed": seed, **summary}
    took = time.monotonic() - began
    click.echo(json.dumps(facts, indent=2) if as_json else _table(facts, took, _comparable(asked)))
    for story in tally.truth.wrong_rounds[:keep]:
        click.echo(f"\n{explained(story)}", err=as_json)
    if plot is not None:
        draw(tally, facts, plot)
        click.echo(f"plot: {plot}", err=as_json)


def _planned(asked: Invitation, texts: tuple[str, ...]) -> list[PlannedFault]:
    """What is to go wrong; BadSettings says why it can't."""
    faults, wrong = [], []
    for text in texts:
        try:
            faults.append(parse_planned(text))
        except MalformedText as error:
            wrong.append(f"--fault: {error}")
    if texts and asked.misbehaviour.late:  # something that the simulated chips don't do
        wrong.append("--fault and --late can't be combined: late edges are simulated without chips")
    elif texts and not asked.profile.lamp_wires:  # chips light nothing there, and nobody can play in the dark
        wrong.append("--fault needs simulated chips, and this profile wires no [lamps] to play by")
    if wrong:
        raise BadSettings(wrong)
    return faults


def _recorded(asked: Invitation, seed: int, keep: int, faults: list[PlannedFault], path: Path) -> Tally:
    """One match. However it ends, it is recorded up to there."""
    file = WrittenFile(path)

    def record(party: Party) -> None:
        recorder = Recorder(asked, seed, lambda text: file.write(text.encode()))
        party.table.loop.witnesses.append(recorder.arrived)
        party.table.shell.onlookers.append(recorder.observe)

    try:
        tally = play_match(asked, seed, keep, faults, record)
    except TableError:
        file.drop()
        raise
    except BaseException:
        file.put()
        raise
    file.put()
    return tally


def _play(asked: Invitation, seeds: range, workers: int | None, keep: int, quiet: bool) -> Tally:
    total = Tally()
    if quiet:
        for tally in play_matches(asked, seeds, workers, keep):
            total.add(tally)
        return total
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = can_draw(sys.stderr)
    with Progress(*columns, console=console(stderr=True), transient=True, disable=not shown) as progress:
        bar = progress.add_task("matches", total=len(seeds))
        for tally in play_matches(asked, seeds, workers, keep):
            total.add(tally)
            progress.update(bar, completed=total.matches)
    return total


def _check_plot(path: Path) -> None:
    """Refuse now what could only fail after all the matches."""
    if path.suffix not in (".svg", ".png"):
        raise BadSettings([f"--plot {path}: the name must end in .svg or .png"])
    if not path.parent.is_dir():
        raise BadSettings([f"--plot {path}: there is no folder {path.parent}"])
    try:
        import matplotlib  # noqa: F401  # only to see whether it is there
    except ImportError:
        install = f"{shlex.quote(sys.executable)} -m pip install matplotlib"
        raise BadSettings([f"--plot needs matplotlib; install it with: {install}"]) from None
    check_place(path)


def _comparable(asked: Invitation) -> bool:
    """Whether all seats have the same hands and the same dice, so that they should do equally well."""
    dealt = {dice for dice in asked.deal if dice}
    return len(dealt) == 1 and len({id(skill) for skill in asked.skills}) == 1


def _table(facts: dict[str, Any], took: float, comparable: bool) -> str:
    columns = columns_for(80)
    seats, even = facts["seats"], facts["evenness"]
    lines = wrapped(
        f"{facts['matches']} matches of {facts['game']}, {facts['rounds']} rounds, "
        f"{facts['virtual_hours']} hours of play, in {took:.1f} s (seed {facts['seed']})",
        columns,
    )
    lines += ["", "seat   wins   mean score   rounds finished first   dead heats won"]
    lines += [
        f"{seat:>4} {each['wins']:>6} {each['mean_score']:>+12.2f} {each['rounds_finished_first']:>23} "
        f"{each['dead_heats_won']:>16}"
        for seat, each in seats.items()
    ]
    seats_line = (
        f"seats are {'even' if even['even'] else 'NOT even'}: chi-squared of finishing first "
        f"{even['chi_squared']}, limit {even['limit']} at p = 0.001"
    )
    unlike = "seats differ in skill or dice, so their results may differ"
    lines += ["", *wrapped(seats_line if comparable else unlike, columns), ""]
    lines += _quantiles(
        {"round length (s)": facts["round_seconds"], "lost by (ms, up to 500)": facts["margin_ms"]}
    )
    return "\n".join([*lines, "", *_counts(facts, columns), "", *truth_lines(facts["truth"])])


def _quantiles(rows: dict[str, dict[str, float]]) -> list[str]:
    """A line for each quantity, below one with headings."""
    heads = next((quantiles for quantiles in rows.values() if quantiles), {})
    lines = [" " * NAME_COLUMNS + "".join(f"{name:>9}" for name in heads)] if heads else []
    for name, quantiles in rows.items():
        lines.append(
            f"{name:<{NAME_COLUMNS}}"
            + ("".join(f"{each:>9.3f}" for each in quantiles.values()) or "     none")
        )
    return lines


def _counts(facts: dict[str, Any], columns: int) -> list[str]:
    stopped = "void" if facts["game"] == "dice" else "stuck"
    counts = {
        "contests": facts["contests"],
        "of them dead heats": facts["dead_heats"],
        "matches with several winners": facts["shared_wins"],
        "corrected leftovers": facts["corrections"],
        "stop calls taken back": facts["resumed_rounds"],
        f"rounds {stopped}": facts["voided_rounds" if stopped == "void" else "stuck_rounds"],
        "late edges": facts["late_signals"],
    }
    verdicts = ", ".join(f"{name} {count}" for name, count in facts["verdicts"].items())
    summary = ", ".join(f"{name} {count}" for name, count in counts.items())
    return [*wrapped(summary, columns), *wrapped(f"verdicts: {verdicts}", columns)]
