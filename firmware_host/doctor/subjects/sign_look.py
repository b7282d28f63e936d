"""Shows a test page on the scoreboard, and blanks it again."""

from __future__ import annotations

import time
from collections.abc import Callable

from firmware_host.config.ports import SCOREBOARD
from firmware_host.config.profile import Profile
from firmware_host.doctor.subjects.sign_findings import SignFacts
from firmware_host.doctor.system import System
from firmware_host.runtime.assembly.drivers import sign_driver
from hw.ports import Condition, Health
from hw.scoreboard.serial_scoreboard import SerialScoreboard
from hw.scoreboard.serial_sign import SECOND_NS
from hw.scoreboard.serial_sign import SerialSign as Encoder
from hw.uart.port import OpenPort, PortWork
from hw.work import OwnerThread

RULER = "1234567890"
LETTERS = "Ligretto äöüéñ ▲●■◆"
END = "|"
SPARE_S = 0.2
"""What a busy machine takes beyond the time on the wire."""
PAUSE_S = 0.01


def trial_page(columns: int) -> tuple[str, str]:
    """A line that numbers the columns, and one with letters of many languages and the marks of the rows."""
    return (RULER * columns)[:columns], LETTERS.ljust(columns - len(END)) + END


def look_at_sign(system: System, profile: Profile, stand: Callable[[tuple[str, ...]], None]) -> SignFacts:
    """Show the page; `stand` gets what should be seen, and returns when that has stood for long enough."""
    page = trial_page(profile.columns)
    encoder, fresh = (sign_driver(profile.sign, profile.columns, profile.charset) for _ in range(2))
    readable = tuple(encoder.charset.spell(line) for line in page)
    reported: list[Health] = []
    scoreboard = SerialScoreboard(SCOREBOARD, encoder)
    scoreboard.show(page)
    owner = OwnerThread(
        PortWork(_sign_opener(system, profile, encoder), scoreboard, reported.append), reported.append
    )
    try:
        if _is_sent(reported, sending_s(fresh, page)):
            stand(readable)
    finally:
        scoreboard.close()
        owner.close()
    lost = next((each for each in reported if each.condition is Condition.LOST), None)
    return SignFacts(
        port=profile.sign_port,
        kind=profile.sign,
        line=f"{encoder.baud} {encoder.bits}{encoder.parity}1",
        there=system.has(profile.sign_port),
        page=readable,
        seen=lost.seen if lost else "",
        advice=lost.advice if lost else "",
    )


def sending_s(encoder: Encoder, page: tuple[str, ...]) -> float:
    """How long a fresh sign takes to be set up and to show a page."""
    frames = [*encoder.start(), *encoder.repaint(page)]
    bits = 1 + encoder.bits + (encoder.parity != "N") + 1
    line_s = sum(len(frame.data) for frame in frames) * bits / encoder.baud
    return line_s + sum(frame.rest_ns for frame in frames) / SECOND_NS


def _is_sent(reported: list[Health], seconds: float) -> bool:
    """Wait until a page is out; whether it is, and the port is still there."""
    until = time.monotonic() + seconds + SPARE_S
    while not reported and time.monotonic() < until:
        time.sleep(PAUSE_S)
    return not reported


def _sign_opener(system: System, profile: Profile, encoder: Encoder) -> Callable[[], OpenPort]:
    path = system.at(profile.sign_port)
    return lambda: system.open_port(path, encoder.baud, encoder.bits, encoder.parity)
