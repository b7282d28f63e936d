"""Any browser is a display, and the operator says what it shows."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.web.displays import SHOWN
from tests.browser.conftest import OpenPage
from tests.browser.tables import SimulatedTable, wait_for

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


CODE_WIDTH = "document.querySelector('img.code').naturalWidth"


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


def test_the_operator_assigns_what_each_display_shows(dice: SimulatedTable, open_page: OpenPage) -> None:
    operator = Operator(open_page(dice, "/?lang=en"))
    left = open_page(dice, "/display?lang=en")
    right = open_page(dice, "/display?lang=en")
    names = [shown_name(left), shown_name(right)]
    assert len(set(names)) == 2 and set(names) <= {each["name"] for each in operator.displays()}
    for what in SHOWN[1:]:
        assert operator.assign(name=names[0], shows=what)["shows"] == what
        left.wait_for_selector(f"body[data-shows={what}] main > *")
        if what == "join":
            wait_for("the code", lambda: left.evaluate(CODE_WIDTH) > 0)
            code = left.evaluate("document.querySelector('img.code').src").partition("&code=")[2]
            assert code and code == operator.join_code()
    assert right.evaluate("document.body.dataset.shows") == "table", "the other one is left alone"


def test_the_operator_reloads_a_display(dice: SimulatedTable, open_page: OpenPage) -> None:
    operator = Operator(open_page(dice, "/"))
    display = open_page(dice, "/display")
    name = shown_name(display)
    operator.assign(name=name, shows="standings")
    display.wait_for_selector("body[data-shows=standings]")
    display.evaluate("document.documentElement.dataset.marked = true")
    assert operator.assign(name=name, reload=True)["ok"] is True
    display.wait_for_selector("html:not([data-marked])", state="attached")
    display.wait_for_selector("body[data-shows=standings]")
    assert shown_name(display) == name
