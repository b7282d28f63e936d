"""The pages and what they are made of. All files are read at the start: nothing else can be asked for."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from string import Template

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.web.answers import refusal
from firmware_host.web.web_table import WebTable


@dataclass(frozen=True, slots=True)
class Page:
    """What a page has of its own: its script, its styles, and the class of its body."""

    name: str
    styles: tuple[str, ...]
    look: str = ""
    dark: bool = False
    """Whether it is dark whatever the device wants."""

    def html(self, template: str) -> str:
        """The page; its script does the rest."""
        link = '    <link rel="stylesheet" href="/assets/{}.css" />'
        return Template(template).substitute(
            name=self.name,
            styles="\n".join(link.format(each) for each in ("base", *self.styles)),
            look=self.look,
            theme="dark" if self.dark else "",
            scheme="dark" if self.dark else "dark light",
        )


PAGES = {
    "/": Page("table", ("table",), "whole"),
    "/scores": Page("scores", ("table", "views")),
    "/finish": Page("finish", ("finish",)),
    "/play": Page("play", ("table", "play"), "play-page"),
    "/console": Page("console", ("console",)),
    "/display": Page("display", ("table", "finish", "views"), "whole on-display", dark=True),
    "/overlay": Page("overlay", ("table", "views"), "on-stream", dark=True),
}
TEMPLATE = "page.html"
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
        if path.suffix in TYPES and path.name != TEMPLATE
    }
    template = (folder / TEMPLATE).read_text()
    pages = {url: PageFile(each.html(template).encode(), ".html") for url, each in PAGES.items()}

    async def asset(request: Request) -> Response:
        file = files.get(request.path_params["name"])
        if file is None:
            raise refusal(404, "there is no such file")
        return file.response(request)

    async def page(request: Request) -> Response:
        return pages[request.url.path].response(request)

    return [*(Route(url, page) for url in pages), Route("/assets/{name}", asset)]
