"""An evaluation as JSON: every figure, and the scenario it was made from."""

from __future__ import annotations

from typing import Any

import orjson

from app.scenarios.document.scenario import OWN_ROWS
from app.surfaces.files.work import Work


def evaluation_json(work: Work) -> bytes:
    """The evaluation as the API gives it, with the scenario, so that importing it gives the same figures."""
    content: dict[str, Any] = {**work.evaluated.as_json, "scenario": work.document.as_dict()}
    if work.own_rows is not None:
        content[OWN_ROWS] = work.own_rows.as_dict()
    if work.revision is not None:
        content["saved"] = {"revision": work.revision, "note": work.note, "saved_at": work.dated.isoformat()}
    return orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n"
