"""What a pod owns over a table of years: bought, bought again, written off, and sold, by its kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.cash_flow import flows
from app.engine.economics.cash_flow.assets import Asset, asset_flows
from app.engine.economics.cash_flow.money import Money
from app.engine.economics.cash_flow.write_off import equipment_depreciation_usd, facility_depreciation_usd
from app.engine.economics.residual import value_curves, worthless_after
from app.engine.specs import Economics, Finance
from app.engine.trace import Array

EQUIPMENT_ASSETS = ("servers", "network", "storage")
BESIDE_ASSETS = ("installation", "duties")
"""Assets bought with the equipment and never sold, written off with the SuperNodes."""
FACILITY_ASSETS = ("plant", "shell")
KINDS = {
    **dict.fromkeys(EQUIPMENT_ASSETS, "equipment"),
    **{name: name for name in BESIDE_ASSETS},
    **dict.fromkeys(FACILITY_ASSETS, "facility"),
}
"""Kind of purchase by asset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """Years on the last axis, by the kind of purchase; in the money of the table, but nominal what is written off."""

    assets: dict[str, Asset]
    purchase_usd: dict[str, Array]
    replaced_sale_usd: Array  # of equipment that is bought again
    end_sale_usd: dict[str, Array]
    first_written_off_usd: dict[str, Array]
    again_written_off_usd: dict[str, Array]

    @property
    def sales_usd(self) -> dict[str, Array]:
        """What is got back, by what can be sold."""
        return {
            kind: usd + (self.replaced_sale_usd if kind == "equipment" else 0.0)
            for kind, usd in self.end_sale_usd.items()
            if kind not in BESIDE_ASSETS
        }

    @property
    def written_off_usd(self) -> dict[str, Array]:
        return {
            kind: usd + self.again_written_off_usd[kind] for kind, usd in self.first_written_off_usd.items()
        }


def assets_of(
    bought_usd: Mapping[str, Array], economics: Economics, assumptions: EconomicsAssumptions
) -> dict[str, Asset]:
    """The bill by its lives, but for land, which keeps its price."""
    curves = value_curves(economics)
    shell = bought_usd["facility"] * assumptions.shell_share
    none = worthless_after(economics.life_years)
    prices = {"servers": bought_usd["servers"] + bought_usd["spares"]} | {
        name: bought_usd[name] for name in EQUIPMENT_ASSETS[1:]
    }
    return {
        **{name: Asset(price_usd=usd, curve=curves[name]) for name, usd in prices.items()},
        **{name: Asset(price_usd=bought_usd[name], curve=none) for name in BESIDE_ASSETS},
        "plant": Asset(
            price_usd=bought_usd["facility"] - shell, curve=worthless_after(assumptions.facility_life_years)
        ),
        "shell": Asset(price_usd=shell, curve=worthless_after(assumptions.shell_life_years)),
    }


def holdings(
    assets: dict[str, Asset], *, land_usd: Array, economics: Economics, terms: Money, years: Array
) -> Holdings:
    """Over the life of the SuperNodes.

    Books are a pool: what is bought again comes in, and what replaced equipment sells for goes out.
    """
    life = economics.life_years
    found = {
        name: asset_flows(
            asset,
            terms=terms,
            years=years,
            horizon_years=life,
            write_off_years=_write_off_years(economics.finance) if name in FACILITY_ASSETS else None,
        )
        for name, asset in assets.items()
    }
    again = _by_kind({name: one.again_written_off_usd for name, one in found.items()})
    return Holdings(
        assets=assets,
        purchase_usd=_by_kind({name: one.purchase_usd for name, one in found.items()})
        | {"land": np.where(years == 0, land_usd, 0.0)},
        replaced_sale_usd=_total({name: one.replaced_sale_usd for name, one in found.items()}),
        end_sale_usd=_by_kind({name: one.end_sale_usd for name, one in found.items()})
        | {
            "land": flows.sale_usd(
                price_usd=land_usd,
                worth_share=np.ones(1),
                years=years,
                last_year=np.ceil(life),
                growth=terms.growth,
            )
        },
        first_written_off_usd=_first_written_off(assets, economics, years),
        again_written_off_usd={kind: again[kind] for kind in ("equipment", "facility")},
    )


def price_of(assets: Mapping[str, Asset], names: tuple[str, ...]) -> Array:
    """What assets cost together."""
    return _total({name: assets[name].price_usd for name in names})


def _first_written_off(assets: dict[str, Asset], economics: Economics, years: Array) -> dict[str, Array]:
    """Depreciation for tax of what is bought at the beginning, in nominal money. Land is not written off."""
    finance = economics.finance
    owned = flows.year_share(life_years=economics.life_years, years=years)
    beside = {"servers": price_of(assets, BESIDE_ASSETS)}
    equipment = [
        equipment_depreciation_usd(
            method=finance.depreciation,
            price_usd=assets[kind].price_usd + beside.get(kind, 0.0),
            residual_usd=assets[kind].price_usd * assets[kind].curve.residual_value,
            bonus_depreciation=finance.bonus_depreciation,
            life_years=assets[kind].curve.life_years,
            write_off_years=finance.equipment_write_off_years,
            years=years,
            year_share=owned,
        )
        for kind in EQUIPMENT_ASSETS
    ]
    return {
        "equipment": sum(equipment, np.zeros(1)),
        "facility": facility_depreciation_usd(
            facility_usd=price_of(assets, FACILITY_ASSETS),
            write_off_share_per_year=finance.building_write_off_share_per_year,
            years=years,
            year_share=owned,
        ),
    }


def _write_off_years(finance: Finance) -> Array:
    """Years in which a building is written off; without end where the law gives none."""
    share = finance.building_write_off_share_per_year
    return np.where(share > 0, 1 / np.where(share > 0, share, 1.0), 1e9)


def _by_kind(of_assets: dict[str, Array]) -> dict[str, Array]:
    """Sums of assets by the kind of purchase."""
    found: dict[str, Array] = {}
    for name, usd in of_assets.items():
        found[KINDS[name]] = found[KINDS[name]] + usd if KINDS[name] in found else usd
    return found


def _total(parts: dict[str, Array]) -> Array:
    return sum(parts.values(), np.zeros(1))
