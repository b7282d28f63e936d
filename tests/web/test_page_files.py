"""The pages, and that nothing else of this machine can be read."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.phrases import LANGUAGES, TEXTS
from firmware_host.model.places import Colour
from firmware_host.model.states import Condition, Phase, SlotState, VoidReason
from firmware_host.web import page_files
from firmware_host.web.page_files import PAGES, PHRASES, shared_rows, texts_module
from firmware_host.web.web_server import HEADERS
from firmware_host.web.web_table import PAGES as FOLDER
from firmware_host.web.web_table import WebSettings, own_address
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


Rows = dict[str, dict[str, str]]
WORD_FILES = sorted(FOLDER.glob("*_words.js"))
SAID = re.compile(
    r"""\b(?:say|titled|heading)\(\s*["']([^"']+)["']|data-(?:say|label)["']?\s*[:=]\s*["']([^"'$]+)["']"""
)
STRING = r'"(?:[^"\\]|\\.)*"'
SHORT_ROW = re.compile(rf"^ +({STRING}|[a-z]+): row\(\s*((?:{STRING},?\s*)+)\),$", re.MULTILINE)


def rows_of(module: str) -> Rows:
    """The rows of a module: JSON after its first brace, or `row("Platz", "seat", …)`."""
    if "row(" in module:
        pairs = [
            (key.strip('"'), json.loads(f"[{cells.strip().rstrip(',')}]"))
            for key, cells in SHORT_ROW.findall(module)
        ]
        assert len(pairs) == module.count("row("), "each row is read"
        return _without_doubles([(key, dict(zip(LANGUAGES, cells, strict=True))) for key, cells in pairs])
    rows: Rows = json.loads(
        module[module.index("{") :].rstrip().rstrip(";"), object_pairs_hook=_without_doubles
    )
    return rows


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"twice: {[key for key in keys if keys.count(key) > 1]}"
    return dict(pairs)


def all_rows() -> Rows:
    rows = rows_of(texts_module())
    for file in WORD_FILES:
        rows |= rows_of(file.read_text("utf-8"))
    return rows


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"{\w+}|[{}]", text))


@pytest.mark.parametrize("file", WORD_FILES, ids=lambda file: str(file.name))
def test_every_text_is_there_in_every_language(file: Path) -> None:
    rows = rows_of(file.read_text("utf-8"))
    assert rows
    for key, row in rows.items():
        assert tuple(row) == LANGUAGES, key
        assert all(text.strip() for text in row.values()), key
        assert {tuple(placeholders(text)) for text in row.values()} == {tuple(placeholders(row["en"]))}, key


def test_no_two_files_have_the_same_key() -> None:
    keys = [key for file in WORD_FILES for key in rows_of(file.read_text("utf-8"))]
    assert not set(keys) & set(rows_of(texts_module()))
    assert [key for key in keys if keys.count(key) > 1] == []


def test_the_pages_know_the_languages_of_the_table() -> None:
    words = (FOLDER / "words.js").read_text("utf-8")
    listed = re.search(r"export const LANGUAGES = (\[.*\]);", words)
    assert listed is not None and tuple(json.loads(listed[1])) == LANGUAGES
    assert all(f"  {language}: " in words for language in LANGUAGES), "each has a name of its own"


def code(file: Path) -> str:
    """What a script does, without its comments."""
    lines = file.read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("//"))


def said() -> Iterator[tuple[str, str]]:
    """Every key that a page names as it stands, with the file."""
    for file in sorted(FOLDER.glob("*.js")):
        if file not in WORD_FILES:
            for found in SAID.finditer(code(file)):
                yield file.name, found[1] or found[2]


def test_every_text_that_a_page_asks_for_is_there() -> None:
    rows, asked = all_rows(), list(said())
    assert len(asked) > 50
    assert [(file, key) for file, key in asked if key not in rows] == []


def test_no_text_is_there_that_no_page_asks_for() -> None:
    """A key stands there as it is, or begins as those that a page puts together."""
    own = "\n".join(code(file) for file in sorted(FOLDER.glob("*.js")) if file not in WORD_FILES)
    beginnings = {*re.findall(r"`([a-z][\w -]*[ -])\${", own), *("game ", "choice ")}
    literal = set(re.findall(r'"[^"\n]*"', re.sub(r'[=!]== "[^"]*"', "", own)))
    rows = all_rows()
    assert len(rows) > 200
    assert [
        key for key in rows if f'"{key}"' not in literal and not any(map(key.startswith, beginnings))
    ] == []


def test_every_text_that_is_made_of_a_state_is_there() -> None:
    rows = all_rows()
    wanted = [
        *(f"verdict {verdict.value}" for verdict in Verdict),
        *(f"cue {cue.value}" for cue in Cue),
        *(f"colour {colour.word}" for colour in Colour),
        *(f"phase {phase.value}" for phase in Phase),
        *(f"hint {phase.value}" for phase in Phase),
        *(f"state {state.word}" for state in SlotState if state is not SlotState.FREE),
        *(f"void-{reason.value}" for reason in VoidReason),
        *(f"phrase device-{condition.value}" for condition in Condition if condition is not Condition.OK),
        "state lying",
        "phase away",
        "hint away",
    ]
    assert [key for key in wanted if key not in rows] == []


def test_shared_texts_are_those_of_the_table() -> None:
    shared = rows_of(texts_module())
    assert len(shared) == len(Verdict) + len(Cue) + len(Colour) + len(PHRASES)
    for key, row in shared_rows():
        assert shared[key] == row._asdict()
        assert row in TEXTS.values()
