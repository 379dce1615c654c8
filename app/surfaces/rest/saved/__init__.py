"""Saved scenarios and designs over REST: one set of routes, written once for both."""
