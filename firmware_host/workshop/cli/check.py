"""`check`: a table.toml, before it is used."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import click

import wiring
from firmware_host.cli.terminal import columns_for, wrapped
from firmware_host.games.games import CARD_GAME, GAMES
from firmware_host.model.places import (
    CARD_NUMBERS,
    DICE,
    FACES,
    PLACES_PER_ROW,
    Button,
    Call,
    Card,
    Colour,
    DieFace,
    Slot,
    format_tag,
)
from firmware_host.model.plain_text import both
from firmware_host.model.settings import LOUDEST, TIMINGS, Settings, time_of
from firmware_host.model.times import format_duration
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS, SIGNS
from firmware_host.profile.keys import example_table, format_table
from firmware_host.profile.profile import BANK_LINES, GPIO, SCOREBOARD, Bank, LampWire, Profile
from firmware_host.profile.table import AUTO_CARD, NO_CARD, TableConfig, open_seats, usual_deal
from firmware_host.profile.tags import Enrolled, Registry
from firmware_host.run.table_files import config_path, load_config, rewired
from firmware_host.workshop.electrical.built import ElectricalFinding, Strength
from firmware_host.workshop.electrical.rules import judged

WRONG = 2
"""The exit code if something would be damaged or can't work."""
TEXT_WIDTH = 100
_INDENT = 4
_LABEL_WIDTH = 13
_NARROW = 65
"""With fewer columns each label has a line of its own, with its text indented below."""
_MOST_MISSED = 3
_COSTS = {
    "rounds": "when the power fails, at most the last seconds of the round that is being played are lost",
    "verdicts": "when the power fails nothing is lost, as far as the disk keeps its promises",
}
_CRASH = "when only the program dies, nothing is"
_NOT_TRIED = (
    "a reader and a sensor at one place: nobody has measured one yet, so build one place, with one die, "
    "before you buy the rest (docs/building.md)"
)
"""Goes when somebody has measured such a place."""


def errors_of(findings: Sequence[ElectricalFinding]) -> int:
    """How many of the findings are errors."""
    return sum(finding.strength is Strength.ERROR for finding in findings)


def sense_lines(findings: Sequence[ElectricalFinding], columns: int) -> Iterator[str]:
    """The lines of all findings. What several have in common is printed after the last of them."""
    for number, finding in enumerate(findings):
        first, *reasons = finding.lines
        yield from wrapped(first, columns, _INDENT)
        following = findings[number + 1].lines[1:] if number + 1 < len(findings) else None
        if reasons != following:
            for line in reasons:
                yield from (f"  {part}" for part in wrapped(line.strip(), columns - 2, _INDENT))


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The table.toml.  [default: $LIGRETTO_TABLE_CONFIG, ./table.toml or /etc/ligretto-table/table.toml]",
)
@click.option("--print", "as_toml", is_flag=True, help="Print the settings in force, as a table.toml.")
@click.option("--example", is_flag=True, help="Print an example to start from.")
def check(config: Path | None, as_toml: bool, example: bool) -> None:
    """Check a table.toml: show the table it describes, or all its faults.

    Its wiring profiles and its tags file are checked too, and what is electrically wrong with the
    parts and pins of the profiles. No device is touched. Exit code 2 means that there are faults or
    electrical errors; warnings do not change it.

    \b
    Examples:
      ligretto-table check --example > table.toml
      ligretto-table check
      ligretto-table check --config party.toml --print
    """
    if example:
        click.echo(example_table(wiring.profile_names()), nl=False)
        return
    path = config_path(config)
    loaded = load_config(path)
    for note in loaded.notes:
        click.echo(f"ligretto-table: {note}", err=True)
    if as_toml:
        click.echo(format_table(_anywhere(loaded.config)), nl=False)
        return
    profiles = {game: rewired(profile, loaded.config) for game, profile in loaded.config.profiles.items()}
    findings = {game: judged(profile) for game, profile in profiles.items()}
    errors = sum(map(errors_of, findings.values()))
    more = f", but its wiring has {errors} electrical error{'s' * (errors > 1)}" if errors else ""
    for line in wrapped(f"{path} has no faults{more}.", columns_for(TEXT_WIDTH)):
        click.echo(line)
    click.echo()
    for line in summary(replace(loaded.config, profiles=profiles), loaded.registry, columns_for(TEXT_WIDTH)):
        click.echo(line)
    for game, found in findings.items():
        if found:
            click.echo(f"\nelectrical sense of {loaded.config.wiring[game]}:")
        for line in sense_lines(found, columns_for(TEXT_WIDTH)):
            click.echo(line)
    if errors:
        raise SystemExit(WRONG)


def _anywhere(config: TableConfig) -> TableConfig:
    """The same with paths that are valid wherever the output is saved."""
    known = wiring.profile_names()
    paths = {game: name if name in known else os.path.abspath(name) for game, name in config.wiring.items()}
    tags_file = os.path.abspath(config.tags_file) if config.tags_file else ""
    store = replace(config.store, file=os.path.abspath(config.store.file))
    return replace(config, wiring=paths, tags_file=tags_file, store=store)


def summary(config: TableConfig, registry: Registry | None, width: int = TEXT_WIDTH) -> list[str]:
    """The description of a table, to compare with the real one: lines for all games, then those of each."""
    lines = list(_entries(_common(config), width))
    for game, profile in config.profiles.items():
        first = ", played first" if len(config.profiles) > 1 and game == config.game else ""
        title = f"{game}{first}: {profile.title} ({config.wiring[game]})"
        lines += ["", *wrapped(title, width, _INDENT)]
        lines += _entries(_of_game(profile, config, registry), width)
    return lines


def _entries(entries: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """The lines of labels and texts; a label is not repeated in consecutive lines."""
    last = ""
    for word, text in entries:
        if width < _NARROW:
            yield from [word] if word != last else []
            yield from (f"{'':{_INDENT}}{line}" for line in wrapped(text, width - _INDENT))
            last = word
            continue
        for line in wrapped(text, width - _LABEL_WIDTH, 0):
            yield f"{word if word != last else '':{_LABEL_WIDTH}}{line}"
            last = word


def _common(config: TableConfig) -> Iterator[tuple[str, str]]:
    store = config.store
    yield "language", config.settings.language
    yield "locks", config.settings.locks
    if config.event:
        yield "event", config.event
    if not config.player_names:
        yield "names", "those of players are not in the feed"
    yield "timing", _timing(config.settings)
    yield "sound", _sound(config)
    yield "store", f"{store.file}, with every touch of the last {store.keep_rounds} rounds"
    yield "crashes", f"{_COSTS[store.sync]}; {_CRASH}"


def _sound(config: TableConfig) -> str:
    if config.sound_card == NO_CARD:
        return "none"
    card = "the card that is found" if config.sound_card == AUTO_CARD else config.sound_card
    return f"on {card}, volume {config.volume} of {LOUDEST}"


def _timing(settings: Settings) -> str:
    usual = Settings()
    changed = [
        f"{name} {format_duration(time_of(settings, name))} ({format_duration(time_of(usual, name))})"
        for name in TIMINGS
        if time_of(settings, name) != time_of(usual, name)
    ]
    return f"{', '.join(changed)}; all others as usual" if changed else "all as usual"


def _of_game(profile: Profile, config: TableConfig, registry: Registry | None) -> Iterator[tuple[str, str]]:
    yield "seats", _seats(profile, config)
    yield "rounds", _rounds(profile, config)
    yield "gpio", f"chip {profile.chip_path or profile.chip}, driver {profile.driver}, pull {profile.pull}"
    yield "buttons", _buttons(profile)
    if profile.game == CARD_GAME.name:
        yield "variant", config.variant
        yield "calls", _calls(profile) or "a long press of the button"
    else:
        yield from _places(profile)
    yield from _expanders(profile)
    yield from _lamps(profile, config.brightness)
    for each in profile.readers:
        yield "readers", f"{each.name} at {each.at}: {each.port}, group {each.group}"
    if profile.identified:
        yield "not tried", _NOT_TRIED
    if profile.readers:
        yield "tags", _tags(profile, config, registry or Registry({}))
    yield SCOREBOARD, _scoreboard(profile)


def _seats(profile: Profile, config: TableConfig) -> str:
    seats = open_seats(profile, config.open_seats)
    things = GAMES[profile.game].things
    text = f"{both([*map(str, seats)])} of {profile.seats}"
    text += f"; if all play, each is dealt {usual_deal(profile, seats)} {things}"
    for seat, fewer in enumerate(config.handicap, start=1):
        if fewer and seat in seats:
            text += f"; {abs(fewer)} {'fewer' if fewer > 0 else 'more'} for seat {seat}"
    return f"{text}; that makes {both(_deal(profile, config))}" if any(config.handicap) else text


def _deal(profile: Profile, config: TableConfig) -> list[str]:
    """What is dealt if all open seats play."""
    seats = open_seats(profile, config.open_seats)
    every = range(1, profile.seats + 1)
    handicap = (*config.handicap, *(0,) * profile.seats)[: profile.seats]
    deal = GAMES[profile.game].handicapped_deal([seat in seats for seat in every], handicap)
    return [str(deal[seat - 1]) for seat in seats]


def _rounds(profile: Profile, config: TableConfig) -> str:
    game = GAMES[profile.game]
    if config.rounds:
        return f"{config.rounds} a match"
    return f"{game.rounds} a match for each who plays" if game.rounds_a_seat else f"{game.rounds} a match"


def _buttons(profile: Profile) -> str:
    found = {source.seat: line for line, source in profile.lines.items() if isinstance(source, Button)}
    return ", ".join(f"{seat} on GPIO {line}" for seat, line in sorted(found.items()))


def _calls(profile: Profile) -> str:
    found = {source.seat: line for line, source in profile.lines.items() if isinstance(source, Call)}
    return ", ".join(f"{seat} on {_pins(profile.banks, [line])}" for seat, line in sorted(found.items()))


def _places(profile: Profile) -> Iterator[tuple[str, str]]:
    for colour in Colour:
        lines = [profile.line_of(Slot(colour, number)) for number in range(1, PLACES_PER_ROW + 1)]
        yield "places", f"{colour.word} on {_pins(profile.banks, lines)}"


def _expanders(profile: Profile) -> Iterator[tuple[str, str]]:
    for bank in profile.banks:
        yield (
            "expanders",
            f"{bank.name}: {EXPANDER.title} at 0x{bank.address:02x}, interrupt on GPIO {bank.interrupt}",
        )


def _pins(banks: tuple[Bank, ...], lines: Iterable[int]) -> str:
    """The pins of some lines, with the name of each bank before its first pin: `left A0 A1`."""
    words = []
    last = ""
    for line in lines:
        bank, pin = divmod(line - BANK_LINES, 16)
        name = GPIO.upper() if bank < 0 else banks[bank].name
        words += [name] if name != last else []
        words.append(str(line) if bank < 0 else f"{'AB'[pin // 8]}{pin % 8}")
        last = name
    return " ".join(words)


def _lamps(profile: Profile, brightness: int | None) -> Iterator[tuple[str, str]]:
    for chip in profile.led_chips:
        bright = chip.brightness if brightness is None else brightness
        kind = LED_CHIPS[chip.kind]
        used = f"{len(_leds(profile.lamp_wires, chip.name))} of {kind.leds} LEDs, brightness {bright}"
        yield "lamps", f"{chip.name}: {kind.title} at 0x{chip.address:02x}, {used}"
    lines = _leds(profile.lamp_wires, GPIO)
    if lines:
        yield "lamps", f"GPIO {', '.join(map(str, lines))}"
    if not profile.lamp_wires:
        yield "lamps", "none"


def _leds(wires: Iterable[LampWire], chip: str) -> list[int]:
    return [wire.led for wire in wires if wire.chip == chip]


def _tags(profile: Profile, config: TableConfig, registry: Registry) -> str:
    """How many of the tags that the open seats need are registered."""
    needed: list[Enrolled]
    if profile.game == CARD_GAME.name:
        seats = open_seats(profile, config.open_seats)
        needed = [Card(*each) for each in product(seats, Colour, range(1, CARD_NUMBERS + 1))]
    else:
        needed = [DieFace(*each) for each in product(range(1, DICE + 1), range(1, FACES + 1))]
    known = set(registry.values())
    missed = [format_tag(tag) for tag in needed if tag not in known]
    text = f"{len(needed) - len(missed)} of {len(needed)} are known in {config.tags_file}"
    if missed:
        more = f" and {len(missed) - _MOST_MISSED} more" if len(missed) > _MOST_MISSED else ""
        text += f"; missing: {', '.join(missed[:_MOST_MISSED])}{more}"
    return text


def _scoreboard(profile: Profile) -> str:
    if not profile.sign_port:
        return "none; service mode can't be read without one"
    charset = profile.charset or SIGNS[profile.sign].charsets[0]
    return f"{profile.sign} at {profile.sign_port}, two lines of {profile.columns} letters ({charset})"
