"""The profiles that come with the package."""

import wiring


def test_profiles_are_known_by_name_and_can_be_read() -> None:
    assert wiring.profile_names() == [
        "cards12", "cards2", "cards2-piles", "cards4", "dice4", "dice4-direct", "dice4-rfid",
    ]  # fmt: skip
    for name in wiring.profile_names():
        assert wiring.profile_file(name).is_file()
