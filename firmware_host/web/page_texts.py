"""The texts of the table that its pages use, too: a JavaScript module made from the one table of texts."""

from __future__ import annotations

import json
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.effects import Cue, Verdict
from firmware_host.places import Colour
from firmware_host.texts import LANGUAGES, Phrase
from firmware_host.texts.phrases import TEXTS, TextRow
from firmware_host.web.page_files import PageFile
from firmware_host.web.web_table import WebTable

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
