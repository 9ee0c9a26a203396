"""What an expectation is: a sentence that must hold, and the query that finds its offenders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Expectation:
    """One thing that must hold of a finished warehouse.

    ``sql`` selects the offenders, one a row, as columns ``key`` (who), ``expected`` and ``found`` (all shown as
    text; never the content of an item). No row: it holds. Beside the warehouse's own tables it may read
    ``register`` (the lines of ``seeds/evidence.csv``) and ``disk`` (path, finding: what ``jevhouse ingest verify``
    finds).

    A ``warning`` is reported and does not fail the audit.
    """

    name: str
    says: str
    sql: str
    severity: Literal["error", "warning"] = "error"
