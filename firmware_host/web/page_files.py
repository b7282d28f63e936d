"""The pages and what they are made of. All files are read at the start: nothing else can be asked for."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.phrases import LANGUAGES, TEXTS, Phrase, TextRow
from firmware_host.model.places import Colour
from firmware_host.web.web_table import WebTable, refusal


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


PHRASES = (
    Phrase.PRESS_TO_PLAY,
    Phrase.ROUND,
    Phrase.PAUSED,
    Phrase.STUCK,
    Phrase.CHECK,
    Phrase.FITS_NOWHERE,
    Phrase.NO_CARD,
    Phrase.DEVICE_DEGRADED,
    Phrase.DEVICE_LOST,
)
"""Those that fit into a sentence or onto a button of a page."""


def shared_rows() -> Iterator[tuple[str, TextRow]]:
    """The rows with their keys on the pages, such as `verdict too-late`."""
    for verdict in Verdict:
        yield f"verdict {verdict.value}", TEXTS[verdict]
    for cue in Cue:
        yield f"cue {cue.value}", TEXTS[cue]
    for colour in Colour:
        yield f"colour {colour.word}", TEXTS[colour]
    for phrase in PHRASES:
        yield f"phrase {phrase.name.lower().replace('_', '-')}", TEXTS[phrase]


def texts_module() -> str:
    """The module `texts.js`."""
    table = {key: dict(zip(LANGUAGES, row, strict=True)) for key, row in shared_rows()}
    return f"export const TEXTS = {json.dumps(table, ensure_ascii=False, separators=(',', ':'))};\n"


def text_routes(_: WebTable) -> list[Route]:
    """`/assets/texts.js`; it comes before the other assets."""
    file = PageFile(texts_module().encode(), ".js")

    async def texts(request: Request) -> Response:
        return file.response(request)

    return [Route("/assets/texts.js", texts)]


LONGEST_CODE = 40


def qr_svg(link: str) -> bytes:
    """The link as a picture: black on white, whatever is around it, or a phone can't read it."""
    picture = io.BytesIO()
    code = segno.make_qr(link, error="m")
    code.save(picture, kind="svg", border=4, dark="#000", light="#fff", svgns=True, omitsize=True)
    return picture.getvalue()


def qr_routes(table: WebTable) -> list[Route]:
    """`/qr.svg?to=play&code=…`: a page of this table, as the browser has found it, and nothing else."""

    async def qr(request: Request) -> Response:
        page = f"/{request.query_params.get('to', 'play').lstrip('/')}"
        code = request.query_params.get("code", "")
        if page not in PAGES:
            raise refusal(404, "there is no such page")
        if len(code) > LONGEST_CODE or not (code.isascii() and (code.isalnum() or not code)):
            raise refusal(400, "a join code has letters and digits only")
        link = table.link(request) + page + (f"#{code}" if code else "")
        return Response(qr_svg(link), media_type="image/svg+xml")

    return [Route("/qr.svg", qr, methods=["GET"])]
