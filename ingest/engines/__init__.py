"""One adapter a provider, all behind ``ingest.engines.protocol``."""
