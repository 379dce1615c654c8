"""The whole sections: every figure explains itself, and renting is named where it is cheaper."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.engine.economics.section import economics_problems, evaluate_carbon, evaluate_cost
from app.engine.leaves import leaves
from app.engine.trace import Origin, Traced, traced_input
from app.engine.units import unit_of
from tests.engine.economics.pods import economics, evaluate, pod


def traced(item: Any, path: str = "") -> Any:
    """The same record with every number wrapped as an input."""
    if isinstance(item, SimpleNamespace):
        return SimpleNamespace(**{k: traced(v, f"{path}.{k}") for k, v in vars(item).items()})
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        names = [field.name for field in dataclasses.fields(item)]
        return dataclasses.replace(item, **{n: traced(getattr(item, n), f"{path}.{n}") for n in names})
    if isinstance(item, dict):
        return {k: traced(v, f"{path}.{k}".lstrip(".")) for k, v in item.items()}
    if isinstance(item, np.ndarray):
        return traced_input(path, item, unit_of(path), Origin(kind="scenario", source="test"))
    return item


@pytest.mark.parametrize(("name", "evaluate_section"), [("cost", evaluate_cost), ("carbon", evaluate_carbon)])
def test_every_figure_explains_itself(name: str, evaluate_section: Any) -> None:
    given = pod()
    with np.errstate(invalid="ignore", divide="ignore"):
        bare = dict(leaves(evaluate_section(**given), name))
        explained = dict(leaves(evaluate_section(**traced(given)), name))
    assert bare.keys() == explained.keys()
    for path, figure in explained.items():
        assert isinstance(figure, Traced), path
        assert figure.node.kind == "quantity"
        assert figure.node.name == path
        np.testing.assert_array_equal(figure.value, bare[path], err_msg=path)
        for node in figure.node.walk():
            assert node.inputs or node.kind == "input", (path, node.name)


def test_renting_is_cheaper() -> None:
    terms = economics(utilisation=0.3)
    (problem,) = economics_problems(economics=terms, cost=evaluate(economics=terms))
    assert problem.kind == "warning"
    assert problem.fix is not None
    assert isinstance(problem.fix.value, float)
    mended = economics(utilisation=problem.fix.value + 1e-9)
    assert economics_problems(economics=mended, cost=evaluate(economics=mended)) == []


def test_owning_never_pays() -> None:
    terms = economics(rental_on_demand_usd_per_accelerator_hour=0.5)
    (problem,) = economics_problems(economics=terms, cost=evaluate(economics=terms))
    assert problem.fix is None
    assert "no utilisation" in problem.message


def test_unknown_raises_no_problem() -> None:
    terms = economics(rental_on_demand_usd_per_accelerator_hour=np.nan)
    assert economics_problems(economics=terms, cost=evaluate(economics=terms)) == []
