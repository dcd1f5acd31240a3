"""When a copy of unsaved work is written, and what is sent for it. Units: ms and bytes."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal

from gradwire.app.live.process.updates import update_between
from gradwire.app.shell.documents import recovery as recovery_module
from gradwire.app.shell.documents.recovery import Recovery
from gradwire.app.shell.documents.recovery_writer import (
    NO_TRAINING,
    RecoveryWriter,
    _batches,
    _messages_for,
    _packed,
    _pieces,
)
from gradwire.app.shell.documents.recovery_writer_process import LENGTH, Blocks, Copy, Release, Wires
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import chain, number


class Document(QObject):
    """A document whose graph, its training and whether it is saved are set by hand."""

    saved_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.current = SimpleNamespace(of=lambda _: self)
        self.base_title, self.original = "Untitled", None
        self.desk = SimpleNamespace(keeps_state=False, is_applying=False, state=None, initial=None)
        self.session: Any = SimpleNamespace(
            graph=chain(), document=SimpleNamespace(is_saved=False), part=lambda _: self.desk
        )


class Keeper:
    """A writer that notes its orders."""

    def __init__(self) -> None:
        self.is_busy = self.is_sending = False
        self.orders: list[tuple[str, Graph | None]] = []

    def keep(self, graph: Graph, *_: object) -> None:
        self.orders.append(("keep", graph))

    def hold(self, graph: Graph, *_: object) -> None:
        self.orders.append(("hold", graph))

    def release(self) -> None:
        self.orders.append(("release", None))

    def close(self) -> None:
        self.orders.append(("close", None))


class Folder:
    """A folder that numbers its copies."""

    def __init__(self, path: Path) -> None:
        self.path, self.state, self.count, self.shared_lock = path, path, 0, None

    def next_number(self) -> int:
        self.count += 1
        return self.count


@pytest.fixture
def document(qapp: object) -> Document:
    return Document()


@pytest.fixture
def recovery(document: Document, tmp_path: Path) -> Iterator[Recovery]:
    made = Recovery(document, Folder(tmp_path))  # type: ignore[arg-type]
    made.turn_to(document.session)
    made._keeper.deleteLater()
    made._keeper = Keeper()  # type: ignore[assignment]
    yield made
    made._stop_timers()


def orders(recovery: Recovery) -> list[str]:
    keeper: Any = recovery._keeper
    return [name for name, _ in keeper.orders]


def times(recovery: Recovery) -> dict[str, int]:
    """The intervals of the timers that run."""
    timers = {"rest": recovery._rest, "longest": recovery._longest, "soon": recovery._soon, "again": recovery._again}
    return {name: timer.interval() for name, timer in timers.items() if timer.isActive()}


def test_an_edit_is_held_after_200_ms_and_copied_after_two_seconds_or_five(
    recovery: Recovery, document: Document
) -> None:
    document.saved_changed.emit(False)
    assert times(recovery) == {"rest": 2000, "longest": 5000, "soon": 200}
    assert recovery._again.interval() == 5000
    document.desk.is_applying = True
    document.saved_changed.emit(False)
    assert times(recovery)["soon"] == 200
    recovery._soon.stop()
    document.saved_changed.emit(False)
    assert times(recovery)["soon"] == 2000
    document.desk.is_applying = False
    document.saved_changed.emit(False)
    assert times(recovery)["soon"] == 200


def test_edits_that_follow_begin_the_longest_time_and_the_first_one_once_only(
    recovery: Recovery, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[str]()
    for name in ("_rest", "_longest", "_soon"):
        timer = SimpleNamespace(
            isActive=lambda name=name: name in started, interval=lambda: 200,
            start=lambda *_, name=name: started.append(name), stop=lambda: None,
        )  # fmt: skip
        monkeypatch.setattr(recovery, name, timer)
    for _ in range(3):
        document.saved_changed.emit(False)
    assert sorted(started) == ["_longest", "_rest", "_rest", "_rest", "_soon"]


def test_a_saved_document_has_no_copy(recovery: Recovery, document: Document) -> None:
    document.saved_changed.emit(False)
    recovery._keep()
    assert recovery.file is not None
    recovery.file.write_bytes(b"{}")
    file = recovery.file
    document.saved_changed.emit(True)
    assert times(recovery) == {} and orders(recovery) == ["keep", "release"]
    assert recovery.file is None and not file.exists() and not file.with_suffix(".json").exists()


def test_only_what_is_new_and_unsaved_is_held(recovery: Recovery, document: Document) -> None:
    recovery._keeper.is_sending = True
    recovery._hold()
    assert times(recovery) == {"soon": 200} and orders(recovery) == []
    recovery._keeper.is_sending = False
    recovery._hold()
    recovery._hold()
    assert orders(recovery) == ["hold"]
    document.session.graph = number()
    recovery._hold()
    document.session.document.is_saved = True
    document.session.graph = Graph()
    recovery._hold()
    assert orders(recovery) == ["hold", "hold"]


def test_one_copy_is_written_at_a_time_and_the_newest_follows(recovery: Recovery, document: Document) -> None:
    recovery._longest.start()
    recovery._keep()
    assert times(recovery) == {} and orders(recovery) == ["keep"]
    recovery._keep()
    recovery._hold()
    assert orders(recovery) == ["keep"]
    recovery._keeper.is_busy = True
    document.session.graph = number()
    recovery._keep()
    assert orders(recovery) == ["keep"]
    recovery._keeper.is_busy = False
    recovery._take_answer("")
    recovery._take_answer("")
    keeper: Any = recovery._keeper
    assert keeper.orders[1:] == [("keep", document.session.graph)]
    document.session.document.is_saved = True
    document.session.graph = Graph()
    recovery._keep()
    assert orders(recovery) == ["keep", "keep"]


def test_a_failure_is_told_once_and_tried_again(recovery: Recovery, document: Document) -> None:
    told = list[str]()
    recovery.failed.connect(told.append)
    recovery._keep()
    for _ in range(2):
        recovery._take_answer("The disk is full.")
    assert told == ["Unsaved work is not being copied: save it soon. The disk is full."]
    assert times(recovery) == {"again": 5000}
    recovery._keep()
    assert orders(recovery) == ["keep", "keep"]
    recovery._take_answer("")
    recovery._take_answer("The disk is full.")
    assert len(told) == 2


def test_the_record_is_written_with_the_copy_and_when_its_training_is_to_be_kept(
    recovery: Recovery, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = list[tuple[str, bool]]()
    monkeypatch.setattr(recovery_module, "write_origin", lambda *given: written.append((given[0].name, given[3])))
    assert recovery._made_file() == recovery._made_file() == recovery._folder.path / "1.graph"
    document.desk.keeps_state = True
    assert recovery._made_file() == recovery._made_file() == recovery._folder.path / "1.graph"
    assert written == [("1.graph", False), ("1.graph", True)]


@pytest.mark.parametrize(
    ("kept", "is_busy", "is_saved", "writes"),
    [(True, False, False, 0), (True, True, False, 1), (False, False, False, 1), (False, True, True, 0)],
)
def test_at_the_end_a_copy_is_written_here_unless_it_is_there(
    recovery: Recovery,
    document: Document,
    monkeypatch: pytest.MonkeyPatch,
    kept: bool,
    is_busy: bool,
    is_saved: bool,
    writes: int,
) -> None:
    saved = list[Path]()
    monkeypatch.setattr(recovery_module, "save", lambda *given, **_: saved.append(given[1]))
    if kept:
        recovery._keep()
    recovery._keeper.is_busy, document.session.document.is_saved = is_busy, is_saved
    recovery._rest.start()
    recovery.write_now()
    assert len(saved) == writes and times(recovery) == ({"rest": 2000} if is_saved else {})
    assert ("close" in orders(recovery)) is bool(writes)
    assert recovery._kept is (document.session.graph if kept or writes else None)


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (200, [200]), (201, [200, 1]), (450, [200, 200, 50])])
def test_blocks_are_sent_200_at_a_time(count: int, sizes: list[int]) -> None:
    assert [len(batch) for batch in _batches(range(count))] == sizes


def test_parts_of_each_page_come_before_the_rest_with_the_number_of_the_page() -> None:
    graph = edits.add_page(chain(), "second")[0]
    graph = edits.add_block(graph, "second", "Exp", id="other", at=(0, 0))[0]
    found = list(_messages_for("target", update_between(Graph(()), graph), True, NO_TRAINING))
    kinds = [(type(item), getattr(item, "page", None)) for item in found]
    assert kinds == [(Blocks, 0), (Wires, 0), (Blocks, 1), (Copy, None)]
    assert isinstance(found[0], Blocks) and set(found[0].blocks) == {"x", "e", "s", "loss", "c", "t"}
    assert isinstance(found[1], Wires) and len(found[1].wires) == 3
    last = found[-1]
    assert isinstance(last, Copy) and last.target == "target" and last.is_now
    assert [(page.blocks, page.wires_added) for page in last.update.pages] == [({}, ()), ({}, ())]


@pytest.mark.parametrize("size", [1, 2**16, 2**16 + 1, 200_000])
def test_a_message_is_its_length_and_slices_of_64_kb(size: int) -> None:
    message: Any = b"x" * size
    head, *slices = _packed(message)
    data = b"".join(slices)
    assert LENGTH.unpack(head) == (len(data),) and pickle.loads(data) == message
    assert [len(piece) for piece in slices[:-1]] == [2**16] * (len(slices) - 1) and 0 < len(slices[-1]) <= 2**16


class Pipe:
    """A process that takes what is written, and has so much of it left to write."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.left = 0
        self.lines: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def bytesToWrite(self) -> int:
        return self.left

    def canReadLine(self) -> bool:
        return bool(self.lines)

    def readLine(self) -> Any:
        return SimpleNamespace(data=lambda: self.lines.pop(0))

    def errorString(self) -> str:
        return "crashed"

    def kill(self) -> None:
        self.written.append(b"killed")

    def waitForFinished(self, milliseconds: int) -> bool:
        assert milliseconds == 1000
        return True

    def deleteLater(self) -> None:
        self.written.append(b"deleted")


@pytest.fixture
def pipe(qapp: object) -> Pipe:
    return Pipe()


@pytest.fixture
def writer(pipe: Pipe) -> Iterator[RecoveryWriter]:
    made = RecoveryWriter()
    made._process = pipe  # type: ignore[assignment]
    yield made
    made._process = None
    made.close()
    made.deleteLater()


def test_pieces_are_written_as_long_as_the_pipe_takes_them(writer: RecoveryWriter, pipe: Pipe, tmp_path: Path) -> None:
    writer.keep(chain(), tmp_path / "a.graph")
    assert writer.is_busy and writer.is_sending and writer._timer.isActive() and writer._timer.interval() == 0
    expected = list(_pieces(str(tmp_path / "a.graph"), update_between(Graph(()), chain()), True, NO_TRAINING))
    pipe.left = 2**18
    writer._send()
    assert pipe.written == expected[:1] and writer._timer.isActive()
    pipe.left = 2**18 + 1
    writer._send()
    assert pipe.written == expected[:2] and not writer._timer.isActive()
    writer._go_on()
    assert writer._timer.isActive() and writer._timer.interval() == 0
    pipe.left = 0
    while writer.is_sending:
        writer._send()
    assert pipe.written == expected and not writer._timer.isActive()
    writer._go_on()
    assert not writer._timer.isActive()


def test_bytes_that_leave_are_progress_until_the_copy_is_sent(writer: RecoveryWriter, pipe: Pipe) -> None:
    begun = list[int]()
    writer._silence = SimpleNamespace(  # type: ignore[assignment]
        start=lambda: begun.append(1), stop=lambda: None, setInterval=lambda _: None, interval=lambda: 5000
    )
    writer._go_on()
    assert begun == []
    writer.keep(number(), Path("a.graph"))
    writer._go_on()
    assert begun == [1, 1]
    while writer.is_sending:
        writer._send()
    writer._go_on()
    assert begun == [1, 1]


def test_each_silence_doubles_the_patience_and_an_answer_restores_it(writer: RecoveryWriter, pipe: Pipe) -> None:
    told = list[str]()
    writer.kept.connect(told.append)
    writer.keep(number(), Path("a.graph"))
    assert writer._silence.isActive() and writer._silence.interval() == 5000
    writer._take_silence()
    assert (writer._silence.interval(), writer._silence.isActive(), writer.is_busy) == (10_000, False, False)
    assert pipe.written[-2:] == [b"killed", b"deleted"] and writer._process is None
    writer._take_silence()
    assert writer._silence.interval() == 20_000
    writer._process = pipe  # type: ignore[assignment]
    writer.keep(chain(), Path("a.graph"))
    writer._read()
    assert writer.is_busy
    pipe.lines = [b"No room. \n"]
    writer._read()
    assert (writer._silence.interval(), writer._silence.isActive(), writer.is_busy) == (5000, False, False)
    assert told == ["The process that writes copies does not answer."] * 2 + ["No room."]


@pytest.mark.parametrize("is_busy", [True, False])
def test_the_end_of_the_process_is_told_if_a_copy_was_due(writer: RecoveryWriter, pipe: Pipe, is_busy: bool) -> None:
    told = list[str]()
    writer.kept.connect(told.append)
    if is_busy:
        writer.keep(number(), Path("a.graph"))
    writer._take_end()
    writer._take_end()
    assert told == ["The process that writes copies has ended."] * is_busy and not writer.is_busy


@pytest.mark.parametrize("state", ["idle", "busy", "sending"])
def test_a_release_is_a_message_or_in_the_middle_of_one_the_end(writer: RecoveryWriter, pipe: Pipe, state: str) -> None:
    writer.is_busy, writer.is_sending = state == "busy", state == "sending"
    writer.release()
    assert pipe.written == (list(_packed(Release())) if state == "idle" else [b"killed", b"deleted"])


def test_without_a_process_nothing_is_sent_or_read(writer: RecoveryWriter) -> None:
    writer.keep(number(), Path("a.graph"))
    writer._process = None
    writer._read()
    writer._send()
    assert not writer.is_sending and not writer._timer.isActive()
    assert writer.is_busy
