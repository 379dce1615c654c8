"""One measured latency of a served model, beside what the engine says of it by every fit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedMeasurement:
    """Times in milliseconds.

    `predicted_ms` is with the shipped constants, `model_left_out_ms`, `system_left_out_ms` and `pair_left_out_ms` with
    constants fitted without the measurements of its family of models, of its accelerator, or of its family on its engine. `low_ms` and `high_ms` are the 80 %
    interval of the prediction without its family. `concurrency` and `accelerators` are of one instance, or of one group
    of prefill and decode instances. `assumed` is what stands for what its source leaves open.
    """

    id: str
    model_key: str
    accelerator_key: str
    engine: str
    era: str
    precision: str
    accelerators: int
    input_tokens: int
    output_tokens: int
    concurrency: float
    layout: str
    measured_ms: float
    predicted_ms: float
    model_left_out_ms: float
    system_left_out_ms: float
    pair_left_out_ms: float
    low_ms: float
    high_ms: float
    assumed: tuple[str, ...]

    @property
    def family(self) -> str:
        """What counts as one source: all measurements of a family of models."""
        return self.model_key

    @property
    def measured(self) -> float:
        return self.measured_ms

    @property
    def low(self) -> float:
        return self.low_ms

    @property
    def high(self) -> float:
        return self.high_ms

    @property
    def deployment(self) -> tuple[object, ...]:
        """What the same deployment has in common under every load."""
        return (
            self.model_key, self.accelerator_key, self.engine, self.era, self.precision, self.accelerators,
            self.layout, self.input_tokens, self.output_tokens,
        )  # fmt: skip
