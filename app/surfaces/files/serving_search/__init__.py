"""A search of a served model as text and as files."""
