"""The space of layouts of a design, searched, and what larger scale-up domains would bring it."""
