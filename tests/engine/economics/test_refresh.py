"""When to replace: by hand, at its limits, and never against what is marginal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.economics import refresh
from tests.support import number

MONTH = np.arange(1.0, 241.0)


def level_of(
    *,
    price: float = 100,
    used: float = 0.8,
    decline: float = 0.3,
    rent: float = 5,
    cost: float = 1,
    rate: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Level worth and gain by month; rent and cost are of a month."""
    gain = refresh.gain_by_age_usd_per_month(
        rent_by_age_usd_per_hour=refresh.rent_by_age_usd_per_hour(
            rent_usd_per_hour=number(rent), decline_per_year=number(decline), month=MONTH
        ),
        used_hours_per_month=number(1),
        opex_usd_per_year=number(12 * cost),
    )
    worth = refresh.worth_until_usd(
        price_usd=number(price),
        resale_usd=price * used * (1 - decline) ** (MONTH / 12),
        gain_usd_per_month=gain,
        month=MONTH,
        monthly_rate=number(rate),
    )
    level = refresh.level_worth_usd_per_month(worth_until_usd=worth, month=MONTH, monthly_rate=number(rate))
    return level, gain


def test_a_month_by_hand() -> None:
    """Without interest and decline: bought at 100, sold at 80, 4 left of each month: (12 x 4 - 20) / 12 after a year."""
    level, gain = level_of(decline=0)
    assert gain == pytest.approx(4)
    assert level[11] == pytest.approx(28 / 12)
    assert level[0] == pytest.approx(-16)


def test_the_last_month_that_pays_by_hand() -> None:
    # 5 x 0.7^((m - 1) / 12) is 1 after 12 ln 5 / -ln 0.7 = 54.15 months: month 55 is the last.
    _, gain = level_of()
    assert refresh.last_month_that_pays(gain_usd_per_month=gain, month=MONTH) == 55
    _, gain = level_of(rent=0.5)
    assert refresh.last_month_that_pays(gain_usd_per_month=gain, month=MONTH) == 0
    _, gain = level_of(decline=0)
    assert np.isinf(refresh.last_month_that_pays(gain_usd_per_month=gain, month=MONTH))


def test_nothing_new_is_worth_buying_where_it_never_pays_or_never_ages() -> None:
    for terms in ({"rent": 1.5}, {"decline": 0.0}):
        level, _ = level_of(**terms)
        assert np.isinf(refresh.best_month_to_replace(level_worth_usd_per_month=level, month=MONTH))
    unknown = np.full(240, np.nan)
    assert np.isnan(refresh.best_month_to_replace(level_worth_usd_per_month=unknown, month=MONTH))
    assert np.isnan(refresh.last_month_that_pays(gain_usd_per_month=unknown, month=MONTH))


@pytest.mark.slow
@settings(max_examples=60)
@given(
    decline=st.floats(0.05, 0.6), rent=st.floats(1, 30), cost=st.floats(0.1, 2), rate=st.floats(0, 0.02),
    used=st.floats(0, 1),
)  # fmt: skip
def test_the_best_age_is_never_past_what_pays(
    decline: float, rent: float, cost: float, rate: float, used: float
) -> None:
    """No other month is better, and at a worth above nothing the last month kept still covers its cost."""
    level, gain = level_of(decline=decline, rent=rent, cost=cost, rate=rate, used=used)
    best = float(refresh.best_month_to_replace(level_worth_usd_per_month=level, month=MONTH))
    if np.isinf(best):
        return
    assert level[int(best) - 1] == level.max() > 0
    assert best <= refresh.last_month_that_pays(gain_usd_per_month=gain, month=MONTH)
