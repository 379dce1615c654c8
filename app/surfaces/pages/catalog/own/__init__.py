"""The pages where a workspace states its own rows of the catalog: a form a kind, imports, and what to look over."""
