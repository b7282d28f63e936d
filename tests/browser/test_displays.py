"""Any browser is a display, and the operator says what it shows."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.web.displays import SHOWN
from tests.browser.conftest import OpenPage
from tests.browser.peopled_tables import PeopledTable

pytestmark = pytest.mark.xdist_group("browser")

ASK = """async ([url, body, csrf]) => {
  const options = body === null ? {} : {
    method: "POST",
    body: JSON.stringify(body),
    headers: {"Content-Type": "application/json", "X-CSRF": csrf ?? ""},
  };
  const answer = await fetch(url, options);
  return answer.json();
}"""


ON_THE_LEFT = ("scores", "standings", "finish")
ON_THE_RIGHT = ("next", "join", "table")
CODE_SHOWN = "() => document.querySelector('img.code').naturalWidth > 0"


class Operator:
    """An operator's page that is logged in."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._csrf = page.evaluate(ASK, ["/api/login", {"pin": ""}, None])["csrf"]

    def displays(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self._page.evaluate(ASK, ["/api/displays", None, None])["displays"]
        return listed

    def join_code(self) -> str:
        code: str = self._page.evaluate(ASK, ["/api/hands", None, None])["code"]
        return code

    def assign(self, **order: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self._page.evaluate(ASK, ["/api/displays", order, self._csrf])
        return answer


def shown_name(page: Any) -> str:
    """The number in `Display 3`."""
    page.wait_for_selector(".display-name:not(:empty)")
    name: str = page.locator(".display-name").inner_text().split()[-1]
    return name


def test_the_operator_assigns_what_each_display_shows(dice: PeopledTable, open_page: OpenPage) -> None:
    operator = Operator(open_page(dice, "/?lang=en"))
    displays = {shown_name(each): each for each in (open_page(dice, "/display?lang=en") for _ in range(3))}
    assert len(displays) == 3 and displays.keys() <= {each["name"] for each in operator.displays()}
    left, right, alone = displays
    assert set(SHOWN) == {*ON_THE_LEFT, *ON_THE_RIGHT}
    for orders in zip(ON_THE_LEFT, ON_THE_RIGHT, strict=True):
        for name, what in zip((left, right), orders, strict=True):
            assert operator.assign(name=name, shows=what)["shows"] == what
        for name, what in zip((left, right), orders, strict=True):
            displays[name].wait_for_selector(f"body[data-shows={what}] main > *")
            if what == "join":
                displays[name].wait_for_function(CODE_SHOWN)
                code = (
                    displays[name].evaluate("document.querySelector('img.code').src").partition("&code=")[2]
                )
                assert code and code == operator.join_code()
    assert displays[alone].evaluate("document.body.dataset.shows") == "table", "this one is left alone"
    display = displays[left]
    display.evaluate("document.documentElement.dataset.marked = true")
    assert operator.assign(name=left, reload=True)["ok"] is True
    display.wait_for_selector("html:not([data-marked])", state="attached")
    display.wait_for_selector("body[data-shows=finish]")
    assert shown_name(display) == left
