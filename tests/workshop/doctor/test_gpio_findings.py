"""Whether the chip of the profile is there, its lines are free, and its contacts rest."""

from __future__ import annotations

import pytest

from firmware_host.profile.profile import line_names
from firmware_host.workshop.doctor.device_findings import Contacts, Gpio, GpioChip, judge_contacts, judge_gpio
from firmware_host.workshop.doctor.findings import Finding, State
from tests.workshop.doctor.finding import one, states
from tests.workshop.doctor.profiles import DICE, DIRECT, profile_with

HEADER = GpioChip(path="/dev/gpiochip0", label="pinctrl-bcm2711", lines=58)
OTHER = GpioChip(path="/dev/gpiochip1", label="raspberrypi-exp-gpio", lines=8)
FREE = Gpio(chips=(HEADER, OTHER), wanted=("pinctrl-bcm2711",), chip=HEADER)


def held(**users: str) -> list[Finding]:
    lines = {int(name.removeprefix("line")): user for name, user in users.items()}
    gpio = Gpio(chips=(HEADER,), wanted=FREE.wanted, chip=HEADER, users=lines)
    return [finding for finding in judge_gpio(gpio, DICE) if finding.subject == "lines"]


def test_free_lines_on_the_right_chip_are_fine() -> None:
    findings = list(judge_gpio(FREE, DICE))
    assert states(findings) == {"chip": State.OK, "lines": State.OK}
    assert one(findings, "lines").seen == f"the {len(line_names(DICE))} lines of the profile are free"


def test_without_a_profile_only_the_chip_is_judged() -> None:
    assert states(judge_gpio(FREE, None)) == {"chip": State.OK}


def test_a_machine_without_chips_is_no_pi() -> None:
    finding = one(judge_gpio(Gpio(wanted=("pinctrl-rp1",)), DICE), "chip")
    assert finding.state is State.FAIL
    assert "ligretto-table demo" in finding.advice


def test_the_chips_that_are_there_are_named() -> None:
    finding = one(judge_gpio(Gpio(chips=(OTHER,), wanted=("pinctrl-rp1", "pinctrl-bcm2711")), DICE), "chip")
    assert finding.state is State.FAIL
    assert finding.seen == (
        "no GPIO chip is 'pinctrl-rp1' or 'pinctrl-bcm2711'; there are /dev/gpiochip1 'raspberrypi-exp-gpio'"
    )


def test_a_chip_that_may_not_be_opened_leads_to_rights() -> None:
    findings = list(judge_gpio(Gpio(closed=("/dev/gpiochip0",), wanted=("pinctrl-rp1",)), DICE))
    assert states(findings) == {"chip": State.FAIL}
    assert "rights" in findings[0].advice


def test_an_old_interface_is_no_use() -> None:
    old = GpioChip(path="/dev/gpiochip0", label="pinctrl-bcm2711", lines=58, events=False)
    finding = one(judge_gpio(Gpio(chips=(old,), wanted=FREE.wanted, chip=old), DICE), "interface")
    assert finding.state is State.FAIL
    assert "5.10" in finding.advice


def test_lines_beyond_the_chip_are_named_with_what_they_are_for() -> None:
    small = GpioChip(path="/dev/gpiochip0", label="pinctrl-bcm2711", lines=19)
    finding = one(judge_gpio(Gpio(chips=(small,), wanted=FREE.wanted, chip=small), DICE), "lines")
    assert finding.state is State.FAIL
    assert "19 (seat 4)" in finding.seen and "27 (interrupt of right)" in finding.seen
    assert finding.advice == "choose lines from 0 to 18"


def test_a_table_at_work_is_told_how_to_stop_and_start_it() -> None:
    (finding,) = held(line5="ligretto-table", line17="ligretto-table")
    assert finding.state is State.FAIL
    assert "line 5 (seat 1), 17 (interrupt of left)" in finding.seen
    assert "systemctl stop ligretto-table" in finding.advice
    assert "systemctl start ligretto-table" in finding.advice


def test_other_holders_are_told_one_by_one() -> None:
    findings = held(line13="spi0 CS0", line6="", line12="sysfs", line16="sysfs")
    assert [finding.state for finding in findings] == [State.FAIL] * 3
    assert findings[0].seen == "'spi0 CS0' holds line 13 (seat 3)"
    assert "raspi-config" in findings[0].advice
    assert findings[1].seen == "'the kernel' holds line 6 (seat 2)"
    assert "lines 12 16" in findings[2].advice


@pytest.mark.parametrize("users", [{}, {5: "spi"}])
def test_a_table_is_at_work_only_if_it_holds_a_line(users: dict[int, str]) -> None:
    assert not Gpio(users=users).ours
    assert Gpio(users=users | {6: "ligretto-table"}).ours


def test_contacts_at_rest_are_fine() -> None:
    resting = Contacts(levels=dict.fromkeys(DIRECT.direct_lines, True))
    finding = one(judge_contacts(resting, DIRECT), "contacts")
    assert finding.state is State.OK


def test_a_pressed_button_and_a_filled_place_are_told_apart() -> None:
    button = DIRECT.line_of(next(source for source in DIRECT.lines.values() if str(source) == "seat 2"))
    place = DIRECT.line_of(next(source for source in DIRECT.lines.values() if str(source) == "red 3"))
    low = Contacts(levels={line: line not in (button, place) for line in DIRECT.direct_lines})
    findings = list(judge_contacts(low, DIRECT))
    assert [finding.state for finding in findings] == [State.WARN, State.NOTE]
    assert "seat 2" in findings[0].seen and "pulled up" in findings[0].advice
    assert "red 3" in findings[1].seen


def test_lines_that_cant_be_had_say_why() -> None:
    finding = one(judge_contacts(Contacts(seen="line 5 is held", advice="stop it"), DIRECT), "lines")
    assert (finding.state, finding.seen, finding.advice) == (State.FAIL, "line 5 is held", "stop it")


def test_a_driver_without_stamps_is_warned_of() -> None:
    told = Contacts(levels={5: True}, reported=(("no stamps", "take gpiod"),))
    finding = one(judge_contacts(told, profile_with(DICE)), "stamps")
    assert (finding.state, finding.advice) == (State.WARN, "take gpiod")
