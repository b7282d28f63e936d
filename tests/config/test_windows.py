"""The windows of a table.toml, by themselves and against each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.windows import MEANINGS, WINDOWS
from firmware_host.durations import MS, US, S, format_duration
from firmware_host.errors import BadSettings
from firmware_host.settings import ORDERS, SETTING_NAMES, SPANS, Settings, changed, time_of
from tests.config.shelf import loaded

RELATED = sorted({name for order in ORDERS for name in order[:2]} | {"clear", "lock"})
TIMES = [0, 99 * US, 100 * US, 3 * MS, 10 * MS, 20 * MS, 40 * MS, 1 * S, 2 * S, 30 * S, 40 * S]


def config_text(windows: dict[str, str]) -> str:
    return 'wiring = "dice4"\n[windows]\n' + "".join(f'{name} = "{text}"\n' for name, text in windows.items())


def faults_of(windows: dict[str, str]) -> list[str]:
    with pytest.raises(BadSettings) as error:
        loaded(config_text(windows))
    return [fault.removeprefix("/t/table.toml:") for fault in error.value.faults]


def test_every_window_has_a_meaning() -> None:
    assert tuple(MEANINGS) == WINDOWS
    assert {*WINDOWS, "language"} == set(SETTING_NAMES)


@given(st.dictionaries(st.sampled_from(RELATED), st.sampled_from(TIMES), min_size=1))
def test_what_contradicts_itself_is_refused_and_nothing_else(times: dict[str, int]) -> None:
    windows = {name: format_duration(time_ns) for name, time_ns in times.items()}
    try:
        expected = changed(Settings(), windows)
    except BadSettings:
        faults = faults_of(windows)
        lines = [int(fault.partition(":")[0]) for fault in faults]
        assert lines == sorted(set(lines)) and set(lines) <= {3 + at for at in range(len(windows))}
    else:
        assert loaded(config_text(windows)).config.settings == expected


@given(st.dictionaries(st.sampled_from(RELATED), st.sampled_from(TIMES), min_size=1))
def test_whoever_follows_the_messages_is_done(times: dict[str, int]) -> None:
    """Taking out what is told makes the rest right: no fault was left unsaid, none was told in vain."""
    windows = {name: format_duration(time_ns) for name, time_ns in times.items()}
    for _ in range(len(RELATED) + 1):
        try:
            loaded(config_text(windows))
            break
        except BadSettings as refusal:
            told = {int(fault.split(":")[1]) - 3 for fault in refusal.faults}
            windows = {name: text for at, (name, text) in enumerate(windows.items()) if at not in told}
    assert changed(Settings(), windows)


@pytest.mark.parametrize("name", WINDOWS)
def test_each_can_be_set(name: str) -> None:
    other = SPANS[name].least_ns if name in {order.shorter for order in ORDERS} else SPANS[name].most_ns
    settings = loaded(config_text({name: format_duration(other)})).config.settings
    assert time_of(settings, name) == other != time_of(Settings(), name)


@pytest.mark.parametrize("name", WINDOWS)
def test_each_has_a_range_with_its_usual_time_in_it(name: str) -> None:
    span = SPANS[name]
    assert span.least_ns <= time_of(Settings(), name) < span.most_ns
    for wrong_ns in (span.most_ns + 1, span.least_ns - 1):
        if wrong_ns > 0:
            wrong = format_duration(wrong_ns)
            assert faults_of({name: wrong}) == [f"3: windows.{name} is '{wrong}'; allowed: {span}"]


def test_the_strongest_bound_is_told() -> None:
    assert faults_of({"stuck": "1s"}) == [
        "3: windows.stuck is '1s'; allowed: more than 2s, which is all-hold: "
        "else a button that is held would be taken for jammed"
    ]


def test_what_is_wrong_by_itself_makes_nothing_else_wrong() -> None:
    for windows in ({"stuck": "1s", "hold": "3s"}, {"hold": "3s", "stuck": "1s"}):
        (fault,) = faults_of(windows)
        assert "windows.stuck is '1s'; allowed: more than 2s, which is all-hold" in fault
    (fault,) = faults_of({"all-hold": "9s", "stuck": "5s", "hold": "6s"})
    assert fault.startswith("4: windows.stuck is '5s'; allowed: more than 9s, which is all-hold: ")


def test_of_two_in_one_line_the_second_is_to_blame() -> None:
    with pytest.raises(BadSettings) as error:
        loaded('wiring = "dice4"\nwindows = { hold = "5s", stuck = "4s" }')
    assert error.value.faults == [
        "/t/table.toml:2: windows.stuck is '4s'; allowed: more than 5s, which is hold: "
        "else a button that is held would be taken for jammed"
    ]
