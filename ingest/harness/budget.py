"""The budget guard: a conservative reservation before every dispatch, the rest given back after it.

A local estimate, not a cap on what a provider bills.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Guard:
    """Balance of a run, in USD. Used from one event loop, so that reserving is atomic."""

    limit_usd: float
    committed_usd: float = 0.0
    known_usd: float = 0.0
    unknown_reserved_usd: float = 0.0
    in_flight: int = 0

    def reserve(self, usd: float) -> bool:
        """Take a reservation; return False, and take nothing, when it does not fit."""
        if self.committed_usd + usd > self.limit_usd:
            return False
        self.committed_usd += usd
        self.in_flight += 1
        return True

    def settle(self, reserved_usd: float, known_usd: float, charge_unknown: bool) -> None:
        """Replace a reservation by what was charged; an unknown charge keeps it.

        A charge above its reservation is recorded in full: the balance may then lie above the limit, and
        nothing further is admitted.
        """
        self.in_flight -= 1
        retained = max(reserved_usd, known_usd) if charge_unknown else known_usd
        self.committed_usd += retained - reserved_usd
        self.known_usd += known_usd
        if charge_unknown:
            self.unknown_reserved_usd += max(0.0, retained - known_usd)
