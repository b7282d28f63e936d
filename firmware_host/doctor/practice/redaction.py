"""Takes out of texts what may say whose table it is.

A text is read from left to right. Words of this program are kept, and so are values that mean the same on
every table. A name that somebody has made up for a device, a port or a file has a stand-in. An ellipsis is in
the place of everything else. Plain numbers in a row are kept only if they are small and in order, as lines
are: others may be somebody's number.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from firmware_host.doctor.practice.vocabulary import MOMENT, phrases, texts, values

OUT = "…"
"""Stands where something was left out."""
_BETWEEN = r"\s,;:()'\"\[\]=<>#?!"
_SEVERAL = re.compile(rf"{OUT}(?:[^\w\n]*{OUT})+")
_THOUSANDS = r",\d{3}(?![\d,])"
# Each part takes all it can. Python 3.11.2 (Debian 12) misreads the possessive quantifiers for that.
_PLAIN = rf"[<>~+-]?\d[\d.]*(?![\d.])(?:{_THOUSANDS}|(?!{_THOUSANDS}))"
_ROW = re.compile(rf"(?<![\w.])(?<!\d[:-]){_PLAIN}(?:(?:[\s,;()/]+|,? and ){_PLAIN})+(?!\d|[:-]\d)")


class Redaction:
    """The stand-ins of one bundle, and texts without any other names."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, text: str) -> str:
        """A name that many tables have, or what stands for it."""
        return text if self.text(text) == text else self._stand_in(text)

    def tag(self, uid: str) -> str:
        """Another number of a tag, as long as the real one."""
        return f"{int(self._stand_in(f'tag {uid}').removeprefix('name-')):0{len(uid)}x}"

    def data(self, plain: Any) -> Any:
        """The same lists, numbers and dictionaries; each text in them is taken for a name."""
        if isinstance(plain, dict):
            return {key: self.data(each) for key, each in plain.items()}
        if isinstance(plain, list):
            return [self.data(each) for each in plain]
        return self.name(plain) if isinstance(plain, str) else plain

    def text(self, text: str) -> str:
        """What may be passed on of a text."""
        if text in texts():
            return text
        kept = _tokens().sub(lambda each: each[0] if each["kept"] else self._names.get(each[0], OUT), text)
        return _SEVERAL.sub(OUT, _ROW.sub(lambda each: each[0] if _is_in_order(each[0]) else OUT, kept))

    def _stand_in(self, text: str) -> str:
        return self._names.setdefault(text, f"name-{len(self._names) + 1}")


def moment(text: str) -> str:
    """A time of day, and nothing else."""
    return text if re.fullmatch(MOMENT, text) else ""


def _is_in_order(row: str) -> bool:
    numbers = re.findall(_PLAIN, row)
    return all(re.fullmatch(r"[1-9]?\d", each) for each in numbers) and numbers == sorted(
        set(numbers), key=int
    )


@cache
def _tokens() -> re.Pattern[str]:
    """One piece of a text: words of this program, a value, what is between them, or anything else."""
    said = "|".join(map(re.escape, sorted(phrases(), key=len, reverse=True)))
    free = r"(?<![\w.@/+-])(?<![0-9a-fA-F:]:)"
    return re.compile(
        rf"(?P<kept>[{_BETWEEN}]+|{free}(?:(?:{said})(?![\w@/]|[.:-]\w)|{values()}))|[^{_BETWEEN}]+"
    )
