"""The registry of tags: there and back, and what is said about faults."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import BadSettings
from firmware_host.model.places import Card, Colour, DieFace, Stranger
from firmware_host.profile.tags import Enrolled, Registry, format_registry, parse_registry, simulated_uid

cards = st.builds(Card, st.integers(1, 12), st.sampled_from(Colour), st.integers(1, 10))
faces = st.builds(DieFace, st.integers(1, 24), st.integers(1, 6))
uids = st.sampled_from([4, 7, 10]).flatmap(lambda length: st.binary(min_size=length, max_size=length))
registries = st.dictionaries(cards | faces, uids.map(bytes.hex)).map(
    lambda uid_of: Registry({uid: tag for tag, uid in uid_of.items()})
)

GOOD = """\
# Tags of one card and one die
uid,tag

04a1b2c3,card 3 red 7
04A1B2C4D5E6F7 , die 5 face 2   # with a hole near the edge
"""


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadSettings) as error:
        parse_registry(text, "tags.csv")
    return error.value.faults


def test_comments_blanks_and_capitals_are_no_matter() -> None:
    registry = parse_registry(GOOD, "tags.csv")
    assert dict(registry) == {"04a1b2c3": Card(3, Colour.RED, 7), "04a1b2c4d5e6f7": DieFace(5, 2)}
    assert parse_registry("\ufeff" + GOOD.replace("\n", "\r\n"), "tags.csv") == registry
    assert repr(registry) == "<Registry of 2 tags>"


def test_a_registry_is_written_in_an_order_that_people_can_follow() -> None:
    tags: dict[str, Enrolled] = {
        "04a1b2c3": DieFace(1, 1),
        "04a1b2c4": Card(2, Colour.RED, 1),
        "04a1b2c5": Card(1, Colour.BLUE, 9),
    }
    assert format_registry(Registry(tags)) == (
        "uid,tag\n04a1b2c5,card 1 blue 9\n04a1b2c4,card 2 red 1\n04a1b2c3,die 1 face 1\n"
    )
    assert parse_registry("uid,tag", "tags.csv") == Registry({})


def test_what_nobody_has_enrolled_is_a_stranger() -> None:
    registry = parse_registry(GOOD, "tags.csv")
    assert registry.of(bytes.fromhex("04a1b2c3")) == Card(3, Colour.RED, 7)
    assert registry.of(b"\x04\xa1\xb2\xc4") == Stranger("04a1b2c4")
    assert registry.uid_of(Stranger("04a1b2c4")) == b"\x04\xa1\xb2\xc4"
    with pytest.raises(KeyError):
        registry.uid_of(DieFace(5, 3))


@given(registries)
def test_each_tag_leads_to_its_number_and_back(registry: Registry) -> None:
    assert [registry.of(registry.uid_of(tag)) for tag in registry.values()] == list(registry.values())


def test_a_registry_never_changes() -> None:
    source = {"04a1b2c3": DieFace(1, 1)}
    registry = Registry(source)
    source["04a1b2c4"] = DieFace(1, 2)
    assert len(registry) == 1
    assert not hasattr(registry, "__setitem__")


def test_no_registry_is_made_of_nonsense() -> None:
    with pytest.raises(ValueError, match="two tags stand for the same"):
        Registry({"04a1b2c3": DieFace(1, 1), "04a1b2c4": DieFace(1, 1)})
    with pytest.raises(ValueError, match="'04A1B2C3' is no number of a tag"):
        Registry({"04A1B2C3": DieFace(1, 1)})


# -- simulated tables


def test_simulated_tags_have_numbers_of_their_own() -> None:
    """Those of recordings must mean the same for ever."""
    assert simulated_uid(Card(3, Colour.GREEN, 7)).hex() == "ca030207"
    assert simulated_uid(DieFace(24, 6)).hex() == "d1001806"


@pytest.mark.parametrize("seats", [2, 4, 12])
def test_simulated_card_tables_know_all_cards(seats: int) -> None:
    registry = Registry.for_cards(seats)
    assert len(registry) == len(set(registry.values())) == 40 * seats
    assert {tag.seat for tag in registry.values() if isinstance(tag, Card)} == set(range(1, seats + 1))
    assert parse_registry(format_registry(registry), "tags.csv") == registry


def test_simulated_dice_tables_know_all_faces() -> None:
    registry = Registry.for_dice()
    assert len(registry) == len(set(registry.values())) == 24 * 6
    assert registry.of(registry.uid_of(DieFace(7, 3))) == DieFace(7, 3)
    assert not set(registry) & set(Registry.for_cards(12))


# -- one fault, one message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("04a1,card 1 red 1", "uid is '04a1'; allowed: 4, 7 or 10 bytes in hex, as in 04a1b2c3"),
        ("04a1b2c,card 1 red 1", "uid is '04a1b2c'; allowed: 4, 7 or 10 bytes in hex, as in 04a1b2c3"),
        ("04a1b2cx,card 1 red 1", "uid is '04a1b2cx'; allowed: 4, 7 or 10 bytes in hex, as in 04a1b2c3"),
        (",card 1 red 1", "uid is ''; allowed: 4, 7 or 10 bytes in hex, as in 04a1b2c3"),
        ("0" * 80 + ",card 1 red 1",
         f"uid is '{'0' * 57}...'; allowed: 4, 7 or 10 bytes in hex, as in 04a1b2c3"),
        ("05a1b2c3;card 1 red 1",
         "'05a1b2c3;card 1 red 1' is no entry; it looks like '04a1b2c3,card 3 red 7'"),
        ("05a1b2c3,", "the tag is missing; "
         "it looks like 'card 3 red 7', 'die 5 face 2' or 'unknown 04a1b2c3'"),
        ("05a1b2c3,card 1 pink 1", "'card 1 pink 1' is no tag; "
         "it looks like 'card 3 red 7', 'die 5 face 2' or 'unknown 04a1b2c3'"),
        ("05a1b2c3,card 13 red 1",
         "'card 13 red 1' does not exist; sets of cards are numbered from 1 to 12"),
        ("05a1b2c3,card 1 red 11",
         "'card 1 red 11' does not exist; cards of a colour are numbered from 1 to 10"),
        ("05a1b2c3,die 25 face 1", "'die 25 face 1' does not exist; dice are numbered from 1 to 24"),
        ("05a1b2c3,die 1 face 0", "'die 1 face 0' does not exist; faces are numbered from 1 to 6"),
        ("05a1b2c3,unknown 05a1b2c3",
         "'unknown 05a1b2c3' can't be enrolled; allowed: a card or the face of a die"),
        ("04A1B2C3,card 1 red 1", "uid 04a1b2c3 is in line 4 already; allowed: each tag once"),
        ("04a1b2c3,card 3 red 7", "uid 04a1b2c3 is in line 4 already; allowed: each tag once"),
        ("05a1b2c3,card 3 red 7", "'card 3 red 7' has a tag in line 4 already; allowed: one each"),
        ("05a1b2c3,die 5 face 2", "'die 5 face 2' has a tag in line 5 already; allowed: one each"),
    ],
)  # fmt: skip
def test_a_fault_has_one_clear_message(line: str, message: str) -> None:
    assert faults_of(f"{GOOD}{line}\n") == [f"tags.csv:6: {message}"]


@pytest.mark.parametrize("text", ["", "# nothing\n\n"])
def test_a_file_without_anything_lacks_its_header(text: str) -> None:
    assert faults_of(text) == ["tags.csv:1: the header is missing; allowed: uid,tag"]


def test_another_header_is_a_fault() -> None:
    assert faults_of("number;card\n04a1b2c3,card 3 red 7") == [
        "tags.csv:1: the header is 'number;card'; allowed: uid,tag"
    ]


# -- several faults, several messages


def test_all_faults_are_told_at_once() -> None:
    text = GOOD.replace("uid,tag\n", "") + "05a1b2c4,card 0 red 1\n04a1b2c3,die 5 face 2\n04a1,seven\n"
    assert faults_of(text) == [
        "tags.csv:3: the header is '04a1b2c3,card 3 red 7'; allowed: uid,tag",
        "tags.csv:5: 'card 0 red 1' does not exist; sets of cards are numbered from 1 to 12",
        "tags.csv:6: uid 04a1b2c3 is in line 3 already; allowed: each tag once",
        "tags.csv:6: 'die 5 face 2' has a tag in line 4 already; allowed: one each",
        "tags.csv:7: uid is '04a1'; allowed: 4, 7 or 10 bytes in hex, as in 04a1b2c3",
        "tags.csv:7: 'seven' is no tag; it looks like 'card 3 red 7', 'die 5 face 2' or 'unknown 04a1b2c3'",
    ]


@given(st.text(alphabet="uid,tag 04a1b2c3rdfe\n#", max_size=80))
def test_any_text_is_read_or_refused_with_reasons(text: str) -> None:
    faults: list[str] = []
    try:
        parse_registry("uid,tag\n" + text, "tags.csv")
    except BadSettings as refusal:
        faults = refusal.faults
    assert all(fault.startswith("tags.csv:") for fault in faults)
    assert len(set(faults)) == len(faults)
