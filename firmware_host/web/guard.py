"""What every request has to pass, whatever it is for: known host, bearable rate, own origin.

No header of a proxy is believed. Every answer gets the headers that keep a browser from doing more with it
than is meant.
"""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.web.answers import JsonAnswer
from firmware_host.web.limits import Limits
from firmware_host.web.shares import RateLimit
from firmware_host.web.web_settings import WebSettings, is_here

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
MOST_TARGET = 2 * 1024
MOST_HEADERS = 12 * 1024
SAFE_METHODS = ("GET", "HEAD")


class Guard:
    """Lets through what may pass, to the app inside."""

    def __init__(self, app: ASGIApp, settings: WebSettings, limits: Limits) -> None:
        self._app = app
        self._settings = settings
        self._remote = RateLimit(limits.rate)
        self._local = RateLimit(limits.rate_of_this_machine)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> JsonAnswer | None:
        headers = Headers(scope=scope)
        address = scope["client"][0] if scope.get("client") else ""
        limit = self._local if is_here(scope.get("client"), scope.get("server")) else self._remote
        wait_s = limit.wait_s(address, time.monotonic())
        if wait_s > 0:
            return _refused(429, "too many requests", {"Retry-After": str(int(wait_s) + 1)})
        if (
            len(scope["raw_path"]) + len(scope["query_string"]) > MOST_TARGET
            or _length(headers) > MOST_HEADERS
        ):
            return _refused(431, "the request is too long")
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._settings.knows_host(host_name(host)):
            return _refused(421, f"this table does not go by that name; see --allow-host ({_shown(host)})")
        if scope["method"] not in SAFE_METHODS and not _own_origin(headers, host):
            return _refused(403, "only pages of this table may ask for that")
        return None


def host_name(host: str) -> str:
    """A Host header without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _own_origin(headers: Headers, host: str) -> bool:
    """Whether a page of this very server asks."""
    origins = headers.getlist("origin")
    return len(origins) == 1 and origins[0] in (f"http://{host}", f"https://{host}")


def _length(headers: Headers) -> int:
    return sum(len(name) + len(text) for name, text in headers.raw)


def _shown(host: str) -> str:
    return "".join(letter for letter in host[:60] if letter.isalnum() or letter in ".-:[]")


def _refused(status: int, why: str, headers: dict[str, str] | None = None) -> JsonAnswer:
    return JsonAnswer({"ok": False, "why": why}, status, headers)
