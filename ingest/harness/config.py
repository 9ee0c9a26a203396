"""The configuration of a run: a YAML file, checked to the last field before anything else happens."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ingest.engines.protocol import compact
from ingest.errors import Refused

KEY_NAMES = {"jev": "TYPESAFE_API_KEY", "openai": "OPENAI_API_KEY", "openrouter": "OPENROUTER_API_KEY"}
ADDRESSES = {
    "jev": ("TYPESAFE_BASE_URL", "https://api.typesafe.ai"),
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "openrouter": ("OPENROUTER_BASE_URL", "https://openrouter.ai"),
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Deadlines(_Strict):
    """Seconds."""

    file: float = Field(60, gt=0)
    preparation: float = Field(600, gt=0)
    request: float = Field(30, gt=0)
    task: float = Field(60, gt=0)
    stage: float = Field(300, gt=0)
    close: float = Field(5, gt=0)


class Documents(_Strict):
    """A document set below ``warehouse/``."""

    folder: str
    generate: bool = False  # make the synthetic set there when it is absent
    ocr: bool = False
    language: str = "eng"
    dpi: float = Field(150, gt=0)


class SystemConfig(_Strict):
    """An entrant."""

    system: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]*$")
    display_name: str | None = None
    engine: Literal["jev", "openai", "openrouter", "local"]
    model: str
    base_url: str | None = None
    in_process: str | None = None  # key of a system of the project, for engine local
    endpoint_kind: Literal["hosted", "self_hosted", "demo"] | None = None
    probability_kind: Literal["categorical", "label_only", "entailment"] | None = None
    gpu_type: str | None = None
    settings: dict[str, Any] = {}


class Config(_Strict):
    """A run as it was asked for."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")
    suite: str
    condition: str
    demo_set: str | None = None
    scope: Literal["decision", "end-to-end"] = "decision"
    concurrency: int = Field(1, ge=1, le=64)
    repeats: int = Field(1, ge=1)
    warmups: int = Field(1, ge=0)
    warmup_items: Literal["dev", "reuse"] = "dev"
    limit: int | None = Field(None, ge=1)
    seed: int
    budget_usd: float = Field(gt=0, allow_inf_nan=False)
    price_snapshot: str
    dependent_sample: bool = False
    stop_on_service_failure: bool = True
    max_retries: int = Field(0, ge=0, le=5)
    deadlines_s: Deadlines = Deadlines()
    documents: Documents | None = None
    systems: tuple[SystemConfig, ...] = Field(min_length=1)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(compact(self.model_dump(mode="json")).encode()).hexdigest()


def load(
    path: Path,
    *,
    limit: int | None = None,
    repeats: int | None = None,
    scope: str | None = None,
    concurrency: int | None = None,
) -> Config:
    """Read a configuration and apply what the command line changed.

    A changed limit or number of repeats makes a pilot, and another scope or concurrency another condition:
    the condition says so, and so do the systems, so that such a run never mixes with the configured one.

    Raises:
        Refused: names file and field.
    """
    if not path.is_file():
        raise Refused("does not exist", file=path, mend="see configs/ for ready ones")
    try:
        config = _checked(yaml.safe_load(path.read_text(encoding="utf-8")), path)
    except yaml.YAMLError:
        raise Refused("is not YAML", file=path, mend="see configs/ for ready ones") from None
    changes = {"limit": limit, "repeats": repeats, "scope": scope, "concurrency": concurrency}
    changes = {k: v for k, v in changes.items() if v is not None and v != getattr(config, k)}
    labels = ["pilot"] * bool({"limit", "repeats"} & set(changes))
    labels += [scope] * ("scope" in changes) + [f"concurrency-{concurrency}"] * ("concurrency" in changes)
    value = config.model_dump(mode="json") | changes
    if labels:
        label = "-".join(labels)
        value["condition"] = f"{config.condition}-{label}"
        for system in value["systems"]:
            system["display_name"] = f"{system['display_name'] or system['system']} ({label})"
            system["system"] = f"{system['system']}.{label}"
    config = _checked(value, path)
    names = [system.system for system in config.systems]
    if twice := [name for name in names if names.count(name) > 1]:
        raise Refused(f"{twice[0]} stands twice", file=path, field="systems", mend="name each system once")
    for system in config.systems:
        if "@" in (system.base_url or ""):
            raise Refused(
                "holds credentials", file=path, field="base_url", mend="keys come from the environment"
            )
        if system.engine == "local" and (system.in_process is None) == (system.base_url is None):
            raise Refused(
                f"{system.system} needs either in_process or base_url", file=path, mend="give one of them"
            )
    if config.scope == "end-to-end" and config.documents is None:
        raise Refused("only documents have an end-to-end scope", file=path, field="scope", mend="decision")
    return config


def _checked(value: Any, path: Path) -> Config:
    try:
        return Config.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise Refused(first["msg"], file=path, field=field, mend="see docs/harness.md") from None


def address(system: SystemConfig) -> str:
    """Where the calls go: the configuration, else the vendor's variable, else the vendor's own address."""
    if system.base_url:
        return system.base_url
    name, default = ADDRESSES[system.engine]
    return os.environ.get(name, "").strip() or default


def key(system: SystemConfig) -> str:
    """The key from the environment, the only place it is ever read from.

    Raises:
        Refused: it is not set.
    """
    name = KEY_NAMES[system.engine]
    value = os.environ.get(name, "").strip()
    if not value:
        raise Refused(f"{system.system} needs a key", field=name, mend=f"set {name} in the environment")
    return value
