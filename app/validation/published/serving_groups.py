"""Measured latencies of served models: by which fit they are predicted, and what they have in common."""

from __future__ import annotations

from app.validation.published.basis import Basis
from app.validation.published.groups import Grouping, band
from app.validation.published.served import ServedMeasurement

MODEL = Basis[ServedMeasurement](
    "model",
    "Each model left out",
    "with constants that were fitted without any measurement of its family of models",
    lambda one: one.model_left_out_ms,
)
SYSTEM = Basis[ServedMeasurement](
    "system",
    "Each system left out",
    "with constants that were fitted without any measurement on its accelerator",
    lambda one: one.system_left_out_ms,
)
PAIR = Basis[ServedMeasurement](
    "pair",
    "Each model on an engine left out",
    "with constants that were fitted without any measurement of its family of models on its engine",
    lambda one: one.pair_left_out_ms,
)
FITTED = Basis[ServedMeasurement](
    "fitted",
    "With all in the fit",
    "with the constants that every design uses, which were fitted to these measurements",
    lambda one: one.predicted_ms,
)
SERVING_BASES = {basis.key: basis for basis in (MODEL, SYSTEM, PAIR, FITTED)}
"""The first is the honest one: what to expect of a model nobody has measured yet."""

LOADS = (
    (4.0, "1 to 3 in flight"), (17.0, "4 to 16 in flight"), (65.0, "17 to 64 in flight"),
    (257.0, "65 to 256 in flight"), (float("inf"), "over 256 in flight"),
)  # fmt: skip
"""Bands of requests in flight, each up to its first number."""


def lengths(one: ServedMeasurement) -> str:
    """Tokens in and out of a request."""
    return f"{one.input_tokens:,} in, {one.output_tokens:,} out"


_SERVING: tuple[Grouping[ServedMeasurement], ...] = (
    Grouping("model", "Model", lambda one: one.model_key),
    Grouping("system", "System", lambda one: one.accelerator_key),
    Grouping("engine", "Engine", lambda one: one.engine),
    Grouping("precision", "Precision", lambda one: one.precision),
    Grouping("load", "Load", lambda one: band(one.concurrency, LOADS), tuple(name for _, name in LOADS)),
    Grouping("lengths", "Lengths", lengths),
)
SERVING_GROUPINGS = {grouping.name: grouping for grouping in _SERVING}
