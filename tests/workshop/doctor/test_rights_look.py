"""Who the daemon is: by its unit and what was changed of it, else by the store, else as usual."""

from __future__ import annotations

import pytest

from firmware_host.cli.install_service import system_files
from firmware_host.feed.addresses import DAEMON, UNIT_FILE
from firmware_host.workshop.doctor.machine_findings import ServiceUser
from firmware_host.workshop.doctor.system import look_at_service
from tests.workshop.doctor.tree import Tree

USERS = "root:x:0:0::/root:/bin/sh\nanna:x:1000:1000::/home/anna:/bin/sh\narcade:x:990:990::/:/bin/false"


def test_the_unit_names_the_user(tree: Tree) -> None:
    tree.write("/etc/passwd", USERS)
    for file in system_files("/opt/ligretto-table/bin/ligretto-table", "arcade", ""):
        tree.write(file.path, file.text)
    assert look_at_service(tree.system(), "anna") == ServiceUser(user="arcade", there=True)


@pytest.mark.parametrize("word", ["anna", " anna ", "1000"])
def test_what_was_changed_of_the_unit_counts(tree: Tree, word: str) -> None:
    tree.write(UNIT_FILE, "[ServiceUser]\nUser=ligretto\n")
    tree.write(f"{UNIT_FILE}.d/override.conf", f"[ServiceUser]\nUser={word}\n")
    assert look_at_service(tree.system()) == ServiceUser(user="anna", there=True)


def test_without_a_unit_it_is_whose_results_there_are(tree: Tree) -> None:
    assert look_at_service(tree.system(), "anna").user == "anna"


@pytest.mark.parametrize("owner", ["", "root", "nobody-known"])
def test_else_it_is_the_user_whom_the_installation_makes(tree: Tree, owner: str) -> None:
    assert look_at_service(tree.system(), owner) == ServiceUser(user=DAEMON, there=False)
    tree.write("/etc/passwd", f"{DAEMON}:x:990:990::/:/usr/sbin/nologin")
    assert look_at_service(tree.system(), owner) == ServiceUser(user=DAEMON, there=True)
