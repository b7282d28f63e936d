"""When the watchdog is fed."""

from __future__ import annotations

import pytest

from firmware_host.model.times import MS, S
from firmware_host.run.system import Notifier, Watchdog
from hw.work import STUCK_NS

WATCHDOG_NS = 20 * S


class Listener(Notifier):
    """Notes when it was fed."""

    def __init__(self) -> None:
        super().__init__({"WATCHDOG_USEC": str(WATCHDOG_NS // 1000)})
        self.fed_ns: list[int] = []
        self.now_ns = 0

    def watchdog(self) -> None:
        self.fed_ns.append(self.now_ns)


@pytest.mark.parametrize("step_ns", [1 * S, 9 * S, 12 * S, 19 * S])
@pytest.mark.parametrize("first_ns", [0, 1, 5 * S, 9 * S + 999 * MS])
def test_long_steps_one_after_the_other_end_no_daemon(step_ns: int, first_ns: int) -> None:
    """On a bus that hangs a step may take longer than it usually could: that is told elsewhere."""
    listener = Listener()
    watchdog = Watchdog(listener)
    for now_ns in range(0, 120 * S, 100 * MS):
        listener.now_ns = now_ns
        for_ns = (now_ns - first_ns) % step_ns if now_ns >= first_ns else 0
        watchdog.look(now_ns, lambda: ["i2c"] if for_ns > STUCK_NS else [])  # noqa: B023
    gaps = [after - before for before, after in zip(listener.fed_ns, listener.fed_ns[1:], strict=False)]
    assert listener.fed_ns[0] == 0
    assert max(gaps) < WATCHDOG_NS


def test_what_does_not_come_back_is_told_once_and_fed_no_more(caplog: pytest.LogCaptureFixture) -> None:
    listener = Listener()
    watchdog = Watchdog(listener)
    for now_ns in range(0, 60 * S, S):
        listener.now_ns = now_ns
        watchdog.look(now_ns, lambda: ["i2c"] if now_ns > 15 * S else [])  # noqa: B023
    assert listener.fed_ns == [0, 10 * S]
    assert [record.getMessage() for record in caplog.records] == [
        "stuck: i2c; the watchdog is not fed any more"
    ]
