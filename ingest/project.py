"""Where a jevhouse project keeps its things."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ingest.errors import Refused


@dataclass(frozen=True)
class Project:
    """A folder with ``sqlmesh.yaml``, ``seeds/`` and ``warehouse/``."""

    root: Path

    @classmethod
    def find(cls, start: Path | None = None) -> Project:
        """Return the project that ``start`` (default: the working directory) lies in."""
        try:
            here = (start or Path.cwd()).resolve()
        except FileNotFoundError:
            raise Refused("the working directory is gone", mend="change into the project's folder") from None
        for folder in (here, *here.parents):
            if (folder / "sqlmesh.yaml").is_file() and (folder / "seeds" / "methods.csv").is_file():
                return cls(folder)
        raise Refused(
            f"{here} is not inside a jevhouse project",
            mend="run it in the folder with sqlmesh.yaml and seeds/",
        )

    @property
    def warehouse(self) -> Path:
        return self.root / "warehouse"

    @property
    def seeds(self) -> Path:
        return self.root / "seeds"

    @property
    def database(self) -> Path:
        return self.warehouse / "jevhouse.duckdb"

    @property
    def register(self) -> Path:
        return self.seeds / "evidence.csv"

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the project's writer lock; a process that dies releases it."""
        self.warehouse.mkdir(exist_ok=True)
        with (self.warehouse / ".lock").open("w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield


def fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace ``path`` so that a reader, or a crash, sees the old bytes or the new ones, never a mixture."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
    fsync_folder(path.parent)
