"""Bodies of quantities as Excel formulas: brackets, functions, and what has no counterpart."""

from __future__ import annotations

import pytest

from app.surfaces.files.workbook.cost_model import NoFormulaError, excel_formula

CELLS = {"a": "alpha", "b": "beta", "c": "gamma"}


@pytest.mark.parametrize(
    ("body", "formula"),
    [
        ("return a + b * c", "=alpha+beta*gamma"),
        ("return (a + b) * c", "=(alpha+beta)*gamma"),
        ("return a - (b - c)", "=alpha-(beta-gamma)"),
        ("return a - b - c", "=alpha-beta-gamma"),
        ("return a / (b * c)", "=alpha/(beta*gamma)"),
        ("return -(a + b)", "=-(alpha+beta)"),
        ("return -(a**2)", "=-(alpha^2)"),
        ("return a * -b", "=alpha*(-beta)"),
        ("return a / 1e12 * 0.5", "=alpha/1000000000000*0.5"),
        ("share = a / b\nreturn share * (1 - share)", "=alpha/beta*(1-alpha/beta)"),
        ("return np.where(a <= 0, np.inf, b / a)", '=IF(alpha<=0,"infinite",beta/alpha)'),
        ("return np.where(np.isnan(a), b, a)", "=IF(NOT(ISNUMBER(alpha)),beta,alpha)"),
        ("return np.where(a == 0, 1.0, b)", "=IF(alpha=0,1,beta)"),
        ("return np.ceil(np.minimum(a, 1))", "=ROUNDUP(MIN(alpha,1),0)"),
        ("return -np.expm1(-a * np.log1p(b))", "=-(EXP(-alpha*LN(1+beta))-1)"),
        ("return 1e-15 + a", "=1E-15+alpha"),
    ],
)
def test_a_body_becomes_a_formula_with_the_brackets_it_needs(body, formula):
    assert excel_formula(body, CELLS, {}) == formula


def test_a_quantity_that_the_body_calls_is_the_cell_of_its_value():
    body = "return payback(price=a, gain=b) + c"
    assert excel_formula(body, CELLS, {"payback": "payback_months"}) == "=payback_months+gamma"


@pytest.mark.parametrize(
    "body",
    [
        "return np.interp(a, b, c)",
        "return a @ b",
        "return other(a)",
        "for x in a:\n    pass\nreturn a",
        "a + b",
    ],
)
def test_what_excel_cannot_compute_is_refused(body):
    with pytest.raises(NoFormulaError):
        excel_formula(body, CELLS, {})
