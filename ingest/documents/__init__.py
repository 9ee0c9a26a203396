"""Documents: preparation of pages, document sets on disk, and a generator of synthetic ones."""
