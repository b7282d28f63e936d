"""Who may have its field on: neighbouring readers share one token.

Fields within some 80 mm garble each other, so only the reader that holds its neighbourhood's
token may look for tags. The readers are on different ports, and the ports on different threads.
A reader that has to wait is put into a queue, and woken when the token comes to it. It gives the
token back when its chip has confirmed that the field is off, and then queues up again at the end.

Nobody can switch off the field of a reader that no longer answers. If it kept the token, its
whole neighbourhood would be blind; so it loses the token after `HOLD_NS` if somebody else waits
for it. From then on its field may be on beside another one: tags near both are read badly or not
at all, until it answers again (the first command that it gets switches its field off) or loses its
power. Until then its access is `uncertain`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

HOLD_NS = 500_000_000
"""Longer than the slowest sound poll takes."""


class FieldToken:
    """The right of one neighbourhood to have a field on."""

    def __init__(self, hold_ns: int = HOLD_NS) -> None:
        self.lock = Lock()
        self.queue: deque[FieldAccess] = deque()
        self.holder: FieldAccess | None = None
        self.until_ns = 0
        self.hold_ns = hold_ns

    def access(self, wake: Callable[[], None]) -> FieldAccess:
        """A reader's access; `wake` is called, from any thread, when the token comes to it."""
        return FieldAccess(self, wake)

    def grant(self, now_ns: int) -> FieldAccess | None:
        """Hand the token to the next in the queue, and return that one. Needs the lock."""
        self.holder = self.queue.popleft() if self.queue else None
        self.until_ns = now_ns + self.hold_ns
        return self.holder


class FieldAccess:
    """One reader's access to the field of its neighbourhood."""

    def __init__(self, token: FieldToken, wake: Callable[[], None]) -> None:
        self.uncertain = False
        """The field may be on although this reader does not hold the token."""
        self._token = token
        self._wake = wake
        self._used = False

    @property
    def held(self) -> bool:
        """Whether this reader holds the token."""
        return self._token.holder is self

    @property
    def due_ns(self) -> int | None:
        """When the present holder's time is over, so that it helps to ask again; None if not waiting."""
        with self._token.lock:
            return self._token.until_ns if self in self._token.queue else None

    def try_take(self, now_ns: int) -> bool:
        """Whether the field may be switched on; if not, this reader is in the queue now."""
        token = self._token
        called: FieldAccess | None = None
        with token.lock:
            if token.holder is not self and self not in token.queue:
                token.queue.append(self)
            if token.holder is None:
                called = token.grant(now_ns)
            elif token.holder is not self and now_ns >= token.until_ns:
                token.holder.uncertain |= token.holder._used
                called = token.grant(now_ns)
            mine = token.holder is self
            if mine:
                token.until_ns = now_ns + token.hold_ns  # from now on, however late it was woken
                self._used = True
        if called is not None and called is not self:
            called._wake()
        return mine

    def give_back(self, now_ns: int) -> None:
        """Return the token: the field is off."""
        self._pass_on(now_ns, is_off=True)

    def give_up(self, now_ns: int) -> None:
        """Return the token, or stop waiting for it, without knowing whether the field is off."""
        self._pass_on(now_ns, is_off=False)

    def _pass_on(self, now_ns: int, is_off: bool) -> None:
        token = self._token
        called: FieldAccess | None = None
        with token.lock:
            self.uncertain = not is_off and (self.uncertain or (self.held and self._used))
            self._used = False
            if self in token.queue:
                token.queue.remove(self)
            if token.holder is self:
                called = token.grant(now_ns)
        if called is not None:
            called._wake()
