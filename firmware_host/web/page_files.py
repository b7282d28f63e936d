"""The pages and what they are made of. All files are read at the start: nothing else can be asked for."""

from __future__ import annotations

import gzip
import hashlib

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.web.answers import refusal
from firmware_host.web.web_table import WebTable

PAGES = {
    "/": "table",
    "/scores": "scores",
    "/finish": "finish",
    "/play": "play",
    "/console": "console",
    "/display": "display",
    "/overlay": "overlay",
}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
}


class PageFile:
    """A file as it is sent: compressed once, at the start."""

    def __init__(self, body: bytes, suffix: str) -> None:
        self._body = body
        self._small = gzip.compress(body, mtime=0)
        self._hash = hashlib.sha256(body).hexdigest()[:20]
        self._type = TYPES[suffix]

    def response(self, request: Request) -> Response:
        """The file, or that the browser has it already."""
        small = "gzip" in request.headers.get("accept-encoding", "")
        tag = f'"{self._hash}{"-gzip" if small else ""}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if small:
            headers["Content-Encoding"] = "gzip"
        return Response(self._small if small else self._body, headers=headers, media_type=self._type)


def routes(table: WebTable) -> list[Route]:
    """The pages by their names, and `/assets/NAME`."""
    folder = table.settings.pages
    files = {
        path.name: PageFile(path.read_bytes(), path.suffix)
        for path in sorted(folder.iterdir())
        if path.suffix in TYPES
    }

    async def asset(request: Request) -> Response:
        file = files.get(request.path_params["name"])
        if file is None or request.path_params["name"].endswith(".html"):
            raise refusal(404, "there is no such file")
        return file.response(request)

    async def page(request: Request) -> Response:
        return files[f"{PAGES[request.url.path]}.html"].response(request)

    there = [url for url, name in PAGES.items() if f"{name}.html" in files]
    return [*(Route(url, page) for url in there), Route("/assets/{name}", asset)]
