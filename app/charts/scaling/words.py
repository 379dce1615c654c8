"""Sizes of models and of runs, as people say them."""

from __future__ import annotations

from app.charts.format import THIN_SPACE, TIMES, WIDE_SPACE, brief, number, rounded, show

NAMES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))


def parameters_text(parameters: float) -> str:
    """
    >>> parameters_text(7.06e10).replace(WIDE_SPACE, " ")
    '70.6 billion'
    """
    for size, name in NAMES:
        if parameters >= size * 0.9995:
            return f"{brief(parameters / size)}{WIDE_SPACE}{name}"
    return brief(parameters)


def tokens_text(tokens: float) -> str:
    """
    >>> tokens_text(1.56e13).replace(WIDE_SPACE, " ").replace(THIN_SPACE, " ")
    '15.6 T tokens'
    """
    if tokens >= 1e17:
        return f"{number(tokens)}{WIDE_SPACE}tokens"
    return show(rounded(tokens), "tokens").text


def flop_text(flops: float) -> str:
    """
    >>> flop_text(5.76e23).replace(THIN_SPACE, " ")
    '5.76×10²³ FLOP'
    """
    return f"{power_text(flops)}{THIN_SPACE}FLOP"


def power_text(value: float) -> str:
    """A large number by its power of ten, as compute is written.

    >>> power_text(6e18), power_text(1e21), power_text(350.0)
    ('6×10¹⁸', '10²¹', '350')
    """
    if value < 1e4:
        return brief(value)
    mantissa, exponent = f"{value:.2e}".split("e")
    short = mantissa.rstrip("0").rstrip(".")
    raised = str(int(exponent)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if short == "1" else f"{short}{TIMES}10{raised}"


def loss_text(loss: float | None) -> str:
    """Three decimals: laws that agree differ in the second."""
    return "not said" if loss is None else f"{loss:.3f}"
