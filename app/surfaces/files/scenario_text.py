"""A scenario as a file that Podwright reads again."""

from __future__ import annotations

import json

from app.scenarios.reading.write_yaml import write_yaml
from app.surfaces.files.work import Work


def scenario_yaml(work: Work) -> bytes:
    """The canonical form as YAML 1.2."""
    return write_yaml(work.values).encode()


def scenario_json(work: Work) -> bytes:
    """The canonical form as JSON."""
    return (json.dumps(work.values, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
