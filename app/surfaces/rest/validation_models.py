"""The shapes of validation answers."""

from __future__ import annotations

from pydantic import Field

from app.surfaces.rest.catalog_models import Answer


class ErrorsAnswer(Answer):
    """Errors of some runs as fractions: predicted over measured, less one."""

    runs: int
    median_abs_error: float
    p90_abs_error: float
    bias: float = Field(description="Median error.")
    within_20_pct: float = Field(description="Share of the runs.")
    low_error: float = Field(description="P10 of the errors.")
    high_error: float = Field(description="P90 of the errors.")
    held: float = Field(description="Share of the runs that lie in their 80 % interval.")


class GroupErrorsAnswer(Answer):
    """Runs that have something in common."""

    name: str
    errors: ErrorsAnswer


class GroupingErrorsAnswer(Answer):
    """A way to part the runs."""

    name: str
    groups: list[GroupErrorsAnswer]


class ValidatedRunAnswer(Answer):
    """A published run beside what the engine says of it. Speeds are tokens per second and accelerator."""

    id: str
    source: str
    model: str
    accelerator_key: str
    generation: str
    framework: str
    precision: str
    architecture: str
    accelerators: int
    parameters: float = Field(description="Billions.")
    active_parameters: float = Field(description="Billions.")
    sequence_length: int
    software_date: str = Field(description="Empty if not stated.")
    measured_tokens_per_s: float
    predicted_tokens_per_s: float
    error: float
    low_tokens_per_s: float = Field(description="Lower end of the 80 % interval.")
    high_tokens_per_s: float = Field(description="Upper end of the 80 % interval.")
    held: bool = Field(description="Whether the measurement lies in the interval.")
    assumed: list[str] = Field(description="Assumptions for values that the source leaves open.")
    href: str = Field(description="The page that explains it.")


class TrainingErrorsAnswer(Answer):
    """Errors of the training speed."""

    basis: str
    errors: ErrorsAnswer | None = Field(description="Of all runs; null where none is installed.")
    errors_by_source: ErrorsAnswer | None = Field(description="The same, every source counting as much.")
    groupings: list[GroupingErrorsAnswer]
    runs: list[ValidatedRunAnswer]


class ValidatedCollectiveAnswer(Answer):
    """A measured collective beside what the engine says of it. Times are microseconds."""

    id: str
    system: str
    accelerator_key: str
    generation: str
    collective: str
    level: str = Field(description="scale-up or scale-out.")
    library: str = Field(description="As its source prints it.")
    ranks: int
    domains: int = Field(description="Scale-up domains that the ranks lie in.")
    message_bytes: float | None = Field(description="Null for experts, who are sent tokens.")
    tokens: int | None = Field(description="Of one rank; null for all but experts.")
    measured_us: float
    predicted_us: float
    error: float
    low_us: float = Field(description="Lower end of the 80 % interval.")
    high_us: float = Field(description="Upper end of the 80 % interval.")
    held: bool = Field(description="Whether the measurement lies in the interval.")
    assumed: list[str] = Field(description="Assumptions for values that the source leaves open.")
    href: str = Field(description="The page that explains it.")


class CollectiveErrorsAnswer(Answer):
    """Errors of the time of collectives."""

    basis: str
    errors: ErrorsAnswer | None = Field(description="Of all measurements; null where none is installed.")
    errors_by_system: ErrorsAnswer | None = Field(description="The same, every system counting as much.")
    groupings: list[GroupingErrorsAnswer]
    measurements: list[ValidatedCollectiveAnswer]


class ScalingFigureAnswer(Answer):
    """A figure that a paper prints of its law, beside ours."""

    id: str
    law: str
    case: str
    quantity: str
    input: str
    published: float
    computed: float = Field(description="By the laws of the catalog.")
    error: float = Field(description="Computed / published - 1.")
    agrees: bool = Field(description="Whether both are within 1 %.")
    explained: str = Field(description="Why they differ; empty where they agree or the reason is unknown.")
    source: str


class ScalingErrorsAnswer(Answer):
    """Published figures of scaling laws beside ours."""

    figures: int
    within_1_pct: int
    explained: int = Field(description="Figures that differ for a known reason.")
    unexplained: int
    items: list[ScalingFigureAnswer]


class FabricCountAnswer(Answer):
    """A count that a design prints, beside ours."""

    column: str = Field(description="Of the file of reference designs.")
    printed: int
    computed: int | None = Field(description="Null where nothing gives it.")


class PublishedFabricAnswer(Answer):
    """A published fabric beside the one that its inputs give."""

    id: str
    system: str
    fabric: str = Field(description="compute, or scale-up with its link.")
    topology: str
    confidence: str
    exact: bool = Field(description="Whether every printed count comes out.")
    counts: list[FabricCountAnswer]
    flagged: list[str] = Field(description="Why it cannot be right as printed, or is no target.")
    assumed: list[str] = Field(description="Assumptions for values that the source leaves open.")
    source: str


class LeftOutFabricAnswer(Answer):
    """A published fabric that cannot be computed."""

    id: str
    reason: str


class FabricErrorsAnswer(Answer):
    """Published fabrics beside ours."""

    rows: int
    computed: int
    exact: int
    flagged: int
    items: list[PublishedFabricAnswer]
    unsupported: list[LeftOutFabricAnswer]


class PowerErrorsSummary(Answer):
    """Errors as fractions: predicted over published, less one."""

    rows: int
    median_abs_error: float | None
    p90_abs_error: float | None
    bias: float | None
    within_20_pct: float | None


class PowerGroupAnswer(Answer):
    """Figures of one kind, or of one provider."""

    name: str
    errors: PowerErrorsSummary


class RankCorrelationAnswer(Answer):
    """Whether places are put in the order that is published."""

    name: str = Field(description="all, or a provider.")
    pairs: int
    spearman: float | None = Field(description="Null where there are fewer than five.")


class PowerFigureAnswer(Answer):
    """A published figure beside ours."""

    id: str
    kind: str = Field(description="node power, energy, sizing, flow, PUE provider, PUE facility or WUE.")
    quantity: str
    unit: str
    conditions: str
    published: float
    predicted: float
    low: float | None = Field(description="Of a PUE: what one operator in ten lies below.")
    high: float | None
    error: float
    assumed: list[str] = Field(description="Configuration that it was computed for.")
    source: str
    url: str


class LeftOutFigureAnswer(Answer):
    """A figure that is not compared."""

    id: str
    reason: str


class ReliabilityFigureAnswer(Answer):
    """A published figure of failures or spares beside ours."""

    id: str
    system: str
    metric: str
    quantity: str = Field(description="interruptions, hardware rate, time between failures or spares.")
    unit: str
    published: float
    predicted: float = Field(description="At the usual rate of failures.")
    low: float | None = Field(description="Lower end of the 80 % interval over fleets.")
    high: float | None
    error: float
    rate: str = Field(description="one of five, which the usual rate is the mean of; or another fleet.")
    source: str
    url: str


class ReliabilityErrorsAnswer(Answer):
    """Published figures of failures and spares beside ours."""

    rows: int
    scored: int
    computed: int
    within_interval: int
    errors: PowerErrorsSummary
    errors_by_source: PowerErrorsSummary
    quantities: list[PowerGroupAnswer]
    items: list[ReliabilityFigureAnswer]
    unsupported: list[LeftOutFigureAnswer]
    unscored: list[LeftOutFigureAnswer]


class RegionFiguresAnswer(Answer):
    """A region of a cloud provider in one year beside the usual data centre in its climate."""

    id: str
    provider: str
    region: str
    location: str
    year: str
    place: str = Field(description="Which climate year stands for it, and how far away that was measured.")
    near: bool = Field(description="Whether that is near enough to rank it by.")
    pue: float | None
    predicted_pue: float
    wue_l_per_kwh: float | None = Field(description="Null where none of its own is published.")
    predicted_wue_l_per_kwh: float


class RegionWaterAnswer(Answer):
    """WUE of regions: differences, since errors of hundredths of a litre say nothing."""

    rows: int
    published_median_l_per_kwh: float | None
    predicted_median_l_per_kwh: float | None
    median_abs_difference_l_per_kwh: float | None
    rank_correlation: list[RankCorrelationAnswer]
    left_out: list[LeftOutFigureAnswer]


class RegionErrorsAnswer(Answer):
    """Regions of cloud providers beside ours."""

    rows: int
    computed: int
    model: str = Field(description="The data centre that every region is held against.")
    errors: PowerErrorsSummary
    pue_less_one: PowerErrorsSummary
    providers: list[PowerGroupAnswer]
    rank_correlation: list[RankCorrelationAnswer] = Field(
        description="Of regions whose climate year is within 300 km."
    )
    rank_correlation_with_far: list[RankCorrelationAnswer]
    operators_below: float = Field(description="10th percentile of published minus computed PUE.")
    operators_above: float
    water: RegionWaterAnswer
    items: list[RegionFiguresAnswer]
    unsupported: list[LeftOutFigureAnswer]


class PowerErrorsAnswer(Answer):
    """Published figures of power and cooling beside ours."""

    rows: int
    scored: int
    computed: int
    errors: PowerErrorsSummary
    errors_by_source: PowerErrorsSummary = Field(description="Every source counts the same.")
    pue_less_one: PowerErrorsSummary = Field(description="Errors of what PUE adds to one.")
    kinds: list[PowerGroupAnswer]
    rank_correlation: list[RankCorrelationAnswer]
    items: list[PowerFigureAnswer]
    unsupported: list[LeftOutFigureAnswer]
    unscored: list[LeftOutFigureAnswer]
    regions: RegionErrorsAnswer


class CostMethodErrors(Answer):
    """Errors of the figures of one method."""

    name: str
    errors: PowerErrorsSummary


class CostFigureAnswer(Answer):
    """A published figure beside ours."""

    id: str
    subject: str
    method: str = Field(description="The method that the source used, and we did.")
    unit: str
    published: float
    predicted: float
    low: float | None
    high: float | None
    error: float
    arithmetic: str = Field(description="Derivation of the computed figure, in words.")
    assumed: list[str]
    source: str
    url: str


class ModelByMethodAnswer(Answer):
    """A model by one method."""

    method: str
    published_usd: float
    predicted_usd: float | None = Field(description="Null where it cannot be computed.")
    error: float | None
    said: str = Field(description="The arithmetic, or why there is none.")


class ModelCostsAnswer(Answer):
    """A model by each method that was published of it."""

    name: str
    methods: list[ModelByMethodAnswer]


class CostErrorsAnswer(Answer):
    """Published costs of runs beside ours."""

    rows: int
    scored: int
    computed: int
    errors: PowerErrorsSummary
    errors_by_source: PowerErrorsSummary = Field(description="Every source counts the same.")
    methods: list[CostMethodErrors]
    models: list[ModelCostsAnswer]
    items: list[CostFigureAnswer]
    unsupported: list[LeftOutFigureAnswer]
    unscored: list[LeftOutFigureAnswer]


class ScoreAnswer(Answer):
    """Errors of distinct measurements as fractions, every family of models counting the same; null where none is."""

    rows: int
    median_abs_error: float | None
    within_33_pct: float | None = Field(description="Share of the measurements.")
    within_2x: float | None = Field(description="Share of the measurements.")
    bias: float | None = Field(description="Median error.")


class FitsAnswer(Answer):
    """The same measurements by every fit."""

    fitted: ScoreAnswer = Field(description="With all measurements in the fit.")
    model: ScoreAnswer = Field(description="With the family of models of each left out of the fit.")
    system: ScoreAnswer = Field(description="With the accelerator of each left out of the fit.")


class GroupScoresAnswer(Answer):
    """Measurements that have something in common."""

    name: str
    errors: FitsAnswer


class GroupingScoresAnswer(Answer):
    """A way to part the measurements."""

    name: str
    groups: list[GroupScoresAnswer]


class ServedMeasurementAnswer(Answer):
    """A measured latency beside what the engine says of it. Times are milliseconds."""

    id: str
    model_key: str
    accelerator_key: str
    engine: str
    era: str = Field(description="Of the engine, as constants are chosen by it.")
    precision: str
    accelerators: int = Field(description="Of the instance, or of a group of prefill and decode instances.")
    layout: str
    input_tokens: int
    output_tokens: int
    concurrency: float = Field(description="Requests in flight in the instance or group.")
    measured_ms: float
    predicted_ms: float
    error: float
    low_ms: float = Field(description="Lower end of the 80 % interval.")
    high_ms: float = Field(description="Upper end of the 80 % interval.")
    held: bool = Field(description="Whether the measurement lies in the interval.")
    assumed: list[str] = Field(description="Assumptions for values that the source leaves open.")
    href: str = Field(description="The page that shows it.")


class BesideAnswer(ScoreAnswer):
    """A score that is no aim."""

    name: str
    note: str


class LeftOutRowsAnswer(Answer):
    """Rows of the file that are left out for one reason."""

    reason: str
    rows: list[str]


class ConstantsAnswer(Answer):
    """Number of fitted constants by subject."""

    owner: str
    constants: int


class ServingErrorsAnswer(Answer):
    """Errors of one latency of served models."""

    quantity: str
    basis: str
    rows: int = Field(description="Of the file, of all latencies.")
    scored: int
    supported: int
    fitted_constants: int
    constants: list[ConstantsAnswer]
    refitted: list[str] = Field(description="Models and systems that the constants were fitted without.")
    errors: FitsAnswer
    groupings: list[GroupingScoresAnswer]
    measurements: list[ServedMeasurementAnswer]
    beside: list[BesideAnswer] = Field(description="Scores that no aim counts, with all in the fit.")
    repeats: int = Field(description="Rows of measurements that count already.")
    cold_starts: list[str] = Field(description="Rows whose time to the first token no score counts.")
    unsupported: list[LeftOutRowsAnswer]
    unscored: list[LeftOutRowsAnswer]


class ThroughputFigureAnswer(Answer):
    """A published throughput or latency beside ours, in the unit of its metric."""

    id: str
    model: str
    hardware: str
    accelerators: str
    engine: str
    precision: str
    metric: str
    published: float
    predicted: float
    error: float
    idealised: bool = Field(description="Perfect balance over the experts: not scored.")
    conditions: str
    assumed: list[str]
    source: str


class ThroughputErrorsAnswer(Answer):
    """Published throughputs of served models beside ours."""

    rows: int
    scored: int
    computed: int
    errors: PowerErrorsSummary
    errors_by_source: PowerErrorsSummary = Field(description="Every source counts the same.")
    items: list[ThroughputFigureAnswer]
    unsupported: list[LeftOutFigureAnswer]
    unscored: list[LeftOutFigureAnswer]
