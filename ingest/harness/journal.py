"""The journal of a live run: what is in it when a line is awaited is on the disk.

``warehouse/journal/<run_id>/`` holds ``manifest.json``, ``matrix.jsonl`` (the plan), ``events.jsonl`` (a line
before each invocation) and ``raw.jsonl`` (a line after it). One thread writes for all calls in flight: it
takes whatever waits, writes it, flushes each touched file once, and only then wakes those who wait.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.errors import Refused
from ingest.landing import RUN_ID_RULE
from ingest.project import Project, fsync_folder, write_atomically

FILES = ("raw.jsonl", "events.jsonl")  # a terminal record goes to the disk before the next start
Row = dict[str, Any]


def folder_of(project: Project, run_id: str) -> Path:
    if not RUN_ID_RULE.fullmatch(run_id):
        raise Refused(f"{run_id!r} cannot name a run", mend="name a folder of warehouse/journal")
    return project.warehouse / "journal" / run_id


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a run's journal; a process that dies lets go of it.

    Raises:
        Refused: another process is running or sealing it.
    """
    with (folder / ".lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                "is in use by another process", file=f"journal/{folder.name}", mend="wait until it has ended"
            ) from None
        yield


def create(project: Project, run_id: str, manifest: Row, matrix: list[Row]) -> Path:
    """Make a run's folder with manifest and matrix on the disk; an existing run is never overwritten."""
    folder = folder_of(project, run_id)
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        raise Refused(
            f"run {run_id} exists", file=f"journal/{run_id}", mend="runs are never overwritten"
        ) from None
    write_manifest(folder, manifest)
    write_atomically(folder / "matrix.jsonl", b"".join(_line(row) for row in matrix))
    fsync_folder(folder.parent)
    return folder


def write_manifest(folder: Path, manifest: Row) -> None:
    write_atomically(folder / "manifest.json", (json.dumps(manifest, indent=1) + "\n").encode())


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


class Journal:
    """Appends to the two files of a run from one event loop."""

    def __init__(self, folder: Path):
        self._files = {name: (folder / name).open("ab", buffering=0) for name in FILES}
        fsync_folder(folder)
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    async def append(self, file: str, row: Row) -> None:
        """Return when the line is on the disk; raises OSError when it cannot be written."""
        done = self._loop.create_future()
        self._waiting.put((file, _line(row), done))
        await done

    def close(self) -> None:
        self._waiting.put(None)
        self._thread.join()
        for handle in self._files.values():
            handle.close()

    def _write(self) -> None:
        going = True
        while going:
            taken = [self._waiting.get()]
            while not self._waiting.empty():
                taken.append(self._waiting.get())
            going = None not in taken
            batch = [entry for entry in taken if entry is not None]
            failure = None
            try:
                for name in FILES:
                    data = b"".join(line for file, line, _ in batch if file == name)
                    if data:
                        self._append(name, data)
            except OSError as error:
                failure = error
            self._loop.call_soon_threadsafe(_wake, [done for _, _, done in batch], failure)

    def _append(self, name: str, data: bytes) -> None:
        handle = self._files[name]
        while data:
            data = data[handle.write(data) :]
        os.fdatasync(handle.fileno())


def _wake(waiting: list[asyncio.Future], failure: OSError | None) -> None:
    for done in waiting:
        if done.done():  # its call was cut off; the line is on the disk all the same
            continue
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)


@dataclass(frozen=True)
class Recorded:
    """A journal as it lies on the disk."""

    manifest: Row
    matrix: list[Row]
    events: list[Row]
    raw: list[Row]
    raw_truncated: bool
    events_truncated: bool

    @property
    def started(self) -> dict[str, Row]:
        return {e["observation_id"]: e for e in self.events if e["event"] == "dispatch_started"}


def read(folder: Path) -> Recorded:
    """Read a journal, also that of a killed run: a last line that was cut off is dropped and reported.

    Raises:
        Refused: a line inside a file is not JSON, an observation is unplanned, or started or ended twice.
    """
    if not (folder / "manifest.json").is_file():
        raise Refused("there is no such run", file=f"journal/{folder.name}", mend="see warehouse/journal")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    matrix, _ = _read_lines(folder / "matrix.jsonl")
    events, events_truncated = _read_lines(folder / "events.jsonl")
    raw, raw_truncated = _read_lines(folder / "raw.jsonl")
    planned = {row["observation_id"] for row in matrix}
    starts = [(n, e) for n, e in enumerate(events, 1) if e["event"] == "dispatch_started"]
    for name, rows in (("events.jsonl", starts), ("raw.jsonl", list(enumerate(raw, 1)))):
        seen: set[str] = set()
        for number, row in rows:
            observation_id = row["observation_id"]
            if observation_id in seen or observation_id not in planned:
                raise Refused(
                    f"{observation_id} stands twice or was never planned",
                    file=f"journal/{folder.name}/{name}",
                    row=number,
                    mend="restore the file",
                )
            seen.add(observation_id)
    return Recorded(manifest, matrix, events, raw, raw_truncated, events_truncated)


def _read_lines(path: Path) -> tuple[list[Row], bool]:
    """Rows of a file, and whether its last line was cut off."""
    if not path.is_file():
        return [], False
    lines = path.read_bytes().split(b"\n")
    cut = lines.pop() != b""  # every whole line ends in a line feed
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError
        except ValueError:
            raise Refused(
                "is corrupt inside the file",
                file=f"journal/{path.parent.name}/{path.name}",
                row=number,
                mend="restore the file; only a last line may be cut off",
            ) from None
        rows.append(row)
    return rows, cut
