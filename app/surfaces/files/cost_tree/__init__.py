"""The cost tree of a design as files."""
