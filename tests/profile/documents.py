"""TOML documents by chance, in every way of writing, where no two things have the same name.

A key is called k and a number, a value has v and a number in its first line. So a line that shall
hold one of them can be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
DECOYS = ["[x1]", "x2 = 3", "# no comment", "x3 = [", "]]", "{", "it's", "a, b", "=", ""]


class _Writer:
    """Writes statements; every choice is drawn."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._count = 0

    def document(self) -> str:
        blocks = [self._settings()]
        for _ in range(self._upto(5)):
            blocks += [self._header(), self._settings()]
        return "".join(blocks)

    # -- statements

    def _settings(self, tables: int = 3) -> str:
        text = ""
        for _ in range(self._upto(tables)):
            text += self._gap() + self._key() + self._one(" = ", "=", " =\t") + self._value(2) + self._end()
        return text

    def _header(self) -> str:
        key = self._key()
        if self._one(True, False):
            return f"{self._gap()}[{key}]{self._end()}"
        many = ""
        for _ in range(1 + self._upto(2)):
            many += f"{self._gap()}[[{key}]]{self._end()}{self._settings(1)}"
            if self._one(True, False):
                many += f"[ {key} . {self._name()} ]{self._end()}{self._settings(1)}"
        return many

    def _key(self) -> str:
        return self._one(".", " . ").join(self._name() for _ in range(1 + self._upto(2)))

    def _name(self) -> str:
        self._count += 1
        number = self._count
        return self._one(f"k{number}", f'"k{number}"', f"'k{number}'", f'"\\u006b{number}"')

    # -- values

    def _value(self, depth: int) -> str:
        kinds: list[Callable[[], str]] = [self._number, self._text, self._long_text]
        if depth:
            kinds += [lambda: self._list(depth - 1), lambda: self._inline(depth - 1)]
        return self._one(*kinds)()

    def _marked(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _number(self) -> str:
        return self._one("1", "-2.5", "0x1F", "1979-05-27 07:32:00Z", "true", "inf", "07:32:00", "1_0e-2")

    def _text(self) -> str:
        decoy = self._one(*DECOYS)
        if "'" in decoy or self._one(True, False):
            return json.dumps(f'{self._marked()} {decoy} \\ " é')
        return f"'{self._marked()} {decoy} \\'"

    def _long_text(self) -> str:
        body = "\n".join(self._one(*DECOYS) for _ in range(self._upto(3)))
        quote = self._one('"""', "'''")
        inside = self._one("", quote[0], quote[0] * 2)
        tail = self._one("", "\\\n   x") if quote == '"""' else ""
        return f"{quote}{self._marked()} {inside} \n{body}{tail}{inside}{quote}"

    def _list(self, depth: int) -> str:
        text = "["
        for _ in range(self._upto(3)):
            text += self._gap() + self._value(depth) + self._one("", " ", "\n") + "," + self._one(" ", "\n")
        closed = self._one(text, text.rstrip(" \n,") if "," in text else text)
        return closed + self._one("", "\n", " # ]\n") + "]"

    def _inline(self, depth: int) -> str:
        inner: list[Callable[[], str]] = [self._number, self._text]
        pairs = [f"{self._key()} = {self._one(*inner)()}" for _ in range(self._upto(3))]
        return "{ " + ", ".join(pairs) + " }"

    # -- choices

    def _gap(self) -> str:
        return self._one("", "", "\n", "  ", "# x4 = 1\n", "\t# [x5]\n\n")

    def _end(self) -> str:
        return self._one("\n", "\r\n", "  # x6 = 'x\n")

    def _upto(self, most: int) -> int:
        return self._draw(st.integers(0, most))

    def _one(self, *choices: T) -> T:
        return self._draw(st.sampled_from(choices))


@st.composite
def documents(draw: st.DrawFn) -> str:
    """The text of a TOML document."""
    return _Writer(draw).document()
