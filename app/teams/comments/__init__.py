"""Comments on saved work: threads of one level, on the whole, on a field or on a result, and who they name."""
