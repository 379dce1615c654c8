"""Outages of a fleet: failures with their repairs, maintenance, and the power limit."""

from __future__ import annotations

from heapq import heappush
from typing import TYPE_CHECKING

import numpy as np

from app.engine.fleet.demand import HOUR_S
from app.engine.fleet.placement import Parts
from app.engine.fleet.supply import draw_failures

if TYPE_CHECKING:
    from app.engine.fleet.run import Run

END, BACK, RENT, CAP, FAIL, MAINTAIN = range(6)
"""Kinds of events; of those at one time the first comes first."""
DAY_HOURS = 24

Event = tuple[float, int, int, int]


class Outages:
    """Of one run."""

    def __init__(self, run: Run, until_s: float, seed: int) -> None:
        """Failures of every pod until a time; all events that are known beforehand go into the heap."""
        self._run = run
        self._taken: dict[int, Parts] = {}
        self._takings = 0
        pods = run.supply.pods
        seeds = np.random.SeedSequence((seed, 1)).spawn(len(pods))
        self._streams = [
            draw_failures(pod, until_s, np.random.default_rng(one))
            for pod, one in zip(pods, seeds, strict=True)
        ]
        for pod, stream in enumerate(self._streams):
            run.events += [(at, FAIL, pod, number) for number, at in enumerate(stream.at_s.tolist())]
        run.events += [
            (window.from_s, MAINTAIN, 0, number) for number, window in enumerate(run.supply.maintenance)
        ]
        if run.supply.power_share:
            run.events.append((0.0, CAP, 0, 0))

    def back(self, pod: int, number: int) -> None:
        """Accelerators that were taken away are back."""
        self._run.backfilling.is_disturbed = True
        for supernode, count in self._taken.pop(number):
            self._run.places[pod].give(supernode, count)

    def new_cap(self) -> None:
        """The power limit of another hour; jobs beyond it give way."""
        run = self._run
        share = run.supply.power_share
        hour = round(run.now / HOUR_S) % DAY_HOURS
        run.cap = int(share[hour] * run.supply.total)
        heappush(run.events, (run.now + HOUR_S, CAP, 0, 0))
        for pod in range(len(run.places)):
            if run.in_use <= run.cap:
                return
            for job in run.victims(pod):
                if run.in_use <= run.cap:
                    return
                run.give_way(job)

    def fails(self, pod: int, number: int) -> bool:
        """A host or tray of a SuperNode fails: jobs on it go back to their last checkpoint and wait."""
        run = self._run
        stream, terms, places = self._streams[pod], run.supply.pods[pod], run.places[pod]
        supernode = int(stream.supernode[number])
        takes = min(terms.failure_takes or terms.accelerators, terms.accelerators)
        pooled = run.supply.placement == "pooled"
        spot = int(stream.place[number]) + (supernode * terms.accelerators if pooled else 0)
        on = self._jobs_on(pod, supernode)
        used = 0
        for first, (_, count) in enumerate(on):
            used += count
            if spot < used:
                on = on[first:] + on[:first]
                break
        else:
            if spot >= used + places.free_of(supernode):
                return False  # it is away already
            on = [] if pooled else on
            if places.free_of(supernode) >= takes:
                on = []
        hit = 1 if spot < used else 0
        for place, (job, _) in enumerate(on):
            if place >= hit and places.free_of(supernode) >= takes:
                break
            run.interrupt(job, keeps=False, again_s=run.supply.restart_s)
            run.queue(job)
        run.failures += 1
        self._take(pod, [(supernode, min(takes, places.free_of(supernode)))], float(stream.away_s[number]))
        return True

    def maintain(self, number: int) -> None:
        """SuperNodes are emptied and taken out, those with the least work first."""
        run = self._run
        window = run.supply.maintenance[number]
        terms, places = run.supply.pods[window.pod], run.places[window.pod]
        if run.supply.placement == "pooled":
            wanted = min(window.supernodes, terms.supernodes) * terms.accelerators
            for job in run.victims(window.pod) if places.free_total < wanted else []:
                run.give_way(job)
                if places.free_total >= wanted:
                    break
            self._take(window.pod, [(0, min(wanted, places.free_total))], window.duration_s)
            return
        emptiest = sorted(range(terms.supernodes), key=lambda one: (-places.free_of(one), one))
        chosen = emptiest[: window.supernodes]
        for supernode in chosen:
            for job, _ in self._jobs_on(window.pod, supernode):
                run.give_way(job)
        self._take(window.pod, [(one, places.free_of(one)) for one in chosen], window.duration_s)

    def _jobs_on(self, pod: int, supernode: int) -> list[tuple[int, int]]:
        """Jobs on a SuperNode with their accelerators there, in the order of their starts."""
        run = self._run
        if run.supply.placement == "pooled":
            return [(job, run.accelerators[job]) for lane in run.running[pod] for job in lane]
        found = []
        for job in run.on[pod].get(supernode, ()):
            count = sum(count for one, count in run.parts[job] or () if one == supernode)
            found.append((job, count))
        return found

    def _take(self, pod: int, what: Parts, for_s: float) -> None:
        """Accelerators that are free are away for a while."""
        run = self._run
        run.backfilling.is_disturbed = True
        for supernode, count in what:
            run.places[pod].take(supernode, count)
            within = min(run.now + for_s, run.horizon_s) - min(run.now, run.horizon_s)
            run.away[pod] += count * within
        number = self._takings
        self._takings += 1
        self._taken[number] = what
        heappush(run.events, (run.now + for_s, BACK, pod, number))
