"""Draws again what the docs show: `make docs`.

The session diagram comes from the transition table, the picture of the demo from a real
match with a fixed seed.
"""

from __future__ import annotations

import inspect
import io
import json
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from firmware_host.cli.table_view import SeenTable, TablePicture
from firmware_host.feed.teller import Surroundings, table_state
from firmware_host.games.phases import CHECK_STEPS, COMMANDS, TRANSITIONS, CheckStep
from firmware_host.history.finish import ContestBook, Finish
from firmware_host.history.finish_drawing import draw_finish
from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.operator import RivalHand
from firmware_host.lab.party import Invitation, Misbehaviour, Party, even_deal, hold_party
from firmware_host.model.effects import Judged, Verdict, effect_record
from firmware_host.model.events import SourceEdge
from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.places import Button
from firmware_host.model.settings import TIMINGS, Settings, time_of
from firmware_host.model.states import Phase
from firmware_host.model.times import format_duration
from firmware_host.profile.keys import PROFILE_KEYS, allowed, written
from firmware_host.profile.profile import BOARD_SETTINGS, BUILD_SETTINGS, BuildChoices
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.electrical.rules import rule_tables

DOCS = Path(__file__).parent
PICTURE_SEED = 37
FINISH_SEED = 3
PICTURE_COLUMNS, PICTURE_LINES = 92, 24


def session_drawings() -> dict[str, str]:
    """What the tables of the phases look like, by the name under which docs/session.md shows it."""
    phases = {
        phase.name: {way.value: end.name for way, end in ways.items()} for phase, ways in TRANSITIONS.items()
    }
    steps = {
        step.name: {way.value: end.name for way, end in ways.items()} for step, ways in CHECK_STEPS.items()
    }
    kinds = list(dict.fromkeys(kind for kinds in COMMANDS.values() for kind in kinds))
    rows = [["phase", *(f"`{kind.__name__}`" for kind in kinds)], ["---", *(":-:" for _ in kinds)]]
    rows += [
        [phase.name, *("x" if kind in legal else "" for kind in kinds)] for phase, legal in COMMANDS.items()
    ]
    return {
        "transition table": _state_diagram(Phase.ATTRACT.name, phases),
        "commands": "\n".join(f"| {' | '.join(row)} |" for row in rows),
        "steps of the leftover check": _state_diagram(CheckStep.LATE.name, steps),
    }


def _state_diagram(start: str, ways: dict[str, dict[str, str]]) -> str:
    """The transitions of a table in Mermaid's words."""
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {start}"]
    for name, transitions in ways.items():
        causes: dict[str, list[str]] = {}
        for cause, target in transitions.items():
            causes.setdefault(target, []).append(cause)
        lines += [f"    {name} --> {target}: {'<br/>'.join(each)}" for target, each in causes.items()]
    return "\n".join([*lines, "```"])


def house() -> str:
    """The packages from the top of the layers to their bottom, each in the words of its docstring."""
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    lines = []
    for top in (*(module for layer in layers for module in layer.split(" | ")), "hw", "wiring"):
        place = DOCS.parent / top.replace(".", "/")
        for path in sorted([place, *(found.parent for found in place.glob("*/__init__.py"))]):
            name = ".".join(path.relative_to(DOCS.parent).parts)
            words = (import_module(name).__doc__ or "").splitlines()[0].removesuffix(" Pure.")
            indent = "  " * (name.count(".") - top.count("."))
            lines.append(f"{indent + name.rpartition('.')[2]:14} {words}")
    return "\n".join(lines)


def timing_table() -> Iterator[str]:
    """The lines of the table in the docs: each time with its default, its range and its meaning."""
    yield "| `[timing]` | default | range | |"
    yield "|---|---|---|---|"
    for name, timing in TIMINGS.items():
        usual, least, most = map(
            format_duration, (time_of(Settings(), name), timing.least_ns, timing.most_ns)
        )
        yield f"| `{name}` | {usual} | {least} to {most} | {timing.meaning} |"


def key_table() -> Iterator[str]:
    """The lines of the table in the docs: every key of a profile with an example and its meaning."""
    yield "| section | key | example | |"
    yield "|---|---|---|---|"
    for key in PROFILE_KEYS:
        section = f"`[{key.section}]`" if key.section else "(above all)"
        yield f"| {section} | `{key.name}` | `{key.example}` | {key.meaning} |"


def build_table() -> Iterator[str]:
    """The same for `[build]` and `[build.board]`, with defaults and what is allowed."""
    yield "| section | key | default | allowed | |"
    yield "|---|---|---|---|---|"
    usual = BuildChoices()
    for section, settings, values in (
        ("build", BUILD_SETTINGS, usual),
        ("build.board", BOARD_SETTINGS, usual.board),
    ):
        for key, row in settings.items():
            cells = written(getattr(values, row.field)), allowed(row) or "true or false", row.meaning
            yield f"| `[{section}]` | `{key}` | `{cells[0]}` | {cells[1]} | {cells[2]} |"


class DrawnPart(NamedTuple):
    """A part of a page that is drawn from the program."""

    page: str
    source: str
    text: str

    def put_into(self, page: str) -> str:
        """The text of the page with this part as it is now."""
        head, end = f"<!-- drawn from the {self.source}: do not edit -->\n", "<!-- up to here -->"
        before, _, rest = page.partition(head)
        if end not in rest:
            raise SystemExit(f"{self.page} has no place for the {self.source}")
        return f"{before}{head}{self.text}\n{rest[rest.index(end) :]}"


def drawn_parts() -> Iterator[DrawnPart]:
    """All such parts."""
    yield DrawnPart("developing.md", "import contracts", f"```\n{house()}\n```")
    for source, drawing in session_drawings().items():
        yield DrawnPart("session.md", source, drawing)
    yield DrawnPart("configuring.md", "times of the settings", "\n".join(timing_table()))
    yield DrawnPart("electrical.md", "rules of electrical sense", "\n" + "\n".join(rule_tables()))
    yield DrawnPart("wiring.md", "keys of a profile", "\n".join(key_table()))
    yield DrawnPart("wiring.md", "keys of [build]", "\n".join(build_table()))


def draw_parts() -> None:
    """Put them into the pages."""
    for part in drawn_parts():
        page = DOCS / part.page
        page.write_text(part.put_into(page.read_text(encoding="utf-8")), encoding="utf-8")


def draw_photo_finish(file: str) -> None:
    """Take the picture of a dead heat that order of arrival would have given to somebody else."""
    profile = load_profile("dice4")
    asked = Invitation(profile=profile, deal=even_deal(profile, 4))
    finish = dead_heat(hold_party(asked, FINISH_SEED))
    assert finish.first_to_arrive != finish.winner.seat, "choose another seed"
    (DOCS / file).write_text(draw_finish(finish, "en"), encoding="utf-8")


def dead_heat(party: Party) -> Finish:
    """The first one that people play to, of which a book is told as by a feed."""
    book, found = ContestBook(), list[Finish]()
    book.take({"is": "snapshot", "session": "1", "state": {}})

    def feel(press: SourceEdge) -> None:
        assert isinstance(press.source, Button)
        book.take({"is": "felt", "seat": press.source.seat, "t_ns": press.stamp.earliest_ns})

    def look_on(step: Step) -> None:
        effects = [effect_record(effect) for effect in step.effects]
        told = book.take({"is": "step", "session": "1", "n": step.t_ns, "effects": effects})
        found.extend(finish for finish in told if finish.tied)

    party.table.shell.on_felt = feel
    party.table.shell.onlookers.append(look_on)
    assert isinstance(party.things, Dice)
    RivalHand(party.world, party.crowd, party.things, PageReader(LANGUAGES, str))
    while not found:
        party.table.loop.step()
    return found[-1]


def seen_in(party: Party) -> SeenTable:
    """A table of this process."""
    referee = party.table.shell.referee
    state = table_state(referee, Surroundings(simulated=True), {})
    lamps = tuple((int(lamp.tint), int(lamp.beat)) for lamp in referee.lamps)
    return SeenTable(state, lamps, party.world.lines, party.world.now_ns)


def draw_demo(name: str, seats: int, file: str) -> None:
    """Take the demo's picture at a moment when something is going on."""
    profile = load_profile(name)
    asked = Invitation(
        profile=profile,
        deal=even_deal(profile, seats),
        misbehaviour=Misbehaviour(bounce=frozenset(profile.lines.values())),
    )
    view = TablePicture(profile.game)
    lost: list[int] = []

    def watch(step: Step) -> None:
        view.observe(step.effects, step.t_ns)
        lost.extend(
            step.t_ns for e in step.effects if isinstance(e, Judged) and e.verdict is Verdict.TOO_LATE
        )

    party = hold_party(asked, PICTURE_SEED, onlookers=[watch])
    while len(lost) < 4 or not any(frame_lamps(party.world.leds.frame)):
        party.table.loop.step()
    party.table.loop.run(party.world.now_ns + 100_000_000)
    console = Console(
        record=True, width=PICTURE_COLUMNS, height=PICTURE_LINES, file=io.StringIO(), force_terminal=True
    )
    console.print(view.render(seen_in(party), console.size))
    # A picture that loads nothing from elsewhere: the reader's own fixed-width font will do.
    usual = inspect.signature(Console.export_svg).parameters["code_format"].default
    template = re.sub(r"@font-face \{\{.*?\}\}", "", usual, flags=re.DOTALL)
    template = template.replace("Fira Code, monospace", "DejaVu Sans Mono, Menlo, Consolas, monospace")
    svg = console.export_svg(
        title=f"ligretto-table demo --game {profile.game}",
        code_format=template,
        unique_id=file.removesuffix(".svg"),
    )
    (DOCS / file).write_text(svg, encoding="utf-8")


def draw_rivals() -> None:
    """Draw what the kernel rig counted: who is told to be first, by stamp and by arrival."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "rivals"
    runs = json.loads((DOCS / "rivals.json").read_text())
    figure, axes = pyplot.subplots(1, len(runs), figsize=(10, 3.6), sharey=True)
    for axis, run in zip(axes, runs, strict=True):
        bins = [each for each in run["bins"] if each["pairs"]]
        names = [_span(each["from_us"], each["to_us"]) for each in bins]
        for offset, (key, label, colour) in enumerate(RIVAL_BARS):
            shares = [100 * each[key] / each["pairs"] for each in bins]
            places = [place + 0.27 * (offset - 1) for place in range(len(bins))]
            axis.bar(places, shares, 0.25, label=label, color=colour)
        axis.set_xticks(range(len(bins)), names, rotation=30, ha="right", fontsize=8)
        axis.set_title(f"{run['driver']}: {run['pairs']} pairs, {run['edges_lost']} edges lost", fontsize=10)
        axis.set_xlabel("between the two fingers")
    axes[0].set_ylabel("% of the pairs")
    axes[-1].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(DOCS / "rivals.svg", metadata={"Date": None})


RIVAL_BARS = (
    ("wrong_by_arrival", "wrong in order of arrival", "#c0392b"),
    ("wrong_by_stamp", "wrong by stamp", "#2980b9"),
    ("dead_heats", "dead heat by stamp", "#7f8c8d"),
)


def _span(from_us: int, to_us: int) -> str:
    if from_us >= 1000:
        return f"{from_us / 1000:g}-{to_us / 1000:g} ms" if to_us < 100_000 else f"over {from_us / 1000:g} ms"
    return f"{from_us}-{to_us} us"


def frame_lamps(frame: bytes) -> bytes:
    """The lamps of the places."""
    return frame[:24]


if __name__ == "__main__":
    draw_parts()
    draw_photo_finish("photo-finish.svg")
    draw_demo("dice4", 4, "demo.svg")
    draw_demo("cards12", 12, "cards.svg")
    draw_rivals()
