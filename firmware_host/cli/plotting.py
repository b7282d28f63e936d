"""Plots of the statistics of many matches, with matplotlib."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from firmware_host.cli.written import write_whole
from firmware_host.durations import MS, S
from firmware_host.simulation.statistics import Tally

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
