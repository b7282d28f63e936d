"""What of a text may leave the machine: the words of this program, and values that say nothing of anybody.

A message is one of those that stand in the sources, with values in its gaps. The words between the gaps are
known to be harmless. A value is, if it has the form of one that means the same on every table: a small
number, a seat, a setting, the name of a device of the shipped profiles. Everything else is left out. Plain
numbers in a row are told only if they are small and in order, as lines are: others may be somebody's number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from firmware_host.config import profile_reading, table_reading
from firmware_host.config.ports import SCOREBOARD
from firmware_host.config.profile import CHIPS, DRIVERS, GPIO
from firmware_host.device_kinds import EXPANDER, LED_CHIPS, READER, SIGNS, DeviceKind
from firmware_host.engine.games import GAMES
from firmware_host.places import Colour
from firmware_host.runtime.assembly.profiles import load_profile
from firmware_host.store.shelf import STORE
from firmware_host.table.phases import Phase
from wiring import profile_names

OUT = "…"
"""Stands where something was left out."""
PORT = re.compile(
    r"/dev/(?:tty(?:USB|ACM|AMA|S)[0-9]{1,2}|serial[01]|i2c-[0-9]{1,2}|gpiochip[0-9]|ligretto/port-[0-9.-]{1,9})"
)
MOMENT = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,6})?)?")
_NUMBER = r"[<>~+-]?[0-9]{1,4}(?:[.,][0-9]{1,3})?(?: ?(?:ns|us|ms|s|min|h|MB|%|V))?|0x[0-9a-f]{1,2}"
_VERSION = r"[0-9]{1,3}(?:\.[0-9]{1,3}){1,2}(?:\.post[0-9])?"
_KERNEL = re.compile(
    r"[1-9]\.[0-9]{1,2}\.[0-9]{1,3}(?:-[0-9]{1,3})?(?:[-+][0-9]*[a-z]\w*)+\+?", re.IGNORECASE
)
"""A kernel's name: its version, and what those who built it have called it."""
_PLACE = f"(?:seat|call|pad|pile|line|{'|'.join(colour.word for colour in Colour)}) [0-9]{{1,2}}"
_SYSTEMS = """
root ligretto ligretto-table gpio i2c spi dialout sudo adm users video audio plugdev input render tty sysfs
Raspberry Pi Model Rev Plus Zero Compute Module A B W rpt rpi v6 v7 v7l v8 Debian bookworm trixie SMP PREEMPT
PREEMPT_RT PREEMPT_DYNAMIC generic amd64 arm64 armv6l armv7l aarch64 x86_64 tsc arch_sys_counter jiffies hpet
acpi_pm post rc rt gpiozero gpiod pyserial smbus2 click rich lgpio rpi-lgpio RPi.GPIO
"""
_COUNT = re.compile(r"[<>~+-]?[0-9][0-9.,]*(?: ?[A-Za-z%]{1,3})?")
_ROW = re.compile(r"(?<![\w.])(?<![0-9][:-])[0-9.]+(?:(?:, | and )[0-9.]+)+(?![0-9]|[:-][0-9])")
_SMALL = re.compile(r"[1-9]?[0-9]")
KNOWN = frozenset(_SYSTEMS.split())
"""Names that many systems have in common."""
_SOURCES = ("firmware_host", "hw")
_GAP = re.compile(r"%[-+0-9.,]*[a-z]|\{[^{}]*\}")
_DEEPEST, _LONGEST = 3, 600


@cache
def device_names() -> frozenset[str]:
    """How the devices of the shipped profiles are called: whoever has another name for one made it up."""
    profiles = [load_profile(name) for name in profile_names()]
    banks = (bank.name for each in profiles for bank in each.banks)
    chips = (chip.name for each in profiles for chip in each.led_chips)
    readers = (reader.name for each in profiles for reader in each.readers)
    return frozenset({GPIO, SCOREBOARD, STORE, *banks, *chips, *readers})


def is_harmless(value: str) -> bool:
    """Whether a value has the form of one that is the same on many tables; or several such."""
    return bool(_values().fullmatch(value)) and not _may_spell(value)


def _may_spell(value: str) -> bool:
    """Whether plain numbers may be parts of a longer one, such as that of a telephone."""
    numbers = [each for each in re.split(", | and ", value) if _COUNT.fullmatch(each)]
    if len(numbers) < 2 or not any(each[-1].isdigit() for each in numbers):
        return False  # each has its unit
    return not all(map(_SMALL.fullmatch, numbers)) or numbers != sorted(set(numbers), key=int)


@lru_cache(10_000)
def wording(text: str, depth: int = 0) -> str:
    """The text as far as its words are this program's and its values harmless."""
    whole, gapped = _messages()
    if is_harmless(text) or not text.strip() or (text in whole and (" " in text or not depth)):
        return text
    told = [spelled(text) if _KERNEL.fullmatch(text) else OUT]
    if depth < _DEEPEST and len(text) <= _LONGEST:
        for longest, form, words in gapped:
            match = form.fullmatch(text) if longest in text else None
            if match:
                values = [wording(value, depth + 1) for value in match.groups()]
                pairs = zip(values, words[1:], values[1:], strict=False)
                if any(not word.strip() and a[-1:].isdigit() and b[:1].isdigit() for a, word, b in pairs):
                    continue  # two in a row may be the number of somebody
                said = words[0] + "".join(map("".join, zip(values, words[1:], strict=True)))
                if all(is_harmless(row) for row in _ROW.findall(said)):
                    told.append(said)
    return min(told, key=lambda each: (each == OUT, each.count(OUT), -len(each), each))


@cache
def _values() -> re.Pattern[str]:
    devices: list[DeviceKind] = [EXPANDER, READER, *LED_CHIPS.values(), *SIGNS.values()]
    kinds = {*DRIVERS, *CHIPS, *LED_CHIPS, *SIGNS, *(kind.title for kind in devices)}
    names = {*device_names(), *GAMES, *kinds, *KNOWN, *(phase.value for phase in Phase)}
    name = f"(?:{'|'.join(map(re.escape, sorted(names)))})"
    words = rf"{name}(?: (?:{name}|{_VERSION}|[0-9]))*"
    setting = f"(?:{'|'.join(sorted({*profile_reading.NAMES, *table_reading.NAMES}))})"
    key = rf"{setting}(?:\.(?:{setting}|{name}))*(?:\[[0-9]{{1,2}}\])?"
    one = "|".join([_NUMBER, _VERSION, _PLACE, PORT.pattern, MOMENT.pattern, words, key])
    return re.compile(f"(?:{one})(?:(?:, | and )(?:{one}))*")


@cache
def _texts() -> frozenset[tuple[str, ...]]:
    return frozenset(_literals())


def messages_with_gaps() -> list[tuple[str, ...]]:
    """The words around the gaps of all messages whose gaps are words of their own."""
    return [words for words in _texts() if len(words) > 1 and any(map(str.strip, words)) and _is_apart(words)]


@cache
def _messages() -> tuple[frozenset[str], tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]]:
    """All texts without a gap; of those with gaps the longest words, a pattern, and all words."""
    whole = frozenset(words[0] for words in _texts() if len(words) == 1)
    forms = ((words, re.compile("(.*?)".join(map(re.escape, words)))) for words in messages_with_gaps())
    return whole, tuple((max(words, key=len), form, words) for words, form in forms)


def _is_apart(words: tuple[str, ...]) -> bool:
    """Whether no gap can begin or end inside of an address or a number."""
    before, after = (
        re.compile(r"(?:.*[ '\"(\[=<#])?", re.DOTALL),
        re.compile(r"(?:[ '\")\]>]|[,;:](?: |$)).*|", re.DOTALL),
    )
    return all(map(before.fullmatch, words[:-1])) and all(map(after.fullmatch, words[1:]))


def _literals() -> Iterator[tuple[str, ...]]:
    """Each text of the sources, split at its gaps."""
    root = Path(__file__).parents[3]
    for path in (path for source in _SOURCES for path in sorted((root / source).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.JoinedStr):
                parts = (str(each.value) if isinstance(each, ast.Constant) else "\0" for each in node.values)
                yield tuple("".join(parts).split("\0"))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield tuple(_GAP.split(node.value))


_WORD = re.compile(r"[^\W\d]\w*|[0-9]{6,}|[^\w .,#+()~/-]")


def spelled(text: str) -> str:
    """A version or a model without the words that not many systems have."""
    return _WORD.sub(
        lambda match: match[0] if {match[0], match[0].rstrip("0123456789")} & KNOWN else OUT, text
    )
