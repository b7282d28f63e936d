"""A TOML text, read piece by piece, with plain words for what can't be read.

This is not another reader of TOML: what a text means is told by `tomllib`. It is for what that
doesn't tell: the line in which something stands, and what an operator can do about a slip. So it
takes whatever TOML allows, and some things more.
"""

from __future__ import annotations

import re
import tomllib

from firmware_host.config.words import clean
from firmware_host.errors import TableError

_GAP = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_INDENT = re.compile(r"[ \t]*")
_REST = re.compile(r"[^\n#]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LONG_TEXTS = (
    re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}', re.DOTALL),
    re.compile(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}"),
)
_TEXTS = (
    re.compile(r'"(?:[^"\\\n]|\\[^\n])*"'),
    re.compile(r"'[^'\n]*'"),
)
_DIGITS = r"[0-9](?:_?[0-9])*"
_SCALAR = re.compile(
    rf"""true|false
    |[+-]?(?:inf|nan)
    |0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*
    |[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[Tt ][0-9]{{2}}:[0-9:.]+(?:[Zz]|[+-][0-9:]+)?)?
    |[0-9]{{2}}:[0-9]{{2}}[0-9:.]*
    |[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.{_DIGITS})?(?:[eE][+-]?{_DIGITS})?""",
    re.VERBOSE,
)
_STATEMENT = re.compile(
    r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*=
    |\[+(?!true|false|inf|nan)[A-Za-z_][A-Za-z0-9_.-]*\]+[ \t]*(?:\#|\n|\Z)""",
    re.VERBOSE,
)
_WORDS = re.compile(r"[^\n#,\]}]*")
_CURLY = "\"'“”„‘’«»"
MOST_NAMES = 16
"""A key has up to so many names with dots between them; no setting has more than three."""
MOST_DIGITS = 100
"""A number has up to so many; none that means something has more than six."""
_ENDS = ("", "\n", "#", ",", "]", "}", " ", "\t")
_VALUES = "a text in quotes, a number, or a list in [ ]"


class Slip(TableError):
    """Something that is no TOML: the line, and what is wrong there."""

    def __init__(self, line: int, words: str) -> None:
        self.line, self.words = line, words
        super().__init__(f"line {line}: {words}")


class Tape:
    """A text and how far it has been read; `line` is the line of what comes next."""

    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n")
        self._at = 0
        self.line = 1

    def more(self) -> bool:
        """Go over blanks, comments and ends of lines; whether anything comes after them."""
        self._take(_GAP)
        return self._at < len(self._text)

    def blanks(self) -> None:
        """Go over blanks within the line."""
        self._take(_INDENT)

    def sees(self, mark: str) -> bool:
        """Whether this comes next."""
        return self._text.startswith(mark, self._at)

    def took(self, mark: str) -> bool:
        """Whether this comes next; then it has been read."""
        found = self.sees(mark)
        if found:
            self._at += len(mark)
        return found

    def sees_statement(self) -> bool:
        """Whether a setting or a section begins here, as it seems."""
        return _STATEMENT.match(self._text, self._at) is not None

    def key(self) -> tuple[str, ...]:
        """A key with its dots, as the names that it is made of; empty if there is none."""
        names: list[str] = []
        while True:
            self._take(_INDENT)
            name = self._name()
            if name is None:
                return ()
            names.append(name)
            self._take(_INDENT)
            if not self.took("."):
                return tuple(names)
            if len(names) == MOST_NAMES:
                start = clean(".".join(names))
                raise Slip(
                    self.line, f"the key '{start}' goes on; allowed: up to {MOST_NAMES} names with dots"
                )

    def scalar(self, key: str) -> None:
        """Go over a text, a number, a date, or true or false; Slip says what else stands there."""
        if self.sees('"') or self.sees("'"):
            self._quoted(key)
            return
        match = _SCALAR.match(self._text, self._at)
        if match is None or self._text[match.end() : match.end() + 1] not in _ENDS:
            raise Slip(self.line, self._no_value(key))
        if match.end() - self._at > MOST_DIGITS:
            raise Slip(self.line, f"{key} is {clean(match[0])}; allowed: up to {MOST_DIGITS} digits")
        self._move(match.end())

    def end_of_line(self, what: str) -> None:
        """Go to the end of the line, where nothing but a comment may stand."""
        self._take(_INDENT)
        if self._at < len(self._text) and not self.sees("\n") and not self.sees("#"):
            raise Slip(self.line, f"'{self.rest()}' follows {what}; allowed: nothing, or a comment after #")

    def rest(self) -> str:
        """What stands in this line from here on, cut if it is long."""
        return self._words(_REST)

    def looks_like(self, pattern: re.Pattern[str]) -> bool:
        """Whether this comes next."""
        return pattern.match(self._text, self._at) is not None

    def go_on(self, *, at: re.Pattern[str]) -> None:
        """Go to the next line that begins so."""
        while self._at < len(self._text):
            end = self._text.find("\n", self._at)
            self._move(len(self._text) if end < 0 else end + 1)
            if self.looks_like(at):
                return

    def sees_line(self, pattern: re.Pattern[str]) -> bool:
        """Whether a line begins here, and so."""
        begins = self._at == 0 or self._text[self._at - 1] == "\n"
        return begins and self.looks_like(pattern)

    # -- pieces

    def _take(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self._text, self._at)
        if match is None:
            return None
        self._move(match.end())
        return match[0]

    def _move(self, to: int) -> None:
        self.line += self._text.count("\n", self._at, to)
        self._at = to

    def _name(self) -> str | None:
        bare = self._take(_BARE)
        if bare is not None:
            return bare
        for pattern in _TEXTS:
            quoted = self._take(pattern)
            if quoted is not None:
                return _meant(quoted)
        return None

    def _quoted(self, key: str) -> None:
        quote = self._text[self._at]
        triple = quote * 3
        if self.sees(triple):
            if not any(self._take(pattern) for pattern in _LONG_TEXTS):
                raise Slip(self.line, f"{key} begins with {triple}; allowed: {triple} at its end as well")
        elif not any(self._take(pattern) for pattern in _TEXTS):
            allowed = f"a text that ends with {quote} in its line"
            raise Slip(self.line, f"{key} is {self.rest()}; allowed: {allowed}")

    def _no_value(self, key: str) -> str:
        words = self._words(_WORDS)
        if not words:
            return f"{key} has no value; allowed: {_VALUES}"
        right = words.lstrip("0") if words.isdecimal() else f'"{words.strip(_CURLY)}"'
        return f"{key} is {words}; allowed: {_VALUES}; did you mean {right}?"

    def _words(self, pattern: re.Pattern[str]) -> str:
        """What comes next, to be shown."""
        match = pattern.match(self._text, self._at)
        return clean(match[0].strip()) if match else ""


def _meant(quoted: str) -> str:
    """The name that is meant by a quoted one."""
    try:
        name: str = tomllib.loads(f"name = {quoted}")["name"]
    except tomllib.TOMLDecodeError:
        return quoted  # which is told when the whole text is read
    return name
