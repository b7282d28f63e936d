"""The QR code leads to a page of this table, as the browser has found it, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_host.web import page_files
from firmware_host.web.web_table import WebSettings, own_address
from tests.web.serving import Served, served


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is drawn."""
    drawn: list[str] = []
    real = page_files.qr_svg

    def draw(link: str) -> bytes:
        drawn.append(link)
        return real(link)

    monkeypatch.setattr(page_files, "qr_svg", draw)
    return drawn


def test_it_is_a_picture_of_dark_on_light(lasting_web: Served, links: list[str]) -> None:
    reply = lasting_web.browser().get("/qr.svg")
    assert reply.status == 200 and reply.headers["content-type"].startswith("image/svg+xml")
    root = ElementTree.fromstring(reply.body)
    assert root.tag.endswith("svg") and root.get("viewBox", "").startswith("0 0 ")
    assert b"#fff" in reply.body and b"#000" in reply.body
    assert links == [f"http://127.0.0.1:{lasting_web.port}/play"]


def test_it_leads_to_the_page_that_was_asked_for(lasting_web: Served, links: list[str]) -> None:
    browser = lasting_web.browser()
    assert browser.get("/qr.svg?to=console").status == 200
    assert browser.get("/qr.svg?to=&code=").status == 200
    assert browser.get("/qr.svg?to=play&code=AB12", {"Host": "localhost:99"}).status == 200
    assert links == [
        f"http://127.0.0.1:{lasting_web.port}/console",
        f"http://127.0.0.1:{lasting_web.port}/",
        "http://localhost:99/play#AB12",
    ]


def test_in_the_network_it_leads_to_the_address_of_this_machine(tmp_path: Path, links: list[str]) -> None:
    settings = WebSettings(tmp_path / "access.json", host="0.0.0.0", port=0)
    with served(settings, lambda: None) as web:
        web.browser().get("/qr.svg", {"Host": f"localhost:{web.port}"})
        web.browser().get("/qr.svg", {"Host": f"192.168.7.7:{web.port}"})
    assert links == [f"http://{own_address()}:{web.port}/play", f"http://192.168.7.7:{web.port}/play"]


@pytest.mark.parametrize(
    "query",
    [
        "to=https://evil.example/",
        "to=//evil.example",
        "to=../secret",
        "to=play%0d%0aX:y",
        "code=%3Cscript%3E",
        "code=" + "a" * 41,
        "code=a%20b",
        "to=%C3%A9",
    ],
)
def test_it_leads_nowhere_else(query: str, lasting_web: Served, links: list[str]) -> None:
    assert lasting_web.browser().get(f"/qr.svg?{query}").status in (400, 404)
    assert links == []
