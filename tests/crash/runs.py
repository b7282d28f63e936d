"""Runs: what a seed stands for, and what came of it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random

from firmware_host.model.states import Phase
from firmware_host.store.store_reader import reading
from tests.crash.evening import Blow, Evening, Failed, How, Rig, blow_of
from tests.crash.evidence import COLUMNS, look_into
from tests.crash.people import news_of, told
from tests.crash.plans import plan_match
from tests.crash.space import Damage, Limit, Shortage, SmallDisk, Space, can_mount, cut, scribble

BEHIND = "the store is behind"
"""What the log says when the disk was too slow: then something may have been shown before it was written."""
UNWRITTEN = "shown before it is written"
GAMES = ("dice", "cards")
PLANS = 12
"""So many different matches of each game are played."""
MOST_BLOWS = 5


class Variant(Enum):
    """What an evening is about."""

    KILLED = "killed"  # anywhere, up to five times
    IN_PHASE = "in a phase"  # ... in a phase of its own for each
    STARTING = "starting"  # ... while it starts and resumes, too
    ASKED = "asked"  # asked to end, and to read its configuration, besides
    CUT = "cut"  # killed, and its file is cut off
    SCRIBBLED = "scribbled"  # killed, and bytes of its file are overwritten
    LIMITED = "limited"  # it may not make its files any longer for a while
    FULL = "full"  # the disk is full for a while


_SHARES = {
    Variant.KILLED: 9,
    Variant.IN_PHASE: 4,
    Variant.STARTING: 2,
    Variant.ASKED: 1,
    Variant.CUT: 2,
    Variant.SCRIBBLED: 2,
    Variant.LIMITED: 2,
    Variant.FULL: 1,
}
CYCLE = [variant for variant, share in _SHARES.items() for _ in range(share)]


@dataclass(slots=True)
class Result:
    """What came of a run."""

    seed: int
    variant: str
    game: str
    fault: str = ""
    struck: list[tuple[str, str]] = field(default_factory=list)
    """The way of each blow, and the phase that it came in."""
    damage: str = ""
    resumed: int = 0
    """How many daemons went on with the match."""
    fresh: int = 0
    """How often the table had forgotten the match, and people began it anew."""
    behind: bool = False
    """Whether the disk was so slow that something may have been shown before it was written."""
    unwritten: int = 0
    """How many verdicts were shown in such a run that are not in the store; the log says which."""
    verdicts: int = 0
    rivals: int = 0
    messages: int = 0
    world_s: float = 0.0
    outages_s: float = 0.0
    real_s: float = 0.0

    def __str__(self) -> str:
        words = f"seed {self.seed}: {self.game}, {self.variant}, {len(self.struck)} blows"
        return f"{words}: {self.fault or 'right'}"


def variant_of(seed: int) -> Variant:
    """Seeds that follow each other have all variants in their shares."""
    return CYCLE[seed * 7 % len(CYCLE)]


def run(seed: int, keep: bool = False, game: str = "", sync: str = "rounds") -> Result:
    """The run of that seed; with `keep`, its folder stays there if it fails. Without `game`, seeds
    alternate between both."""
    chance = Random(seed)
    variant, game = variant_of(seed), game or GAMES[seed % 2]
    result = Result(seed, variant.value, game)
    folder = Path(tempfile.mkdtemp(prefix=f"crash-{seed}-", dir=_quick_folder()))
    plan = plan_match(game, chance.randrange(PLANS))
    disk = folder / "disk"
    on_disk = variant is Variant.FULL and can_mount(disk)
    rig = Rig(folder, plan, seed, disk / "table.db" if on_disk else None, sync)
    space: Space | None = None
    began_s = time.monotonic()
    try:
        more_bytes = chance.choice((0, 1, 4096, chance.randint(0, 30_000)))
        if on_disk:
            space = SmallDisk(disk, more_bytes)
        elif variant in (Variant.LIMITED, Variant.FULL):
            space = Limit(rig, more_bytes)
        _spend(Evening(rig, _blows(variant, chance, game)), variant, chance, result, space)
    except Failed as error:
        result.fault = str(error)
    except Exception as error:
        result.fault = f"the harness failed: {error!r}"
    finally:
        rig.close()
        if space is not None:
            space.close()
    diary = rig.people.diary
    result.rivals, result.fresh = diary.rivals, max(0, diary.begun - 1)
    result.world_s, result.outages_s = rig.world_s, rig.outages_ns / 1e9
    result.real_s = time.monotonic() - began_s
    if result.fault and keep:
        result.fault += f"; see {folder}"
    else:
        shutil.rmtree(folder)
    return result


def _quick_folder() -> str | None:
    """A folder in memory, if there is one: a kill loses nothing that the kernel has, and disks are slow."""
    memory = "/dev/shm"
    return memory if "TMPDIR" not in os.environ and os.access(memory, os.W_OK) else None


def undisturbed(game: str, number: int) -> Result:
    """A match of that plan without any blow: all that was planned is seen, at the first attempt."""
    result = Result(0, "undisturbed", game)
    folder = Path(tempfile.mkdtemp(prefix=f"crash-{game}-{number}-", dir=_quick_folder()))
    rig = Rig(folder, plan_match(game, number), number)
    try:
        _spend(Evening(rig, []), Variant.KILLED, Random(number), result)
        plays = [play for each in rig.plan.rounds for play in each.plays]
        planned = (sum(bool(play.rival) for play in plays), sum(bool(play.before) for play in plays), 0)
        diary = rig.people.diary
        seen = (diary.rivals, diary.side_shows, diary.repeated)
        if seen != planned:
            result.fault = (
                f"plan {number}: rivals, side shows and repetitions are {seen} instead of {planned}"
            )
    except Failed as error:
        result.fault = f"plan {number}: {error}"
    finally:
        rig.close()
        shutil.rmtree(folder)
    return result


def _blows(variant: Variant, chance: Random, game: str) -> list[Blow]:
    if variant in (Variant.LIMITED, Variant.FULL):
        return []
    if variant in (Variant.CUT, Variant.SCRIBBLED):
        return [blow_of(chance, chance.choice((How.WAITING, How.ANYWHERE)), game)]
    count = chance.randint(1, MOST_BLOWS)
    if variant is Variant.IN_PHASE:
        chosen = chance.sample(list(Phase), count)
        if Phase.PAUSED in chosen:
            chosen = [Phase.PLAY, *(phase for phase in chosen if phase is not Phase.PLAY)]
        phases = sorted(chosen, key=list(Phase).index)
        return [blow_of(chance, How.PHASE, game, count, phase) for phase in phases]
    ways = {
        Variant.KILLED: [How.WAITING, How.ANYWHERE],
        Variant.STARTING: [How.ANYWHERE, How.STARTING, How.STARTING],
        Variant.ASKED: [How.ENDED, How.RELOADED, How.ANYWHERE],
    }[variant]
    return [blow_of(chance, chance.choice(ways), game, count) for _ in range(count)]


def _spend(
    evening: Evening, variant: Variant, chance: Random, result: Result, space: Space | None = None
) -> None:
    """Play it through, and look at what is left."""
    rig = evening.rig
    damages: list[Damage] = []
    over: list[bool] = []

    def harm() -> None:
        over.append(rig.people.diary.over)
        damages.append((cut if variant is Variant.CUT else scribble)(rig.store, chance))

    if variant in (Variant.CUT, Variant.SCRIBBLED):
        evening.between = harm
    shortage = Shortage(space, chance, result.game) if space is not None else None
    if shortage is not None:
        evening.on_message = shortage.hear
    try:
        evening.play()
        if shortage is not None:
            shortage.end(evening)
        _check_end(rig)
    finally:
        result.struck = [(each.blow.how.value, each.phase) for each in evening.struck]
        result.damage = "; ".join(map(str, damages))
        result.messages = evening.messages
        result.resumed = rig.log.count("the match is resumed")
    result.behind = BEHIND in rig.log
    damaged = bool(damages)
    if damaged and not _says_what_it_did(rig.log):
        raise Failed(f"{result.damage}, and the log says nothing of it")
    if any(over):
        return  # the match was over already, and its results may be in the file that is kept aside
    if result.behind and not damaged and space is None:  # with space again, all is written
        damaged = True
        result.unwritten = _unwritten(rig)
    found = look_into(rig.store, rig.plan, rig.surface.display.history, damaged=damaged)
    result.verdicts = found.verdicts
    complaints = [] if damaged else rig.people.diary.complaints
    faults = [*found.faults, *complaints]
    if not damaged and rig.people.diary.begun != 1:
        faults.append(f"the match was begun {rig.people.diary.begun} times")
    if faults:
        raise Failed("; ".join(faults))


def _unwritten(rig: Rig) -> int:
    """How many verdicts were shown and are not in the store; Failed unless the log says it of so many."""
    with reading(str(rig.store)) as book:
        decisions = [each for id in book.session_ids().values() for each in book.decisions(id)]
    texts = told(decisions, COLUMNS, by_pads=rig.plan.game == "cards")
    missing = {news for page in rig.surface.display.history if (news := news_of(page.lines))} - set(texts)
    if len(missing) > rig.log.count(UNWRITTEN):
        raise Failed(f"more is missing than the log says: {'; '.join(sorted(missing))}")
    return len(missing)


def _check_end(rig: Rig) -> None:
    plan, shown = rig.plan, rig.people.diary.shown
    totals = " ".join(f"{seat}:{total:+d}" for seat, total in enumerate(plan.totals, start=1))
    if len(shown) != 2 or shown[1] != totals:
        raise Failed(f"the scoreboard showed {shown} at the end, and not {totals}")
    code = rig.end()
    if code != 0:
        raise Failed(f"asked to end, the daemon ended with {code}")
    if not rig.is_dark:
        raise Failed("the daemon has ended, and the table still shows something")


def _says_what_it_did(log: str) -> bool:
    """Whether the daemon went on, or said why it did not."""
    words = ("the match is resumed", "kept as", "can't be read", "can't be resumed")
    return any(word in log for word in words) or log.count("ready:") > 1
