"""From a file to the normalised pages that every engine is given, once per source, cached by content."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from ingest.engines.protocol import Page, compact, pages_sha256
from ingest.errors import Refused
from ingest.landing import sha256_of
from ingest.project import write_atomically

OFFICE = (".docx", ".pptx")
SUFFIXES = (".pdf", *OFFICE)
# The child inherits nothing else: no key can reach a parser.
KEPT_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TESSDATA_PREFIX", "LD_LIBRARY_PATH")
TESSDATA = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/opt/homebrew/share/tessdata",
)


@dataclass(frozen=True)
class Parser:
    """LiteParse and its options; the identity decides which cached pages may be reused."""

    ocr: bool = False
    language: str = "eng"
    dpi: float = 150.0

    @property
    def identity(self) -> str:
        """Name, version and options, as compact JSON."""
        return compact(
            {
                "name": "liteparse",
                "version": version("liteparse"),
                "options": {"ocr": self.ocr, "language": self.language, "dpi": self.dpi},
                "normalisation": 1,
            }
        )

    def options(self) -> dict[str, Any]:
        if not self.ocr:
            return {"ocr_enabled": False}
        return {
            "ocr_enabled": True,
            "ocr_language": self.language,
            "dpi": self.dpi,
            "tessdata_path": tessdata(self.language),
        }


@dataclass(frozen=True)
class Prepared:
    """One source after parsing. ``pages`` is empty when it failed, and ``error_type`` says how."""

    pages: tuple[Page, ...]
    error_type: str | None
    cache_hit: bool
    total_ms: float

    @property
    def pages_sha256(self) -> str | None:
        return pages_sha256(self.pages) if self.pages else None

    @property
    def text_bytes(self) -> int:
        return sum(len(page.text.encode()) for page in self.pages)


def tessdata(language: str) -> str:
    """The system's folder of OCR models for a language.

    Raises:
        Refused: there is none; OCR never downloads a model.
    """
    for folder in (os.environ.get("TESSDATA_PREFIX"), *TESSDATA):
        if folder and (Path(folder) / f"{language}.traineddata").is_file():
            return folder
    raise Refused(
        f"no OCR model for {language} on this system",
        field="documents.ocr",
        mend=f"install tesseract-ocr and tesseract-ocr-{language}, or set TESSDATA_PREFIX",
    )


def check_system(parser: Parser, files: list[Path]) -> None:
    """Refuse before any work what this system cannot parse."""
    if parser.ocr:
        tessdata(parser.language)
    for file in files:
        if file.suffix.lower() not in SUFFIXES:
            raise Refused("is no PDF, DOCX or PPTX", file=file.name, mend="convert it first")
        if file.suffix.lower() in OFFICE and not (shutil.which("soffice") or shutil.which("libreoffice")):
            raise Refused(
                "needs LibreOffice", file=file.name, mend="install libreoffice, or convert it to PDF"
            )


def normalise(text: str) -> str:
    """NFC, one line feed, no space at line ends, no blank lines at either end."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def cached(file: Path, parser: Parser, cache: Path) -> tuple[Page, ...]:
    """Pages of an earlier parse of this very content by this parser; empty when there are none."""
    entry = _entry(file, parser, cache)
    if not entry.is_file():
        return ()
    return tuple(Page(*page) for page in json.loads(entry.read_text(encoding="utf-8")))


def _entry(file: Path, parser: Parser, cache: Path) -> Path:
    return cache / f"{sha256(f'{sha256_of(file)} {parser.identity}'.encode()).hexdigest()}.json"


def prepare(file: Path, parser: Parser, timeout_s: float, cache: Path | None) -> Prepared:
    """Return the normalised pages of a document.

    Args:
        file: the document.
        parser: parser and options.
        timeout_s: the parser is killed after that.
        cache: folder of earlier parses, by content and parser; None parses anew and keeps nothing.
    """
    start = perf_counter()
    if cache is not None and (pages := cached(file, parser, cache)):
        return Prepared(pages, None, True, (perf_counter() - start) * 1000)
    pages, error_type = _parse(file, parser, timeout_s)
    if cache is not None and pages:
        cache.mkdir(parents=True, exist_ok=True)
        text = compact([[p.number, p.text, p.blank] for p in pages])
        write_atomically(_entry(file, parser, cache), text.encode())
    return Prepared(pages, error_type, False, (perf_counter() - start) * 1000)


def _parse(file: Path, parser: Parser, timeout_s: float) -> tuple[tuple[Page, ...], str | None]:
    job = json.dumps({"path": str(file), "options": parser.options()})
    environment = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ingest.documents.parse"],
            input=job,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            env=environment,
            check=False,
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return (), "PreparationTimeout"
    except ValueError:
        return (), "ParserDied"
    if "error" in answer:
        return (), answer["error"]
    texts = [normalise(text) for _, text in answer["pages"]]
    if not texts:
        return (), "NoPages"
    return tuple(Page(n, text, not text.strip()) for n, text in enumerate(texts, 1)), None
