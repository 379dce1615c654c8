"""A training run, failure by failure, many runs at once: what the closed forms of operations are held against.

Failures come at a constant rate while the job works, stands still for a checkpoint or restarts. Each has a component,
and takes away processes or a unit; a unit comes back after a reset or a repair, both exponential about their means.
The next unit of the pool steps in, spare or free; where none is ready the job waits for the first that comes back. A
tray's place stays empty until one is put in, unless its domain has one in reserve. A job of several copies of the
model goes on with those that are whole, so that it loses its share of a wait. State comes back from a snapshot in
memory, from the last copy that has drained to the drives of hosts, or from the last one on shared storage: a copy that
drains while the job fails is lost. Silent corruption stops nothing: the job goes on to its next validation and then
back to the last one, unless a failure takes it back to before the corruption first.

Not in it: failures while a job waits, failures of spares, and corruption that no validation finds.

References
----------
.. [1] Daly, Future Generation Computer Systems 22 (2006) 303-312 (failures during checkpoints and restarts)
.. [2] The Llama 3 Herd of Models, arXiv 2407.21783, table 5 (components)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.engine.operations import spares
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.operations.checkpointing import checkpoint_read_s, validation_stall_s
from app.engine.operations.checkpointing import node_read_s as checkpoint_node_read_s
from app.engine.operations.failures import COMPONENTS, PROCESS
from app.engine.operations.section import Reliability, copies_of, cube_side_of
from app.engine.specs import GenericWorkload, Operations, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array, first_of

if TYPE_CHECKING:
    from app.engine.performance.generic_step import GenericPerformance
    from app.engine.performance.section import Performance

Floats = NDArray[np.float64]

DAY_S = 86_400.0
SHARED = "shared"
"""What a part takes away that many units share: it holds up its share of the job until it is back."""
COMPRESSED_EVERY = 64
"""Failures of each run, after which runs that are done leave the arrays."""
MOST_SLOTS = 4_000_000
"""Reserve units of all domains of all runs that are simulated at once: 32 MB."""
MOST_FAILURES_TIMES = 8.0
"""Failures of a run over those expected at the middle rate, after which it is extrapolated."""
FEWEST_FAILURES = 500
SPARE_DEVIATIONS = 12.0
"""Units of the pool that are followed, in deviations above the mean in repair: more are never all away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Failures of one component that end in one way: `away_s` is the mean time that a unit is away, 0 of processes."""

    component: str
    takes_away: str
    needs_hardware: bool
    share: float
    away_s: float
    held_share: float = 1.0  # of the job, while a shared part is out


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowPart:
    """Parts that slow the job while one is out: failures per second, mean time out, throughput lost
    meanwhile."""

    rate_per_s: float
    out_s: float
    lost_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """A run as the simulation sees it; bare numbers in seconds.

    Parameters
    ----------
    work_s : time that the run takes without failures and checkpoints
    mtbf_s : mean time between interruptions at the rate of the evaluation
    interval_s, stall_s : between snapshots, and how long one stops the job
    drain_s : until a snapshot is on shared storage; 0 where it stops the job for that
    local_share : share of failures that leave a snapshot
    node_share, node_drain_s : share that leaves a copy on the drives of hosts alone, and until a snapshot is there
    local_restart_s, node_restart_s, remote_restart_s : from a failure until the job works again, detection in it
    corruption_share, validation_interval_s : share of failures that are silent corruption, and productive time
        between validations
    validation_stall_s : part of `stall_s` that validations have
    causes : shares add up to 1
    pool_units : spare units and those that the job leaves free
    domains, reserve_units : scale-up domains, and units in reserve in each
    unit_return_s : until a tray is put in; 0 where a spare steps in at once
    copies : of the model, that go on without each other
    """

    work_s: float
    mtbf_s: float
    interval_s: float
    stall_s: float
    drain_s: float
    local_share: float
    local_restart_s: float
    remote_restart_s: float
    causes: tuple[Cause, ...]
    pool_units: int
    domains: int
    reserve_units: int
    unit_return_s: float
    copies: float
    node_share: float = 0.0
    node_drain_s: float = 0.0
    node_restart_s: float = 0.0
    corruption_share: float = 0.0
    validation_interval_s: float = float("inf")
    validation_stall_s: float = 0.0
    slow_parts: tuple[SlowPart, ...] = ()

    @property
    def units_in_repair(self) -> float:
        """Mean number of units away, by Little's law."""
        return sum(one.share * one.away_s for one in self.causes if one.takes_away != SHARED) / self.mtbf_s


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedRuns:
    """Elapsed seconds of every run and where they went; work lost is what remains. Shapes (runs,).

    `extrapolated` marks runs with so many failures that the rest of them goes on as the first part went.
    """

    elapsed_s: Floats
    checkpoint_s: Floats
    lost_s: Floats
    restart_s: Floats
    waiting_s: Floats
    failures: Floats
    extrapolated: NDArray[np.bool_]

    def shares(self, work_s: float) -> dict[str, float]:
        """Shares of the elapsed time of all runs, by their names in the evaluation."""
        total = float(self.elapsed_s.sum())
        return {
            "productive": work_s * self.elapsed_s.size / total,
            "checkpoint": float(self.checkpoint_s.sum()) / total,
            "lost_work": float(self.lost_s.sum()) / total,
            "restart": float(self.restart_s.sum()) / total,
            "waiting": float(self.waiting_s.sum()) / total,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failure of a run. `lost_s` is productive work that is done again, `done_s` the work that stands after it."""

    at_s: float
    cause: Cause
    from_memory: bool
    done_s: float
    lost_s: float
    waiting_s: float
    restart_s: float
    units_away: int


def run_plan(
    *,
    workload: TrainingWorkload | GenericWorkload,
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    performance: Performance | GenericPerformance,
    reliability: Reliability,
    assumptions: OperationsAssumptions,
) -> RunPlan:
    """Return the plan of an evaluated run; a number that is unknown there is NaN here.

    Parameters
    ----------
    reliability : of the same run, in shape (1,)
    """
    in_memory, of_hosts = operations.checkpoint != "blocking", operations.checkpoint == "three_level"
    synchronisation = first_of(assumptions.checkpoint_synchronisation_s)
    detection = first_of(assumptions.detection_s)
    assert reliability.checkpoint_stall_s is not None, "a run has checkpoints"
    read_s = checkpoint_read_s(
        checkpoint_bytes=_of(reliability.checkpoint_bytes),
        storage_read_bandwidth_bytes_per_s=reliability.storage_read_bandwidth_bytes_per_s,
    )
    levels = _shares(reliability, operations, assumptions)
    checks_s = _validation_stall_s(reliability)
    node_read_s = checkpoint_node_read_s(
        checkpoint_bytes=_of(reliability.checkpoint_bytes),
        accelerators_used=pod.accelerators_used,
        node_read_bandwidth_bytes_per_s=assumptions.node_read_bandwidth_bytes_per_s,
        read_s=read_s,
    )
    domain = supernode.scale_up_domain_accelerators
    unit, used = reliability.unit_accelerators, pod.accelerators_used
    idle = spares.idle_units(
        pod_units=spares.pod_units(
            supernodes=pod.supernodes,
            accelerators_per_supernode=supernode.accelerators,
            unit_accelerators=unit,
        ),
        units_used=spares.units_used(accelerators_used=used, unit_accelerators=unit),
    )
    part = pod.domain_accelerators_used
    domains = spares.domains_used(
        accelerators_used=used, domain_accelerators_used=domain if part is None else part
    )
    within = spares.part_of_domain(
        unit_accelerators=unit, domain_accelerators=domain, cube_side=cube_side_of(supernode)
    )
    copies = spares.copies_that_go_on(
        copies=copies_of(workload, performance), elastic_operation=assumptions.elastic_operation
    )
    units = first_of(reliability.spare_units + idle)
    return RunPlan(
        work_s=first_of(performance.training_time_s),
        mtbf_s=first_of(reliability.mtbf_s),
        interval_s=first_of(_of(reliability.checkpoint_interval_s)),
        stall_s=first_of(reliability.checkpoint_stall_s) + checks_s,
        drain_s=first_of(_of(reliability.checkpoint_drain_s)) if in_memory else 0.0,
        node_drain_s=first_of(_of(reliability.node_drain_s)) if of_hosts else 0.0,
        **levels,
        local_restart_s=detection
        + first_of(assumptions.local_restart_overhead_s)
        + (first_of(reliability.checkpoint_stall_s) - synchronisation if in_memory else 0.0),
        node_restart_s=detection + first_of(assumptions.restart_overhead_s) + first_of(node_read_s),
        validation_stall_s=checks_s,
        validation_interval_s=float("inf")
        if reliability.validation_interval_s is None
        else first_of(reliability.validation_interval_s),
        remote_restart_s=detection + first_of(assumptions.restart_overhead_s) + first_of(read_s),
        causes=_causes(reliability, assumptions),
        pool_units=0 if np.isnan(units) else int(units),
        domains=int(first_of(domains)) if np.isfinite(first_of(domains)) else 1,
        reserve_units=int(first_of(reliability.reserve_units_per_domain)),
        unit_return_s=first_of(assumptions.unit_return_s) if first_of(within) > 0 else 0.0,
        copies=first_of(copies),
    )


def _shares(
    reliability: Reliability, operations: Operations, assumptions: OperationsAssumptions
) -> dict[str, Any]:
    """Shares of interruptions by the level that they are recovered from, and of silent corruption."""
    corrupt = 0.0 if reliability.corruption_share is None else first_of(reliability.corruption_share)
    memory = 0.0 if operations.checkpoint == "blocking" else first_of(assumptions.local_recovery_share)
    of_drives = reliability.node_recovery_share
    return {
        "local_share": memory * (1 - corrupt),
        "node_share": 0.0 if of_drives is None else first_of(of_drives),
        "corruption_share": corrupt,
    }


def _validation_stall_s(reliability: Reliability) -> float:
    """Stall for validations, for each checkpoint; none where corruption is found at once."""
    if reliability.validation_s is None or reliability.validation_interval_s is None:
        return 0.0
    stall = validation_stall_s(
        validation_s=reliability.validation_s,
        validation_interval_s=reliability.validation_interval_s,
        checkpoint_interval_s=_of(reliability.checkpoint_interval_s),
    )
    return first_of(stall)


def _of(figure: Array | None) -> Array:
    assert figure is not None, "a run has it"
    return figure


def _causes(reliability: Reliability, assumptions: OperationsAssumptions) -> tuple[Cause, ...]:
    """Causes by component: those that need hardware, those that are over after a reset, and those of processes."""
    total = first_of(reliability.failures_per_day)
    found = []
    repaired = {one.name: one.repair for one in COMPONENTS}
    for one in reliability.components:
        share = first_of(one.failures_per_day) / total
        of_one: dict[str, Any] = {"component": one.name, "takes_away": one.takes_away}
        if not repaired[one.name]:
            found.append(Cause(**of_one, needs_hardware=False, share=share, away_s=0.0))
            continue
        part = first_of(getattr(assumptions, repaired[one.name]))
        ways = ((True, part, assumptions.repair_days), (False, 1 - part, assumptions.reset_days))
        found += [
            Cause(**of_one, needs_hardware=hardware, share=share * of, away_s=first_of(days) * DAY_S)
            for hardware, of, days in ways
        ]
    return tuple(found)


def simulate_runs(plan: RunPlan, *, runs: int, seed: int, mtbf_s: Array | None = None) -> SimulatedRuns:
    """Simulate many runs of a plan.

    Parameters
    ----------
    mtbf_s : (runs,) of each run, where fleets differ [s]; that of the plan where left out

    Raises
    ------
    ValueError : a rate, a time or a count is impossible
    """
    _check(plan, runs)
    rates = np.full(runs, plan.mtbf_s) if mtbf_s is None else np.asarray(mtbf_s, dtype=np.float64)
    if rates.shape != (runs,) or not (rates > 0).all():
        raise ValueError(f"there must be {runs} times between failures above zero")
    generator = np.random.default_rng(seed)
    at_once = max(1, MOST_SLOTS // max(plan.domains * plan.reserve_units, 1))
    parts = [
        _Runs(plan, rates[start : start + at_once], generator).simulated()
        for start in range(0, runs, at_once)
    ]
    names = ("elapsed_s", "checkpoint_s", "lost_s", "restart_s", "waiting_s", "failures", "extrapolated")
    return SimulatedRuns(**{name: np.concatenate([part[name] for part in parts]) for name in names})


def simulate_timeline(plan: RunPlan, *, seed: int) -> tuple[float, tuple[Failure, ...]]:
    """Return the elapsed time of one run [s], and its failures in their order."""
    _check(plan, 1)
    run = _Runs(plan, np.full(1, plan.mtbf_s), np.random.default_rng(seed), follow=True)
    return float(run.simulated()["elapsed_s"][0]), tuple(run.followed)


def _check(plan: RunPlan, runs: int) -> None:
    positive = ("work_s", "mtbf_s", "interval_s")
    least = ("stall_s", "drain_s", "local_restart_s", "remote_restart_s", "node_share", "node_drain_s", "node_restart_s", "corruption_share", "unit_return_s", "pool_units", "reserve_units")  # fmt: skip
    wrong = [name for name in positive if not getattr(plan, name) > 0]
    if not plan.local_share + plan.node_share + plan.corruption_share <= 1 + 1e-9:
        wrong.append("local_share")
    if not plan.validation_interval_s >= plan.interval_s * (1 - 1e-9):
        wrong.append("validation_interval_s")
    wrong += [name for name in least if not getattr(plan, name) >= 0]
    if wrong or runs < 1:
        raise ValueError(f"not a run: {', '.join(wrong) or 'runs'}")


class _Runs:
    """Runs side by side, each at its own time; a step takes every run to its next failure."""

    def __init__(
        self, plan: RunPlan, mtbf_s: Floats, generator: np.random.Generator, *, follow: bool = False
    ) -> None:
        self.plan, self.random, self.count = plan, generator, mtbf_s.size
        self.follow, self.followed = follow, []  # type: ignore[var-annotated]
        self.causes = tuple(
            sorted(
                plan.causes,
                key=lambda one: (one.takes_away == SHARED, one.takes_away == PROCESS, not one.needs_hardware),
            )
        )
        upto = np.cumsum([one.share for one in self.causes])
        self.upto = upto / upto[-1]
        self.of_hardware = float(
            sum(one.share for one in self.causes if one.takes_away not in (PROCESS, SHARED)) / upto[-1]
        )
        self.of_own = float(sum(one.share for one in self.causes if one.takes_away != SHARED) / upto[-1])
        self.held = np.array([one.held_share for one in self.causes])
        away = np.array([one.away_s for one in self.causes])
        self.away_s = away
        zeros = np.zeros(self.count)
        most_away = float(self.plan.units_in_repair * plan.mtbf_s / mtbf_s.min())
        self.slots = int(
            min(
                plan.pool_units, np.ceil(most_away + SPARE_DEVIATIONS * np.sqrt(most_away) + SPARE_DEVIATIONS)
            )
        )
        reserve = plan.reserve_units if plan.unit_return_s > 0 else 0
        self.state = {
            "run": np.arange(self.count), "mtbf": mtbf_s.copy(), "now": zeros.copy(), "kept": zeros.copy(), "copied": zeros.copy(),
            "restart": zeros.copy(), "restarting": zeros.copy(), "waiting": zeros.copy(), "failures": zeros.copy(),
            "drives": zeros.copy(), "partial": zeros.copy(), "corrupt": np.full(self.count, np.inf),
            "remote": np.zeros(self.count, dtype=bool), "next": np.zeros(self.count, dtype=np.intp),
            "pool": np.zeros((self.count, self.slots)), "reserve": np.zeros((self.count, plan.domains if reserve else 0, reserve)),
        }  # fmt: skip
        self.answer = {
            name: np.zeros(self.count) for name in ("elapsed_s", "restart_s", "waiting_s", "failures")
        }
        self.extrapolated = np.zeros(self.count, dtype=bool)

    def simulated(self) -> dict[str, Array]:
        plan = self.plan
        expected = 2 * plan.work_s / plan.mtbf_s
        most = int(max(FEWEST_FAILURES, MOST_FAILURES_TIMES * expected))
        step = 0
        done = self._step()
        while True:
            step += 1
            if done.all() or step % COMPRESSED_EVERY == 0:
                self.state = {name: values[~done] for name, values in self.state.items()}
                done = np.zeros(self.state["run"].size, dtype=bool)
            if not done.size:
                break
            if step >= most:
                self._extrapolate(done)
                break
            done |= self._step(done)
        self._slow()
        segments = np.ceil(plan.work_s / plan.interval_s - 1e-9)
        checkpoint = np.full(self.count, plan.stall_s * (segments - 1))
        spent = plan.work_s + checkpoint + self.answer["restart_s"] + self.answer["waiting_s"]
        lost = self.answer["elapsed_s"] - spent
        return {**self.answer, "checkpoint_s": checkpoint, "lost_s": lost, "extrapolated": self.extrapolated}

    def _slow(self) -> None:
        """Add what slow parts take: each failure of one costs its share of the time that it is out."""
        elapsed = self.answer["elapsed_s"].copy()
        for one in self.plan.slow_parts:
            hits = self.random.poisson(
                elapsed * one.rate_per_s / (1 - one.rate_per_s * one.out_s * one.lost_share)
            )
            lost = self.random.standard_gamma(np.maximum(hits, 1)) * one.out_s * one.lost_share * (hits > 0)
            self.answer["elapsed_s"] += lost
            self.answer["waiting_s"] += lost

    def _step(self, over: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Take every run to its next failure, or to its end; `over` have ended and are of no account."""
        plan, state, random = self.plan, self.state, self.random
        size = state["run"].size
        cycle = plan.interval_s + plan.stall_s
        apart = max(1.0, np.ceil(plan.drain_s / cycle - 1e-9))  # snapshots from one copy to the next
        until = random.standard_exponential(size) * state["mtbf"]
        segments = np.ceil(plan.work_s / plan.interval_s - 1e-9)
        stalls = segments - 1 - state["kept"]
        needed = plan.work_s - state["kept"] * plan.interval_s + plan.stall_s * stalls
        found = self._until_validation(until, needed, cycle) if plan.corruption_share > 0 else None
        working = until - state["restart"] + state["partial"]
        done: NDArray[np.bool_] = working >= needed
        if found is not None:
            done &= ~found
        if over is not None:
            done |= over
        if done.any():
            self._end(done if over is None else done & ~over, needed)
        state["now"] += until
        state["restarting"] += np.minimum(until, state["restart"])
        in_restart = until < state["restart"]
        np.maximum(working, 0, out=working)
        whole = np.floor(working / cycle + (0.0 if found is None else found * 1e-9))
        reached = state["kept"] + whole
        self._drained("copied", working, in_restart, plan.drain_s, cycle, apart)
        if plan.node_share > 0:
            often = max(1.0, np.ceil(plan.node_drain_s / cycle - 1e-9))
            self._drained("drives", working, in_restart, plan.node_drain_s, cycle, often)
        drawn_level = random.random(size)
        remote = drawn_level >= plan.local_share
        on_drives = remote & (drawn_level < plan.local_share + plan.node_share)
        before = reached
        copied = np.where(on_drives, np.maximum(state["drives"], state["copied"]), state["copied"])
        kept = np.where(remote, copied, reached)
        restart = np.where(
            remote, np.where(on_drives, plan.node_restart_s, plan.remote_restart_s), plan.local_restart_s
        )
        silent = None
        if found is not None:
            valid = self._last_valid(state["corrupt"])
            kept = np.where(found, valid, kept)
            restart = np.where(found, plan.remote_restart_s, restart)
            remote = remote | found
            silent = ~found & (drawn_level >= 1 - plan.corruption_share)
            strikes = silent & ~in_restart & np.isinf(state["corrupt"])
            position = np.where(strikes, reached, state["corrupt"])
            kept = np.where(silent, state["kept"], kept)
            restart = np.where(silent, np.maximum(state["restart"] - until, 0), restart)
            state["partial"] = np.where(silent & ~in_restart, working, 0.0)
            # what goes back to before the corruption is valid again
            state["corrupt"] = np.where(~silent & (kept <= position), np.inf, position)
            for copy in ("copied", "drives"):
                state[copy] = np.where(found, np.minimum(state[copy], kept), state[copy])
        state["kept"] = kept
        state["remote"] = remote
        state["restart"] = restart
        state["failures"] += 1 if silent is None else ~silent
        drawn = random.random(size)
        waiting = self._waiting(drawn if silent is None else np.where(silent, 2.0, drawn))
        state["waiting"] += waiting
        if self.follow and not done[0] and (silent is None or not silent[0]):
            self._note(drawn, float(before[0]), working - whole * cycle, waiting)
        state["now"] += waiting
        return done

    def _drained(
        self,
        copy: str,
        working: Floats,
        in_restart: NDArray[np.bool_],
        drain_s: float,
        cycle: float,
        apart: float,
    ) -> None:
        """Move on the last copy that has drained, in snapshots from the start."""
        state = self.state
        reached = state["kept"] + np.floor((working - drain_s) / (apart * cycle)) * apart
        state[copy] = np.where((working >= drain_s) & ~in_restart, reached, state[copy])

    def _last_valid(self, position: Floats) -> Floats:
        """Snapshots at the last validation before a position in snapshots; 0 where there is no corruption."""
        between = self.plan.validation_interval_s / self.plan.interval_s
        known = np.where(np.isfinite(position), position, 0.0)
        valid: Floats = np.round(np.floor(known / between + 1e-9) * between)
        return valid

    def _until_validation(self, until: Floats, needed: Floats, cycle: float) -> NDArray[np.bool_]:
        """Cut `until` short where corruption is found before the next failure, and return where it is."""
        plan, state = self.plan, self.state
        corrupt = np.isfinite(state["corrupt"])
        between = plan.validation_interval_s / plan.interval_s
        ahead = self._last_valid(state["corrupt"]) + between - state["kept"]
        reached = state["restart"] + np.minimum(ahead * cycle, needed) - state["partial"]
        found: NDArray[np.bool_] = corrupt & (reached <= until)
        until[found] = reached[found]
        return found

    def _waiting(self, drawn: Floats) -> Floats:
        """Time that the job loses until a unit stands in the place of each that failed."""
        plan, state = self.plan, self.state
        now, waiting = state["now"], np.zeros(drawn.size)
        if self.of_own < 1:
            shared = np.flatnonzero((drawn >= self.of_own) & (drawn <= 1))
            which = np.minimum(np.searchsorted(self.upto, drawn[shared], side="right"), self.held.size - 1)
            out = self.random.standard_exponential(shared.size) * self.away_s[which]
            waiting[shared] = out * self.held[which]
        failed = np.flatnonzero(drawn < self.of_hardware)
        if not failed.size:
            return waiting
        cause = np.searchsorted(self.upto, drawn[failed], side="right")
        back = now[failed] + self.random.standard_exponential(failed.size) * self.away_s[cause]
        first = back
        if self.slots:
            place = state["next"][failed]
            ready = state["pool"][failed, place]
            late = np.flatnonzero(ready > now[failed])  # the oldest is still away: look at all
            if late.size:
                of_late = state["pool"][failed[late]]
                place[late] = of_late.argmin(axis=1)
                ready[late] = of_late[np.arange(late.size), place[late]]
            taken = ready <= back
            state["pool"][failed, place] = np.where(taken, back, ready)
            state["next"][failed] = (place + 1) % self.slots
            first = np.minimum(ready, back)
        lost = np.maximum(first - now[failed], 0)
        if plan.unit_return_s > 0:
            lost += self._empty_place(failed, back)
        waiting[failed] = lost / plan.copies
        return waiting

    def _empty_place(self, failed: NDArray[np.intp], back: Floats) -> Floats:
        plan, reserve = self.plan, self.state["reserve"]
        if not reserve.shape[2]:
            return np.full(failed.size, plan.unit_return_s)
        domain = self.random.integers(plan.domains, size=failed.size)
        of_domain = reserve[failed, domain]
        place = of_domain.argmin(axis=1)
        free = of_domain[np.arange(failed.size), place] <= self.state["now"][failed]
        taken = np.flatnonzero(free)
        reserve[failed[taken], domain[taken], place[taken]] = back[taken]
        return np.where(free, 0.0, plan.unit_return_s)

    def _end(self, done: NDArray[np.bool_], needed: Floats) -> None:
        """Keep the figures of runs whose work is done before their next failure."""
        state, runs = self.state, self.state["run"][done]
        self.answer["elapsed_s"][runs] = (state["now"] + state["restart"] + needed - state["partial"])[done]
        self.answer["restart_s"][runs] = (state["restarting"] + state["restart"])[done]
        self.answer["waiting_s"][runs] = state["waiting"][done]
        self.answer["failures"][runs] = state["failures"][done]

    def _extrapolate(self, done: NDArray[np.bool_]) -> None:
        """Give runs that fail too often the rest of their time at the pace of what they have done; some never end."""
        left = ~done
        state, runs = self.state, self.state["run"][left]
        self.extrapolated[runs] = True
        with np.errstate(divide="ignore"):
            longer = self.plan.work_s / (state["kept"][left] * self.plan.interval_s)
        for name, of in (
            ("elapsed_s", "now"), ("restart_s", "restarting"), ("waiting_s", "waiting"), ("failures", "failures"),
        ):  # fmt: skip
            self.answer[name][runs] = state[of][left] * longer

    def _note(self, drawn: Floats, reached: float, beyond_s: Floats, waiting: Floats) -> None:
        """Record the failure of the run that is followed."""
        plan, state = self.plan, self.state
        undone = min(float(beyond_s[0]), plan.interval_s)
        kept = float(state["kept"][0])
        now = float(state["now"][0])
        self.followed.append(
            Failure(
                at_s=now,
                cause=self.causes[int(np.searchsorted(self.upto, drawn[0], side="right"))],
                from_memory=not bool(state["remote"][0]),
                done_s=kept * plan.interval_s,
                lost_s=(reached - kept) * plan.interval_s + undone,
                waiting_s=float(waiting[0]),
                restart_s=float(state["restart"][0]),
                units_away=int((state["pool"][0] > now).sum()),
            )
        )
