"""Files that are replaced as a whole."""

import os
import socket
import stat
from contextlib import ExitStack
from pathlib import Path

import pytest

from firmware_host.files import (
    MOST_BYTES,
    READABLE,
    Draft,
    decoded,
    kind_of,
    read_bytes,
    read_start,
    read_text,
    replace_whole,
)
from firmware_host.model.errors import BadSettings
from firmware_host.profile.table import Missing, Unreadable

NOBODY = 65534


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_file_may_be_read_by_everybody(tmp_path: Path) -> None:
    replace_whole(tmp_path / "a", b"new")
    assert ((tmp_path / "a").read_bytes(), mode_of(tmp_path / "a")) == (b"new", 0o644)


def test_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_whole(path, b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", 0o640)


def test_unless_one_is_given(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    replace_whole(path, b"new", 0o600)
    assert mode_of(path) == 0o600


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_a_file_stays_whose_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    os.chown(path, 1234, 1234)
    replace_whole(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1234)


def test_an_own_file_is_given_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service may not even try."""
    monkeypatch.setattr("os.fchown", None)
    (tmp_path / "a").write_bytes(b"old")
    replace_whole(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to("a")
    replace_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_bytes() == b"new"


def test_when_the_disk_fails_the_old_file_is_there_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def broken(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(OSError, match="No space"):
        replace_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_new_file_heeds_the_umask_unless_it_must_be_read(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_whole(tmp_path / "a", b"new")
        replace_whole(tmp_path / "b", b"new", new_mode=READABLE)
    finally:
        os.umask(before)
    assert (mode_of(tmp_path / "a"), mode_of(tmp_path / "b")) == (0o640, 0o644)


def test_what_must_be_new_replaces_nothing(tmp_path: Path) -> None:
    replace_whole(tmp_path / "a", b"first", must_be_new=True)
    with pytest.raises(FileExistsError):
        replace_whole(tmp_path / "a", b"second", must_be_new=True)
    assert (tmp_path / "a").read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["a"]


def test_what_must_be_new_loses_to_whoever_was_faster(tmp_path: Path) -> None:
    draft = Draft(tmp_path / "a", must_be_new=True)
    draft.write(b"late")
    (tmp_path / "a").write_bytes(b"first")
    with pytest.raises(FileExistsError):
        draft.put()
    assert (tmp_path / "a").read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["a"]


def test_a_disk_without_second_names_gets_a_new_file_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*names: object, **folders: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", no_link)
    replace_whole(tmp_path / "a", b"new", must_be_new=True)
    assert os.listdir(tmp_path) == ["a"]


def test_a_draft_that_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    draft = Draft(tmp_path / "a")
    draft.write(b"new")
    draft.drop()
    assert os.listdir(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"old"


def test_a_name_may_be_as_long_as_the_disk_allows(tmp_path: Path) -> None:
    replace_whole(tmp_path / ("x" * 255), b"new")
    assert os.listdir(tmp_path) == ["x" * 255]


def test_a_folder_that_is_exchanged_meanwhile_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    draft = Draft(folder / "a")
    folder.rename(tmp_path / "moved")
    folder.symlink_to("/etc")
    draft.write(b"new")
    draft.put()
    assert (tmp_path / "moved" / "a").read_bytes() == b"new"


# -- where no file is written


@pytest.mark.parametrize(
    ("kind", "words"),
    [("folder", "it is a folder"), ("pipe", "it is a named pipe"), ("socket", "it is a socket")],
)
def test_only_a_file_is_replaced(kind: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    with ExitStack() as closing:
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            bound = closing.enter_context(socket.socket(socket.AF_UNIX))
            bound.bind(str(path))
        before = path.lstat()
        (tmp_path / "link").symlink_to("a")
        for asked in (path, tmp_path / "link"):
            with pytest.raises(OSError, match=words):
                replace_whole(asked, b"new")
    assert path.lstat().st_ino == before.st_ino
    assert sorted(os.listdir(tmp_path)) == ["a", "link"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make devices")
def test_a_device_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "null"
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this container makes no devices")
    with pytest.raises(OSError, match="it is a device"):
        replace_whole(path, b"new")
    assert path.is_char_device()


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="Too many levels"):
        replace_whole(tmp_path / "a", b"new")


@pytest.mark.parametrize("path", ["/", ".", "..", "", "a/.."])
def test_a_name_that_only_means_a_folder_is_refused(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="it is a folder"):
        replace_whole(Path(path), b"new")


@pytest.fixture
def everybodys(tmp_path: Path) -> Path:
    """A folder as /tmp is, and one beside it that nobody else may write in."""
    folder = tmp_path / "everybodys"
    folder.mkdir()
    folder.chmod(0o1777)
    (tmp_path / "mine").mkdir()
    return folder


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give links and files away")
@pytest.mark.parametrize(
    ("link", "target", "asked"),
    [
        ("a", "../mine/a", "a"),  # a file that is there
        ("a", "../mine/new", "a"),
        ("folder", "../mine", "folder/a"),
        ("folder", "../mine", "folder/../folder/new"),
    ],
)
def test_no_link_of_somebody_else_is_followed(link: str, target: str, asked: str, everybodys: Path) -> None:
    (everybodys / "../mine/a").write_bytes(b"mine")
    (everybodys / link).symlink_to(target)
    os.chown(everybodys / link, NOBODY, NOBODY, follow_symlinks=False)
    with pytest.raises(PermissionError, match=f"'{link}' is a link of nobody, and only your own"):
        replace_whole(everybodys / asked, b"new")
    assert {path.name: path.read_bytes() for path in (everybodys / "../mine").iterdir()} == {"a": b"mine"}
    assert os.listdir(everybodys) == [link]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give links and files away")
def test_a_file_that_somebody_else_put_where_everybody_may_is_left(everybodys: Path) -> None:
    (everybodys / "a").write_bytes(b"theirs")
    os.chown(everybodys / "a", NOBODY, NOBODY)
    with pytest.raises(
        PermissionError, match="it belongs to nobody, in a folder that everybody may write in"
    ):
        replace_whole(everybodys / "a", b"new")
    assert (everybodys / "a").read_bytes() == b"theirs"


def test_own_links_are_followed_in_folders_too(everybodys: Path) -> None:
    (everybodys / "folder").symlink_to(everybodys.parent / "mine")
    replace_whole(everybodys / "folder" / "a", b"new")
    assert (everybodys.parent / "mine" / "a").read_bytes() == b"new"


def refusal(path: str | Path) -> str:
    with pytest.raises(Unreadable) as error:
        read_bytes(path)
    return str(error.value).removeprefix(f"{path}: ")


def test_a_regular_file_is_read_whole_and_a_link_to_it_too(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"\xef\xbb\xbfa\r\n" * 10_000)
    link.symlink_to(file)
    assert read_bytes(link) == file.read_bytes()
    assert read_text(link) == "a\r\n" + "\ufeffa\r\n" * 9_999
    assert read_start(file, 4) == b"\xef\xbb\xbfa"
    assert kind_of(link) == kind_of(tmp_path) == kind_of(tmp_path / "gone") == kind_of("a\0b") == ""


def test_a_fifo_makes_nobody_wait(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert refusal(fifo) == "a named pipe, not a regular file"
    assert kind_of(fifo) == "a named pipe"


def test_a_socket_is_not_opened(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert refusal(tmp_path / "socket") == "a socket, not a regular file"


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/stdin", "/dev/tty"])
def test_a_device_is_not_opened(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", None)
    if kind_of(path) != "a device":
        pytest.skip(f"{path} is something else here")
    assert refusal(path) == "a device, not a regular file"


def test_what_becomes_a_fifo_meanwhile_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, fifo = tmp_path / "file", tmp_path / "fifo"
    file.touch()
    os.mkfifo(fifo)
    before = os.stat(file)
    monkeypatch.setattr(os, "stat", lambda path: before)
    assert refusal(fifo) == "a named pipe, not a regular file"


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "disk.img"
    file.touch()
    os.truncate(file, MOST_BYTES)
    assert len(read_bytes(file)) == MOST_BYTES
    os.truncate(file, 1 << 40)
    assert refusal(file) == "longer than 100 kB"


def test_what_cannot_be_had_says_why(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="No such file or directory"):
        read_bytes(tmp_path / "gone")
    assert refusal(tmp_path) == "Is a directory"
    assert refusal(tmp_path / ("x" * 300)) == "File name too long"
    assert refusal("a\0b") == "no file can have this name"
    (tmp_path / "loop").symlink_to("loop")
    assert refusal(tmp_path / "loop") == "Too many levels of symbolic links"


def test_nothing_stays_open(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    refusal(tmp_path)
    assert os.listdir("/proc/self/fd") == before


def test_a_text_in_another_encoding_is_told_with_its_line() -> None:
    with pytest.raises(BadSettings) as error:
        decoded(b"a\nStra\xdfe", "table.toml")
    assert error.value.faults == ["table.toml:2: 0xdf is not UTF-8; allowed: text in UTF-8"]
