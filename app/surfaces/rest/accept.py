"""The forms that an answer can be asked for in."""

from __future__ import annotations

from app.surfaces.rest.bodies import JSON


def prefers_yaml(accept: str) -> bool:
    """Return whether an Accept header asks for YAML. Only an explicit wish does: */* is for what is the default."""
    return "yaml" in accept and JSON not in accept
