"""A job that runs on a fabric: on what is left of it, and what it puts on its links."""
