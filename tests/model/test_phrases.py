"""The table of texts: what is missing, what does not fit into a line, and what cannot be told apart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.phrases import LANGUAGES, TEXTS, Phrase, TextKey, item_text, say, spot_text
from firmware_host.model.places import ALL_SLOTS, Card, Colour, DieFace, Pad, Pile, Spot
from firmware_host.profile.tags import Enrolled
from firmware_host.service.checks import AUDIT_NAMES, TINT_NAMES
from hw.scoreboard.charset import ASCII, respelled, to_ascii

COLUMNS = 20
SPOTS: list[Spot] = [Pad(12), Pile(48), *ALL_SLOTS]
DOCS = Path(__file__).parents[2] / "docs"

CALLS = (Phrase.START, Phrase.STOP_DICE, Phrase.STOP_CARDS)
MAY_LOOK_ALIKE = (
    {Phrase.STOP_DICE, Phrase.STOP_CARDS},  # a table plays one game at a time
    {Phrase.SEAT, Phrase.PAD_READER},
    {Phrase.PILE, Phrase.PILE_READER},
)
LARGEST: dict[Phrase, dict[str, object]] = {
    Phrase.ROUND: {"n": 12, "of": 12},
    Phrase.WHOSE: {"n": 24},
    Phrase.ENTER_DICE: {"seat": 4},
    Phrase.HOLDS: {"seat": 12, "n": 23},
    Phrase.DONE: {"seat": 12},
    Phrase.EACH: {"n": 12},
    Phrase.WINNER: {"seats": "1 2 3 4"},
    Phrase.WHOSE: {"n": 24},
    Phrase.SEAT: {"seat": 12},
    Phrase.CALL_BUTTON: {"seat": 12},
    Phrase.CALLED: {"seat": 12},
    Phrase.ENTER_CARDS: {"seat": 12},
    Phrase.FACE_OF_DIE: {"die": 24, "face": 6},
    Phrase.PAD_READER: {"seat": 12},
    Phrase.PILE_READER: {"number": 48},
    Phrase.PROGRESS: {"n": 624, "of": 624},
    Phrase.WITHOUT_TAG: {"n": 624},
    Phrase.BRIGHTNESS: {"n": 15},
    Phrase.VOLUME: {"n": 10},
    Phrase.SEAT_OPEN: {"seat": 12},
    Phrase.SEAT_CLOSED: {"seat": 12},
    Phrase.FEWEST: {"n": 2},
    Phrase.HANDICAP: {"seat": 12, "n": 11},
    Phrase.EXTRA: {"seat": 12, "n": 11},
    Phrase.AGREED_ROUNDS: {"n": 999},
    Phrase.BOUNCES: {"n": 99},
    Phrase.PILE: {"n": 48},
    Phrase.PILE_HEAD: {"n": 48},
}


def placeholders(text: str) -> list[str]:
    """`{seat}` and the like, and any brace by itself."""
    return sorted(re.findall(r"{\w+}|[{}]", text))


def fillings(language: str, phrase: Phrase) -> list[dict[str, object]]:
    """The largest numbers that a phrase is filled with, or every name."""
    readers = [spot_text(language, spot) for spot in SPOTS]
    match phrase:
        case Phrase.CHECK:
            buttons = [say(language, button, seat=12) for button in (Phrase.SEAT, Phrase.CALL_BUTTON)]
            return [{"what": name} for name in ("scoreboard", *buttons, *readers)]
        case Phrase.HOLD_TO_READER:
            return [{"reader": reader} for reader in readers]
        case Phrase.CARD_OF_SEAT:
            return [{"seat": 12, "colour": say(language, colour), "number": 10} for colour in Colour]
        case Phrase.ALL_LAMPS_IN | Phrase.SYMBOL:
            return [{"tint": say(language, name)} for name in TINT_NAMES.values()]
    return [LARGEST.get(phrase, {})]


def lines(language: str, key: TextKey) -> list[str]:
    """What a row of the table puts into a line of the scoreboard, as long as it can get."""
    match key:
        case Verdict() | Phrase.FITS_NOWHERE | Phrase.NO_CARD:
            return [f"12 {say(language, key)}"]
        case Cue():
            return [f"12: {say(language, key)}"]
        case Colour():
            return [f"{say(language, key)} 6"]
        case _ if key in AUDIT_NAMES.values():
            return [f"{say(language, key)}:"]
    texts = [say(language, key, **numbers) for numbers in fillings(language, key)]
    if key in CALLS and len(texts[0]) > COLUMNS:
        return texts[0].rsplit(" ", 1)  # the last word goes to the line below
    return texts


def plain(language: str, text: str) -> str:
    """The text on a display that has only ASCII, however long it gets."""
    return to_ascii(respelled(text, language, ASCII, 99))


def name(key: TextKey) -> str:
    return f"{type(key).__name__}.{key.name}"


def cells() -> Iterator[tuple[str, TextKey, str]]:
    """Every cell of the table, with its language and its key."""
    for key, row in TEXTS.items():
        for language, text in row._asdict().items():
            yield language, key, text


def assert_none(faults: Iterable[str]) -> None:
    """Fail with every fault on a line of its own."""
    listed = list(faults)
    assert not listed, "\n".join(["", *listed])


def test_every_key_has_a_row() -> None:
    assert set(TEXTS) == {*Phrase, *Verdict, *Cue, *Colour}


def test_no_language_lacks_a_text() -> None:
    assert_none(f"{language} lacks {name(key)}" for language, key, text in cells() if not text.strip())


def test_no_placeholder_is_missing_or_unknown() -> None:
    assert_none(
        f"{language} has {placeholders(text)} in {name(key)}, but en has {placeholders(TEXTS[key].en)}"
        for language, key, text in cells()
        if text and placeholders(text) != placeholders(TEXTS[key].en)
    )
    for phrase in Phrase:
        for numbers in fillings("en", phrase):
            assert placeholders(phrase.value.en) == sorted(f"{{{name}}}" for name in numbers), phrase


def test_every_text_fits_into_its_line() -> None:
    assert_none(
        f"{language}: {name(key)} has {len(spelled)} columns, not {COLUMNS}: '{spelled}'"
        for language, key, text in cells()
        if placeholders(text) == placeholders(TEXTS[key].en)
        for line in lines(language, key)
        for spelled in {line, plain(language, line)}
        if len(spelled) > COLUMNS
    )


def test_every_letter_has_a_likeness_on_the_plainest_display() -> None:
    assert_none(
        f"{language}: {name(key)} has '{letter}'"
        for language, key, text in cells()
        for letter in text
        if to_ascii(letter) == "?" and letter not in "?¿"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_texts_look_alike_even_without_accents(language: str) -> None:
    looks: defaultdict[str, set[TextKey]] = defaultdict(set)
    for key, row in TEXTS.items():
        looks[re.sub(r"{\w+}", "0", plain(language, getattr(row, language)))].add(key)
    assert_none(
        f"'{text}' is {', '.join(map(name, keys))}"
        for text, keys in looks.items()
        if text and len(keys) > 1 and keys not in MAY_LOOK_ALIKE
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_face_has_a_name_of_its_own(language: str) -> None:
    cards = [
        Card(seat, colour, number) for seat in range(1, 13) for colour in Colour for number in range(1, 11)
    ]
    faces = [DieFace(die, face) for die in range(1, 25) for face in range(1, 7)]
    items: list[Enrolled] = [*cards, *faces]
    assert len({plain(language, item_text(language, item)) for item in items}) == len(items)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reader_is_called_by_its_number(language: str) -> None:
    for spot in SPOTS:
        number = spot.seat if isinstance(spot, Pad) else spot.number
        assert re.findall(r"\d+", spot_text(language, spot)) == [str(number)]


def test_the_calls_are_those_of_the_rule_sheets() -> None:
    """docs/rules.md has a row for each language, in the order of the table."""
    section = (DOCS / "rules.md").read_text(encoding="utf-8").split("\n## The calls\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    assert [row[1:] for row in rows[1:]] == [
        [say(language, call) for call in CALLS] for language in LANGUAGES
    ]


def test_the_docs_name_every_language() -> None:
    for file, setting in (("configuring.md", "| `language` |"), ("scenarios.md", "| `language fr` |")):
        (row,) = (line for line in (DOCS / file).read_text("utf-8").splitlines() if line.startswith(setting))
        assert re.findall(r"\b[a-z]{2}\b", row.split("|")[2].replace(" or ", " ")) == [*LANGUAGES], file
