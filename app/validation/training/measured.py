"""What a row measured, in tokens a second and accelerator, whichever way its source prints it."""

from __future__ import annotations

import numpy as np

from app.engine.specs import Architecture
from app.engine.workload.flops import attention_flop
from app.engine.workload.transformer import parameter_counts
from app.validation.rows import Row, UnsupportedRowError

IN_BYTES = {"b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30}


def measured_tokens_per_s(row: Row, peak_flop_per_s: float | None, architecture: Architecture) -> float:
    """Measured tokens a second and accelerator: as printed, from the step time, from FLOP/s or from MFU.

    Raises
    ------
    UnsupportedRowError : nothing was measured, or in a FLOP convention that the row does not state
    """
    rate = row.number("measured_tokens_per_s_per_gpu")
    if rate:
        return rate
    step_s = row.number("measured_iteration_s")
    if step_s:
        return row.needed("global_batch_seqs") * row.needed("seq_len") / step_s / row.needed("n_accelerators")
    achieved = row.number("measured_tflops_per_gpu")
    share = row.number("measured_mfu_pct")
    if achieved:
        flop_per_s = achieved * 1e12
    elif share and peak_flop_per_s:
        flop_per_s = share / 100 * peak_flop_per_s
    else:
        raise UnsupportedRowError("no speed was measured")
    return flop_per_s / flop_per_token(row, architecture)


def measured_memory_bytes(row: Row) -> float | None:
    """Peak memory of an accelerator, in the unit that its column says: GB where it says none, as the name does.

    Raises
    ------
    UnsupportedRowError : the unit is not one of memory
    """
    peak = row.number("measured_peak_mem_gb")
    if peak is None:
        return None
    unit = (row.text("measured_peak_mem_unit") or "GB").split()[0]  # "GB as printed"
    if unit.lower() not in IN_BYTES:
        raise UnsupportedRowError(f"measured_peak_mem_unit is {unit!r}; it may be GB, GiB, MB or MiB")
    return peak * IN_BYTES[unit.lower()]


def flop_per_token(row: Row, architecture: Architecture) -> float:
    """FLOPs that the source of a row counts for a token, by its stated convention.

    Attention is as wide as its heads are together, queries and keys with values in the mean, which need not
    be the width of the model: n (qk + v) / 2. The formulas by the width alone are those of 2021, where it is.

    Raises
    ------
    UnsupportedRowError : the convention is not stated or not known
    """
    convention = row.text("flop_convention")
    a = architecture
    tokens, words = row.needed("seq_len"), row.count("vocab") or float(a.vocabulary[0])
    layers, width = float(a.layers[0]), float(a.hidden[0])
    if convention.startswith("hardware_full_recompute"):
        return 96 * layers * width**2 * (1 + tokens / (6 * width) + words / (16 * layers * width))
    if convention == "model_72Bslh2_full_attention":
        return 72 * layers * width**2 * (1 + tokens / (6 * width) + words / (12 * layers * width))
    billions = row.number("active_params_b") or row.number("params_b")
    parameters = float(parameter_counts(architecture=a).active[0]) if billions is None else billions * 1e9
    # A tied embedding multiplies each token as the output head, and is one table: nothing of it is left out.
    multiplied = parameters - (0 if a.tied_embedding[0] else words * width)
    over_all = attention_flop(a, attended=np.full(1, float(tokens)))
    attention = 3 * float((a.attention_layers * over_all)[0])  # forward, and twice that backward
    if convention.startswith("mosaic_model"):
        return 6 * parameters + attention
    if "causal_half" in convention:
        return 6 * multiplied + attention / 2
    if "full_attention" in convention:
        return 6 * multiplied + attention
    raise UnsupportedRowError(f"the FLOP convention {convention or 'is not stated'!r} cannot be converted")
