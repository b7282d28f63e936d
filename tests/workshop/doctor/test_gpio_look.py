"""Which chips there are, who holds the lines, how contacts stand: on simulated chips and pins."""

from __future__ import annotations

import pytest

from firmware_host.profile.profile import Profile
from firmware_host.run.equipment import HealthBox
from firmware_host.workshop.doctor.device_look import (
    LinesRefused,
    borrowed_lines,
    look_at_contacts,
    look_at_gpio,
    opened_table,
)
from firmware_host.workshop.doctor.system import LineSite
from hw.gpio.gpio_chips import PI_LABELS, LineBusy
from hw.ports import Condition, Health
from tests.workshop.doctor.finding import DICE, DIRECT, profile_with
from tests.workshop.doctor.tree import Borrowed, Tree


def test_the_chip_of_the_header_is_found_by_its_label(tree: Tree) -> None:
    tree.chip("/dev/gpiochip1", "raspberrypi-exp-gpio", 8)
    for profile in (None, DICE):
        gpio = look_at_gpio(tree.system(), profile)
        assert [chip.path for chip in gpio.chips] == ["/dev/gpiochip0", "/dev/gpiochip1"]
        assert gpio.chip == gpio.chips[0]
        assert gpio.wanted == PI_LABELS
        assert (gpio.closed, dict(gpio.users)) == ((), {})


@pytest.mark.parametrize(
    ("changes", "path", "wanted"),
    [
        ({"chip": "pinctrl-rp1"}, "/dev/gpiochip4", ("pinctrl-rp1",)),
        ({"chip_path": "/dev/gpiochip10"}, "/dev/gpiochip10", ("/dev/gpiochip10",)),
        ({"chip": "pinctrl-bcm2835"}, None, ("pinctrl-bcm2835",)),
    ],
)
def test_a_profile_may_want_another_chip(
    tree: Tree, changes: dict[str, str], path: str | None, wanted: tuple[str, ...]
) -> None:
    tree.chip("/dev/gpiochip4", "pinctrl-rp1", 54)
    tree.chip("/dev/gpiochip10", "my-board", 40)
    gpio = look_at_gpio(tree.system(), profile_with(DICE, **changes))
    assert (gpio.chip.path if gpio.chip else None) == path
    assert gpio.wanted == wanted


def test_a_link_to_a_chip_is_no_second_one(tree: Tree) -> None:
    tree.path("/dev/gpiochip4").symlink_to("gpiochip0")
    assert [chip.path for chip in look_at_gpio(tree.system(), None).chips] == ["/dev/gpiochip0"]


def test_what_is_no_chip_is_passed_over(tree: Tree) -> None:
    tree.write("/dev/gpiochip9", "")
    assert len(look_at_gpio(tree.system(), None).chips) == 1


def test_chips_that_may_not_be_opened_are_named(tree: Tree) -> None:
    tree.closed.add("/dev/gpiochip0")
    gpio = look_at_gpio(tree.system(), DICE)
    assert (gpio.closed, gpio.chip) == (("/dev/gpiochip0",), None)


def test_holders_of_the_profiles_lines_are_named_and_others_are_not(tree: Tree) -> None:
    tree.users |= {5: "ligretto-table", 17: "", 2: "i2c"}
    gpio = look_at_gpio(tree.system(), DICE)
    assert dict(gpio.users) == {5: "ligretto-table", 17: ""}
    assert gpio.ours


def test_an_old_kernel_has_chips_without_events(tree: Tree) -> None:
    tree.old_interface = True
    gpio = look_at_gpio(tree.system(), DICE)
    assert gpio.chip is not None and not gpio.chip.events
    assert dict(gpio.users) == {}


def test_a_chip_without_lines_says_nothing_of_the_kernel(tree: Tree) -> None:
    tree.old_interface = True
    tree.chip("/dev/gpiochip3", "empty", 0)
    assert look_at_gpio(tree.system(), None).chips[1].events


def test_contacts_are_looked_at_and_let_go(tree: Tree) -> None:
    tree.low = {DIRECT.line_of(source) for source in DIRECT.lines.values() if str(source) == "seat 2"}
    made: list[Borrowed] = []

    def site(profile: Profile, health: HealthBox) -> LineSite:
        made.append(Borrowed(profile, health, tree.low))
        return made[-1]

    contacts = look_at_contacts(tree.system(site=site), DIRECT)
    assert {line for line, high in contacts.levels.items() if not high} == tree.low
    assert set(contacts.levels) == set(DIRECT.direct_lines)
    assert (contacts.seen, contacts.reported) == ("", ())
    assert made[0].open_ones == []


def test_what_a_driver_says_of_itself_is_kept(tree: Tree) -> None:
    def site(profile: Profile, health: HealthBox) -> LineSite:
        health.tell(Health("gpio", Condition.DEGRADED, "no stamps", "take gpiod"))
        return Borrowed(profile, health)

    assert look_at_contacts(tree.system(site=site), DICE).reported == (("no stamps", "take gpiod"),)


def refusing(profile: Profile, other: object) -> Borrowed:
    raise LineBusy("line 5 is held by 'spi'", "stop that")


def test_lines_that_cant_be_had_say_why(tree: Tree) -> None:
    contacts = look_at_contacts(tree.system(site=refusing), DICE)
    assert (contacts.seen, contacts.advice) == ("line 5 is held by 'spi'", "stop that")
    with (
        pytest.raises(LinesRefused, match="line 5 is held by 'spi'; stop that") as refused,
        opened_table(tree.system(equipment=refusing), DICE, None),
    ):
        pass
    assert refused.value.advice == "stop that"


def test_borrowed_lines_are_let_go(tree: Tree) -> None:
    with borrowed_lines(tree.system(), DICE, HealthBox()) as lines:
        assert set(lines.levels()) == set(DICE.direct_lines)
    assert lines.levels() == {}
