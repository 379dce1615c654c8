"""What a node does while it is measured, as one of the load profiles that the engine knows."""

from __future__ import annotations

import re

from app.validation.power.statement import Statement

LARGE_BATCH, STRONG_SCALED, SERVING = "large_batch", "strong_scaled", "serving"
FINE_TUNING_SAMPLES = 64
"""Samples in a step of fine-tuning: submissions of MLPerf Training use 8 to 128, whatever the count of nodes."""

INFERENCE = r"\b(offline|interactive|inference|serving|tokens/s|samples/s|queries/s)\b"
SERVER_SCENARIO = re.compile(r"\bServer\b")
"""The scenario of MLPerf Inference, with its capital; a server is a node."""
FINE_TUNING = r"\b(lora|fine-?tun\w*|sft)\b"
OTHER_NETWORKS = r"\b(sdxl|whisper|rgat|r-gat|dlrm\w*|gnn)\b"
"""Served networks that are not language models: nobody says how they load a node."""


def profile_of(statement: Statement, accelerators: int) -> str:
    """The load profile of a row.

    Inference is serving. Training is strong-scaled where a step has fewer samples than accelerators, so
    that each sample is divided: fine-tuning on many nodes. Everything else is training with a large batch.

    Parameters
    ----------
    accelerators : of the whole job
    """
    serves = statement.says(INFERENCE) or SERVER_SCENARIO.search(statement.said_as_printed)
    if serves and not statement.says(FINE_TUNING):
        return SERVING
    if statement.says(FINE_TUNING) and accelerators > FINE_TUNING_SAMPLES:
        return STRONG_SCALED
    return LARGE_BATCH
