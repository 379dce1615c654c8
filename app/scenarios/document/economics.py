"""The terms on which the pod is bought or rented."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.document.build_out import BuildOutDocument, FinancingDocument
from app.scenarios.document.estimates import PriceUsdPerHour
from app.scenarios.fields import (
    PERCENT,
    CountOrZero,
    Display,
    Either,
    Key,
    NotNegative,
    Part,
    Positive,
    Share,
    Value,
    Word,
)

Rate = Annotated[float, Field(ge=0, le=1)]


class CurrencyDocument(Part):
    """A currency that money is also shown in, at a rate of a stated day."""

    code: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = Field(
        title="Currency", description="Three letters, such as EUR."
    )
    per_usd: Annotated[Positive, Display(unit="for one USD")] = Field(
        title="Exchange rate", description="Units of it for one US dollar."
    )
    as_of: Annotated[date, Field(strict=False)] = Field(
        title="Date of the exchange rate", description="The day of the rate."
    )


class FinanceDocument(Part):
    """Inputs left out are taken from the catalog's assumptions."""

    prices: Literal["nominal", "real"] = Field(
        title="Prices and rates",
        default="nominal",
        description="Whether the cost of capital and the rate of debt include inflation (nominal) or not (real).",
    )
    depreciation: Literal["straight_line", "declining_balance", "macrs", "tax_life"] = Field(
        title="Depreciation",
        default="straight_line",
        description="Depreciation method for tax. tax_life: straight, over the years that the law of the place gives; "
        "macrs: where it is the law.",
    )
    tax_rate: Share | None = Field(
        title="Tax rate",
        default=None,
        description="Tax on profit, as a fraction; 0 for before tax. Left out, that of the place.",
    )
    bonus_depreciation: Share | None = Field(
        title="Bonus depreciation",
        default=None,
        description="Bonus depreciation: share of the equipment price depreciated in the first year.",
    )
    inflation: Annotated[Annotated[float, Field(ge=-0.1, le=1)] | None, PERCENT] = Field(
        title="Inflation", default=None, description="Growth of prices a year, as a fraction."
    )
    debt_share: Share | None = Field(
        title="Debt share", default=None, description="Debt share of the purchase."
    )
    debt_rate: Annotated[Rate | None, PERCENT] = Field(
        title="Interest rate on debt", default=None, description="Interest on debt a year, as a fraction."
    )
    debt_years: Annotated[float, Field(gt=0, le=50)] | None = Field(
        title="Debt term", default=None, description="Debt term, years, in level payments."
    )
    price_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Price per utilised accelerator-hour",
        default=None,
        description="Revenue per utilised accelerator-hour; left out, the rent that owning avoids.",
    )
    currency: CurrencyDocument | None = Field(
        default=None, description="A currency in which amounts are also shown; figures stay in USD."
    )


Change = Annotated[float, Field(gt=-1, le=10)]


class RentingDocument(Part):
    """Inputs left out are taken from the catalog and its assumptions."""

    price_path: Literal["flat", "decay", "history", "shock"] = Field(
        title="Price path",
        default="flat",
        description="Path of rental prices: flat; decay: by a share a year; history: as they have moved; "
        "shock: a jump in one month.",
    )
    compared_with: Literal["auto", "contract", "reserved", "on_demand"] = Field(
        title="Owning is compared with",
        default="auto",
        description="Terms of renting that break-even and cash flow rest on. auto: a negotiated contract, for a pod that "
        "is large enough for one and where the catalog has one, else renting on demand, else reserved.",
    )
    vendor_class: Literal["any", "hyperscaler", "neocloud", "marketplace"] = Field(
        title="Vendor class",
        default="any",
        description="Sellers whose published offers rents are taken from: hyperscaler, neocloud, marketplace of other "
        "people's machines, or any.",
    )
    contract_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Contract rental price",
        default=None,
        description="Rent by a negotiated contract of a year or more.",
    )
    spot_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Spot price", default=None, description="Rent on the spot market."
    )
    capacity_block_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Capacity block price", default=None, description="Rent of a block of capacity booked ahead."
    )
    price_change_per_year: Annotated[Change | None, PERCENT] = Field(
        title="Annual price change",
        default=None,
        description="Change of rental prices a year on the path decay, as a fraction; below 0 they fall.",
    )
    shock_month: Annotated[Annotated[float, Field(ge=1, le=600)] | None, Display(unit="months")] = Field(
        title="Month of the price shock", default=None, description="Month of the jump on the path shock."
    )
    shock_share: Annotated[Change | None, PERCENT] = Field(
        title="Price shock", default=None, description="The jump, as a fraction of the price before it."
    )
    storage_usd_per_tb_month: Annotated[NotNegative | None, Display(unit="USD/TB mo")] = Field(
        title="Rented storage price", default=None, description="Rented storage."
    )
    egress_tb_per_month: Annotated[NotNegative | None, Display(unit="TB/mo")] = Field(
        title="Data egress", default=None, description="Data taken out of the cloud."
    )
    egress_usd_per_tb: Annotated[NotNegative | None, Display(unit="USD/TB")] = Field(
        title="Egress price", default=None, description="Price of data taken out."
    )
    support_share: Share | None = Field(
        title="Support plan, share of rent",
        default=None,
        description="Support plan, as a fraction of the rent.",
    )
    setup_usd: NotNegative | None = Field(
        title="Setup cost", default=None, description="One-time cost of moving in."
    )
    goodput_ratio: Annotated[float, Field(ge=0.01, le=2)] | None = Field(
        title="Goodput ratio (rented / owned)",
        default=None,
        description="Useful share of a rented hour over that of an owned one.",
    )
    commitment_months: Annotated[Annotated[float, Field(ge=1, le=120)] | None, Display(unit="months")] = (
        Field(
            title="Reservation term",
            default=None,
            description="Months that a reserved price holds before it follows the market.",
        )
    )
    peak_over_mean: Annotated[float, Field(ge=1, le=100)] | None = Field(
        title="Peak-to-mean ratio",
        default=None,
        description="Accelerators in use at the busiest time over those in use on average; the pod is the most.",
    )
    horizon_months: Annotated[Annotated[float, Field(ge=1, le=600)] | None, Display(unit="months")] = Field(
        title="Comparison horizon",
        default=None,
        description="Months that owning and renting are compared over.",
    )


class EconomicsDocument(Part):
    """Inputs left out are taken from the catalog, its assumptions and the site, else unknown."""

    life_years: Annotated[float, Field(gt=0, le=50)] | None = Field(
        title="Equipment life",
        default=None,
        description="Life of SuperNodes, in years.",
    )
    network_life_years: Annotated[float, Field(ge=0.5, le=50)] | None = Field(
        title="Network life", default=None, description="Life of the network with its optics, in years."
    )
    storage_life_years: Annotated[float, Field(ge=0.5, le=50)] | None = Field(
        title="Storage life", default=None, description="Life of storage, in years."
    )
    wacc: Share | None = Field(
        title="Cost of capital", default=None, description="Cost of capital, as a fraction."
    )
    utilisation: Annotated[Annotated[float, Field(gt=0, le=1)] | None, PERCENT] = Field(
        title="Utilisation", default=None, description="Utilisation: share of the hours in productive use."
    )
    residual_value: Share | None = Field(
        title="Residual value",
        default=None,
        description="Residual value at the end of life, as a fraction of the price. Left out, by generation and age.",
    )
    jurisdiction: Key | None = Field(
        title="Jurisdiction",
        default=None,
        description="Place whose rules hold for tax, writing off, duty, sales tax, and costs of building and people: a "
        "key of the catalog. Left out, that of the site.",
    )
    import_duty_share: Share | None = Field(
        title="Import duty",
        default=None,
        description="Duty on equipment, as a fraction of its price. Left out, that of the place.",
    )
    sales_tax_share: Share | None = Field(
        title="Sales tax",
        default=None,
        description="Sales tax on equipment that is not recovered, as a fraction. Left out, that of the place for a data "
        "centre.",
    )
    construction_cost_factor: Annotated[float, Field(gt=0, le=10)] | None = Field(
        title="Construction cost factor",
        default=None,
        description="Cost of building over the mean of the US. Left out, that of the place.",
    )
    labour_cost_factor: Annotated[float, Field(gt=0, le=10)] | None = Field(
        title="Labour cost factor",
        default=None,
        description="Pay of staff and engineers over that in the US. Left out, that of the place.",
    )
    supernode_price_usd: NotNegative | None = Field(
        title="SuperNode price", default=None, description="Price of one SuperNode."
    )
    electricity_price_usd_per_kwh: Annotated[float, Field(ge=0, le=100)] | None = Field(
        title="Electricity price", default=None, description="Delivered price of electricity."
    )
    water_price_usd_per_m3: Annotated[float, Field(ge=0, le=1_000)] | None = Field(
        title="Water price", default=None, description="Price of water, sewage included."
    )
    rental_on_demand_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="On-demand rental price", default=None, description="Rent on demand."
    )
    rental_reserved_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Reserved rental price", default=None, description="Rent when reserved for a year or more."
    )
    building: Literal["owned", "colocation"] = Field(
        title="Building",
        default="owned",
        description="owned: shell and plant are bought; colocation: they are rented by the kW.",
    )
    colocation_usd_per_kw_month: Annotated[
        Annotated[float, Field(ge=0, le=10_000)] | None, Display(unit="USD/(kW month)")
    ] = Field(
        title="Colocation price",
        default=None,
        description="Colocation, for each kW of provisioned IT power and month; without electricity.",
    )
    purchase_channel: Literal["auto", "list", "oem", "hyperscaler"] = Field(
        title="Purchase channel",
        default="auto",
        description="Whom catalog prices of SuperNodes are converted to: list, a buyer of single systems; oem, in volume "
        "from an OEM; hyperscaler, directly from the makers. auto: by the accelerators of the pod.",
    )
    price_discount: Annotated[Annotated[float, Field(ge=0, lt=1)] | None, PERCENT] = Field(
        title="Discount",
        default=None,
        description="Discount on the catalog prices of servers and network, as a fraction.",
    )
    research_multiplier: Annotated[float, Field(ge=1, le=1_000)] | None = Field(
        title="Research multiplier",
        default=None,
        description="Compute of the whole project, failed and small runs too, over that of the run.",
    )
    finance: FinanceDocument = Field(default=FinanceDocument(), description="Debt, tax and depreciation.")
    renting: RentingDocument = Field(
        default=RentingDocument(), description="Rental terms besides the hourly price."
    )
    build_out: BuildOutDocument | None = Field(
        default=None, description="Phases in which the site is built; bought at once when left out."
    )
    financing: FinancingDocument | None = Field(
        default=None, description="Loans and leases to compare on the page of the build-out."
    )


class InlineStorage(Part):
    """A shared file system. Bandwidths are of the whole system; what is left out is sized to the pod."""

    read_bandwidth_bytes_per_s: Annotated[float, Field(ge=1e6, le=1e17)] | None = Field(
        title="Storage read bandwidth",
        default=None,
        description="Read bandwidth that jobs get; less than what is rated.",
    )
    write_bandwidth_bytes_per_s: Annotated[float, Field(ge=1e6, le=1e17)] | None = Field(
        title="Storage write bandwidth",
        default=None,
        description="Write bandwidth that jobs get; less than what is rated.",
    )
    capacity_bytes: Annotated[float, Field(ge=1e9, le=1e21)] | None = Field(
        title="Storage capacity",
        default=None,
        description="Usable capacity of all of it, bought at the price of flash; no further tier is added.",
    )
    price_usd_per_tb: Annotated[float, Field(ge=0, le=1e6)] | None = Field(
        title="Storage price",
        default=None,
        description="Price of one usable TB, servers and bandwidth included.",
    )


class InterruptionsDocument(Part):
    """Interruptions that a fleet has counted itself, all causes."""

    count: CountOrZero = Field(
        title="Own interruptions", description="Interruptions of jobs, of all causes, planned ones left out."
    )
    node_days: Positive = Field(
        title="Node-days",
        description="Hosts times days in which they were counted; a host has eight accelerators, others count by theirs.",
    )


class OperationsDocument(Part):
    """Failures, checkpoints, spares and storage."""

    interruptions: InterruptionsDocument | None = Field(
        title="Own interruptions",
        default=None,
        description="Interruptions counted in the own fleet: they narrow the rate of failures, which is that of "
        "published fleets when left out.",
    )

    checkpoint: Literal["two_level", "three_level", "blocking"] = Field(
        title="Checkpoints",
        default="two_level",
        description="two_level keeps a copy in memory and drains it, three_level to drives too; blocking writes through.",
    )
    spares: Annotated[
        Annotated[Literal["auto"], Word] | Annotated[CountOrZero, Value],
        Either,
    ] = Field(
        title="Spare units",
        default="auto",
        description="Spare units of what is replaced as a whole: hosts, trays of a rack, cubes of a torus. auto, or a "
        "number.",
    )
    storage: Annotated[Annotated[Key, Word] | Annotated[InlineStorage | None, Value], Either] = Field(
        title="Storage",
        default=None,
        description="Catalog key of a storage system, or one written out; sized to the pod when left out.",
    )
