"""The web process under the system calls that its unit leaves it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.feed.addresses import WEB_UNIT_FILE
from tests.systemd.test_sandbox import ROOT, why_not
from tests.systemd.test_unit import web_file
from tests.systemd.tools import needs_analyze, put

pytestmark = [needs_analyze, pytest.mark.skipif(bool(why_not()), reason=why_not() or "it is there")]

PARTS = """
import json, sys, threading, time, urllib.request
from pathlib import Path
from firmware_host.web.access import Access
from firmware_host.web.web_server import listen, web_server, with_port
from firmware_host.web.web_table import USUAL, WebSettings

folder = Path(sys.argv[1])
pin = Access(folder / "access.json").new_pin()
listening = listen("127.0.0.1", 0)
settings = with_port(WebSettings(folder / "access.json"), listening)
server = web_server(settings, lambda: None, USUAL)
serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
serving.start()
while not server.started:
    time.sleep(0.01)
url = f"http://127.0.0.1:{settings.port}"
headers = {"Origin": url, "Content-Type": "application/json"}
asked = urllib.request.Request(url + "/api/login", json.dumps({"pin": pin}).encode(), headers)
print(json.load(urllib.request.urlopen(asked))["operator"], urllib.request.urlopen(url + "/qr.svg").status)
server.should_exit = True
serving.join()
"""


def confined(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run Python under the filter of the unit."""
    unit = put(web_file(WEB_UNIT_FILE), folder)
    sandbox = [sys.executable, "-m", "tests.systemd.sandbox", str(unit), sys.executable, "-c", script]
    return subprocess.run([*sandbox, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False)


def test_it_serves_hashes_and_draws(tmp_path: Path) -> None:
    done = confined(tmp_path, PARTS)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True 200\n"


def test_it_may_not_become_somebody_else(tmp_path: Path) -> None:
    assert confined(tmp_path, "import os; os.setuid(1)").returncode != 0
