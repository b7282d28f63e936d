"""Faults of one line each, drawn from the source by a seed.

A fault is known by its file, its function and the text of its line, so that it can be planted again after
lines have moved. It is always valid Python, and never in a docstring, a message, a type hint or an assertion.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from random import Random

PACKAGES: dict[str, tuple[str, ...]] = {
    "timing": ("firmware_host/timing", "firmware_host/referee.py"),
    "session": ("firmware_host/games/*.py",),
    "dice": ("firmware_host/games/dice",),
    "cards": ("firmware_host/games/cards",),
    "show": ("firmware_host/show",),
    "store": ("firmware_host/store",),
    "drivers": ("hw/*.py", "hw/gpio", "hw/i2c", "hw/rfid", "hw/scoreboard", "hw/sound"),
    "profile": ("firmware_host/profile",),
    "feed": ("firmware_host/feed",),
}
"""Where faults are planted."""
SHARE = 12
"""Each package gets at least this part of all faults."""

_OTHER_OPERATOR: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
_OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}
_OTHER_END = {"earliest_ns": "latest_ns", "latest_ns": "earliest_ns"}
_LOGGERS = {"log", "logging", "warnings"}


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of a function that is replaced by another one.

    `nth` tells apart equal lines of the same function, counted from 0.
    """

    package: str
    kind: str
    file: str
    function: str
    nth: int
    before: str
    after: str

    @property
    def diff(self) -> str:
        """For people."""
        return f"{self.file}, {self.function or 'module'}\n- {self.before}\n+ {self.after}"


@dataclass(frozen=True, slots=True)
class _Change:
    """A piece of a line, given by columns in bytes, and what replaces it."""

    kind: str
    line: int
    begin: int
    end: int
    new: str


def draw(root: Path, count: int, seed: int) -> list[Fault]:
    """So many faults of the source below that folder: of each package its share, the rest of any."""
    left = {package: faults_of(root, package) for package in PACKAGES}
    sizes = [len(all_) for all_ in left.values()]
    chance = Random(f"{seed} faults")
    drawn: list[Fault] = []

    def take(package: str) -> None:
        while left[package]:  # the kind comes first: else most faults would be constants
            kind = chance.choice(sorted({each.kind for each in left[package]}))
            fault = chance.choice([each for each in left[package] if each.kind == kind])
            line = (fault.file, fault.function, fault.before)
            left[package] = [
                each for each in left[package] if (each.file, each.function, each.before) != line
            ]
            if _is_another_program(root, fault):
                drawn.append(fault)
                return

    for package in PACKAGES:
        for _ in range(ceil(count / SHARE)):
            take(package)
    for package in chance.choices(list(PACKAGES), sizes, k=max(0, count - len(drawn))):
        take(package)
    return drawn


def _is_another_program(root: Path, fault: Fault) -> bool:
    """Whether the module with that fault is valid, and differs in more than its looks."""
    found = planted(root, fault)
    assert found is not None
    path, text = found
    try:
        return ast.dump(ast.parse(text)) != ast.dump(ast.parse(path.read_text(encoding="utf-8")))
    except SyntaxError:
        return False


def files_of(root: Path, package: str) -> list[Path]:
    """The modules of a package."""
    found: list[Path] = []
    for place in PACKAGES[package]:
        found += root.glob(place) if place.endswith(".py") else (root / place).rglob("*.py")
    return sorted(found)


def faults_of(root: Path, package: str) -> list[Fault]:
    """All faults that can be planted in a package."""
    return [
        fault
        for path in files_of(root, package)
        for fault in faults_in(path.read_text(encoding="utf-8"), package, str(path.relative_to(root)))
    ]


def faults_in(source: str, package: str, file: str) -> list[Fault]:
    """All faults that can be planted in a module; a few may be no valid Python."""
    lines = source.splitlines()
    tree = ast.parse(source)
    spans = {name: (node.lineno, node.end_lineno or node.lineno) for name, node in _functions(tree, "")}
    spans[""] = (1, len(lines))
    found: dict[tuple[int, str], Fault] = {}
    for function, change in _changes(tree, lines):
        row = lines[change.line - 1].encode()
        before = row.decode().strip()
        after = (row[: change.begin] + change.new.encode() + row[change.end :]).decode().strip()
        first, last = spans[function]
        equal = [n for n in range(first, last + 1) if lines[n - 1].strip() == before]
        fault = Fault(package, change.kind, file, function, equal.index(change.line), before, after)
        found.setdefault((change.line, after), fault)
    return list(found.values())


def planted(root: Path, fault: Fault) -> tuple[Path, str] | None:
    """The file that has the line now, and its text with the fault; None if the line is gone.

    A line whose file is gone is looked for in all packages, in a function of the same name.
    """
    path = root / fault.file
    if path.exists():
        text = _with(path, fault)
        return None if text is None else (path, text)
    files = [each for package in PACKAGES for each in files_of(root, package)]
    moved = [(each, text) for each in files if (text := _with(each, fault)) is not None]
    return moved[0] if len(moved) == 1 else None


def _with(path: Path, fault: Fault) -> str | None:
    source = path.read_text(encoding="utf-8")
    if fault.before not in source:
        return None
    lines = source.splitlines()
    spans = {name: (node.lineno, node.end_lineno or 0) for name, node in _functions(ast.parse(source), "")}
    spans[""] = (1, len(lines))
    if fault.function not in spans:
        return None
    first, last = spans[fault.function]
    equal = [n for n in range(first, last + 1) if lines[n - 1].strip() == fault.before]
    if fault.nth >= len(equal):
        return None
    row = lines[equal[fault.nth] - 1]
    lines[equal[fault.nth] - 1] = row[: len(row) - len(row.lstrip())] + fault.after
    return "\n".join(lines) + "\n"


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{prefix}{child.name}"
            yield name, child
            yield from _functions(child, f"{name}.")
        else:
            yield from _functions(child, prefix)


# -- what can be changed


def _changes(tree: ast.Module, lines: Sequence[str]) -> Iterator[tuple[str, _Change]]:
    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, _Change]]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}" if function else node.name
        for child in _code_below(node):
            for make in _MAKERS:
                for change in make(child, lines):
                    if not (function.endswith("__init__") and change.kind == "dropped statement"):
                        yield function, change  # an attribute that is missing would be seen by any test
            yield from walk(child, function)

    yield from walk(tree, "")


def _code_below(node: ast.AST) -> Iterator[ast.AST]:
    """What is executed: no hints, decorators, assertions, messages and texts."""
    skipped: list[ast.AST | None] = []
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        skipped += node.decorator_list
    if isinstance(node, ast.FunctionDef):
        skipped.append(node.returns)
    if isinstance(node, ast.ClassDef):
        skipped += node.bases
    if isinstance(node, ast.AnnAssign | ast.arg):
        skipped.append(node.annotation)
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return
    for child in ast.iter_child_nodes(node):
        if not any(child is each for each in skipped) and not _is_no_code(child):
            yield child


def _is_no_code(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert | ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Assign) and any(map(_is_hint, (*node.targets, node.value))):
        return True
    value = node.value if isinstance(node, ast.Expr) else None
    if isinstance(value, ast.Constant):
        return True  # a docstring
    called = value.func if isinstance(value, ast.Call) else None
    owner = called.value if isinstance(called, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in _LOGGERS


def _is_hint(node: ast.AST) -> bool:
    """`Event = Filled | Emptied`, or `T = TypeVar("T")`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return all(
            isinstance(each, ast.Name | ast.Attribute | ast.BinOp | ast.Constant)
            for each in (node.left, node.right)
        ) and (bool(re.match(r"[A-Z][a-z]", ast.unparse(node.right))))
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("TypeVar", "NewType")


def _between(
    kind: str, left: ast.expr, right: ast.expr, operator: ast.AST, lines: Sequence[str]
) -> Iterator[_Change]:
    """The operator between two expressions becomes another one."""
    if type(operator) not in _OTHER_OPERATOR or left.end_lineno != right.lineno:
        return
    old, new = _OTHER_OPERATOR[type(operator)]
    line, begin, end = right.lineno, left.end_col_offset or 0, right.col_offset
    gap = lines[line - 1].encode()[begin:end].decode()
    if gap.strip(" ()") == old:
        at = begin + gap.index(old)
        yield _Change(kind, line, at, at + len(old), new)


def _compared(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _between("comparison", node.left, node.comparators[0], node.ops[0], lines)


def _combined(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from _between("and/or", left, right, node.op, lines)


def _calculated(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.BinOp) and not _is_hint(node):
        yield from _between("arithmetic", node.left, node.right, node.op, lines)


def _constant(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.Constant) and node.end_lineno == node.lineno:
        if isinstance(node.value, bool):
            yield _whole("constant", node, str(not node.value))
        elif isinstance(node.value, int):
            written = lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset or 0].decode()
            form = "{:#x}" if written.startswith("0x") else "{:#b}" if written.startswith("0b") else "{}"
            yield _whole("constant", node, form.format(node.value + 1))
            if node.value > 0:
                yield _whole("constant", node, form.format(node.value - 1))


def _negated(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.comprehension):
        for test in node.ifs if isinstance(node, ast.comprehension) else [node.test]:
            if test.end_lineno == test.lineno:
                yield _whole("negated condition", test, f"not ({ast.unparse(test)})")


def _without_not(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and node.end_lineno == node.lineno:
        operand = node.operand
        yield _Change("deleted not", node.lineno, node.col_offset, operand.col_offset, "")


def _renamed(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OTHER_NAME:
        yield _whole("min/max", node.func, _OTHER_NAME[node.func.id])
    if isinstance(node, ast.Attribute) and node.attr in _OTHER_END and node.end_lineno == node.lineno:
        end = node.end_col_offset or 0
        yield _Change("other end of a stamp", node.lineno, end - len(node.attr), end, _OTHER_END[node.attr])


def _statement(node: ast.AST, lines: Sequence[str]) -> Iterator[_Change]:
    if isinstance(node, ast.stmt) and node.end_lineno == node.lineno:
        if isinstance(node, ast.Expr | ast.AugAssign):
            yield _whole("dropped statement", node, "pass")
            yield _whole("early return", node, "return")
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript):
            yield _whole("dropped statement", node, "pass")
        elif isinstance(node, ast.Break):
            yield _whole("break/continue", node, "continue")
        elif isinstance(node, ast.Continue):
            yield _whole("break/continue", node, "break")
        elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
            yield _whole("returns nothing", node, "return None")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _whole(kind: str, node: ast.expr | ast.stmt, new: str) -> _Change:
    return _Change(kind, node.lineno, node.col_offset, node.end_col_offset or 0, new)


_MAKERS: tuple[Callable[[ast.AST, Sequence[str]], Iterator[_Change]], ...] = (
    _compared,
    _combined,
    _calculated,
    _constant,
    _negated,
    _without_not,
    _renamed,
    _statement,
)
