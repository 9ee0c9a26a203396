"""The local systems of the specimen board: each decides on the pixels, in this process.

They are small on purpose, and make a board with something to see: one that learnt its labels by heart, two
that are honest and differ in calibration, one that breaks every rule of an answer, one with receipts.
"""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ingest.specimen.canvas import png_bytes
from ingest.specimen.sight import features, focus_of, pixels, thumbnail

TRAINING_SEED = "specimen-training"


@dataclass(frozen=True)
class Asked:
    """An item as a system sees it: there is no gold here."""

    item_id: str
    question: str
    options: tuple[str, ...]
    png: bytes


@dataclass(frozen=True)
class Receipt:
    """One simulated provider request. Tokens and cost are None when the receipt went missing."""

    attempt: int
    status: str
    error_code: str | None = None
    request_id: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    billed_cost_usd: float | None = None


@dataclass(frozen=True)
class Decision:
    """What a system returned."""

    answer: str | None
    probabilities: dict[str, float] | None = None
    refused: bool = False
    truncated: bool = False
    served_from_cache: bool = False
    receipts: tuple[Receipt, ...] = ()


class ProviderError(Exception):
    """A provider's HTTP failure, with the requests that led to it."""

    def __init__(self, code: str, receipts: tuple[Receipt, ...] = ()):
        super().__init__(code)
        self.code = code
        self.receipts = receipts


class Skipped(Exception):
    """Nothing was sent; the text says why."""


class WorkerLost(Exception):
    """The worker died after dispatch: there is no terminal record."""


class System(Protocol):
    """An entrant."""

    key: str
    display_name: str
    endpoint_kind: str
    probability_kind: str
    settings: dict[str, Any]

    def decide(self, item: Asked) -> Decision: ...


@dataclass(frozen=True)
class Example:
    """An item with its answer, to learn from: drawn from another seed, or public."""

    asked: Asked
    gold: str


def training_set(per_family: int) -> list[Example]:
    """Draw examples of every family from a seed of their own; none is an item of the suite."""
    from ingest.specimen.suite import MIXES, draw

    examples = []
    for family in MIXES:
        for number in range(per_family):
            _, drawing = draw(TRAINING_SEED, family, number)
            asked = Asked(f"{family}-{number}", drawing.question, drawing.options, png_bytes(drawing.image))
            examples.append(Example(asked, drawing.gold))
    return examples


def kind_of_question(question: str) -> str:
    """The question without the colour it names: one small model is trained per kind."""
    name = focus_of(question)
    return question if name is None else question.replace(name, "…")


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def _first_best(probabilities: dict[str, float]) -> str:
    return max(probabilities, key=probabilities.__getitem__)  # the first option wins a tie


class Majority:
    """Answers what was right most often for this kind of question, without looking; gives no probability."""

    key = "majority"
    display_name = "Majority label"
    endpoint_kind = "self_hosted"
    probability_kind = "label_only"

    def __init__(self, examples: Sequence[Example]):
        self.settings = {"examples": len(examples)}
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        for example in examples:
            self._counts[kind_of_question(example.asked.question)][example.gold] += 1

    def decide(self, item: Asked) -> Decision:
        counts = self._counts[kind_of_question(item.question)]
        return Decision(max(item.options, key=lambda option: counts[option]))


class Memoriser:
    """Gives the answer of the most similar public picture, and is always sure of it."""

    key = "memoriser"
    display_name = "Memoriser"
    endpoint_kind = "self_hosted"
    probability_kind = "categorical"

    def __init__(self, public: Sequence[Example]):
        self.settings = {"block": 4, "confidence": 0.97, "memorised": len(public)}
        self._golds = [example.gold for example in public]
        self._thumbnails = np.array([thumbnail(pixels(example.asked.png), 4) for example in public])

    def decide(self, item: Asked) -> Decision:
        distances = np.abs(self._thumbnails - thumbnail(pixels(item.png), 4)).sum(axis=1)
        remembered = (self._golds[i] for i in distances.argsort(kind="stable"))
        answer = next((gold for gold in remembered if gold in item.options), item.options[0])
        rest = 0.03 / (len(item.options) - 1)
        return Decision(answer, {o: 0.97 if o == answer else rest for o in item.options})


class Learner:
    """One classifier per kind of question over features of the picture.

    The probabilities of the labels on offer are raised to ``power`` and divided by their sum: above 1 the
    system grows surer, below 1 humbler. A calibrated one finds its power on examples it was not fitted to.
    """

    endpoint_kind = "self_hosted"
    probability_kind = "categorical"

    def __init__(
        self,
        key: str,
        display_name: str,
        examples: Sequence[Example],
        see: Callable[[Asked], np.ndarray],
        new_classifier: Callable[[], Any],
        power: float | None = None,
    ):
        self.key, self.display_name = key, display_name
        self._see = see
        by_kind: dict[str, list[Example]] = defaultdict(list)
        for example in examples:
            by_kind[kind_of_question(example.asked.question)].append(example)
        held_out: list[tuple[Example, np.ndarray]] = []
        self._models: dict[str, Any] = {}
        for kind, members in by_kind.items():
            seen = np.array([see(m.asked) for m in members])
            golds = np.array([m.gold for m in members])
            if power is None:
                cut = len(members) * 2 // 3
                self._models[kind] = new_classifier().fit(seen[:cut], golds[:cut])
                held_out += zip(members[cut:], seen[cut:], strict=True)
            else:
                self._models[kind] = new_classifier().fit(seen, golds)
        self._power = power if power is not None else self._calibrate(held_out)
        self.settings = {
            "calibrated": power is None,
            "classifier": type(new_classifier()).__name__,
            "examples": len(examples),
            "power": round(self._power, 3),
        }
        if power is None:
            for kind, members in by_kind.items():
                seen = np.array([see(m.asked) for m in members])
                self._models[kind] = new_classifier().fit(seen, np.array([m.gold for m in members]))

    def _calibrate(self, held_out: list[tuple[Example, np.ndarray]]) -> float:
        """The power with the least log loss on held-out examples."""
        raw = [(self._offered(e.asked, seen), e.asked.options.index(e.gold)) for e, seen in held_out]

        def loss(power: float) -> float:
            return sum(-np.log(max(_sharpened(p, power)[gold], 1e-9)) for p, gold in raw)

        return float(min(np.geomspace(0.3, 4, 40), key=loss))

    def _offered(self, item: Asked, seen: np.ndarray) -> np.ndarray:
        model = self._models[kind_of_question(item.question)]
        by_label = dict(zip(model.classes_, model.predict_proba(seen[None])[0], strict=True))
        return np.array([by_label.get(option, 0.0) for option in item.options]) + 0.01

    def decide(self, item: Asked) -> Decision:
        values = _sharpened(self._offered(item, self._see(item)), self._power)
        probabilities = dict(zip(item.options, map(float, values), strict=True))
        return Decision(_first_best(probabilities), probabilities)


def _sharpened(values: np.ndarray, power: float) -> np.ndarray:
    raised = values**power
    return raised / raised.sum()


def see_features(item: Asked) -> np.ndarray:
    return features(pixels(item.png), item.question, len(item.options))


def _fault_none(good: Decision) -> Decision:
    return replace(good, answer=None)


def _fault_keys(good: Decision) -> Decision:
    return replace(good, probabilities={**(good.probabilities or {}), "something else": 0.0})


def _fault_key_absent(good: Decision) -> Decision:
    kept = list((good.probabilities or {}).items())
    return replace(good, probabilities=dict(p for p in kept if p[0] == good.answer))


def _fault_sum(good: Decision) -> Decision:
    return replace(good, probabilities={o: p * 0.8 for o, p in (good.probabilities or {}).items()})


def _fault_not_a_number(good: Decision) -> Decision:
    return replace(good, probabilities={o: float("nan") for o in good.probabilities or {}})


def _fault_negative(good: Decision) -> Decision:
    first, second, *rest = good.probabilities or {}
    return replace(good, probabilities={first: 1.2, second: -0.2, **dict.fromkeys(rest, 0.0)})


def _fault_not_argmax(good: Decision) -> Decision:
    probabilities = good.probabilities or {}
    return replace(good, answer=min(probabilities, key=probabilities.__getitem__))


def _raises(error: Callable[[], Exception]) -> Callable[[Decision], Decision]:
    def fault(good: Decision) -> Decision:
        raise error()

    return fault


FAULTS: dict[str, Callable[[Decision], Decision]] = {
    "answer outside the options": lambda good: replace(good, answer="none of these"),
    "empty answer": lambda good: replace(good, answer=""),
    "no answer": _fault_none,
    "refusal": lambda good: Decision(None, refused=True),
    "cut input": lambda good: replace(good, truncated=True),
    "answer from a cache": lambda good: replace(good, served_from_cache=True),
    "unknown key": _fault_keys,
    "absent keys": _fault_key_absent,
    "sum below one": _fault_sum,
    "not a number": _fault_not_a_number,
    "outside 0 to 1": _fault_negative,
    "not the arg max": _fault_not_argmax,
    "exception": _raises(lambda: ValueError("no contour")),
    "timeout": _raises(TimeoutError),
    "rate limit": _raises(lambda: ProviderError("429")),
    "server error": _raises(lambda: ProviderError("503")),
    "nothing sent": _raises(lambda: Skipped("picture too busy")),
    "worker lost": _raises(WorkerLost),
}


class Flaky:
    """Breaks on three items in ten, each in a way that the item's id decides."""

    key = "flaky"
    display_name = "Flaky"
    endpoint_kind = "demo"
    probability_kind = "categorical"

    def __init__(self, inner: System):
        self._inner = inner
        self.settings = {"fault_share": 0.3, "inner": inner.settings}

    def decide(self, item: Asked) -> Decision:
        good = self._inner.decide(item)
        draw = _hash(f"flaky/{item.item_id}")
        if draw % 10 >= 3:
            return good
        faults = list(FAULTS.values())
        return faults[draw // 10 % len(faults)](good)


@dataclass
class Cloud:
    """An honest system behind a make-believe provider: real decisions, simulated receipts."""

    inner: System
    key: str = "cloud"
    display_name: str = "Cloud (simulated receipts)"
    endpoint_kind: str = "hosted"
    probability_kind: str = "categorical"
    settings: dict[str, Any] = field(default_factory=dict)

    USD_PER_INPUT_TOKEN = 0.04e-6
    USD_PER_OUTPUT_TOKEN = 0.16e-6

    def __post_init__(self) -> None:
        self.settings = {"inner": self.inner.settings, "receipts": "simulated", "retries": 1}

    def decide(self, item: Asked) -> Decision:
        draw = _hash(f"cloud/{item.item_id}") % 100
        if draw < 2:
            raise ProviderError("503", (Receipt(1, "error", "503"), Receipt(2, "error", "503")))
        if draw < 5:  # the first reply was billed but could not be read
            receipts = (self._receipt(item, 1, "invalid"), self._receipt(item, 2, "ok"))
        elif draw < 7:
            receipts = (Receipt(1, "error", "503"), self._receipt(item, 2, "ok"))
        elif draw < 15:
            receipts = (Receipt(1, "ok", request_id=_request_id()),)
        else:
            receipts = (self._receipt(item, 1, "ok"),)
        return replace(self.inner.decide(item), receipts=receipts)

    def _receipt(self, item: Asked, attempt: int, status: str) -> Receipt:
        words = len(item.question.split()) + sum(len(option.split()) for option in item.options)
        read, written = 258 + 2 * words, 6 + 9 * len(item.options)
        cost = read * self.USD_PER_INPUT_TOKEN + written * self.USD_PER_OUTPUT_TOKEN
        return Receipt(attempt, status, None, _request_id(), read, written, cost)


def _request_id() -> str:
    return f"sim-{uuid.uuid4()}"


def load_systems(public: Sequence[Example], per_family: int) -> list[tuple[System, float]]:
    """Train every system; return each with the seconds that its own loading took.

    Args:
        public: public items with their golds, for the memoriser alone.
        per_family: training pictures of each family, drawn from a seed of their own.
    """
    examples = training_set(per_family)
    memory: dict[str, np.ndarray] = {}
    known = {id(example.asked) for example in examples}

    def see_once(item: Asked) -> np.ndarray:
        """Features; those of training pictures are kept, so that several learners share them."""
        if id(item) not in known:
            return see_features(item)
        if item.item_id not in memory:
            memory[item.item_id] = see_features(item)
        return memory[item.item_id]

    def forest() -> ExtraTreesClassifier:
        return ExtraTreesClassifier(60, min_samples_leaf=2, random_state=7)

    def few_trees() -> ExtraTreesClassifier:
        return ExtraTreesClassifier(12, random_state=5)

    makers: list[Callable[[], System]] = [
        lambda: Majority(examples),
        lambda: Memoriser(public),
        lambda: Learner("clerk", "Clerk", examples, see_once, forest),
        lambda: Learner("hasty", "Hasty", examples, see_once, few_trees, power=4.0),
        lambda: Flaky(
            Learner(
                "flaky-inner",
                "",
                examples,
                see_once,
                lambda: ExtraTreesClassifier(25, max_depth=6, random_state=11),
                power=1.5,
            )
        ),
        lambda: Cloud(
            Learner(
                "cloud-inner",
                "",
                examples,
                see_once,
                lambda: make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=400)),
            )
        ),
    ]
    loaded = []
    for make in makers:
        start = perf_counter()
        system = make()
        loaded.append((system, perf_counter() - start))
    return loaded
