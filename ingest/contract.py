"""The data contract: one Arrow schema per raw evidence table.

Every table is a set of Parquet files under ``warehouse/evidence/<table>/<run_id>.parquet`` (sealed tables:
``warehouse/sealed/...``). Every field has a unit (where it measures something) and a meaning in its Arrow
metadata; ``docs/contract.md`` and ``external_models.yaml`` are generated from this module.

All timestamps are UTC without a zone. NULL means unknown, never zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

TEXT = pa.string()
INT = pa.int64()
REAL = pa.float64()
FLAG = pa.bool_()
TIME = pa.timestamp("us")

SQL_TYPES = {TEXT: "TEXT", INT: "BIGINT", REAL: "DOUBLE", FLAG: "BOOLEAN", TIME: "TIMESTAMP"}


@dataclass(frozen=True)
class Field:
    """One column: name, Arrow type, meaning, unit ("" when it measures nothing), required or nullable."""

    name: str
    type: pa.DataType
    meaning: str
    unit: str = ""
    required: bool = False
    allowed: tuple[str, ...] = ()

    def arrow(self) -> pa.Field:
        metadata = {"meaning": self.meaning, "unit": self.unit}
        if self.allowed:
            metadata["allowed"] = ", ".join(self.allowed)
        return pa.field(self.name, self.type, nullable=not self.required, metadata=metadata)


@dataclass(frozen=True)
class Table:
    """One raw table: its grain (unique, never NULL), meaning and fields."""

    name: str
    meaning: str
    grain: tuple[str, ...]
    fields: tuple[Field, ...] = field(default_factory=tuple)
    sealed: bool = False  # lands under warehouse/sealed/, mode 0700

    @property
    def schema(self) -> pa.Schema:
        return pa.schema(
            [f.arrow() for f in self.fields], metadata={"table": self.name, "meaning": self.meaning}
        )

    @property
    def folder(self) -> str:
        return f"{'sealed' if self.sealed else 'evidence'}/{self.name}"


def _key(name: str, meaning: str, type_: pa.DataType = TEXT, unit: str = "") -> Field:
    return Field(name, type_, meaning, unit, required=True)


RUN_ID = _key("run_id", "landing that brought the row: one recorded execution, or one import of facts")
OBSERVATION_ID = _key("observation_id", "planned invocation, unique within the run")
SUITE = _key("suite", "benchmark, with its version in the name")
ITEM_ID = _key("item_id", "item, unique within the suite")
SYSTEM = _key("system", "entrant")
REPEAT = _key("repeat", "measured pass, from 0; -1 for a warm-up", INT)
PHASE = Field("phase", TEXT, "whether the invocation counts", required=True, allowed=("measured", "warmup"))

CALL_STATUS = ("ok", "error", "skipped")
COST_STATUS = ("reported", "estimated", "unknown", "not_applicable")
ENDPOINT_KINDS = ("hosted", "self_hosted", "demo")
PROBABILITY_KINDS = ("categorical", "label_only", "entailment")

_ITEMS = Table(
    "items",
    "One question with its gold answer; for documents one source (classify) or one packet (split).",
    ("suite", "item_id"),
    (
        RUN_ID,
        SUITE,
        ITEM_ID,
        Field("task", TEXT, "what is asked", required=True, allowed=("choice", "classify", "split")),
        _key("track", "board track that the item belongs to"),
        _key("family", "kind of question; the unit of the matched-family gap"),
        _key("difficulty", "difficulty level as authored"),
        Field("question", TEXT, "text of the question"),
        Field("gold", TEXT, "right option; NULL when it is not public (then no answer can be right)"),
        Field("option_count", INT, "number of options offered; NULL for packets", "options"),
        Field(
            "options_sha256",
            TEXT,
            "SHA-256 of the options in frozen order, as a compact JSON array of strings",
        ),
        _key("content_sha256", "SHA-256 of question, options in order, gold and image or source bytes"),
        Field("image_sha256", TEXT, "SHA-256 of the image bytes"),
        Field("image_path", TEXT, "image, relative to the warehouse"),
        Field("page_count", INT, "pages of the document or packet", "pages"),
        Field("source_sha256", TEXT, "SHA-256 of the source document"),
        Field("partition", TEXT, "development or test item", required=True, allowed=("test", "dev")),
        Field("source_family_id", TEXT, "issuer or origin that several items may share"),
    ),
    sealed=True,
)

_ITEM_OPTIONS = Table(
    "item_options",
    "The options of an item, in frozen order.",
    ("suite", "item_id", "position"),
    (
        RUN_ID,
        SUITE,
        ITEM_ID,
        _key("position", "place of the option, from 1", INT),
        _key("option", "label of the option"),
        Field("description", TEXT, "what the option stands for, as shown to the system"),
    ),
    sealed=True,
)

_ITEM_SEGMENTS = Table(
    "item_segments",
    "The true documents inside a packet, in order; gold of the split task.",
    ("suite", "item_id", "segment"),
    (
        RUN_ID,
        SUITE,
        ITEM_ID,
        _key("segment", "place of the document in the packet, from 1", INT),
        _key("category", "true category"),
        _key("first_page", "first page, from 1", INT, "page"),
        _key("last_page", "last page, inclusive", INT, "page"),
        Field("source_item_id", TEXT, "original that these pages are"),
    ),
    sealed=True,
)

_EXPOSURES = Table(
    "exposures",
    "Where and when an item, or the source it was made of, was seen outside the sealed store.",
    ("suite", "item_id", "kind", "place", "seen_at"),
    (
        RUN_ID,
        SUITE,
        ITEM_ID,
        _key("kind", "kind of exposure, one of seeds/exposure_kinds.csv"),
        _key("place", "where it was seen"),
        _key("seen_at", "when it was seen there first", TIME, "UTC"),
        Field("note", TEXT, "evidence for the record"),
    ),
)

_RUNS = Table(
    "runs",
    "One recorded execution: configuration, environment, seed and condition.",
    ("run_id",),
    (
        RUN_ID,
        SUITE,
        _key("started_at", "start of the run", TIME, "UTC"),
        Field("finished_at", TIME, "end of the run; NULL when it was killed", "UTC"),
        Field(
            "status",
            TEXT,
            "how the run ended, judged from its own files",
            required=True,
            allowed=("complete", "stopped", "interrupted", "blocked", "incomplete"),
        ),
        Field("recorded_status", TEXT, "status that the run itself recorded"),
        Field("stop_code", TEXT, "why the run stopped early"),
        Field("scope", TEXT, "what is timed", required=True, allowed=("decision", "end-to-end")),
        _key("concurrency", "calls in flight at most", INT, "calls"),
        _key("repeats", "measured passes planned", INT, "passes"),
        _key(
            "warmups", "warm-up calls planned per engine and task, excluded from every measure", INT, "calls"
        ),
        _key("condition", "experiment kind; boards of different condition do not share a table"),
        Field("demo_set", TEXT, "set that the run was made on"),
        Field("ocr_identity", TEXT, "parser and options that made the text the systems saw"),
        Field(
            "dependent_sample",
            FLAG,
            "items are a dependent convenience sample: intervals are withheld",
            required=True,
        ),
        Field(
            "matrix_recorded",
            FLAG,
            "the execution matrix was written before the first dispatch",
            required=True,
        ),
        Field("seed", INT, "seed of every shuffle"),
        Field("code_revision", TEXT, "revision of the harness"),
        Field("config_sha256", TEXT, "SHA-256 of the configuration"),
        Field("lock_sha256", TEXT, "SHA-256 of the dependency lock"),
        Field("rules_sha256", TEXT, "SHA-256 of the category rules or prompts"),
        Field("environment", TEXT, "OS, Python and SDK versions, as JSON"),
        Field("price_snapshot", TEXT, "price snapshot that costs are computed with"),
        Field("budget_limit_usd", REAL, "local guard of the run", "USD"),
        Field("budget_known_usd", REAL, "charges known to the guard at its end", "USD"),
        Field("budget_unknown_reserved_usd", REAL, "reservations retained for unknown charges", "USD"),
        Field("budget_committed_usd", REAL, "balance of the guard at its end", "USD"),
        Field("preparation_elapsed_s", REAL, "time of the whole preparation of the items", "s"),
        Field("raw_truncated", FLAG, "the last terminal record was cut off", required=True),
        Field("events_truncated", FLAG, "the last dispatch event was cut off", required=True),
        Field("source_sha256", TEXT, "SHA-256 over the imported files, for idempotent imports"),
    ),
)

_SYSTEMS = Table(
    "systems",
    "An entrant as a run pinned it.",
    ("run_id", "system"),
    (
        RUN_ID,
        SUITE,
        SYSTEM,
        _key("display_name", "name shown on a board"),
        Field("engine", TEXT, "adapter that made the calls"),
        Field("model", TEXT, "model requested"),
        Field("model_revision", TEXT, "exact model that answered"),
        Field("prompt_sha256", TEXT, "SHA-256 of prompt and question templates"),
        Field("settings", TEXT, "settings, as compact key-sorted JSON"),
        Field("code_revision", TEXT, "revision of the code that made the calls"),
        Field(
            "endpoint_kind",
            TEXT,
            "decides the latency adjustment and the cost rule",
            required=True,
            allowed=ENDPOINT_KINDS,
        ),
        Field(
            "probability_kind", TEXT, "what the probabilities are", required=True, allowed=PROBABILITY_KINDS
        ),
        Field("gpu_type", TEXT, "accelerator (or processor) of a self-hosted system"),
        Field(
            "supersedes_run_id", TEXT, "earlier run of the same system that this one replaces on the board"
        ),
    ),
)

_OBSERVATIONS = Table(
    "observations",
    "The execution matrix: every planned invocation, written before anything is sent.",
    ("run_id", "observation_id"),
    (
        RUN_ID,
        OBSERVATION_ID,
        SUITE,
        SYSTEM,
        ITEM_ID,
        REPEAT,
        PHASE,
        _key("sequence", "place in the plan, from 1", INT),
        Field("reserved_cost_usd", REAL, "conservative estimate made before dispatch", "USD"),
    ),
)

_DISPATCHES = Table(
    "dispatches",
    "Events that say an invocation began; flushed to disk before the provider is called.",
    ("run_id", "observation_id", "event", "at"),
    (
        RUN_ID,
        OBSERVATION_ID,
        Field("event", TEXT, "what happened", required=True, allowed=("dispatch_started",)),
        _key("at", "when it was written", TIME, "UTC"),
        Field("reserved_cost_usd", REAL, "reservation taken for it", "USD"),
    ),
)

_CALLS = Table(
    "calls",
    "The terminal record of an observation.",
    ("run_id", "observation_id", "terminal_sequence"),
    (
        RUN_ID,
        OBSERVATION_ID,
        _key("terminal_sequence", "1; a second terminal record of one observation is a fault", INT),
        SUITE,
        SYSTEM,
        ITEM_ID,
        REPEAT,
        PHASE,
        Field("status", TEXT, "how the call ended", required=True, allowed=CALL_STATUS),
        Field("answer", TEXT, "chosen option or category, as returned; NULL when there is none"),
        Field("refused", FLAG, "the system declined to answer"),
        Field("truncated", FLAG, "the input or output was cut"),
        Field("served_from_cache", FLAG, "answered from a result cache: not an observation"),
        Field("needs_review", FLAG, "the system flagged its own answer"),
        Field("confidence", REAL, "confidence that the provider returned beside the probabilities", "share"),
        Field("started_at", TIME, "when the call was begun", "UTC"),
        Field("decision_ms", REAL, "time of the inference requests", "ms"),
        Field("wall_ms", REAL, "whole call as the client sees it", "ms"),
        Field("dispatched", FLAG, "a provider call was at least begun, as the record claims"),
        Field("error_type", TEXT, "class of the failure, never its text"),
        Field("error_code", TEXT, "HTTP status or error code"),
        Field("skip_reason", TEXT, "why nothing was sent"),
        Field("usage_unknown", FLAG, "tokens may have been spent unseen"),
        Field("request_count_complete", FLAG, "every request of the call is on record"),
        Field("reserved_cost_usd", REAL, "reservation taken for the call", "USD"),
        Field(
            "sent_options_sha256",
            TEXT,
            "SHA-256 of the options in the order sent, as options_sha256 of items",
        ),
        Field("input_sha256", TEXT, "SHA-256 of the input that the system saw (for documents: the pages)"),
        Field("document_name", TEXT, "document name that the record carries"),
    ),
)

_PROBABILITIES = Table(
    "probabilities",
    "Probability that a call gave to an option, as returned.",
    ("run_id", "observation_id", "option"),
    (
        RUN_ID,
        OBSERVATION_ID,
        _key("option", "option as named in the answer"),
        Field("probability", REAL, "NULL when the value was not a finite number", "share"),
    ),
)

_PAGE_PREDICTIONS = Table(
    "page_predictions",
    "Pages of the segments that a split call returned, in the order returned.",
    ("run_id", "observation_id", "segment", "page_position"),
    (
        RUN_ID,
        OBSERVATION_ID,
        _key("segment", "segment in the order returned, from 1", INT),
        _key(
            "page_position", "place of the page inside its segment, from 1; 0 in a segment without pages", INT
        ),
        Field("page", INT, "page number as returned; NULL when it was not a whole number", "page"),
        Field("category", TEXT, "category of the segment"),
        Field("needs_review", FLAG, "the system flagged the segment"),
    ),
)

_PAGE_DECISIONS = Table(
    "page_decisions",
    "What a system decided of each page before segments were formed.",
    ("run_id", "observation_id", "page"),
    (
        RUN_ID,
        OBSERVATION_ID,
        _key("page", "page number, from 1", INT, "page"),
        Field("category", TEXT, "category decided"),
        Field("category_probability", REAL, "its probability", "share"),
        Field("starts_document", FLAG, "a new document begins here"),
        Field("starts_document_probability", REAL, "its probability", "share"),
    ),
)

_REQUESTS = Table(
    "requests",
    "One provider HTTP request inside a call, with its usage receipt.",
    ("run_id", "observation_id", "request_sequence"),
    (
        RUN_ID,
        OBSERVATION_ID,
        _key("request_sequence", "place inside the call, from 1", INT),
        Field("purpose", TEXT, "what the request was for", required=True, allowed=("decision", "ocr")),
        _key("provider", "who was asked"),
        Field("model", TEXT, "exact model that is billed"),
        _key("attempt", "attempt, from 1; later ones are retries", INT),
        Field(
            "status",
            TEXT,
            "how the request ended",
            required=True,
            allowed=("ok", "error", "incomplete", "invalid"),
        ),
        Field("request_id", TEXT, "the provider's own id"),
        Field("error_code", TEXT, "HTTP status or class of the exception"),
        Field("elapsed_ms", REAL, "time of the request", "ms"),
        Field("input_tokens", INT, "all input tokens, cached ones included", "tokens"),
        Field("cached_input_tokens", INT, "input tokens read from the provider's cache", "tokens"),
        Field("cache_write_tokens", INT, "input tokens written to the provider's cache", "tokens"),
        Field("output_tokens", INT, "all output tokens, reasoning ones included", "tokens"),
        Field("reasoning_tokens", INT, "output tokens spent on reasoning", "tokens"),
        Field("billed_cost_usd", REAL, "cost that the provider itself returned", "USD"),
        Field("recorded_cost_usd", REAL, "cost that the run computed at the time", "USD"),
        Field("cost_status", TEXT, "where the recorded cost comes from", required=True, allowed=COST_STATUS),
    ),
)

_PREPARATIONS = Table(
    "preparations",
    "Conversion and OCR of one item, once for all systems.",
    ("run_id", "item_id"),
    (
        RUN_ID,
        SUITE,
        ITEM_ID,
        Field("status", TEXT, "ok, or how it failed", required=True, allowed=("ok", "error")),
        Field("error_type", TEXT, "class of the failure, never its text"),
        Field("cache_hit", FLAG, "the text came from an earlier parse: not billed again"),
        Field("conversion_ms", REAL, "time of the conversion to PDF", "ms"),
        Field("ocr_ms", REAL, "time of parsing and OCR", "ms"),
        Field("total_ms", REAL, "conversion and OCR", "ms"),
        Field("wall_ms", REAL, "whole preparation as the client sees it", "ms"),
        Field("pages_sha256", TEXT, "SHA-256 of the normalised pages that every system is given"),
        Field("page_count", INT, "pages found", "pages"),
        Field("text_bytes", INT, "normalised text", "bytes"),
        Field("ocr_cost_usd", REAL, "charge for OCR; NULL when unknown", "USD"),
        Field("parser", TEXT, "parser, version and options, as JSON"),
    ),
)

_GPU_USAGE = Table(
    "gpu_usage",
    "Seconds that a self-hosted system held its accelerator (or processor), by kind.",
    ("run_id", "system", "interval_kind", "interval_sequence"),
    (
        RUN_ID,
        SUITE,
        SYSTEM,
        Field("track", TEXT, "item track that the interval served; NULL when it served several"),
        Field(
            "interval_kind",
            TEXT,
            "what the time was spent on; only inference is charged",
            required=True,
            allowed=("inference", "load", "download", "build", "idle"),
        ),
        _key("interval_sequence", "place among the intervals of its kind, from 1", INT),
        _key("gpu_type", "accelerator or processor, as in seeds/gpu_rates.csv"),
        _key("seconds", "length of the interval", REAL, "s"),
        Field("calls", INT, "measured calls that the interval served", "calls"),
    ),
)

_PRICES = Table(
    "prices",
    "The price snapshot that a run froze.",
    ("run_id", "model", "token_class"),
    (
        RUN_ID,
        _key("snapshot", "name of the snapshot"),
        _key("model", "exact model"),
        Field(
            "token_class",
            TEXT,
            "what is priced",
            required=True,
            allowed=("input", "cached_input", "cache_write", "output"),
        ),
        _key("usd_per_million_tokens", "list price", REAL, "USD per 1e6 tokens"),
        Field("dated_on", TEXT, "date of the snapshot"),
        Field("source", TEXT, "where the price was read"),
    ),
)

_PUBLISHED_RESULTS = Table(
    "published_results",
    "Aggregates that others published, for boards whose evidence per item is private.",
    ("source", "system", "track"),
    (
        RUN_ID,
        _key("source", "publication"),
        SUITE,
        _key("track", "board track"),
        SYSTEM,
        _key("display_name", "name shown on the board"),
        Field("endpoint_kind", TEXT, "decides the latency adjustment", required=True, allowed=ENDPOINT_KINDS),
        Field(
            "probability_kind", TEXT, "what the probabilities are", required=True, allowed=PROBABILITY_KINDS
        ),
        Field("api_flag", FLAG, "the provider saw sealed items"),
        Field("ranked", FLAG, "the publication ranks the system"),
        Field("public_n", INT, "frozen public items", "items", required=True),
        Field("public_correct", INT, "right answers among them", "items", required=True),
        Field("public_ece", REAL, "expected calibration error on public items", "share"),
        Field(
            "public_probability_coverage", REAL, "valid probability answers / frozen public items", "share"
        ),
        Field("sealed_n", INT, "frozen sealed items", "items", required=True),
        Field("sealed_correct", INT, "right answers among them", "items", required=True),
        Field("sealed_ece", REAL, "expected calibration error on sealed items", "share"),
        Field(
            "sealed_probability_coverage", REAL, "valid probability answers / frozen sealed items", "share"
        ),
        Field("matched_gap_pp", REAL, "gap over matched families; NULL when the track has none", "pp"),
        Field("p50_s", REAL, "median whole-call latency as measured", "s"),
        Field("p95_s", REAL, "p95 whole-call latency as measured", "s"),
        Field("usd_per_1000", REAL, "unit cost over receipted calls", "USD per 1,000 decisions"),
        Field("receipt_coverage", REAL, "receipted calls / frozen items", "share"),
        Field("cost_source", TEXT, "what the cost was computed from"),
        Field("note", TEXT, "remark of the publication"),
        Field("published_rank", INT, "rank in the publication; for comparison only"),
        Field("published_composite", REAL, "composite in the publication; for comparison only", "points"),
        Field("published_intelligence", REAL, "axis in the publication; for comparison only", "points"),
        Field("published_calibration", REAL, "axis in the publication; for comparison only", "points"),
        Field("published_speed", REAL, "axis in the publication; for comparison only", "points"),
        Field("published_cost", REAL, "axis in the publication; for comparison only", "points"),
        Field("published_adjusted_p50_s", REAL, "adjusted p50 in the publication; for comparison only", "s"),
        Field("published_adjusted_p95_s", REAL, "adjusted p95 in the publication; for comparison only", "s"),
    ),
)

TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        _ITEMS,
        _ITEM_OPTIONS,
        _ITEM_SEGMENTS,
        _EXPOSURES,
        _RUNS,
        _SYSTEMS,
        _OBSERVATIONS,
        _DISPATCHES,
        _CALLS,
        _PROBABILITIES,
        _PAGE_PREDICTIONS,
        _PAGE_DECISIONS,
        _REQUESTS,
        _PREPARATIONS,
        _GPU_USAGE,
        _PRICES,
        _PUBLISHED_RESULTS,
    )
}
