"""Published figures of scaling laws against the laws of the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.scaling_laws import scaling_laws
from app.catalog.validated import SCALING_FIGURES_FILE
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
from app.engine.scaling.routing import effective_amount, effective_dense_parameters, saturating_experts
from app.engine.scaling.serving import lifetime_of
from app.engine.scaling.solve import Given, optimal, solve
from app.engine.trace import Array
from app.validation.study import Checked, Compared, Prediction, Row, Study, UnsupportedRowError, one_by_one

# What a row states: letters with numbers, such as N=6.34e9 D=242e9, and sizes in words.

STATED = re.compile(r"([A-Za-z]+)=([-+0-9.eE]+)")
PRODUCT = re.compile(r"([0-9.]+)B x ([0-9.]+)T")
COLUMNS = ("law", "case", "quantity", "published")


@dataclass(frozen=True)
class Figures:
    """One row, read."""

    row: Row

    @property
    def law(self) -> str:
        return self.row.text("law")

    @property
    def what(self) -> str:
        """Case and quantity, by which a row is told from the others of its law."""
        return f"{self.row.text('case')} | {self.row.text('quantity')}"

    def given(self, letter: str) -> Array:
        """A number of the column `input`, which may stand in `case` too.

        Raises
        ------
        UnsupportedRowError : it is not stated
        """
        for column in ("input", "case"):
            for name, number in STATED.findall(self.row.text(column)):
                if name == letter:
                    return np.array([_number(number)])
        raise UnsupportedRowError(f"{letter} is not given in the column input")

    @property
    def product(self) -> tuple[Array, Array]:
        """Parameters and tokens of an input such as 402B x 16.55T.

        Raises
        ------
        UnsupportedRowError : it is not stated
        """
        found = PRODUCT.search(self.row.text("input"))
        if not found:
            raise UnsupportedRowError("parameters and tokens are not given, such as 402B x 16.55T")
        return np.array([_number(found[1]) * 1e9]), np.array([_number(found[2]) * 1e12])


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UnsupportedRowError(f"{text!r} is not a number") from None


# Which figure of which law a row asks for.

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


# Why a published figure is not what its own law gives, where that is known.

CLOSE = 0.01
"""Figures within this share of one another agree."""

ROUNDED = (
    "printed to two digits: 6 N D of the printed parameters and tokens misses the printed compute by as much"
)
REASONS = (
    ("Chinchilla approach 1", r"^Table .*D tokens", ROUNDED),
    ("Chinchilla approach 2", r"^Table .*D tokens", ROUNDED),
    (
        r"Chinchilla approach 3 \(unrounded.*",
        r"N params",
        "a biased fit: even unrounded, the printed constants do not give the printed table (Besiroglu et al. 2024)",
    ),
    (
        "Llama 3 IsoFLOP",
        r"^alpha implied",
        "printed to two digits: 0.53 and 0.29 do not give the published tokens, so the anchor is used",
    ),
    ("Llama 3 IsoFLOP", r"^6ND of recommendation", "its FLOPs are not counted as 6 N D"),
    ("Inference-aware", r"FLOP saved", "read off a figure and printed to two digits (17 % against 16.3 %)"),
)


def agree(one: float, other: float) -> bool:
    """Return whether two figures are within 1 % of one another."""
    return abs(one - other) <= CLOSE * abs(other)


def reason_for(figures: Figures) -> str:
    """Why the published figure of a row differs, empty where nothing is known."""
    for law, what, reason in REASONS:
        if re.fullmatch(law, figures.law) and re.search(what, figures.what):
            return reason
    return ""


# The study.


class Agreement(NamedTuple):
    """How near a figure is to what is published, and to what the file itself computed.

    `reason` says why ours differs from what is published, "" where it does not or no one knows.
    """

    agrees: bool
    computed: float | None
    as_computed: bool | None
    reason: str


def _checked(row: Row, catalog: Catalog) -> Checked[Agreement]:
    """A difference is explained where the file's own `computed` shows the same one and its cause is known."""
    published = row.number("published")
    if not published:
        raise UnsupportedRowError("published is empty or zero")
    asked = Figures(row)
    ours, computed = predicted(asked), row.number("computed")
    agrees = agree(ours, published)
    same = None if computed is None else agree(ours, computed)
    reason = reason_for(asked) if same and not agrees else ""
    prediction = Prediction(
        key=row.key, family=row.text("law"), groups={}, measured=published, predicted=ours
    )
    return Checked(row, prediction, Agreement(agrees, computed, same, reason))


def _agreement(compared: Compared[Agreement]) -> dict[str, Any]:
    differing = [one for one in compared.figures if not one.found.agrees or one.found.as_computed is False]
    return {
        "within_1_pct_of_published": sum(one.found.agrees for one in compared.figures),
        "with_computed": sum(one.found.computed is not None for one in compared.figures),
        "within_1_pct_of_computed": sum(bool(one.found.as_computed) for one in compared.figures),
        "explained": [_entry(one) for one in differing if one.found.reason],
        "unexplained": [_entry(one) for one in differing if not one.found.reason],
    }


def _entry(one: Checked[Agreement]) -> dict[str, Any]:
    return {
        "id": one.row.key,
        **{name: one.row.text(name) for name in ("law", "case", "input")},
        "published": one.prediction.measured,
        "predicted": one.prediction.predicted,
        "computed": one.found.computed,
        "reason": one.found.reason,
    }


def _differences(extra: Mapping[str, Any]) -> Iterator[str]:
    for name in ("explained", "unexplained"):
        if extra[name]:
            yield from ("", f"more than 1 % from what is published, {name}")
        for one in extra[name]:
            share = 100 * (one["predicted"] / one["published"] - 1)
            what = " ".join(word for word in (one["law"], one["case"], one["input"]) if word)
            yield f"  {one['id']}: {what}: {share:+.1f} %{'; ' if one['reason'] else ''}{one['reason']}"


SCALING = Study(
    kind="scaling",
    file=SCALING_FIGURES_FILE,
    columns=COLUMNS,
    predict=one_by_one(_checked),
    extra=_agreement,
    counts=("within_1_pct_of_published", "with_computed", "within_1_pct_of_computed"),
    more=_differences,
)
