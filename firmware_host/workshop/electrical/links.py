"""What is plugged in or lies on the board: the links of sign and readers, their distance, and USB devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import ceil, dist

from firmware_host.workshop.drawing.board_drawing import Mark
from firmware_host.workshop.electrical.built import Built, Trouble, error, warning
from firmware_host.workshop.electrical.lines import on_gpio

_RS232_SIGNS = ("alpha", "betabrite", "cd5220", "dm-d")
"""Signs whose serial ports are RS-232; a sign of one's own may have anything."""
_AT_HEADER = ("max3232", "direct")


def _is_rs232(built: Built) -> bool:
    return bool(built.profile.sign_port) and built.profile.sign in _RS232_SIGNS


@error(
    what="a sign with RS-232 at a UART of the Pi without a converter",
    why="RS-232 swings between +12 and -12 V and is inverted; a GPIO line tolerates 0 to 3.3 V",
    right='a MAX3232 at 3.3 V between: sign-link = "max3232", or a USB adapter for RS-232',
    rests_on=("sign_link",),
)
def sign_rs232_at_header(built: Built) -> Iterator[Trouble]:
    bare = built.choices.sign_link == "direct" or "sign_link" not in built.choices.given
    if _is_rs232(built) and on_gpio(built.profile.sign_port) and bare:
        sign, port = built.profile.sign, built.profile.sign_port
        yield Trouble(
            "scoreboard.port", f"{sign} with RS-232 is on {port}, a UART of the Pi, without a converter"
        )


@error(
    what="a sign with RS-232 at a USB-UART adapter for 3.3 V",
    why="RS-232 swings between +12 and -12 V and is inverted: the sign understands nothing, and the "
    "adapter tolerates 3.3 V",
    right='a USB adapter for RS-232: sign-link = "usb-rs232"',
    rests_on=("sign_link",),
)
def sign_rs232_at_uart_adapter(built: Built) -> Iterator[Trouble]:
    if _is_rs232(built) and built.choices.sign_link == "usb-uart":
        yield Trouble("build.sign-link", f"{built.profile.sign} with RS-232 is on a UART adapter of 3.3 V")


@warning(
    what="a `sign-link` that is not how the port of the sign is reached",
    why="one of them is wrong, and then the sign is wired to a port where nobody sends",
    right="the port of the adapter, or the link that the port has",
    rests_on=("sign_link",),
)
def sign_link_and_port(built: Built) -> Iterator[Trouble]:
    port, link = built.profile.sign_port, built.choices.sign_link
    if port.startswith("/dev/ttyUSB") and link in _AT_HEADER:
        yield Trouble(
            "build.sign-link", f'{port} is a USB adapter, and sign-link = "{link}" is a link to the header'
        )
    if on_gpio(port) and "sign_link" in built.choices.given and link not in _AT_HEADER:
        yield Trouble("build.sign-link", f'{port} is a UART of the Pi, and sign-link = "{link}" is USB')


# Tag readers: the levels of their serial lines, and where their supply comes from.
#
# A PN532 is a chip of 3.3 V. Boards have a regulator, so they take 5 V. Some also shift the level of their
# serial lines to 5 V then, which a UART of 3.3 V does not tolerate.


@error(
    what="tag readers at adapters for RS-232",
    why="RS-232 swings between +12 and -12 V; a PN532 tolerates 3.6 V",
    right='UART adapters of 3.3 V: reader-link = "usb-uart"',
    rests_on=("reader_link",),
)
def reader_rs232(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_link == "usb-rs232":
        yield Trouble("build.reader-link", "tag readers are on adapters for RS-232")


@warning(
    what="tag readers at UART adapters of 5 V",
    why="a PN532 tolerates 3.6 V at its lines; only boards with a level shifter tolerate 5 V",
    right='UART adapters of 3.3 V (a jumper on many): reader-link = "usb-uart"',
    rests_on=("reader_link",),
)
def reader_5v_levels(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_link == "usb-uart-5v":
        yield Trouble("build.reader-link", "tag readers are on UART adapters of 5 V")


@warning(
    what="a tag reader at 5 V on a UART of the Pi",
    why="some boards with a level shifter answer with their supply voltage, and a GPIO line tolerates 3.3 V",
    right='its supply from the 3.3 V of the Pi: reader-power = "pi-3v3"',
    rests_on=("reader_power",),
)
def reader_answers_5v(built: Built) -> Iterator[Trouble]:
    if built.choices.reader_power in ("usb", "supply"):
        for reader in built.profile.readers:
            if on_gpio(reader.port):
                yield Trouble(
                    f"readers.{reader.name}.port", f"{reader.name} has 5 V and answers to {reader.port}"
                )


@warning(
    what="tag readers at the 3.3 V of USB adapters",
    why="a PN532 takes up to 150 mA while its field is on; the 3.3 V of an adapter gives 50 to "
    "100 mA, so it restarts",
    right='the 5 V of the adapter: reader-power = "usb"',
    rests_on=("reader_power",),
)
def reader_adapter_3v3(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_power == "adapter-3v3":
        yield Trouble("build.reader-power", "tag readers have the 3.3 V of their USB adapters")


NEAR_MM = 80


@warning(
    what="tag readers nearer than 80 mm to each other in different groups",
    why="two fields that are on together within 80 mm garble each other; only readers of one group take "
    "turns",
    right="one group for both, or more than 80 mm between them",
    rests_on=("board",),
)
def readers_too_near(built: Built) -> Iterator[Trouble]:
    """For each two groups, the two readers that are nearest to each other."""
    nearest: dict[tuple[int, int], tuple[float, str, str]] = {}
    for one, other in combinations(built.profile.readers, 2):
        if one.group == other.group or one.name not in built.at_mm or other.name not in built.at_mm:
            continue
        groups = (min(one.group, other.group), max(one.group, other.group))
        found = (dist(built.at_mm[one.name], built.at_mm[other.name]), one.name, other.name)
        nearest[groups] = min(found, nearest.get(groups, found))
    for (first, second), (far, one_name, other_name) in sorted(nearest.items()):
        if far < NEAR_MM:
            words = (
                f"{one_name} is {far:.0f} mm from {other_name}, but they are in groups {first} and {second}"
            )
            yield Trouble(f"readers.{other_name}.group", words)


_BOARD = "build.board"


def _pairs(marks: Iterable[Mark]) -> Iterator[tuple[Mark, Mark]]:
    """Those that overlap: each is compared with those that begin left of its right edge."""
    begun: list[Mark] = []
    for mark in sorted(marks, key=lambda each: each.area.left):
        begun = [each for each in begun if each.area.right > mark.area.left]
        for other in begun:
            if mark.area.overlaps(other.area) and not _belong_together(mark, other):
                yield other, mark
        begun.append(mark)


def _belong_together(one: Mark, other: Mark) -> bool:
    """Whether one is a reader below a place or a pile, which is in the middle of it."""
    return one.at == other.at and (one.covered or other.covered)


def _key(built: Built, mark: Mark) -> str:
    """The own position that a mark has, or else the sizes of the board."""
    kind, _, rest = mark.thing.removeprefix("lamp ").partition(" ")
    words = f"seat {rest or kind}" if kind in ("button", "call") or kind.isdigit() else f"{kind} {rest}"
    for reader in built.profile.readers:
        if reader.name == mark.thing:
            words = str(reader.at).replace("pad ", "seat ")
    for name in built.choices.board.places_mm:
        if words == name or words.startswith(f"{name} "):
            return f"build.places.{name}"
    return _BOARD


def _more(count: int) -> str:
    return f"; {count} more like it" if count else ""


@warning(
    what="things that are off the board, or stand out over its edge",
    why="the board ends before it, so there is nothing to fix it to",
    right="positions on the board, or more margin-mm; the drawing board.svg shows where everything lies",
    rests_on=("board",),
)
def off_the_board(built: Built) -> Iterator[Trouble]:
    """For each own position, and for the sizes of the board, what is not on it."""
    width, height = built.board_mm
    found: dict[str, list[str]] = {}
    for mark in built.marks:
        area = mark.area
        if area.left < 0 or area.top < 0 or area.right > width or area.bottom > height:
            found.setdefault(_key(built, mark), []).append(mark.thing)
    for where, (first, *others) in found.items():
        words = f"{first} is off the board, which is {width:g} x {height:g} mm"
        yield Trouble(where, f"{words}{_more(len(others))}")


@warning(
    what="places, holes and readers that lie on each other",
    why="two things can't be at one place, and two holes that touch are one",
    right="more pitch-mm, row-pitch-mm or margin-mm, or other positions in [build.places]",
    rests_on=("board",),
)
def overlaps(built: Built) -> Iterator[Trouble]:
    """The same for what lies on each other."""
    found: dict[str, list[str]] = {}
    for one, other in _pairs(built.marks):
        keys = (_key(built, one), _key(built, other))
        where = next((key for key in keys if key != _BOARD), _BOARD)
        found.setdefault(where, []).append(f"{one.thing} lies on {other.thing}")
    for where, (first, *others) in found.items():
        yield Trouble(where, f"{first}{_more(len(others))}")


# USB: how many devices the controller of a Pi takes, and how many sockets there are for them.
#
# Hubs count as devices, and a hub with seven ports is two chips with four ports each, so it counts as two.

_PORTS_OF_A_HUB_CHIP = 4
_UARTS = {"usb-uart-4": 4}
_OWN_HUBS = 1
"""The chip in a Pi with four sockets that makes four of one."""


def _adapters(built: Built) -> int:
    """The USB adapters of the tag readers."""
    readers = sum(not on_gpio(reader.port) for reader in built.profile.readers)
    return ceil(readers / _UARTS.get(built.choices.reader_link, 1))


def _hub_ports(built: Built) -> int:
    """The sockets of a hub."""
    return int(built.choices.hub.removeprefix("hub-"))


def plugs(built: Built) -> int:
    """How many USB devices the table has, without hubs."""
    sign = bool(built.profile.sign_port) and not on_gpio(built.profile.sign_port)
    return _adapters(built) + sign + (built.choices.speaker == "usb-speaker")


def hubs(built: Built) -> int:
    """How many hubs the table has: those of its choices, or as many as it needs."""
    if built.choices.hubs >= 0:
        return built.choices.hubs
    return max(0, ceil((plugs(built) - built.model.usb_ports) / (_hub_ports(built) - 1)))


_HUBS = ("hubs", "hub", "reader_link", "sign_link", "speaker")


@error(
    what="more USB devices than the Pi takes, hubs included: 32 on a Pi 4",
    why="a USB controller keeps a slot for each device and each hub chip, and has no more than it has",
    right='adapters with four ports each: reader-link = "usb-uart-4"',
    rests_on=_HUBS,
)
def usb_devices(built: Built) -> Iterator[Trouble]:
    each = ceil((_hub_ports(built) - 1) / (_PORTS_OF_A_HUB_CHIP - 1))
    of_hubs = hubs(built) * each + (_OWN_HUBS if built.model.usb_ports > 1 else 0)
    total = plugs(built) + of_hubs
    if total > built.model.usb_devices:
        words = f"{plugs(built)} USB devices and {of_hubs} chips of hubs are {total}"
        where = "readers" if built.profile.readers else "build.hubs"
        yield Trouble(where, f"{words}, a {built.model.name} takes {built.model.usb_devices}")


@error(
    what="more USB devices than sockets: a Zero has one",
    why="each adapter needs a socket of the Pi or of a hub, and each hub takes one itself",
    right="more hubs, with supplies of their own",
    rests_on=_HUBS,
)
def usb_sockets(built: Built) -> Iterator[Trouble]:
    sockets = built.model.usb_ports + hubs(built) * (_hub_ports(built) - 1)
    if plugs(built) > sockets:
        words = f"{plugs(built)} USB devices, and sockets for {sockets} of them"
        yield Trouble("build.hubs", f"{words}: a {built.model.name} has {built.model.usb_ports}")
