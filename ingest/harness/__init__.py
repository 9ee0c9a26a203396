"""Makes the calls of a benchmark, recorded before and after, and seals them into evidence."""
