"""`python -m firmware_host.lab.world SOCKET`: a table for `ligretto-table run --simulated`."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import click

from firmware_host.cli.terminal import visible_output
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.person import Crowd
from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.party import Invitation, even_deal, people_of
from firmware_host.lab.surface import Surface
from firmware_host.lab.world.server import Happening, Server
from firmware_host.model.errors import TableError
from firmware_host.run.table_files import load_profile


def seat_people(surface: Surface, asked: Invitation, chance: Random) -> Crowd:
    """People around the table, who begin to live at once."""
    world = SimulatedTable(surface)
    people, _ = people_of(asked, world, PageReader(asked.settings.language, str), chance)
    crowd = Crowd(world, people)
    crowd.arrive()
    return crowd


class _World(click.Command):
    """Prints one line for each fault, as all commands do."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        with visible_output():
            return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (TableError, OSError) as error:
            for fault in str(error).splitlines():
                click.echo(f"world: {fault}", err=True)
            ctx.exit(2)


@click.command(cls=_World)
@click.argument("path", metavar="SOCKET", type=click.Path(path_type=Path))
@click.option("--profile", default="dice4", show_default=True, help="Wiring profile of the table.")
@click.option(
    "--players",
    type=click.IntRange(min=0),
    default=4,
    show_default=True,
    help="How many people play at it; 0 for none.",
)
@click.option("--skill", type=click.Choice(sorted(SKILLS)), default="regular", show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    default=1.0,
    show_default=True,
    help="How many times real time.",
)
def world(path: Path, profile: str, players: int, skill: str, seed: int, speed: float) -> None:
    """A simulated table with people around it, for `ligretto-table run --simulated SOCKET`.

    It goes on when the daemon ends or is killed, and takes the next one. Ctrl-C ends it.

    \b
    Examples:
      python -m firmware_host.lab.world /tmp/table &
      ligretto-table run --config table.toml --simulated /tmp/table
    """
    wiring = load_profile(profile)
    surface = Surface(wiring, Random(f"{seed} wires"))
    if players:
        asked = Invitation(profile=wiring, deal=even_deal(wiring, players), skills=(SKILLS[skill],))
        seat_people(surface, asked, Random(f"{seed} people"))
    server = Server(surface, path, speed)
    click.echo(f"a table of {profile} listens at {path}")
    try:
        while True:
            happening = server.step()
            if happening is Happening.CAME:
                click.echo(f"daemon {server.pid} plays")
            elif happening is Happening.LEFT:
                why = f": {server.trouble}" if server.trouble else ""
                click.echo(f"daemon {server.pid} has gone{why}")
    except KeyboardInterrupt:
        server.close()


if __name__ == "__main__":
    world()
