"""`/qr.svg`: a QR code of a link to this table, for phones."""

from __future__ import annotations

import io

import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.web.answers import refusal
from firmware_host.web.page_files import PAGES
from firmware_host.web.web_table import WebTable

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
