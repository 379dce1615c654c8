"""A served model in detail, over HTTP."""
