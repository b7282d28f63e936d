"""The words of this program, and values that mean the same on every table and so don't say whose it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from firmware_host.games.games import GAMES
from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.places import Colour
from firmware_host.model.states import Phase
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS, READER, SIGNS
from firmware_host.profile.keys import KEY_NAMES
from firmware_host.profile.profile import CHIPS, DRIVERS, GPIO, SCOREBOARD
from firmware_host.run.table_files import load_profile
from firmware_host.store.store_health import STORE
from wiring import profile_names

PORT = r"/dev/(?:tty(?:USB|ACM|AMA|S)\d{1,2}|serial[01]|i2c-\d{1,2}|gpiochip\d|ligretto/port-[\d.-]{1,9})"
MOMENT = r"20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?)?"
_NUMBER = r"[<>~+-]?\d{1,4}(?:[.,]\d{1,3})?(?:ns|us|ms|s|%|V)?"
_VERSION = r"\d{1,3}(?:\.\d{1,3}){1,2}(?:\.post\d)?|0(?:\.\d{1,3}){3}"
_KNOWN = """
root ligretto ligretto-table gpio i2c spi dialout sudo adm users video audio plugdev input render tty sysfs
Raspberry Pi Model Rev Plus Zero Compute Module A B W rpt rpi v6 v7 v7l v8 Debian bookworm trixie SMP PREEMPT
PREEMPT_RT PREEMPT_DYNAMIC generic amd64 arm64 armv6l armv7l aarch64 x86_64 tsc arch_sys_counter jiffies hpet
acpi_pm post rc rt ns us ms s min h kB MB V %
gpiozero gpiod pyserial smbus2 click rich lgpio rpi-lgpio RPi.GPIO
"""
"""Names that many systems have in common."""
_GAP = re.compile(r"%[-+0-9.,]*[a-z]|\{[^{}]*\}")
_AT_GAP = re.compile(r"\S*\0\S*")
_ROOT = Path(__file__).parents[3]


@cache
def sources() -> tuple[Path, ...]:
    """The files of this program."""
    return tuple(path for name in ("firmware_host", "hw") for path in sorted((_ROOT / name).rglob("*.py")))


@cache
def modules() -> frozenset[str]:
    """The files of this program, as tracebacks and as loggers call them."""
    files = [str(path.relative_to(_ROOT)) for path in sources()]
    return frozenset(files) | {file[:-3].replace("/", ".").removesuffix(".__init__") for file in files}


@cache
def texts() -> frozenset[str]:
    """All texts of the sources, with a NUL in the place of each gap. What players read is in no message."""
    files = (path for path in sources() if path.parent.name not in ("show", "texts"))
    return frozenset(text for path in files for text in _texts_of(path))


def _texts_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "\0" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield _GAP.sub("\0", node.value)


def phrases() -> frozenset[str]:
    """What stands between the gaps of messages: words in a row, or one that is no name."""
    pieces = (piece.strip(" .,;:()'\"[]=<>#?!") for text in texts() for piece in _AT_GAP.split(text))
    return frozenset(piece for piece in pieces if re.fullmatch(r"[a-z][a-z-]+|.*\w +\w.*", piece))


def values() -> str:
    """The pattern of values that mean the same on every table."""
    profiles = [load_profile(name) for name in profile_names()]
    banks = {each.name for profile in profiles for each in profile.banks}
    chips = {each.name for profile in profiles for each in profile.led_chips}
    readers = {each.name for profile in profiles for each in profile.readers}
    titles = {kind.title for kind in (EXPANDER, READER, *LED_CHIPS.values(), *SIGNS.values())}
    kinds = {*GAMES, *DRIVERS, *CHIPS, *LED_CHIPS, *SIGNS, *titles, *LANGUAGES, *Phase.__members__}
    colours = {each.word for each in Colour}
    name = _any_of({GPIO, SCOREBOARD, STORE, *banks, *chips, *readers, *kinds, *colours, *_KNOWN.split()})
    # Seats are settings, too: without a word before them their numbers could be an address.
    setting = _any_of({each for each in KEY_NAMES if not each.isdigit()})
    key = rf"{setting}(?:\.(?:{setting}|{name}|\d{{1,2}}))*(?:\[\d{{1,2}}\])?"
    values = "|".join([MOMENT, PORT, r"0x[0-9a-f]{1,2}", key, name, _NUMBER, _VERSION])
    build = r"[-+](?:\d{1,3}[-+])?"
    kernel = rf"[1-9]\.\d{{1,2}}\.\d{{1,3}}(?={build}[A-Za-z])(?:{build}{name}(?![^\s+-]))*\+?"
    return rf"{kernel}|(?:{values})(?![\w@/]|[.:-]\w)"


def _any_of(words: set[str] | frozenset[str]) -> str:
    """A pattern for any of these; of several that fit, the longest."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"
