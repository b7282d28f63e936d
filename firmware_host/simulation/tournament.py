"""Many matches in virtual time, on all cores."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from firmware_host.durations import S
from firmware_host.errors import TableError
from firmware_host.simulation.party import Invitation, hold_party
from firmware_host.simulation.statistics import Tally
from firmware_host.simulation.truth.witness import TruthWitness

LONGEST_MATCH_NS = 4 * 3600 * S
MATCHES_PER_TASK = 5


def play_match(invitation: Invitation, seed: int, keep: int = 0) -> Tally:
    """One match from the first press to the standings, as fast as it can be computed.

    The tally keeps the stories of that many rounds whose points fit no reading of the sheets.
    """
    tally = Tally()
    profile = invitation.profile
    witness = TruthWitness(seed, profile.game, signed=profile.ownership != "tag", keep=keep)
    party = hold_party(invitation, seed, onlookers=[tally.observe, witness.observe])
    witness.attend(party)
    step = party.table.loop.step
    while not tally.matches:
        if step() > LONGEST_MATCH_NS:
            raise TableError(f"the match with seed {seed} does not come to an end")
    party.close()
    tally.truth = witness.counts
    return tally


def play_matches(
    invitation: Invitation, seeds: range, workers: int | None = None, keep: int = 0
) -> Iterator[Tally]:
    """A tally for every few matches, as they are done; the sum does not depend on the workers."""
    tasks = [seeds[i : i + MATCHES_PER_TASK] for i in range(0, len(seeds), MATCHES_PER_TASK)]
    workers = min(workers or os.cpu_count() or 1, len(tasks))
    if workers == 1:
        for task in tasks:
            yield _play_task(invitation, task, keep)
        return
    with ProcessPoolExecutor(workers, initializer=gc.freeze) as pool:
        futures = [pool.submit(_play_task, invitation, task, keep) for task in tasks]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def _play_task(invitation: Invitation, seeds: range, keep: int) -> Tally:
    total = Tally()
    for seed in seeds:
        total.add(play_match(invitation, seed, keep - len(total.truth.wrong_rounds)))
    return total
