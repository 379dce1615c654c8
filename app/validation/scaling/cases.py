"""Which figure of which law a row asks for."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.additive import parameters_exponent, training_flop
from app.engine.scaling.choose import LawInputs, curve_of
from app.engine.scaling.coefficients import (
    additive_coefficients,
    joint_coefficients,
    repeated_coefficients,
    slope,
)
from app.engine.scaling.curve import Curve
from app.engine.scaling.frontier import tokens_growth
from app.engine.scaling.repetition import effective_amount
from app.engine.scaling.routing import effective_dense_parameters, saturating_experts
from app.engine.scaling.serving import lifetime_of
from app.engine.scaling.solve import Given, optimal, solve
from app.engine.trace import Array
from app.validation.rows import UnsupportedRowError
from app.validation.scaling.figures import Figures

Predict = Callable[[Figures], Array]
INFINITE = np.array([np.inf])
SERVED_EXAMPLE = (np.array([13e9]), np.array([7e9]))
"""Parameters of the two models that the published example compares."""


def predicted(figures: Figures) -> float:
    """The figure that a row asks for, by the engine.

    Raises
    ------
    UnsupportedRowError : no shipped law has it
    """
    for law, what, predict in CASES:
        if re.fullmatch(law, figures.law) and re.search(what, figures.what):
            return float(predict(figures)[0])
    raise UnsupportedRowError(f"no shipped law gives {figures.what!r} of {figures.law!r}")


def _curve(key: str, inputs: LawInputs | None = None) -> Curve:
    laws = scaling_laws()
    return curve_of(laws[key], laws, inputs or LawInputs())


def _constant(key: str, name: str) -> Array:
    return np.array(scaling_laws()[key].value(name))


def _table_tokens(key: str) -> Predict:
    """Tokens of a printed frontier: its compute over 6 N."""

    def predict(figures: Figures) -> Array:
        parameters = figures.given("N")
        for point in scaling_laws()[key].points:
            if np.isclose(point.parameters, parameters[0], rtol=1e-6):
                compute = np.array([point.flops])
                return solve(_curve(key), Given(parameters=parameters, flops=compute)).tokens
        raise UnsupportedRowError(f"the printed table has no model of {parameters[0]:g} parameters")

    return predict


def _slope(key: str) -> Predict:
    return lambda figures: np.array([slope(scaling_laws()[key])])


def _best_parameters(key: str) -> Predict:
    return lambda figures: optimal(_curve(key), figures.given("C")).parameters


def _best_ratio(key: str) -> Predict:
    def predict(figures: Figures) -> Array:
        best = optimal(_curve(key), figures.given("C"))
        return best.tokens / best.parameters

    return predict


def _loss(key: str) -> Predict:
    return lambda figures: _curve(key).loss(figures.given("N"), figures.given("D"))


def _refit_exponent(figures: Figures) -> Array:
    laws = scaling_laws()
    return np.atleast_1d(parameters_exponent(coefficients=additive_coefficients(laws["epoch_refit"], laws)))


def _kaplan_doubling(figures: Figures) -> Array:
    kaplan = _curve("kaplan")
    one = np.array([1e9])
    return kaplan.loss(2 * one, INFINITE) / kaplan.loss(one, INFINITE)


def _kaplan_data(figures: Figures) -> Array:
    return tokens_growth(
        parameters_growth=np.array([8.0]), tokens_per_parameters_exponent=_constant("kaplan", "data_exponent")
    )


def _implied_exponent(figures: Figures) -> Array:
    """The exponent with which the printed prefactor gives the tokens of the anchor."""
    (anchor,) = scaling_laws()["llama_3"].points
    return np.log((anchor.tokens or np.nan) / _constant("llama_3", "cap_a")) / np.log(figures.given("C"))


def _six_n_d(figures: Figures) -> Array:
    parameters, tokens = figures.product
    return training_flop(parameters=parameters, tokens=tokens)


def _closing(figures: Figures) -> Array:
    return np.atleast_1d(_constant("deepseek", "m0") * _constant("deepseek", "d0"))


def _repeated_constant(figures: Figures) -> Array:
    found = repeated_coefficients(scaling_laws()["data_constrained"])
    values = {"A": found.cap_a, "B": found.cap_b, "E": found.irreducible}
    name = figures.row.text("quantity")
    if name not in values:
        raise UnsupportedRowError(f"the constant {name!r} is none of A, B, E")
    return np.atleast_1d(values[name])


def _repeated_loss(figures: Figures) -> Array:
    unique = float(figures.given("U")[0])
    law = _curve("data_constrained", LawInputs(unique_tokens=unique))
    return law.loss(figures.given("N"), figures.given("D"))


def _epochs(figures: Figures) -> Array:
    return effective_amount(
        total=figures.given("epochs"), unique=np.ones(1), decay=_constant("data_constrained", "r_d")
    )


def _joint(figures: Figures) -> Array:
    found = joint_coefficients(scaling_laws()["moe_joint"], float(figures.given("E")[0]))
    values = {"m": found.cap_a, "mu": -found.alpha, "n": found.cap_b, "nu": -found.beta}
    name = figures.row.text("quantity")
    if name not in values:
        raise UnsupportedRowError(f"the constant {name!r} is none of m, mu, n, nu")
    return np.atleast_1d(values[name])


def _dense(figures: Figures) -> Array:
    e_start = _constant("moe_routed", "e_start")
    experts = saturating_experts(
        experts=figures.given("E"), e_start=e_start, e_max=_constant("moe_routed", "e_max")
    )
    return effective_dense_parameters(
        parameters=figures.given("N"),
        saturating_experts=experts,
        e_start=e_start,
        **{name: _constant("moe_routed", name) for name in ("a", "b", "c")},
    )


def _saved(figures: Figures) -> Array:
    served = figures.given("Din")
    law = _curve("inference_aware", LawInputs(inference_tokens=float(served[0])))
    large, small = SERVED_EXAMPLE
    best = solve(law, Given(parameters=large))
    smaller = solve(law, Given(parameters=small, loss=best.loss))
    return lifetime_of(best, served) - lifetime_of(smaller, served)


UNROUNDED = r"Chinchilla approach 3 \(?unrounded.*"
CASES: tuple[tuple[str, str, Predict], ...] = (
    ("Chinchilla approach 1", r"^Table .*D tokens", _table_tokens("chinchilla_1")),
    ("Chinchilla approach 2", r"^Table .*D tokens", _table_tokens("chinchilla_2")),
    ("Chinchilla approach 1", r"first and last", _slope("chinchilla_1")),
    ("Chinchilla approach 2", r"first and last", _slope("chinchilla_2")),
    ("Chinchilla approach 3", r"first and last", _slope("chinchilla_3")),
    (UNROUNDED, r"N params", _best_parameters("chinchilla_3")),
    (UNROUNDED, r"tokens per parameter", _best_ratio("chinchilla_3")),
    ("Epoch refit.*", r"tokens per parameter", _best_ratio("epoch_refit")),
    ("Epoch refit.*", r"exponent of N_opt", _refit_exponent),
    ("Epoch refit.*", r"loss nats", _loss("epoch_refit")),
    ("Kaplan", r"^doubling N", _kaplan_doubling),
    ("Kaplan", r"^8x model \| data factor", _kaplan_data),
    ("Llama 3 IsoFLOP", r"^alpha implied", _implied_exponent),
    ("Llama 3 IsoFLOP", r"^6ND", _six_n_d),
    ("DeepSeek LLM", r"product of prefactors", _closing),
    ("Data-constrained", r"^constants", _repeated_constant),
    ("Data-constrained", r"\| loss", _repeated_loss),
    ("Data-constrained", r"^repeat", _epochs),
    ("Joint MoE", r"^E=", _joint),
    ("Clark routed LM", r"effective dense", _dense),
    ("Inference-aware", r"FLOP saved", _saved),
)
"""Law, words of its case and quantity, and what predicts them; the first that fits."""
