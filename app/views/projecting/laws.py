"""The scaling laws as plain JSON."""

from __future__ import annotations

from typing import Any

from app.catalog.scaling_laws import DEFAULT_LAW, scaling_laws
from app.engine.scaling.choose import NEEDS, SERVING, SERVING_INPUT
from app.engine.scaling.law import ScalingLaw


def laws_answer() -> dict[str, Any]:
    """Every law, the default first."""
    return {"default": DEFAULT_LAW, "items": [law_answer(law) for law in scaling_laws().values()]}


def law_answer(law: ScalingLaw) -> dict[str, Any]:
    """A law as plain JSON."""
    spans = {name: {"low": span.low, "high": span.high} for name, span in law.spans.items()}
    return {
        "key": law.key,
        "name": law.name,
        "formula": law.formula,
        "confidence": law.confidence,
        "source": law.source,
        "note": law.note,
        "base": law.base or None,
        "needs": SERVING_INPUT if law.key == SERVING else NEEDS.get(law.form),
        "fitted": spans,
        "constants": [
            {
                "name": name,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "probability": one.probability,
                "standard_error": one.standard_error,
                "confidence": one.confidence,
                "note": one.note,
            }
            for name, one in law.constants.items()
        ],
    }
