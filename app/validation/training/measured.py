"""What a row measured, in tokens a second and accelerator, whichever way its source prints it."""

from __future__ import annotations

from app.validation.rows import Row, UnsupportedRowError


def measured_tokens_per_s(row: Row, peak_flop_per_s: float | None) -> float:
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
    return flop_per_s / flop_per_token(row)


def flop_per_token(row: Row) -> float:
    """FLOPs that the source of a row counts for a token, by its stated convention.

    Raises
    ------
    UnsupportedRowError : the convention is not stated or not known
    """
    convention = row.text("flop_convention")
    layers, width = row.needed("layers"), row.needed("hidden")
    tokens, words = row.needed("seq_len"), row.count("vocab") or 0
    if convention.startswith("hardware_full_recompute"):
        return 96 * layers * width**2 * (1 + tokens / (6 * width) + words / (16 * layers * width))
    if convention == "model_72Bslh2_full_attention":
        return 72 * layers * width**2 * (1 + tokens / (6 * width) + words / (12 * layers * width))
    billions = row.number("active_params_b") or row.number("params_b")
    if billions is None:
        raise UnsupportedRowError("its FLOPs count parameters, and the row gives none")
    parameters = billions * 1e9
    attention = 12 * layers * width * tokens
    if convention.startswith("mosaic_model"):
        return 6 * parameters + attention
    if "causal_half" in convention:
        return 6 * (parameters - words * width) + attention / 2
    if "full_attention" in convention:
        return 6 * (parameters - words * width) + attention
    raise UnsupportedRowError(f"the FLOP convention {convention or 'is not stated'!r} cannot be converted")
