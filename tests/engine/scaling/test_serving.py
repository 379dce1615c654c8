"""Models that are served: smaller the more they are."""

from __future__ import annotations

import pytest

from app.engine.scaling.serving import cheapest_to_own, lifetime_of
from app.engine.scaling.solve import Given, solve
from tests.engine.scaling.laws import array, curve, solved


def test_published_example() -> None:
    """Sardana et al. 2023: 7e9 parameters instead of 13e9 save 1.7e22 FLOP, 17 %, with 2e12 tokens served."""
    law, served = curve("inference_aware"), array(2e12)
    best = solved("inference_aware", parameters=13e9)
    smaller = solve(law, Given(parameters=array(7e9), loss=best.loss))
    saved = lifetime_of(best, served) - lifetime_of(smaller, served)
    assert saved == pytest.approx(1.7e22, rel=0.05)
    assert saved / lifetime_of(best, served) == pytest.approx(0.17, abs=0.01)
    cheapest = cheapest_to_own(law, best.loss, served, best.parameters)
    assert lifetime_of(cheapest, served) <= lifetime_of(smaller, served)


@pytest.mark.parametrize("key", ["epoch_refit", "data_constrained"])
def test_the_more_is_served_the_smaller_the_model(key: str) -> None:
    law = curve(key)
    best = solved(key, flops=1e22)
    none, some, much = (
        cheapest_to_own(law, best.loss, array(tokens), best.parameters) for tokens in (0.0, 1e12, 1e14)
    )
    assert none.parameters == pytest.approx(best.parameters, rel=1e-2)
    assert much.parameters < some.parameters < none.parameters
    assert law.loss(much.parameters, much.tokens) == pytest.approx(best.loss)
    assert much.flops > best.flops
