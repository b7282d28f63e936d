"""A table.toml to begin with: it is valid, and shows everything that can be set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.config.fault_words import both, either
from firmware_host.config.printing import quoted
from firmware_host.config.table import AUTO_CARD, NO_CARD, SYNCS, USUAL_VOLUME, StoreConfig
from firmware_host.durations import format_duration
from firmware_host.engine.games import STANDARD, VARIANTS
from firmware_host.settings import LANGUAGES, LOUDEST, TIMINGS, Settings, time_of

_COMMENT_AT = 33
_SUGGESTED = "dice4"


def example_table(profiles: Sequence[str]) -> str:
    """The text of the example; `profiles` are the names of those that come with the package."""
    return "".join(f"{line}\n" for line in (*_top(profiles), *_timing(), *_ports(), *_sound(), *_store()))


def _top(profiles: Sequence[str]) -> Iterator[str]:
    yield "# A table: what it is, and how it is run. After a change: ligretto-table check"
    yield "# Lines with a # before them show what can be set; most show the default."
    yield ""
    yield "# How the table is wired: the path of a profile of your own, or one of those that are here:"
    yield f"# {both(sorted(profiles))}."
    yield f'wiring = "{_SUGGESTED}"'
    yield '# wiring = { dice = "dice4", cards = "cards4" }   # a table for both games'
    yield from _line('game = "dice"', "the game that is played first; needed only where there are two")
    yield ""
    yield from _line(f'language = "{Settings().language}"', either(LANGUAGES))
    yield from _line('locks = "usual"', "how hard false claims are locked: children, usual or strict")
    yield from _line('event = "Summer party"', "the name under which results are kept; usually none")
    yield from _line("player-names = true", "false: the feed does not have them, nor has any page")
    yield from _line("rounds = 12", "of a match; usually 3 for each who plays with dice, 4 with cards")
    yield from _line(f'variant = "{STANDARD}"', f"{either(VARIANTS)}: the rules of cards")
    yield from _line("handicap = [0, 0, 1, 0]", "so many dice or Ligretto cards fewer for each seat")
    yield from _line("extra = [2, 2, 0, 0]", "so many more, if others are to be dealt the rest evenly")
    yield from _line("seats = [1, 2, 3, 4]", "those that may be played at; usually all")
    yield from _line('tags = "tags.csv"', "which tag is which; a table with readers of tags needs it")
    yield from _line("brightness = 12", "0 to 15 for all LED chips; usually what the profile says")


def _timing() -> Iterator[str]:
    yield ""
    yield "[timing]  # durations: a number and ns, us, ms, s or min"
    for name, timing in TIMINGS.items():
        yield from _line(f"{name} = {quoted(format_duration(time_of(Settings(), name)))}", timing.meaning)


def _ports() -> Iterator[str]:
    yield ""
    yield "[ports]  # serial ports that are not those of the profile; ls /dev/ligretto /dev/serial/by-id"
    yield from _line(
        'scoreboard = "/dev/ligretto/port-1-1.2"', '"none" without one; also readers by name, such as pad-1'
    )


def _sound() -> Iterator[str]:
    yield ""
    yield "[sound]  # one speaker for the table; it is played as well without one"
    yield from _line(
        f"card = {quoted(AUTO_CARD)}", f'"{NO_CARD}", or what ALSA calls it: "plughw:CARD=Device"'
    )
    yield from _line(f"volume = {USUAL_VOLUME}", f"0 to {LOUDEST}; 0 is silent")


def _store() -> Iterator[str]:
    usual = StoreConfig()
    yield ""
    yield "[store]  # where the table keeps results, and the round that is being played"
    yield from _line(f"file = {quoted(usual.file)}", "")
    yield from _line(f"sync = {quoted(usual.sync)}", f"{either(SYNCS)}: when it is made safe from power cuts")
    yield from _line(f"keep-rounds = {usual.keep_rounds}", "so many can be recalled with every touch")


def _line(setting: str, meaning: str) -> Iterator[str]:
    yield f"# {setting:{_COMMENT_AT}} # {meaning}" if meaning else f"# {setting}"
