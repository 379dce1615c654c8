"""On what terms a pod is bought, paid for or rented."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class RentalTerms:
    """A kind of rental terms, in the words of every surface. `place` is where its price stands in a scenario."""

    key: str
    title: str
    rented: str  # after "rented"
    choice: str  # the choice in a sentence, after "than"
    place: str
    pays_booked: bool = False  # a commitment to the peak is paid, used or not


RENTAL_TERMS = {
    terms.key: terms
    for terms in (
        RentalTerms(
            key="on_demand",
            title="On demand",
            rented="on demand",
            choice="renting on demand",
            place="economics.rental_on_demand_usd_per_accelerator_hour",
        ),
        RentalTerms(
            key="reserved",
            title="Reserved",
            rented="at a reserved rate",
            choice="reserving",
            place="economics.rental_reserved_usd_per_accelerator_hour",
            pays_booked=True,
        ),
        RentalTerms(
            key="contract",
            title="Contract",
            rented="by contract",
            choice="renting by contract",
            place="economics.renting.contract_usd_per_accelerator_hour",
            pays_booked=True,
        ),
        RentalTerms(
            key="spot",
            title="Spot",
            rented="on the spot market",
            choice="renting on the spot market",
            place="economics.renting.spot_usd_per_accelerator_hour",
        ),
        RentalTerms(
            key="capacity_block",
            title="Capacity block",
            rented="by capacity block",
            choice="booking capacity blocks",
            place="economics.renting.capacity_block_usd_per_accelerator_hour",
        ),
    )
}
"""Kinds of rental terms by their key in the catalog."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finance:
    """Financing and tax of a purchase. Rates are a year's."""

    prices: str  # nominal | real: what the cost of capital and the rate of debt are
    depreciation: str  # straight_line | declining_balance | macrs | tax_life
    tax_rate: Array
    bonus_depreciation: Array  # share of the price written off in the first year
    inflation: Array
    debt_share: Array
    debt_rate: Array
    debt_years: Array
    equipment_write_off_years: Array  # that the law of the place gives to computers
    building_write_off_share_per_year: Array  # by the law of the place
    price_usd_per_accelerator_hour: Array | None  # None: the rent on demand that is avoided


@dataclass(frozen=True, slots=True, kw_only=True)
class Renting:
    """Rental terms besides the hourly price, and the price path."""

    compared_with: str  # contract | reserved | on_demand: the terms that owning is compared with
    price_path: str  # flat | decay | history | shock
    contract_usd_per_accelerator_hour: Array
    contract_accelerators: Array  # of a pod from which a buyer rents by contract
    spot_usd_per_accelerator_hour: Array
    capacity_block_usd_per_accelerator_hour: Array
    price_change_per_year: Array
    shock_month: Array
    shock_share: Array  # of the price, by which it jumps; below 0 it falls
    storage_usd_per_tb_month: Array
    egress_tb_per_month: Array
    egress_usd_per_tb: Array
    support_share: Array  # of the rent
    setup_usd: Array
    goodput_ratio: Array  # useful share of a rented hour over that of an owned one
    commitment_months: Array  # that a reserved price holds
    peak_over_mean: Array  # of accelerators in use
    horizon_months: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Economics:
    """Lives, rates and prices that the scenario decides."""

    life_years: Array  # of SuperNodes, their spares and installation
    network_life_years: Array  # optics with it
    storage_life_years: Array
    wacc: Array
    utilisation: Array
    residual_value: Array | None  # of the purchase price at the end of each life; None: by the curve below
    used_value_share: Array  # of the purchase price, as soon as equipment is no longer new
    value_decline_per_year: Array  # of SuperNodes, by generation
    hardware_decline_per_year: Array  # of network and storage
    import_duty_share: Array  # of the price of equipment, as the three below by the place
    sales_tax_share: Array  # that is not recovered
    construction_cost_factor: Array  # over the mean of the US
    labour_cost_factor: Array  # over the US
    rental_on_demand_usd_per_accelerator_hour: Array
    rental_reserved_usd_per_accelerator_hour: Array
    owns_building: Array  # 1: shell, plant and land are owned; 0: colocation
    colocation_usd_per_kw_month: Array  # of provisioned power
    price_discount: Array  # on the catalog prices of IT equipment
    research_multiplier: Array  # all compute of a project over that of its final run
    finance: Finance
    renting: Renting
    jurisdiction: str  # name of the place whose rules hold

    @property
    def rents_usd_per_accelerator_hour(self) -> dict[str, Array]:
        """Rent by its terms [USD/h]."""
        return {
            key: attrgetter(terms.place.removeprefix("economics."))(self)
            for key, terms in RENTAL_TERMS.items()
        }

    @property
    def rent_usd_per_accelerator_hour(self) -> Array:
        """Rent that owning is compared with [USD/h]."""
        return self.rents_usd_per_accelerator_hour[self.renting.compared_with]
