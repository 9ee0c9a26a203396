"""Every command in the docs is run, in order, in a project that has the demo's board."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reports.reference import reference_markdown
from tests.support import REPOSITORY, make_project, run

# method-change leaves prod as it was; the tutorial adds a suite, so it comes last.
PAGES = (
    *sorted(p for p in (REPOSITORY / "docs" / "howto").glob("*.md")),
    REPOSITORY / "docs" / "tutorial.md",
)


def commands(page: Path) -> list[str]:
    """The commands of the console blocks; a line without a prompt continues the one before."""
    found: list[str] = []
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(line[2:])
            else:
                found[-1] += "\n" + line
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("docs") / "project")
    run(project, "jevhouse", "demo")
    return project


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_commands_run(project, page):
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "COLUMNS": "200"}
    for command in commands(page):
        done = subprocess.run(
            ["bash", "-euc", command], cwd=project.root, env=environment, check=False,
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def test_links_lead_somewhere():
    for page in (REPOSITORY / "docs").rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_reference_is_of_these_models():
    page = REPOSITORY / "docs" / "reference.md"
    assert page.read_text(encoding="utf-8") == reference_markdown(REPOSITORY), (
        "run: python -m reports.reference"
    )
