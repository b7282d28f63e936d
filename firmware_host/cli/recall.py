"""`recall`: rounds that were played, in words and pictures."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import click

from firmware_host.cli.store_options import end_with, store_options, store_path
from firmware_host.cli.terminal import NARROWEST, columns_for, console
from firmware_host.cli.written import write_whole
from firmware_host.history.drawing import draw_svg
from firmware_host.history.exporting import record_of
from firmware_host.history.finish import Finish, finish_id
from firmware_host.history.finish_drawing import draw_finish
from firmware_host.history.finish_words import finish_lines
from firmware_host.history.round_account import (
    WIDTH,
    StoredRound,
    account,
    contest_lines,
    drawing_title,
    heading,
    list_lines,
    list_record,
    row_record,
    seconds,
    stored_round,
)
from firmware_host.history.scene import Scene, around, draw_lanes, nearest, whole
from firmware_host.history.story import Story
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.times import S, parse_duration, parse_seconds
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.store.store_reader import EVERY, StoreReader, reading

LISTED = 10
DRAWN = ".svg"


class _Back(click.ParamType[int]):
    """A round, counted back from the last one."""

    name = "round"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == "last":
            return 1
        try:
            return int(value)
        except ValueError:
            self.fail(f"'{value}' is not a round: write last, or 2 for the one before, and so on", param, ctx)


class RoundNotKept(TableError):
    """The decisions of a round are not kept any more, or never were."""


@click.command()
@click.argument("back", required=False, type=_Back(), metavar="[N|last]")
@store_options
@click.option("--round", "number", type=int, help="The round with this number in the store.")
@click.option("--around", "moment", metavar="T", help="Zoom in on T, in seconds since the start call.")
@click.option("--span", metavar="TIME", help="With --around: how much to show, such as 20ms.")
@click.option(
    "--svg",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the picture into a file, such as round.svg.",
)
@click.option(
    "--finish",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the closest finish as a photo finish, such as finish.svg; with --around the one there.",
)
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", help="Of the photo finish.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Also show what lay where, and all disturbances.")
def recall(
    back: int | None,
    config: Path | None,
    store: Path | None,
    number: int | None,
    moment: str | None,
    span: str | None,
    svg: Path | None,
    finish: Path | None,
    language: str,
    as_json: bool,
    verbose: bool,
) -> None:
    """Show a past round: verdicts with their stamps and margins, ties, corrections, pauses, faults.

    N counts back: 1 or `last` is the last round. Without N and --round the last ten are listed. The
    picture has a lane for each seat; --around shows a close finish to scale. The table may be in use
    meanwhile.

    \b
    Examples:
      ligretto-table recall
      ligretto-table recall last
      ligretto-table recall last --around 12.5 --svg close.svg
      ligretto-table recall last --finish finish.svg --lang de
      ligretto-table recall --round 17 --store table.db --json
    """
    if back is not None and number is not None:
        raise BadSettings(["N and --round can't be combined: one counts back, the other is a number"])
    if span is not None and moment is None:
        raise BadSettings(["--span says how much to show --around a moment; name that as well"])
    one = back is not None or number is not None
    if not one and (moment is not None or svg is not None or finish is not None):
        raise BadSettings(["which round? `recall last ...` is the last one; `recall` lists the last ones"])
    for option, file in (("--svg", svg), ("--finish", finish)):
        if file is not None and file.suffix.lower() not in ("", DRAWN):
            words = f"the picture is an SVG drawing; name it {file.with_suffix(DRAWN).name}. "
            raise BadSettings([f"{option} {file}: {words}A browser shows it, and prints it to other formats"])
    path = store_path(config, store)
    with reading(path) as book:
        if one:
            asked = number if number is not None else _counted_back(book, back or 0)
            round_ = stored_round(book, asked, with_finishes=finish is not None)
            record = row_record(book, round_.row)
        else:
            listed = _listed(book, as_json)
    if not one:
        click.echo(listed)
        end_with(path, book.losses)
        return
    scene = _scene(round_, moment, span)
    if svg is not None:
        drawn = _drawn(round_, scene)
        title = drawing_title(round_, drawn)
        write_whole(svg, draw_svg(drawn, title[0].upper() + title[1:], effect_sentence).encode())
        click.echo(f"drawn: {svg}", err=True)
    if finish is not None:
        chosen = _chosen(round_, scene)
        write_whole(finish, draw_finish(chosen, language).encode())
        click.echo(f"drawn: {finish}", err=True)
    if as_json:
        story = record_of(round_.story) if round_.story else {}
        click.echo(json.dumps(record | {"inputs_kept": round_.inputs_kept} | story, indent=1))
    elif finish is not None:
        click.echo("\n".join(finish_lines(chosen, language, columns_for(WIDTH))))
    elif svg is None:
        where = f" --store {store}" if store else f" --config {config}" if config else ""
        _print(round_, scene, verbose, where)
    end_with(path, book.losses)


def _listed(book: StoreReader, as_json: bool) -> str:
    if as_json:
        return json.dumps(list_record(book, LISTED), indent=1)
    lines = list_lines(book, LISTED, columns_for(WIDTH))
    if len(lines) > len(list_lines(book, 0, columns_for(WIDTH))):
        return "\n".join(lines)
    return "no round can be read" if book.losses else "no round was played yet"


def _counted_back(book: StoreReader, back: int) -> int:
    """The number of the round that is so far back."""
    numbers = book.round_numbers(EVERY)
    if not numbers:
        raise BadSettings(["no round can be read" if book.losses else "no round was played yet"])
    if not 1 <= back <= len(numbers):
        there = f"1, the last round, to {len(numbers)}, the first one" if numbers[1:] else "only 1"
        raise BadSettings([f"there is no round {back} counted back: N is {there}"])
    return numbers[back - 1]


def _scene(round_: StoredRound, moment: str | None, span: str | None) -> Scene | None:
    if round_.story is None:
        return None
    if moment is None:
        return whole(round_.story)
    t_ns = round_.story.start_ns + parse_seconds(moment.removesuffix("s"))
    span_ns = None if span is None else parse_duration(span)
    if span_ns == 0:
        raise BadSettings([f"--span {span}: allowed: more than nothing, such as 20ms"])
    scene = around(round_.story, t_ns, span_ns)
    if scene.is_beside:
        raise BadSettings([f"--around {moment}: {_limit(round_.story, t_ns)}{_nearest(round_.story, t_ns)}"])
    return scene


def _nearest(story: Story, t_ns: int) -> str:
    """The slap that is nearest to that moment, in words."""
    given = nearest(story, t_ns)
    if given is None:
        return "; nobody slapped in it"
    at = seconds(given.t_ns - story.start_ns)
    return f"; the nearest slap was at {at} s: {effect_sentence(given.judged)}"


def _limit(story: Story, t_ns: int) -> str:
    """From when or until when there is something of a round to be seen."""
    if t_ns < story.start_ns:
        return "the round began at 0 s"
    if story.ended_ns is not None:
        words, last_ns = "the round ended at", story.ended_ns
    elif story.voided is not None:
        words, last_ns = "the round was voided at", story.voided.t_ns
    else:
        words, last_ns = "nothing is known of the round after", story.last_ns
    return f"{words} {(last_ns - story.start_ns) / S:.1f} s"


def _drawn(round_: StoredRound, scene: Scene | None) -> Scene:
    if scene is None:
        raise RoundNotKept(f"round {round_.row.n}: {round_.why_unknown}")
    return scene


def _chosen(round_: StoredRound, scene: Scene | None) -> Finish:
    """The photo finish of the scene, or the closest one of the round."""
    shown = _drawn(round_, scene)
    numbers = {finish_id(round_.row.session, each.winner.n) for each in shown.contests}
    found = [each for each in round_.finishes if each.id in numbers]
    if not found:
        raise BadSettings(["--finish: nobody raced for the same thing there, so there is no photo finish"])
    return min(found, key=lambda each: min(abs(rival.margin_ns) for rival in each.losers))


# -- on the terminal


def _print(round_: StoredRound, scene: Scene | None, verbose: bool, where: str) -> None:
    columns = columns_for(WIDTH)
    click.echo("\n".join(heading(round_, columns)))
    if scene is None:
        click.echo(f"{round_.why_unknown}; its result is all that is left")
        return
    click.echo()
    _print_scene(scene)
    click.echo()
    if scene.close:
        for contest in scene.contests:
            click.echo("\n".join(contest_lines(contest, scene.story.start_ns, columns)))
        if not scene.verdicts:
            words = f"nobody slapped in that time{_nearest(scene.story, scene.middle_ns)}"
            click.echo("\n".join(textwrap.wrap(words, columns, subsequent_indent="  ")))
    else:
        click.echo("\n".join(account(scene.story, verbose, columns)))
    click.echo()
    if round_.inputs_kept:
        click.echo(f"To replay it: ligretto-table replay --round {round_.row.n}{where}")
    else:
        click.echo("Its inputs are not kept any more, so it can't be replayed.")


def _print_scene(scene: Scene) -> None:
    """The picture, in colour on a terminal; it is as clear without."""
    from rich.text import Text

    from firmware_host.cli.terminal import VERDICT_STYLE
    from firmware_host.model.effects import Verdict

    terminal = console(highlight=False)
    columns = max(NARROWEST, terminal.width) if terminal.is_terminal else columns_for(WIDTH)
    for line in draw_lanes(scene, columns):
        text = Text(no_wrap=True)
        for piece, kind in line:
            text.append(piece, VERDICT_STYLE[kind] if isinstance(kind, Verdict) else "")
        text.rstrip()
        terminal.print(text, soft_wrap=True)
