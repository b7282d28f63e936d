"""`wiring`: from a profile to a table that can be built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import Path
from xml.etree import ElementTree

import click

from firmware_host.cli.terminal import can_draw, columns_for, console
from firmware_host.cli.written import WrittenFile
from firmware_host.model.errors import BadSettings
from firmware_host.profile.keys import example_profile
from firmware_host.profile.profile import Profile
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.run.table_files import load_profile, profile_text
from firmware_host.workshop.cli.check import TEXT_WIDTH, WRONG, errors_of, sense_lines
from firmware_host.workshop.drawing.sheets import CSV_VIEWS, VIEWS, WIDTH, files, view_csv, view_lines
from firmware_host.workshop.electrical.built import ElectricalFinding
from firmware_host.workshop.electrical.rules import judged
from firmware_host.workshop.plan.plan import Plan
from firmware_host.workshop.plan.planning import wiring_plan

DPI = 150
_SECONDS = 120
_CSS_DPI = 96
_MM = 25.4
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_HOW = (
    "--png needs rsvg-convert (sudo apt install librsvg2-bin) or Chromium (sudo apt install chromium); "
    "without --png the drawings are written as SVG, which every browser shows"
)

Renderer = Callable[[Path, Path], list[str]]
"""The command that makes a PNG file of an SVG file."""


def find_renderer() -> Renderer:
    """What can render drawings on this machine; BadSettings says what to install if nothing can."""
    if program := shutil.which("rsvg-convert"):
        return lambda svg, png: [program, f"--dpi-x={DPI}", f"--dpi-y={DPI}", f"--output={png}", str(svg)]
    for name in _BROWSERS:
        if browser := shutil.which(name):
            return lambda svg, png: _screenshot(browser, svg, png)
    raise BadSettings([_HOW])


def render(renderer: Renderer, svg: Path, png: Path) -> None:
    """Make a PNG file of an SVG file."""
    command = renderer(svg, png)
    png.unlink(missing_ok=True)  # so that an old one is not taken for the new one
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadSettings([f"{png}: {command[0]} failed: {error}"]) from None
    if done.returncode or not png.exists():
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise BadSettings([f"{png}: {command[0]} failed: {said[-1] if said else 'no message'}"])


def _screenshot(browser: str, svg: Path, png: Path) -> list[str]:
    """Chromium shows a drawing at its size in CSS pixels, scaled to the resolution that is wanted."""
    root = ElementTree.parse(svg).getroot()
    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    window = ",".join(str(ceil(mm * _CSS_DPI / _MM)) for mm in (width, height))
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []  # its sandbox does not work for root
    return [
        *(browser, "--headless", "--disable-gpu", "--hide-scrollbars", *alone),
        *(f"--screenshot={png}", f"--window-size={window}", f"--force-device-scale-factor={DPI / _CSS_DPI}"),
        svg.absolute().as_uri(),
    ]


_NEW = "new"
_SHOW = "show"


class _Wiring(click.Group):
    """Shows a profile, unless the first word is `new`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (_NEW, _SHOW, "-h", "--help"):
            args = [_SHOW, *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Wiring)
def wiring() -> None:
    """Show how the table of a profile is wired, or begin a profile of your own.

    A profile is one that comes with the package, such as dice4, or the path of a .toml file. No
    device is touched.

    \b
    Examples:
      ligretto-table wiring dice4
      ligretto-table wiring dice4 --only header
      ligretto-table wiring dice4 --only checklist --csv > checklist.csv
      ligretto-table wiring my.toml --out my-table
      ligretto-table wiring new --from dice4 my.toml
    """


@wiring.command(name=_SHOW)
@click.argument("profile")
@click.option("--only", type=click.Choice(VIEWS), help="Only this.")
@click.option("--csv", "as_table", is_flag=True, help=f"As CSV: {', '.join(CSV_VIEWS)}.")
@click.option(
    "--out",
    metavar="DIR",
    help="Write all of it, and drawings, as files in this folder.",
)
@click.option("--png", "as_png", is_flag=True, help="With --out: the drawings as PNG, too.")
@click.option("--force", is_flag=True, help="With --out: overwrite files that are there.")
def show(profile: str, only: str | None, as_table: bool, out: str | None, as_png: bool, force: bool) -> None:
    """Show how the table of a PROFILE is wired.

    What is electrically wrong is printed to standard error. Exit code 2 means that something would
    be damaged or can't work.
    """
    for option, given in (("--force", force), ("--png", as_png)):
        if given and out is None:
            raise BadSettings([f"{option} goes with --out"])
    if as_table and only not in CSV_VIEWS:
        raise BadSettings([f"--csv: name what with --only: {', '.join(CSV_VIEWS)}"])
    if out is not None and only is not None:
        raise BadSettings(["--out writes everything; leave out --only"])
    if out == "":
        raise BadSettings(["--out: is empty; name a folder"])
    table = load_profile(profile)
    plan = wiring_plan(table)
    if out is not None:
        _write(plan, table, Path(out), force, find_renderer() if as_png else None)
    elif as_table:
        click.echo(view_csv(only or "", plan, table), nl=False)
    else:
        _print(plan, table, only)
    _tell(profile, judged(table))


def _tell(profile: str, findings: Sequence[ElectricalFinding]) -> None:
    """Print what is electrically wrong; an error ends the command with its exit code."""
    if findings:
        click.echo(f"\nelectrical sense of {profile}:", err=True)
    for line in sense_lines(findings, columns_for(TEXT_WIDTH)):
        click.echo(line, err=True)
    if errors_of(findings):
        raise SystemExit(WRONG)


def _print(plan: Plan, profile: Profile, only: str | None) -> None:
    width = columns_for(WIDTH)
    for number, view in enumerate([only] if only else VIEWS):
        if number:
            click.echo()
        for line in view_lines(view, plan, profile, width):
            click.echo(line)


def _write(plan: Plan, profile: Profile, folder: Path, force: bool, renderer: Renderer | None) -> None:
    """Write all files, or none if one of them can't be."""
    from rich.progress import track

    if folder.exists() and not folder.is_dir():
        raise BadSettings([f"--out {folder}: there is a file of that name; name a folder"])
    made = files(plan, profile)
    pictures = {name: _png_name(name) for name in made if name.endswith(".svg")} if renderer else {}
    _check_targets([folder / name for name in (*made, *pictures.values())], force)
    folder.mkdir(parents=True, exist_ok=True)
    _put_all({folder / name: text for name, text in made.items()}, force)
    if renderer:
        quiet = not can_draw(sys.stderr)
        names = track(pictures, "drawing", console=console(stderr=True), transient=True, disable=quiet)
        for name in names:
            render(renderer, folder / name, folder / pictures[name])
    click.echo(f"wrote {len(made) + len(pictures)} files to {folder}")


def _check_targets(paths: Sequence[Path], force: bool) -> None:
    """Refuse to write where something is already, or a folder."""
    folders = [f"{path}: is a folder" for path in sorted(paths) if path.is_dir()]
    if folders:
        raise BadSettings(folders)
    there = sorted(path for path in paths if path.exists())
    if there and not force:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise BadSettings([f"{there[0]}{more}: exists already; add --force to overwrite"])


def _png_name(name: str) -> str:
    return f"{name.removesuffix('.svg')}.png"


def _put_all(texts: Mapping[Path, str], force: bool) -> None:
    """Put all files in their places when each of them could be written."""
    drafts: list[WrittenFile] = []
    try:
        for path, text in texts.items():
            drafts.append(WrittenFile(path, must_be_new=not force))
            drafts[-1].write(text.encode())
        for draft in drafts:
            draft.put()
    finally:
        for draft in drafts:
            draft.drop()


@wiring.command(name=_NEW)
@click.option("--from", "source", required=True, metavar="PROFILE", help="The profile to begin with.")
@click.argument("file", type=click.Path(path_type=Path))
def new(source: str, file: Path) -> None:
    """Write a profile of your own to FILE, with every key explained.

    It never overwrites a file.

    \b
    Example:
      ligretto-table wiring new --from dice4 my.toml
    """
    if file.suffix != ".toml":
        raise BadSettings([f"{file}: the name of a profile ends with .toml"])
    profile = load_profile(source)
    text = example_profile(profile_text(source), profile)
    _check_copy(text, profile, source)
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(text)
    except FileExistsError:
        raise BadSettings([f"{file}: exists already, and is not overwritten; name another file"]) from None
    click.echo(f"wrote {file}: change it, then: ligretto-table wiring {file}")


def _check_copy(text: str, profile: Profile, source: str) -> None:
    """Refuse a copy that means something else, because [build] is written in an unusual way."""
    try:
        copy = parse_profile(text, source)
    except BadSettings:
        copy = None
    if copy != profile or copy.build != profile.build:
        why = "[build] has to be a section of its own, without a # or blanks before it"
        raise BadSettings([f"--from {source}: can't be copied with every key explained: {why}"])
