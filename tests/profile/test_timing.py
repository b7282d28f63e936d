"""The times of a table.toml, by themselves and against each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import BadSettings
from firmware_host.model.settings import TIME_ORDERS, TIMINGS, Settings, changed, time_of
from firmware_host.model.times import MS, US, S, format_duration
from tests.profile.shelf import loaded

SHORTER, LONGER = {order.shorter for order in TIME_ORDERS}, {order.longer for order in TIME_ORDERS}
RELATED = sorted(SHORTER | LONGER | {"clear", "lock"})
TIMES = [0, 99 * US, 100 * US, 3 * MS, 10 * MS, 20 * MS, 40 * MS, 1 * S, 2 * S, 30 * S, 40 * S]


def config_text(times: dict[str, str]) -> str:
    return 'wiring = "dice4"\n[timing]\n' + "".join(f'{name} = "{text}"\n' for name, text in times.items())


def faults_of(times: dict[str, str]) -> list[str]:
    with pytest.raises(BadSettings) as error:
        loaded(config_text(times))
    return [fault.removeprefix("/t/table.toml:") for fault in error.value.faults]


@given(st.dictionaries(st.sampled_from(RELATED), st.sampled_from(TIMES), min_size=1))
def test_what_contradicts_itself_is_refused_and_nothing_else(times: dict[str, int]) -> None:
    texts = {name: format_duration(time_ns) for name, time_ns in times.items()}
    try:
        expected = changed(Settings(), texts)
    except BadSettings:
        faults = faults_of(texts)
        lines = [int(fault.partition(":")[0]) for fault in faults]
        assert lines == sorted(set(lines)) and set(lines) <= {3 + at for at in range(len(texts))}
    else:
        assert loaded(config_text(texts)).config.settings == expected


@given(st.dictionaries(st.sampled_from(RELATED), st.sampled_from(TIMES), min_size=1))
def test_whoever_follows_the_messages_is_done(times: dict[str, int]) -> None:
    """Taking out what is told makes the rest right: no fault was left unsaid, none was told in vain."""
    texts = {name: format_duration(time_ns) for name, time_ns in times.items()}
    for _ in range(len(RELATED) + 1):
        try:
            loaded(config_text(texts))
            break
        except BadSettings as refusal:
            told = {int(fault.split(":")[1]) - 3 for fault in refusal.faults}
            texts = {name: text for at, (name, text) in enumerate(texts.items()) if at not in told}
    assert changed(Settings(), texts)


@pytest.mark.parametrize("name", TIMINGS)
def test_each_can_be_set(name: str) -> None:
    other = TIMINGS[name].least_ns if name in SHORTER else TIMINGS[name].most_ns
    settings = loaded(config_text({name: format_duration(other)})).config.settings
    assert time_of(settings, name) == other != time_of(Settings(), name)


@pytest.mark.parametrize("name", TIMINGS)
def test_each_has_a_range_with_its_usual_time_in_it(name: str) -> None:
    timing = TIMINGS[name]
    assert timing.least_ns <= time_of(Settings(), name) < timing.most_ns
    for wrong_ns in (timing.most_ns + 1, timing.least_ns - 1):
        if wrong_ns > 0:
            wrong = format_duration(wrong_ns)
            assert faults_of({name: wrong}) == [f"3: timing.{name} is '{wrong}'; allowed: {timing.span}"]


def test_the_strongest_bound_is_told() -> None:
    assert faults_of({"stuck": "1s"}) == [
        "3: timing.stuck is '1s'; allowed: more than 2s, which is all-hold: "
        "else a button that is held would be taken for jammed"
    ]


def test_what_is_wrong_by_itself_makes_nothing_else_wrong() -> None:
    for texts, right in (
        ({"stuck": "1s", "hold": "3s"}, "more than 2s, which is all-hold: "),
        ({"hold": "3s", "stuck": "1s"}, "more than 3s, which is hold: "),
        ({"hold": "30s", "stuck": "soon"}, "a duration such as "),
    ):
        (fault,) = faults_of(texts)
        assert f"timing.stuck is '{texts['stuck']}'; allowed: {right}" in fault
    (fault,) = faults_of({"all-hold": "9s", "stuck": "5s", "hold": "6s"})
    assert fault.startswith("4: timing.stuck is '5s'; allowed: more than 9s, which is all-hold: ")


def test_of_two_in_one_line_the_second_is_to_blame() -> None:
    with pytest.raises(BadSettings) as error:
        loaded('wiring = "dice4"\ntiming = { hold = "5s", stuck = "4s" }')
    assert error.value.faults == [
        "/t/table.toml:2: timing.stuck is '4s'; allowed: more than 5s, which is hold: "
        "else a button that is held would be taken for jammed"
    ]


# -- as it was called before


def test_the_old_name_of_the_section_is_read_and_noted() -> None:
    old = loaded('wiring = "dice4"\n\n[windows]\nlock = "2s"\n')
    assert old.config == loaded('wiring = "dice4"\n[timing]\nlock = "2s"\n').config
    assert old.notes == ("/t/table.toml:3: windows is called timing now",)
    assert loaded('wiring = "dice4"\n[timing]\nlock = "2s"\n').notes == ()


def test_the_old_name_of_the_section_is_told_beside_its_faults() -> None:
    with pytest.raises(BadSettings) as wrong:
        loaded('wiring = "dice4"\n[windows]\nsettle = "1s"\n')
    first, renamed = wrong.value.faults
    assert "settle" in first and renamed.endswith(": windows is called timing now")
