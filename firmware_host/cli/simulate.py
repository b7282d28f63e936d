"""`simulate`: many matches in virtual time."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.options import invitation, party_options, seed_or_chance
from firmware_host.cli.round_explanation import explained
from firmware_host.cli.terminal import can_draw
from firmware_host.cli.truth_view import truth_lines
from firmware_host.cli.widths import columns_for, wrapped
from firmware_host.cli.written import check_place
from firmware_host.errors import BadSettings
from firmware_host.simulation.party import Invitation
from firmware_host.simulation.statistics import Tally
from firmware_host.simulation.tournament import play_matches
from firmware_host.system.terminal_streams import console

SEEDS_APART = 1_000_000
"""Match i of `--seed s` is the match of `demo --seed s * 1000000 + i`: no two seeds share one."""
NAME_COLUMNS = 24


@click.command()
@party_options(misbehaving="none")
@click.option("--matches", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), help="Processes to use.  [default: one per core]")
@click.option("--json", "as_json", is_flag=True, help="Print the statistics as JSON.")
@click.option(
    "--explain",
    type=click.IntRange(min=1),
    metavar="N",
    help="Also print the first N rounds whose points fit no reading of the rule sheets, and why.",
)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw them into this .svg or .png file.")
def simulate(
    matches: int,
    workers: int | None,
    as_json: bool,
    explain: int | None,
    plot: Path | None,
    **options: Any,
) -> None:
    """Play many matches in virtual time and show the statistics.

    Simulated people play on simulated hardware; nothing waits for real time.

    \b
    Examples:
      ligretto-table simulate --matches 1000 --seed 1
      ligretto-table simulate --game cards --seats 6 --rounds 5
      ligretto-table simulate --seats 2 --skill expert,novice --plot races.svg
    """
    if plot is not None:
        _check_plot(plot)
    asked = invitation(options)
    seed = seed_or_chance(options["seed"])
    began = time.monotonic()
    seeds = range(seed * SEEDS_APART, seed * SEEDS_APART + matches)
    keep = explain or 0
    tally = _play(asked, seeds, workers, keep, quiet=as_json)
    summary = tally.summary(seat for seat, dice in enumerate(asked.deal, start=1) if dice)
    facts = {"game": asked.profile.game, "seed": seed, **summary}
    took = time.monotonic() - began
    click.echo(json.dumps(facts, indent=2) if as_json else _table(facts, took, _comparable(asked)))
    for story in tally.truth.wrong_rounds[:keep]:
        click.echo(f"\n{explained(story)}", err=as_json)
    if plot is not None:
        from firmware_host.cli.plotting import draw

        draw(tally, facts, plot)
        click.echo(f"plot: {plot}", err=as_json)


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
