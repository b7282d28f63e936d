"""Logging in and out, and who one is. `for_operators` guards what only operators may do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.feed_client import NotTold, tell_table
from firmware_host.model.phrases import LANGUAGES
from firmware_host.web.access import LOGIN_S, Login, log, same_token
from firmware_host.web.shares import Rate, RateLimit
from firmware_host.web.web_table import (
    SAFE_METHODS,
    JsonAnswer,
    WebTable,
    address_of,
    cookie_name,
    json_object,
    not_too_often,
    refusal,
)

ATTEMPTS = Rate(at_once=5, every_s=60), Rate(at_once=20, every_s=30), Rate(at_once=40, every_s=30)
"""For one address, a network, and in all: to try half of all PINs takes half a year."""
SHOWN = Rate(at_once=1, every_s=120)
"""How often somebody may have a PIN shown at the sign."""
Answers = Callable[[Request], Awaitable[Response]]


def operator_of(table: WebTable, request: Request) -> Login:
    """The operator's login; a refusal if it is somebody else, or not asked for by the operator's page."""
    login = table.operator(request)
    if login is None:
        raise refusal(401, "log in first")
    if request.method not in SAFE_METHODS and not same_token(request.headers.get("x-csrf", ""), login.csrf):
        raise refusal(403, "the page has lost its token: load it again")
    return login


def for_operators(table: WebTable, answers: Answers) -> Answers:
    """The same, for operators only."""

    async def answer(request: Request) -> Response:
        operator_of(table, request)
        return await answers(request)

    return answer


def routes(table: WebTable) -> list[Route]:
    """Who one is, log in, log out, and the PIN."""
    asked = LoginRoutes(table)
    return [
        Route("/api/me", asked.me, methods=["GET"]),
        Route("/api/login", asked.log_in, methods=["POST"]),
        Route("/api/logout", asked.log_out, methods=["POST"]),
        Route("/api/pin", asked.show_pin, methods=["POST"]),
    ]


class LoginRoutes:
    """Lets operators in and out."""

    def __init__(self, table: WebTable) -> None:
        self._table = table
        self._attempts = RateLimit(*ATTEMPTS)
        self._shown = RateLimit(SHOWN, SHOWN)
        self._hashing = asyncio.Lock()

    async def me(self, request: Request) -> JsonAnswer:
        """Who asks, and what he has to know to log in."""
        return JsonAnswer(self._about(request, self._table.operator(request)))

    async def log_in(self, request: Request) -> JsonAnswer:
        """`{"pin": "123456"}`; `{}` where none is needed."""
        asked = await json_object(request)
        table, address = self._table, address_of(request)
        if not table.needs_pin(request):
            return self._logged_in(request, table.access.begin_login(address))
        here = table.on_this_machine(request)  # there one can log in whatever strangers try
        not_too_often(self._attempts, address, "too many attempts; try again later", here)
        pin = asked.get("pin")
        if not isinstance(pin, str) or len(pin) > 20:
            raise refusal(400, 'send {"pin": "…"}')
        async with self._hashing:  # it takes memory, so one at a time
            token = await asyncio.to_thread(table.access.log_in, pin.strip(), address)
        if token is None:
            log.warning("a wrong PIN from %s", address)
            raise refusal(403, "that is not the PIN")
        self._attempts.give_back(address, time.monotonic(), here)
        log.info("an operator has logged in from %s", address)
        return self._logged_in(request, token)

    async def log_out(self, request: Request) -> JsonAnswer:
        """End the login of this browser."""
        login = operator_of(self._table, request)
        await json_object(request)
        self._table.access.end_login(login)
        answer = JsonAnswer({"ok": True})
        answer.delete_cookie(cookie_name(self._table.settings.port), httponly=True, samesite="strict")
        return answer

    async def show_pin(self, request: Request) -> JsonAnswer:
        """Have a PIN shown at the table's sign, if nobody has logged in with one yet."""
        await json_object(request)
        if self._table.access.has_pin:
            raise refusal(403, "the PIN was shown already; a new one: ligretto-table web --new-pin")
        not_too_often(self._shown, address_of(request), "a PIN was shown just now; look at the table's sign")
        await asyncio.to_thread(self._show_new_pin)
        return JsonAnswer({"ok": True})

    def _show_new_pin(self) -> None:
        """Make a PIN and show it at the table's sign; a refusal, and no PIN, if it can't be shown."""
        found = self._table.found()
        pin = self._table.access.new_pin()
        try:
            answer = tell_table(found.folder / TELL_SOCKET, f"show-pin {pin}")
        except NotTold as error:
            raise refusal(503, str(error)) from None
        if answer.get("ok") is not True:
            raise refusal(409, str(answer.get("why", "the table does not show it")))

    def _logged_in(self, request: Request, token: str) -> JsonAnswer:
        table = self._table
        login = table.access.login(token, address_of(request))
        answer = JsonAnswer(self._about(request, login))
        name = cookie_name(table.settings.port)
        answer.set_cookie(name, token, max_age=LOGIN_S, path="/", httponly=True, samesite="strict")
        return answer

    def _about(self, request: Request, login: Login | None) -> dict[str, object]:
        table = self._table
        about: dict[str, object] = {
            "operator": login is not None,
            "pin": ("needed" if table.access.has_pin else "unset") if table.needs_pin(request) else "open",
            "simulated": table.simulated,
            "names": table.settings.names or login is not None,
            "languages": list(LANGUAGES),
        }
        return about if login is None else about | {"csrf": login.csrf}
