"""The pages, and that nothing else of this machine can be read."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import pytest

from firmware_host.web.page_files import PAGES
from firmware_host.web.web_server import HEADERS
from firmware_host.web.web_table import PAGES as FOLDER
from firmware_host.web.web_table import WebSettings
from tests.web.browsers import raw
from tests.web.serving import Served, served

MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of a folder of pages, with something secret beside it."""
    outside = tmp_path_factory.mktemp("web")
    folder = outside / "pages"
    folder.mkdir()
    (outside / "secret.js").write_text("secret")
    (folder / "page.html").write_text("<!doctype html><title>T</title>")
    (folder / "feed.js").write_text("export const version = 1\n")
    (folder / "notes.txt").write_text("secret")
    (folder / ".hidden").write_text("secret")
    (folder / "sub").mkdir()
    (folder / "sub" / "deep.js").write_text("secret")
    with served(WebSettings(outside / "access.json", port=0, pages=folder), lambda: None) as web:
        yield web


def test_all_pages_that_are_there_are_served(lasting_web: Served) -> None:
    browser = lasting_web.browser()
    for url, page in PAGES.items():
        reply = browser.get(url)
        assert reply.status == 200, url
        assert {key.lower(): text for key, text in HEADERS.items()}.items() <= reply.headers.items()
        assert "server" not in reply.headers
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        again = browser.get(url, {"If-None-Match": reply.headers["etag"]})
        assert again.status == 304 and again.body == b""
        assert f"/assets/{page.name}.js" in reply.body.decode() and "$" not in reply.body.decode()


def test_whatever_a_page_names_is_there(lasting_web: Served) -> None:
    for url in PAGES:
        named = re.findall(r'(?:href|src)="([^"]+)"', lasting_web.browser().get(url).body.decode())
        assert len(named) >= 4, url
        assert [each for each in named if lasting_web.browser().get(each).status != 200] == [], url


def test_all_assets_together_are_small(lasting_web: Served) -> None:
    """A browser that opens every page is sent so much."""
    names = [path.name for path in FOLDER.iterdir() if path.suffix != ".html" and path.is_file()]
    targets = [*PAGES, *(f"/assets/{name}" for name in (*names, "texts.js"))]
    sent = 0
    for target in targets:
        reply = lasting_web.browser().get(target, {"Accept-Encoding": "gzip"})
        if reply.status == 200:
            assert reply.headers["content-encoding"] == "gzip"
            assert gzip.decompress(reply.body) == lasting_web.browser().get(target).body
            sent += len(reply.body)
    assert 10_000 < sent < MOST_BYTES


def test_what_pages_are_made_from_is_no_asset(lasting_web: Served) -> None:
    for name in ("page.html", *(f"{page.name}.html" for page in PAGES.values())):
        assert lasting_web.browser().get(f"/assets/{name}").status == 404, name


@pytest.mark.parametrize(
    "target",
    [
        "/assets/../secret.js",
        "/assets/..%2fsecret.js",
        "/assets/%2e%2e/secret.js",
        "/assets/%2e%2e%2fsecret.js",
        "/assets/..\\secret.js",
        "/assets/..%5csecret.js",
        "/assets/....//secret.js",
        "/assets/%252e%252e%252fsecret.js",
        "/assets/%c0%ae%c0%ae/secret.js",
        "/assets/sub/deep.js",
        "/assets/sub%2fdeep.js",
        "/assets/notes.txt",
        "/assets/.hidden",
        "/assets/feed.js%00",
        "/assets/feed.js/",
        "/assets/",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "//etc/passwd",
        "/../../../../etc/passwd",
        "/table.html",
        "/assets/page.html",
        "/web_table.py",
        "http://127.0.0.1/assets/../secret.js",
        "*",
        "/",
    ],
)
def test_no_path_leads_out(target: str, own: Served) -> None:
    head = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    said = raw(own.port, head.encode("latin-1"))
    status = said.split(b" ", 2)[1]
    assert status == (b"200" if target == "/" else b"404") or status == b"400", said
    assert b"secret" not in said and b"root:" not in said and b"import" not in said


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"])
def test_pages_can_only_be_read(method: str, lasting_web: Served) -> None:
    browser = lasting_web.browser()
    assert browser.ask(method, "/", b"", {"Origin": browser.origin}).status in (404, 405)
