"""Saved work in the browser: home, saving, history, compare, and the library of designs."""
