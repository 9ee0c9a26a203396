"""Generates ``docs/reference.md`` from the models: what each computes and reads, its columns with units."""

from __future__ import annotations

from pathlib import Path

from sqlmesh import Context
from sqlmesh.core.model import Model

STEPS = ("frozen", "staging", "splits", "outcomes", "measures", "documents", "axes", "sensitivity", "board")


def reference_markdown(root: Path) -> str:
    context = Context(paths=[str(root)])
    models = {m.name.replace('"', ""): m for m in context.models.values() if not m.kind.is_external}
    steps = [step for step in STEPS if any(name.startswith(step + ".") for name in models)]
    edges = {(_step(read), _step(name)) for name, model in models.items() for read in _reads(model)}
    lines = [
        "# The models",
        "",
        "Generated from `models/` by `python -m reports.reference`; a test holds the two together. The unit",
        "of a column stands at the end of its meaning. Tables of `evidence`: see [contract.md](contract.md).",
        "",
        "```mermaid",
        "flowchart LR",
        *(f"  {source} --> {target}" for source, target in sorted(edges) if source != target),
        "```",
        "",
    ]
    for step in steps:
        lines += [f"## {step}", ""]
        for name in sorted(n for n in models if _step(n) == step):
            model = models[name]
            reads = ", ".join(f"`{r}`" for r in _reads(model))
            lines += [f"### {name}", "", model.description or "", ""]
            lines += [f"Reads {reads}.", ""] if reads else []
            lines += ["| column | type | meaning |", "| --- | --- | --- |"]
            for column, type_ in (model.columns_to_types or {}).items():
                meaning = model.column_descriptions.get(column, "").replace("|", "\\|")
                known = type_.sql("duckdb") if type_ else ""
                lines.append(f"| `{column}` | {'' if known == 'UNKNOWN' else known} | {meaning} |")
            lines.append("")
    return "\n".join(lines)


def _step(name: str) -> str:
    return name.split(".")[0]


def _reads(model: Model) -> list[str]:
    return sorted(".".join(part.strip('"') for part in name.split(".")[-2:]) for name in model.depends_on)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    (here / "docs" / "reference.md").write_text(reference_markdown(here), encoding="utf-8")
