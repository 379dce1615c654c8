"""Pages for sharing saved work, and for those it was shared with."""
