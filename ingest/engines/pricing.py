"""Prices of one snapshot, and what a request cost by them at the time of the run."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import Refused
from ingest.project import Project

if TYPE_CHECKING:
    from ingest.engines.protocol import Request


@dataclass(frozen=True)
class Prices:
    """USD per 1e6 tokens by model and token class, of one snapshot of ``seeds/prices.csv``."""

    snapshot: str
    rows: tuple[dict[str, str], ...]

    @classmethod
    def load(cls, project: Project, snapshot: str) -> Prices:
        path = project.seeds / "prices.csv"
        with path.open(newline="", encoding="utf-8") as handle:
            rows = tuple(row for row in csv.DictReader(handle) if row["snapshot"] == snapshot)
        if not rows:
            raise Refused(f"there is no snapshot {snapshot}", file=path, mend="add it, with its source")
        return cls(snapshot, rows)

    def of(self, model: str) -> dict[str, float]:
        """Token class to USD per 1e6 tokens; empty when the model is not in the snapshot."""
        return {
            row["token_class"]: float(row["usd_per_million_tokens"])
            for row in self.rows
            if row["model"] == model
        }

    def need(self, model: str) -> dict[str, float]:
        """As ``of``; refuses a model without input and output price."""
        prices = self.of(model)
        if "input" not in prices or "output" not in prices:
            raise Refused(
                f"{model} has no input and output price in snapshot {self.snapshot}",
                file="seeds/prices.csv",
                mend="review and add its current price before spending",
            )
        return prices


def request_cost(request: Request, prices: Prices) -> tuple[float | None, str]:
    """Return cost in USD, or None when unknown, and its status as in ``requests.cost_status``.

    A provider's own figure comes first. Else every priced token class must have been counted, and every
    counted one priced: a missing count or price makes the cost unknown, never zero.
    """
    if request.provider == "local":
        return None, "not_applicable"
    if request.billed_cost_usd is not None:
        return request.billed_cost_usd, "reported"
    price = prices.of(request.model)
    if request.input_tokens is None or "input" not in price:
        return None, "unknown"
    inside = {"cached_input": request.cached_input_tokens, "cache_write": request.cache_write_tokens}
    if any(name in price and tokens is None for name, tokens in inside.items()):
        return None, "unknown"
    counted = {name: tokens or 0 for name, tokens in inside.items()}
    counted["input"] = max(0, request.input_tokens - sum(counted.values()))
    if request.output_tokens is None and price.get("output") != 0:
        return None, "unknown"
    counted["output"] = request.output_tokens or 0
    if any(tokens and name not in price for name, tokens in counted.items()):
        return None, "unknown"
    return sum(tokens * price.get(name, 0.0) for name, tokens in counted.items()) / 1e6, "estimated"
