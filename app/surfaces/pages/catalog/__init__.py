"""The catalog pages: kinds, the table of a kind, and one row with its sources."""
