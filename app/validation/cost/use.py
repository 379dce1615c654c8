"""Resources of runs: accelerator-hours, energy and carbon."""

from __future__ import annotations

import re

import numpy as np

from app.catalog.growth import NotableModel
from app.catalog.values import Part
from app.engine.economics.carbon.embodied import embodied_accelerators_kg, embodied_hosts_kg, embodied_pod_kg
from app.engine.economics.carbon.operational import operational_kg
from app.engine.economics.runs.levelised import (
    accelerator_energy_kwh,
    accelerator_hours_of_flop,
    accelerator_hours_of_wall_time,
    joules_per_token_at_rate,
    joules_per_token_of_run,
    wall_time_h,
)
from app.engine.trace import Array
from app.validation.cost.hardware import (
    accelerator_in,
    context_for,
    devices_of,
    model_in,
    peak_of,
)
from app.validation.cost.statement import (
    ACCELERATOR_H,
    DEVICES,
    ENERGY,
    H_PER_T,
    HOURS,
    KG,
    KG_EACH,
    PLAIN,
    POWER,
    TOKENS,
    Asked,
    Computed,
    Statement,
    quantities_in,
)
from app.validation.study import UnsupportedRowError
from app.views.economics.run_assumptions import RunAssumptions

# A total of stated parts, and a part as what the others leave of a stated total.

TOTAL = r"\b(total|all|sum|together)\b"


def summed(stated: Statement) -> Computed | None:
    """The sum of parts, or what they leave of a total; None where the inputs are no list of parts."""
    return _left(stated) or _sum(stated)


def _sum(stated: Statement) -> Computed | None:
    """Parts with a name each, joined by plus signs or commas."""
    dimension, factor = stated.unit
    first = stated.row.text("inputs").split(";")[0]
    own = [one for one in quantities_in(first) if one.dimension == dimension]
    added = "+" in first
    plain = [
        one for one in quantities_in(first) if one.dimension == PLAIN and (added or one.before or one.after)
    ]
    parts = [one.value for one in own] if len(own) > 1 else [one.value * factor for one in plain]
    joined = added or re.search(r"\bsum\b", stated.row.text("check_formula"), re.IGNORECASE)
    if len(parts) < 2 or not joined:
        return None
    return Computed(
        value=sum(parts), arithmetic=" + ".join(f"{part / factor:,.6g}" for part in parts) + " as stated"
    )


def _left(stated: Statement) -> Computed | None:
    """What the other parts leave of a total: each part is a name and a number, as in `8B 1.46M, total 39.3M`."""
    if re.search(TOTAL, stated.row.text("subject"), re.IGNORECASE):
        return None
    factor = stated.unit[1]
    pieces = stated.row.text("inputs").split(";")[0].split(",")
    numbers = [(piece, [one for one in quantities_in(piece) if one.dimension in (PLAIN, stated.unit[0])])
               for piece in pieces]  # fmt: skip
    whole = [found[-1].value for piece, found in numbers if re.search(TOTAL, piece) and found]
    others = [found[-1].value for piece, found in numbers if not re.search(TOTAL, piece) and found]
    if len(whole) != 1 or not others:
        return None
    words = " \N{MINUS SIGN} ".join(f"{one:,.6g}" for one in (whole[0], *others))
    return Computed(
        value=(whole[0] - sum(others)) * factor, arithmetic=f"{words}: the total without the others"
    )


# Accelerator-hours of a run: stated, by the clock, by the arithmetic, as a sum or as what is left of a total.

OF_ALL = 1e5
"""Hours beyond this, eleven years, are those of all accelerators together."""


def accelerator_hours(asked: Asked) -> tuple[Array, str, tuple[str, ...]]:
    """Accelerator-hours, how they came about, and what was assumed.

    Raises
    ------
    UnsupportedRowError : nothing that they could be computed from is stated
    """
    stated, hours = asked.statement, asked.statement.get(HOURS)
    if (total := stated.get(ACCELERATOR_H)) is not None:
        return np.array([total]), f"{total:,.0f} accelerator-hours", ()
    if hours is not None and hours >= OF_ALL:
        return np.array([hours]), f"{hours:,.0f} accelerator-hours", ()
    devices = stated.get(DEVICES)
    if devices is not None and hours is not None:
        found = accelerator_hours_of_wall_time(
            accelerators=np.array([devices]), wall_time_h=np.array([hours])
        )
        return found, f"{devices:,.0f} accelerators x {hours:,.4g} h", ()
    if (of_flop := _by_arithmetic(asked)) is not None:
        return of_flop
    model = model_in(stated.row.text("subject"))
    if model is not None:
        return model_hours(model, devices, hours)
    raise UnsupportedRowError("it states no accelerator-hours, and nothing that they could be computed from")


def model_hours(
    model: NotableModel, devices: float | None = None, hours: float | None = None
) -> tuple[Array, str, tuple[str, ...]]:
    """Accelerator-hours of a model by the figures of growth, where its row does not say them.

    Raises
    ------
    UnsupportedRowError : accelerators or hours of its run are not published
    """
    devices = devices or model.figures.get("accelerators")
    hours = hours or model.figures.get("hours")
    if devices is None or hours is None:
        lacks = "the accelerators" if devices is None else "the hours"
        raise UnsupportedRowError(f"neither the row nor the catalog has {lacks} of the run of {model.name}")
    found = accelerator_hours_of_wall_time(accelerators=np.array([devices]), wall_time_h=np.array([hours]))
    return (
        found,
        f"{devices:,.0f} accelerators x {hours:,.0f} h",
        (f"run of {model.name} as Epoch AI lists it",),
    )


def hours(asked: Asked) -> Computed:
    """Accelerator-hours as a figure of their own: a sum, what is left of a total, or by the clock."""
    added = summed(asked.statement)
    if added is not None:
        return added
    found, words, assumed = accelerator_hours(asked)
    return Computed(value=float(found[0]), arithmetic=words, assumed=assumed)


def clock(asked: Asked) -> Computed:
    """Time that a run takes, or a million million tokens of it."""
    stated = asked.statement
    devices = stated.get(DEVICES)
    model = model_in(stated.row.text("subject"))
    assumed: tuple[str, ...] = ()
    if devices is None and model is not None and (known := model.figures.get("accelerators")):
        devices, assumed = known, (f"accelerators of {model.name} as Epoch AI lists them",)
    if devices is None:
        raise UnsupportedRowError("it does not say on how many accelerators")
    per_t, tokens = stated.get(H_PER_T), stated.get(TOKENS)
    if per_t is not None:
        all_hours, words = per_t, f"{per_t:,.0f} accelerator-hours"
        if tokens is not None and stated.unit[0] == HOURS:
            all_hours, words = per_t * tokens / 1e12, f"{words} x {tokens / 1e12:g} T tokens"
    else:
        array, words, more = accelerator_hours(asked)
        all_hours, assumed = float(array[0]), (*assumed, *more)
    found = wall_time_h(accelerator_hours=np.array([all_hours]), accelerators=np.array([devices]))
    return Computed(
        value=float(found[0]), arithmetic=f"{words} / {devices:,.0f} accelerators", assumed=assumed
    )


def arithmetic_of(stated: Statement) -> float | None:
    """FLOP of a run: as stated, else six for each parameter and token."""
    flop, tokens, parameters = stated.get("FLOP"), stated.get(TOKENS), stated.get("parameters")
    if flop is not None:
        return flop
    named = re.search(r"(?<![\w.])(\d+(?:\.\d+)?)B\b", stated.row.text("subject"))
    if parameters is None and named:
        parameters = float(named[1]) * 1e9
    return None if tokens is None or parameters is None else 6 * parameters * tokens


def _by_arithmetic(asked: Asked) -> tuple[Array, str, tuple[str, ...]] | None:
    """By FLOP and a speed: a stated one, or the stated share of the accelerator's peak."""
    stated = asked.statement
    flop, speed, mfu = arithmetic_of(stated), stated.get("FLOP/s"), stated.get("MFU")
    if flop is None or (speed is None and mfu is None):
        return None
    assumed: tuple[str, ...] = ()
    if speed is None:
        accelerator = accelerator_in(
            f"{stated.row.text('subject')} {stated.row.text('inputs')}", asked.catalog
        )
        speed = None if accelerator is None else peak_of(accelerator)
        if accelerator is None or speed is None:
            return None
        assumed = (f"dense 16-bit peak of {accelerator.name}",)
    found = accelerator_hours_of_flop(
        flop=np.array([flop]),
        peak_flop_per_s=np.array([speed]),
        mfu=np.array([mfu if mfu is not None else 1.0]),
        ettr=np.array([stated.get("ETTR") or 1.0]),
    )
    share = f" x {100 * mfu:.3g} %" if mfu is not None else ""
    return found, f"{flop:.4g} FLOP / ({speed / 1e12:.4g} TFLOP/s{share})", assumed


# Energy and carbon of runs and of the making of hardware, in the boundary that the row states.

MADE = r"embodied|manufactur|cradle|footprint|\bPCF\b|\bLCA\b"
SERVERS = r"\b(complete|server|system|node|rack|DGX|with host)"
OF_ALL_W = 1e5
"""Power beyond this is that of all accelerators together."""
PLACES = {
    "france": r"\bfrance\b|\bfrench\b|jean zay", "quebec": r"\bqu[eé]bec\b", "norway": r"\bnorway\b",
    "poland": r"\bpoland\b", "europe": r"\beurope\b|\bEU\b",
}  # fmt: skip


def carbon(asked: Asked) -> Computed:
    """Parts that are summed, else the making of hardware, else electricity times intensity of the grid."""
    added = summed(asked.statement)
    if added is not None:
        return added
    if asked.statement.says(MADE, "subject", "unit"):
        return _made(asked)
    kwh, words, assumed = _energy_kwh(asked)
    intensity, more = _intensity(asked)
    found = operational_kg(run_energy_kwh=kwh, carbon_intensity_kg_per_kwh=intensity)
    return Computed(
        value=float(found[0]),
        arithmetic=f"{words} = {kwh[0]:,.4g} kWh x {intensity[0]:.3g} kg/kWh",
        assumed=(*assumed, *more),
    )


def energy(asked: Asked) -> Computed:
    """Electricity of a run."""
    added = summed(asked.statement)
    if added is not None:
        return added
    kwh, words, assumed = _energy_kwh(asked)
    return Computed(value=float(kwh[0]), arithmetic=words, assumed=assumed)


def per_token(asked: Asked) -> Computed:
    """Energy of a token: power over tokens per second, else energy of the run over its tokens."""
    stated = asked.statement
    power_w, rate = stated.get(POWER), stated.get("tokens/s")
    if power_w is not None and rate is not None:
        pue = stated.get("PUE") or 1.0
        at_rate = joules_per_token_at_rate(
            power_w=np.array([power_w]), pue=np.array([pue]), tokens_per_s=np.array([rate])
        )
        return Computed(
            value=float(at_rate[0]), arithmetic=f"{power_w:g} W x PUE {pue:g} / {rate:g} tokens/s"
        )
    tokens = stated.get(TOKENS)
    if tokens is None:
        raise UnsupportedRowError("it states neither tokens per second nor tokens")
    kwh, words, assumed = _energy_kwh(asked)
    found = joules_per_token_of_run(energy_kwh=kwh, tokens=np.array([tokens]))
    return Computed(
        value=float(found[0]),
        arithmetic=f"{words} = {kwh[0]:,.4g} kWh x 3.6e6 / {tokens:.4g} tokens",
        assumed=assumed,
    )


def _energy_kwh(asked: Asked) -> tuple[Array, str, tuple[str, ...]]:
    """Electricity: stated, that of so many homes, by energy of a token, or hours times power."""
    stated = asked.statement
    kwh, homes, per_one = stated.get(ENERGY), stated.get("homes"), stated.get("J/token")
    if kwh is not None and homes is not None:
        return np.array([homes * kwh]), f"{homes:,.0f} homes x {kwh:,.0f} kWh", ()
    if kwh is not None:
        return np.array([kwh * (stated.get("PUE") or 1.0)]), f"{kwh:,.0f} kWh", ()
    tokens = stated.get(TOKENS)
    if per_one is not None and tokens is not None:
        return np.array([per_one * tokens / 3.6e6]), f"{per_one:g} J x {tokens:.4g} tokens", ()
    power_w, clock = stated.get(POWER), stated.get(HOURS)
    if power_w is not None and power_w >= OF_ALL_W and clock is not None and clock < OF_ALL:
        kwh = power_w / 1e3 * clock * (stated.get("PUE") or 1.0)
        return np.array([kwh]), f"{power_w / 1e6:g} MW x {clock:,.4g} h", ()
    hours, words, assumed = accelerator_hours(asked)
    power_w, pue = stated.get(POWER), stated.get("PUE")
    if power_w is None:
        accelerator = _accelerator(asked)
        if accelerator is None or "tdp_w" not in accelerator.facts:
            raise UnsupportedRowError("it states no power, and no accelerator whose TDP is known")
        power_w = accelerator.facts["tdp_w"].value
        assumed = (*assumed, f"TDP of {accelerator.name}")
    if pue is None:
        pue = 1.0
        assumed = (*assumed, "no PUE is stated: the stated power alone")
    found = accelerator_energy_kwh(accelerator_hours=hours, power_w=np.array([power_w]), pue=np.array([pue]))
    return found, f"{words} x {power_w:g} W{f' x PUE {pue:g}' if pue != 1 else ''}", assumed


def _intensity(asked: Asked) -> tuple[Array, tuple[str, ...]]:
    """Intensity of the grid: stated, else that of the country named, else of the United States."""
    stated = asked.statement.get("kg/kWh")
    if stated is not None:
        return np.array([stated]), ()
    row = asked.statement.row
    text = " ".join(row.text(column) for column in ("subject", "inputs", "note"))
    place = next((key for key, words in PLACES.items() if re.search(words, text, re.IGNORECASE)), "")
    found = RunAssumptions(asked.catalog, {"place": place})("grid_carbon_kg_per_kwh")
    named = place.capitalize() if place else "the United States, as no place is named"
    return found, (f"{1e3 * found[0]:.0f} g/kWh, the grid of {named}",)


def _made(asked: Asked) -> Computed:
    """The making of accelerators, with that of their hosts where the subject is of whole servers."""
    stated = asked.statement
    devices = stated.get(DEVICES) or devices_of(stated.row.text("subject"), asked.catalog) or 1.0
    each, low, high, assumed = _made_each(asked)
    made = np.array([each, low, high])
    accelerators = embodied_accelerators_kg(
        supernodes=np.ones(1),
        spare_supernodes=np.zeros(1),
        accelerators_per_supernode=np.array([devices]),
        accelerator_embodied_kg=made,
    )
    words = f"{devices:g} accelerators x {each:g} kg"
    whole = accelerators
    if stated.says(SERVERS, "subject"):
        ratio = np.array([asked.catalog.assumption("economics", "host_embodied_ratio", {}).value])
        hosts = embodied_hosts_kg(embodied_accelerators_kg=accelerators, host_embodied_ratio=ratio)
        whole = embodied_pod_kg(embodied_accelerators_kg=accelerators, embodied_hosts_kg=hosts)
        words = f"{words} x {ratio[0]:g} with hosts"
        assumed = (*assumed, f"hosts and accelerators {ratio[0]:g} times the accelerators")
    _refuse_own_source(asked, float(whole[0]), assumed)
    bounds = (None, None) if low == high else (float(whole[1]), float(whole[2]))
    return Computed(value=float(whole[0]), arithmetic=words, assumed=assumed, low=bounds[0], high=bounds[1])


def each(asked: Asked) -> Computed:
    """The making of one accelerator: a total over its accelerators, else the catalog's figure."""
    total, devices = asked.statement.get(KG), asked.statement.get(DEVICES)
    if total is not None and devices:
        return Computed(value=total / devices, arithmetic=f"{total:,.6g} kg / {devices:g} accelerators")
    value, low, high, assumed = _made_each(asked)
    _refuse_own_source(asked, value, assumed)
    return Computed(
        value=value, arithmetic=f"{value:g} kg for each accelerator", assumed=assumed, low=low, high=high
    )


def _made_each(asked: Asked) -> tuple[float, float, float, tuple[str, ...]]:
    """The making of one accelerator with its bounds: stated, else the catalog's."""
    stated = asked.statement.get(KG_EACH)
    if stated is not None:
        return stated, stated, stated, ()
    accelerator = _accelerator(asked)
    if accelerator is None:
        raise UnsupportedRowError("it names no accelerator that is in the catalog")
    row = asked.catalog.assumption("economics", "accelerator_embodied_kg", context_for(accelerator, ""))
    said = f"{row.value:g} kg for each accelerator: {row.source}"
    return row.value, row.low or row.value, row.high or row.value, (said,)


def _refuse_own_source(asked: Asked, computed: float, assumed: tuple[str, ...]) -> None:
    """A figure of the catalog that is the published one is compared with nothing.

    Raises
    ------
    UnsupportedRowError : what was computed starts from the source of the row and says what it says
    """
    published = asked.statement.published() * asked.statement.unit[1]
    source = asked.statement.row.text("source")
    if np.isclose(computed, published) and any(_shares_words(said, source) for said in assumed):
        raise UnsupportedRowError(
            "the only figure that the catalog has of it is the published one, so nothing would be compared"
        )


def _shares_words(one: str, other: str) -> bool:
    """Return whether two citations are of one source: most words of the shorter stand in the longer."""
    first, second = (set(re.findall(r"\w{3,}", text.lower())) for text in (one, other))
    fewer = min(len(first), len(second))
    return fewer > 0 and len(first & second) / fewer >= 0.6


def _accelerator(asked: Asked) -> Part | None:
    row = asked.statement.row
    found = accelerator_in(
        " ".join(row.text(column) for column in ("subject", "unit", "inputs")), asked.catalog
    )
    model = model_in(row.text("subject"))
    return found or (accelerator_in(model.hardware, asked.catalog) if model else None)
