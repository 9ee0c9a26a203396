"""Shows the registered Parquet files to the models."""

from sqlmesh import macro


@macro()
def register_evidence(evaluator):
    """Recreate the views ``evidence.*`` over exactly the registered files; refuses when one of them changed.

    The warehouse is the folder of the DuckDB file, so the result does not depend on the working directory.
    """
    # Imported here: SQLMesh stores a macro's source, and a module-level import would be stored with it.
    from pathlib import Path

    from ingest.landing import evidence_views
    from ingest.project import Project

    if evaluator.runtime_stage != "before_all":
        return []
    database = evaluator.engine_adapter.fetchone("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL")
    return evidence_views(Project(Path(database[0]).parent.parent))
