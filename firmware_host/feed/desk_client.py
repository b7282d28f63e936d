"""A client of the operator's socket: tells the table something, and returns its answer."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

from firmware_host.errors import TableError
from firmware_host.feed.sockets import FAULTS_SOCKET, connect

ANSWER_S = 5.0
LONGEST_ANSWER = 65536


class DeskClosed(TableError):
    """The table can't be told anything: why."""


def tell_faults(folder: Path, text: str) -> dict[str, Any]:
    """What the simulated world of the table in that folder answers; DeskClosed if it does not."""
    path = folder / FAULTS_SOCKET
    if not path.exists():
        raise DeskClosed(f"{path}: not there; faults can only be injected at a simulated table")
    return tell_table(path, text)


def tell_table(path: Path, text: str) -> dict[str, Any]:
    """What the table answers; DeskClosed if it does not."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as connection:
            connect(connection, path, ANSWER_S)
            connection.sendall(json.dumps({"tell": text}).encode() + b"\n")
            received = b""
            while not received.endswith(b"\n") and len(received) < LONGEST_ANSWER:
                part = connection.recv(LONGEST_ANSWER)
                if not part:
                    break
                received += part
        answer = json.loads(received)
    except PermissionError:
        raise DeskClosed(
            f"{path}: you may not tell this table anything; use sudo, or join its group"
        ) from None
    except TimeoutError:
        raise DeskClosed(f"{path}: the table does not answer") from None
    except OSError as error:
        raise DeskClosed(f"{path}: no table listens there ({error.strerror or error})") from None
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise DeskClosed(f"{path}: this is not the answer of a table")
    return answer
