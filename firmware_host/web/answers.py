"""What the API answers, and how a request is read: never more of it than is allowed."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

MOST_BODY = 16 * 1024


class JsonAnswer(JSONResponse):
    """JSON; half a character that somebody has sent is escaped, and no error."""

    def render(self, content: Any) -> bytes:
        """The text."""
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="backslashreplace")


def refusal(status: int, why: str, retry_s: float = 0.0) -> HTTPException:
    """To be raised: the request is refused, and the page is told why."""
    headers = {"Retry-After": str(int(retry_s) + 1)} if retry_s else None
    return HTTPException(status, why, headers)


async def json_object(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The JSON object that was sent; a refusal if it is something else or too long."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise refusal(415, "send JSON, with Content-Type: application/json")
    body = await limited_body(request, most)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise refusal(400, "this is not JSON") from None
    if not isinstance(value, dict):
        raise refusal(400, "send a JSON object")
    return value


async def limited_body(request: Request, most: int) -> bytes:
    """What was sent, if it is not longer than allowed."""
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared) > most:
        raise refusal(413, f"too long: at most {most} bytes")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise refusal(413, f"too long: at most {most} bytes")
    return bytes(body)


async def on_refusal(request: Request, error: Exception) -> JsonAnswer:
    """A refusal as JSON."""
    assert isinstance(error, HTTPException)
    return JsonAnswer({"ok": False, "why": error.detail}, error.status_code, error.headers)
