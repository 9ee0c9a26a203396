"""What a run freezes of its surroundings."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from pathlib import Path

from ingest.landing import sha256_of
from ingest.project import Project

PACKAGES = ("typesafe-sdk", "openai", "httpx", "httpx2", "liteparse")
LOCK = "requirements.lock"


def environment() -> dict[str, str]:
    """OS, Python, SDK versions, and the revision of the harness."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "code_revision": code_revision(),
        **{name: version(name) for name in PACKAGES},
    }


def code_revision() -> str:
    """Version of the package and a hash of the sources that make calls."""
    digest = hashlib.sha256()
    ingest = Path(__file__).parent.parent
    for folder in ("engines", "harness", "documents"):
        for path in sorted((ingest / folder).glob("*.py")):
            digest.update(path.read_bytes())
    return f"jevhouse-{version('jevhouse')}+{digest.hexdigest()[:12]}"


def lock_sha256(project: Project) -> str | None:
    """SHA-256 (hex) of the dependency lock, of the project or of the checkout that the code runs from."""
    for root in (project.root, Path(__file__).parent.parent.parent):
        if (root / LOCK).is_file():
            return sha256_of(root / LOCK)
    return None
