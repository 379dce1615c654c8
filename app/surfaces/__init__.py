"""Surfaces: pages, REST, command line and files."""
