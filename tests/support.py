"""What several tests need: a temporary project, real plans in it, the shared evidence."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.project import Project

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("JEVHOUSE_SHARED", REPOSITORY.parent / "shared"))
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared evidence is not beside this checkout"
)


def make_project(root: Path) -> Project:
    """Copy the project's definition (no evidence) to ``root``."""
    root.mkdir(parents=True, exist_ok=True)
    for name in ("models", "macros", "audits", "seeds"):
        shutil.copytree(REPOSITORY / name, root / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in ("sqlmesh.yaml", "external_models.yaml"):
        shutil.copy(REPOSITORY / name, root / name)
    # A developer's own checkout may have evidence landed in it.
    header = (REPOSITORY / "seeds" / "evidence.csv").read_text().splitlines()[0]
    (root / "seeds" / "evidence.csv").write_text(header + "\n")
    (root / "warehouse").mkdir()
    return Project(root)


def run(
    project: Project, *command: str, check: bool = True, **environment: str
) -> subprocess.CompletedProcess:
    """Run ``command`` (``jevhouse …`` or ``sqlmesh …``) in the project, with this interpreter."""
    program = str(Path(sys.executable).with_name(command[0]))
    done = subprocess.run(
        [program, *command[1:]],
        cwd=project.root,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | environment,
    )
    if check and done.returncode:
        raise AssertionError(
            f"{command} exited {done.returncode}\n{done.stdout[-8000:]}\n{done.stderr[-4000:]}"
        )
    return done


def plan(project: Project, check: bool = True) -> subprocess.CompletedProcess:
    return run(project, "sqlmesh", "plan", "--auto-apply", "--no-prompts", check=check)


def query(project: Project, sql: str, parameters: list[Any] | None = None) -> list[dict[str, Any]]:
    """Rows of a read-only query on the project's warehouse."""
    with closing(duckdb.connect(str(project.database), read_only=True)) as connection:
        result = connection.execute(sql, parameters or [])
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]
