"""A table as its feed tells it: drawn in a terminal, or told line by line."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol

import click
from rich.console import ConsoleDimensions, RenderableType
from rich.live import Live

from firmware_host.cli.table_view import SeenTable, TablePicture, fits, seen_by, too_small
from firmware_host.cli.terminal import can_draw, columns_for, console, for_terminal
from firmware_host.feed.feed_client import FeedLost, FeedReader
from firmware_host.games.games import ranking
from firmware_host.history.finish import ContestBook, Finish
from firmware_host.history.finish_words import finish_lines
from firmware_host.model.effects import Effect, MatchEnded, Noise, SlotChanged, parse_effect
from firmware_host.model.errors import MalformedText
from firmware_host.model.times import S
from firmware_host.show.effect_sentences import effect_sentence

PICTURES_A_SECOND = 15
AGAIN_S = 0.5
STAMP_COLUMNS = 11
WIDTH = 80


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the feed has told, and the table after it."""

    effects: tuple[Effect, ...]
    seen: SeenTable | None
    """None while no table tells anything."""
    finishes: tuple[Finish, ...] = ()
    """The contests that are new, or have changed."""


class View(Protocol):
    """Shows what is told; `over` says that nothing more is to be shown."""

    over: bool
    seen: SeenTable | None
    """The table as it was told last."""

    def tell(self, told: Told) -> None: ...

    def say(self, line: str) -> None: ...

    def draw(self) -> None: ...


def told_by(feed: Path) -> SimpleQueue[Told]:
    """What a feed tells from now on, for ever: the table may die and come back."""
    told: SimpleQueue[Told] = SimpleQueue()
    Thread(target=_read, args=(feed, told), daemon=True).start()
    return told


def show_news(told: SimpleQueue[Told], view: View, within_s: float = 0.0) -> None:
    """Show what has been told, and draw; if it is nothing yet, wait so long for something."""
    with suppress(Empty):
        view.tell(told.get(timeout=within_s) if within_s else told.get_nowait())
        while True:
            view.tell(told.get_nowait())
    view.draw()


def _read(feed: Path, told: SimpleQueue[Told]) -> None:
    since: tuple[str, int] | None = None
    contests = ContestBook()
    while True:
        try:
            reader = FeedReader(feed, since)
            for message in reader:
                finishes = contests.take(message)
                if reader.state:
                    seen = seen_by(reader, int(message.get("t_ns", 0)))
                    told.put(Told(effects_of(message), seen, finishes))
        except FeedLost:
            told.put(Told((), None))
        time.sleep(AGAIN_S)


def effects_of(message: dict[str, Any]) -> tuple[Effect, ...]:
    """What a message of the feed tells of; nothing if it is of a later version of the table."""
    try:
        return tuple(parse_effect(json.dumps(record)) for record in message.get("effects", ()))
    except MalformedText:
        return ()


def can_show_picture() -> bool:
    """Whether there is a terminal, and the picture fits in it; if it does not fit, that is printed."""
    if not can_draw(sys.stdout):
        return False
    size = shutil.get_terminal_size()
    if not fits(size.columns, size.lines):
        click.echo(too_small(size.columns, size.lines))
    return fits(size.columns, size.lines)


class LineView:
    """Prints a line for each thing that happens, to the end of the match or endlessly."""

    def __init__(self, endless: bool) -> None:
        self.over = False
        self.seen: SeenTable | None = None
        self._endless = endless

    def tell(self, told: Told) -> None:
        """Print what has happened."""
        self.seen = told.seen or self.seen
        t_ns = told.seen.t_ns if told.seen is not None else 0
        for effect in told.effects:
            if not isinstance(effect, SlotChanged | Noise):
                line = f"{t_ns / S:9.3f}  {effect_sentence(effect)}"
                click.echo("\n".join(for_terminal(line, STAMP_COLUMNS)))
            if isinstance(effect, MatchEnded):
                self.over = not self._endless
                _print_standings(effect, told.seen)
        if told.seen is not None:
            for finish in told.finishes:
                lines = finish_lines(finish, told.seen.table["language"], columns_for(WIDTH))
                click.echo("\n".join(["", *lines, ""]))

    def say(self, line: str) -> None:
        """Print something that no table has said."""
        click.echo(line)

    def draw(self) -> None:
        """Let it be seen at once."""
        sys.stdout.flush()


def _print_standings(result: MatchEnded, seen: SeenTable | None) -> None:
    playing = [seen is None or seat in seen.seated for seat in range(1, len(result.totals) + 1)]
    click.echo("\nrank  seat  points")
    for rank, seat, total in ranking(result.totals, playing):
        click.echo(f"{rank:>4}  {seat:>4}  {total:>+6d}")


@contextmanager
def drawn(title: str, speed: float = 1.0) -> Iterator[PictureView]:
    """Within, the terminal shows the table as a picture; time passes there at that speed."""
    with Live(console=console(), screen=True, auto_refresh=False) as live:
        yield PictureView(live, title, speed)


class FeedPicture:
    """The picture of a table as its feed has told it; time passes there at that speed."""

    def __init__(self, title: str, speed: float = 1.0) -> None:
        self._title = title
        self._speed = speed
        self._picture: TablePicture | None = None
        self._game = ""
        self.seen: SeenTable | None = None
        """The table as it was told last."""
        self._told_s = 0.0

    def tell(self, told: Told) -> None:
        """Take in what has happened."""
        seen = told.seen
        if seen is None:
            return
        if self._picture is None or seen.table["game"] != self._game:
            self._game = seen.table["game"]
            self._picture = TablePicture(self._game, self._title)
        if seen.t_ns:
            self._told_s = time.monotonic()
        elif self.seen is not None:
            seen = seen.at(self.seen.t_ns)
        self.seen = seen
        self._picture.observe(told.effects, seen.t_ns)

    def say(self, line: str) -> None:
        """Show something that no table has said."""
        if self._picture is not None:
            self._picture.note(line)

    def render(self, size: ConsoleDimensions) -> RenderableType | None:
        """The table as it is now, for a terminal of this size; None if nothing was told of it."""
        if self.seen is None or self._picture is None:
            return None
        passed_s = time.monotonic() - self._told_s
        seen = self.seen.at(self.seen.t_ns + int(passed_s * self._speed * S))
        trouble = seen.lost_store and f"nothing of this is kept: {seen.lost_store}"
        return self._picture.render(seen, size, trouble)


class PictureView(FeedPicture):
    """Draws the picture again and again."""

    over = False

    def __init__(self, live: Live, title: str, speed: float) -> None:
        super().__init__(title, speed)
        self._live = live
        self._drawn_s = 0.0

    def draw(self) -> None:
        """Draw it as it is now, if it was drawn long enough ago."""
        now_s = time.monotonic()
        if now_s - self._drawn_s < 1 / PICTURES_A_SECOND:
            return
        picture = self.render(self._live.console.size)
        if picture is not None:
            self._drawn_s = now_s
            self._live.update(picture, refresh=True)
