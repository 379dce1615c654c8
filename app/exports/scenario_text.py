"""A scenario as a file that Podwright reads again."""

from __future__ import annotations

from app.exports.work import Work


def scenario_yaml(work: Work) -> bytes:
    """The canonical form as YAML 1.2."""
    return work.document.as_yaml().encode()


def scenario_json(work: Work) -> bytes:
    """The canonical form as JSON."""
    return work.document.as_json().encode()
