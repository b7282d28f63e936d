"""The description of a table that its operator can compare with the real one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from textwrap import wrap

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
from firmware_host.profile.profile import BANK_LINES, GPIO, SCOREBOARD, Bank, LampWire, Profile
from firmware_host.profile.table import AUTO_CARD, NO_CARD, TableConfig, open_seats, usual_deal
from firmware_host.profile.tags import Enrolled, Registry

WIDTH = 100
_INDENT = 13
_NARROW, _STEP = 65, 4
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


def summary(config: TableConfig, registry: Registry | None, width: int = WIDTH) -> list[str]:
    """The lines, beginning with those for all games."""
    lines = list(_entries(_common(config), width))
    for game, profile in config.profiles.items():
        first = ", played first" if len(config.profiles) > 1 and game == config.game else ""
        title = f"{game}{first}: {profile.title} ({config.wiring[game]})"
        lines += ["", *_wrapped(title, width, " " * _STEP)]
        lines += _entries(_of_game(profile, config, registry), width)
    return lines


def _entries(entries: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """The lines of labels and texts; a label is not repeated in consecutive lines."""
    last = ""
    for word, text in entries:
        if width < _NARROW:
            yield from [word] if word != last else []
            yield from (f"{'':{_STEP}}{line}" for line in _wrapped(text, width - _STEP, "  "))
            last = word
            continue
        for line in _wrapped(text, width - _INDENT):
            yield f"{word if word != last else '':{_INDENT}}{line}"
            last = word


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The text in lines, without splitting words and paths."""
    return wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


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
