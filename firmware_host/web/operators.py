"""Logging in and out, and who one is. `operator_of` guards what only operators may do."""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.requests import Request
from starlette.routing import Route

from firmware_host.feed.desk_client import DeskClosed, tell_table
from firmware_host.feed.sockets import TELL_SOCKET
from firmware_host.texts import LANGUAGES
from firmware_host.web.access import SESSION_S, Session, same_token
from firmware_host.web.answers import JsonAnswer, json_object, refusal
from firmware_host.web.guard import SAFE_METHODS
from firmware_host.web.rate_limits import Rate, RateLimit
from firmware_host.web.web_table import WebTable, address_of, cookie_name

ATTEMPTS = RateLimit, Rate(at_once=5, every_s=60), Rate(at_once=20, every_s=30)
"""For one address and in all: to try half of all PINs takes half a year."""
SHOWN = Rate(at_once=1, every_s=120)
"""How often somebody may have a PIN shown at the sign."""

log = logging.getLogger(__name__)


def operator_of(table: WebTable, request: Request) -> Session:
    """The operator's session; a refusal if it is somebody else, or not asked for by the operator's page."""
    session = table.operator(request)
    if session is None:
        raise refusal(401, "log in first")
    if request.method not in SAFE_METHODS and not same_token(request.headers.get("x-csrf", ""), session.csrf):
        raise refusal(403, "the page has lost its token: load it again")
    return session


def routes(table: WebTable) -> list[Route]:
    """Who one is, log in, log out, and the PIN."""
    limit, each, in_all = ATTEMPTS
    attempts = limit(each, in_all)
    shown = RateLimit(SHOWN, SHOWN)
    hashing = asyncio.Lock()

    async def me(request: Request) -> JsonAnswer:
        return JsonAnswer(_me(table, request, table.operator(request)))

    async def login(request: Request) -> JsonAnswer:
        asked = await json_object(request)
        address = address_of(request)
        if not table.needs_pin(request):
            return _logged_in(table, request, table.access.begin_session(address))
        wait_s = attempts.wait_s(address, time.monotonic())
        if wait_s > 0:
            raise refusal(429, "too many attempts; try again later", wait_s)
        pin = asked.get("pin")
        if not isinstance(pin, str) or len(pin) > 20:
            raise refusal(400, 'send {"pin": "…"}')
        async with hashing:  # it takes memory, so one at a time
            token = await asyncio.to_thread(table.access.log_in, pin.strip(), address)
        if token is None:
            log.warning("a wrong PIN from %s", address)
            raise refusal(403, "that is not the PIN")
        log.info("an operator has logged in from %s", address)
        return _logged_in(table, request, token)

    async def logout(request: Request) -> JsonAnswer:
        session = operator_of(table, request)
        await json_object(request)
        table.access.end_session(session)
        answer = JsonAnswer({"ok": True})
        answer.delete_cookie(cookie_name(table.settings.port), httponly=True, samesite="strict")
        return answer

    async def pin(request: Request) -> JsonAnswer:
        """Have a PIN shown at the table's sign, if nobody has logged in with one yet."""
        await json_object(request)
        if table.access.has_pin:
            raise refusal(403, "the PIN was shown already; a new one: ligretto-table web --new-pin")
        wait_s = shown.wait_s(address_of(request), time.monotonic())
        if wait_s > 0:
            raise refusal(429, "a PIN was shown just now; look at the table's sign", wait_s)
        await asyncio.to_thread(show_new_pin, table)
        return JsonAnswer({"ok": True})

    return [
        Route("/api/me", me, methods=["GET"]),
        Route("/api/login", login, methods=["POST"]),
        Route("/api/logout", logout, methods=["POST"]),
        Route("/api/pin", pin, methods=["POST"]),
    ]


def show_new_pin(table: WebTable) -> None:
    """Make a PIN and show it at the table's sign; a refusal, and no PIN, if it can't be shown."""
    found = table.find()
    if found is None:
        raise refusal(503, "no table is running")
    pin = table.access.new_pin()
    try:
        answer = tell_table(found.folder / TELL_SOCKET, f"show-pin {pin}")
    except DeskClosed as error:
        raise refusal(503, str(error)) from None
    if answer.get("ok") is not True:
        raise refusal(409, str(answer.get("why", "the table does not show it")))


def _logged_in(table: WebTable, request: Request, token: str) -> JsonAnswer:
    answer = JsonAnswer(_me(table, request, table.access.session(token, address_of(request))))
    answer.set_cookie(
        cookie_name(table.settings.port),
        token,
        max_age=SESSION_S,
        path="/",
        httponly=True,
        samesite="strict",
    )
    return answer


def _me(table: WebTable, request: Request, session: Session | None) -> dict[str, object]:
    about: dict[str, object] = {
        "operator": session is not None,
        "pin": ("needed" if table.access.has_pin else "unset") if table.needs_pin(request) else "open",
        "simulated": table.simulated,
        "names": table.settings.names or session is not None,
        "languages": list(LANGUAGES),
    }
    return about if session is None else about | {"csrf": session.csrf}
