"""Recorded jobs: columns of published traces, and rows that cannot be used."""

from __future__ import annotations

import numpy as np
import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.fleet.traces import read_trace
from app.scenarios.load import build_document
from app.views.fleet.answer import fleet_answer
from app.views.fleet.tasks import computed_task, tasks_of

# The rows are made up; the columns are those of the published files.
HELIOS = """job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
1,ua,vca,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:11,2020-06-09 19:41:11,3600,10
2,ub,vcb,16,16,2,FAILED,2020-06-09 18:41:31,2020-06-09 18:41:31,2020-06-09 18:42:31,60,0
3,uc,vca,0,1,1,COMPLETED,2020-06-09 18:42:00,2020-06-09 18:42:00,2020-06-09 18:43:00,60,0
"""
ACME = """job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time
1,ua,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00,117,32,936.0
"""
PAI = """job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type
a,worker,2,Terminated,100.0,400.0,600.0,29.3,50.0,T4
b,ps,1,Terminated,100.0,400.0,600.0,29.3,,
"""
PHILLY = """jobid,vc,user,status,submitted_time,start_time,end_time,gpus
a,x,u,Pass,2017-10-07 01:11:39,2017-10-07 01:12:09,2017-10-07 02:12:09,8
"""

OPENB = """name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
a,12000,16384,1,460,,LS,Running,100,4100,110
b,88000,327680,8,1000,V100M16|V100M32,BE,Succeeded,200,700,200
c,4000,15258,1,1000,,BE,Pending,300,900,
d,4000,15258,0,0,,BE,Running,300,900,300
"""


@pytest.mark.parametrize(
    ("text", "name", "sizes", "waits"),
    [
        (HELIOS, "Helios", [1, 16], [10, 0]),
        (ACME, "Acme", [8], [32]),
        (PAI, "PAI", [1], [np.nan]),
        (PHILLY, "Philly", [8], [30]),
        (OPENB, "OpenB", [1, 8], [10, 0]),
    ],
)
def test_columns_of_published_traces(text: str, name: str, sizes: list[int], waits: list[float]) -> None:
    found = read_trace(text, largest=64)
    assert found.format == name
    assert found.jobs.size.tolist() == sizes
    assert found.jobs.recorded_s == pytest.approx(waits, nan_ok=True)
    assert found.jobs.arrived_s[0] == 0.0


def test_helios_in_seconds() -> None:
    found = read_trace(HELIOS, largest=64)
    assert found.jobs.arrived_s.tolist() == [0.0, 30.0]
    assert found.jobs.work_s.tolist() == [3600.0, 60.0]
    assert sorted(one.name for one in found.jobs.classes) == ["vca", "vcb"]
    assert (found.rows, found.without_accelerators) == (3, 1)
    assert found.horizon_s == 3610.0


BAD = """arrival_s,accelerators,duration_s
0,1,10
5,2,-3
6,900,10
7,x,10
8,1.5,10
9,4,20
"""


def test_bad_rows_are_listed_and_the_rest_runs_if_wished() -> None:
    with pytest.raises(ScenarioError) as raised:
        read_trace(BAD, largest=64)
    assert [fault.rule for fault in raised.value.errors] == [
        "negative_duration",
        "too_large",
        "number",
        "range",
    ]
    assert [fault.message.split(":")[0] for fault in raised.value.errors] == [
        "Row 3",
        "Row 4",
        "Row 5",
        "Row 6",
    ]
    found = read_trace(BAD, largest=64, skip_bad_rows=True)
    assert found.jobs.size.tolist() == [1, 4]
    assert found.fault_count == 4


@pytest.mark.parametrize(
    ("head", "rule"),
    [
        ("arrival_s,accelerators,duration_s,colour", "unknown_column"),
        ("a,b,c", "unknown_columns"),
        ("", "unknown_columns"),
    ],
)
def test_unknown_columns(head: str, rule: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        read_trace(f"{head}\n1,1,1,red\n", largest=8)
    assert raised.value.errors[0].rule == rule
    assert "arrival_s" in str(raised.value.errors[0].hint)


def test_a_trace_of_five_weeks_has_a_forecast() -> None:
    from app.scenarios.fleet.build import built, fleet_text
    from app.views.fleet.answer import fleet_answer

    rows = [f"{hour * 3600},{1 + (hour % 24 >= 12) * 3},600" for hour in range(5 * 168 + 2)]
    csv = "".join(f"    {row}\n" for row in ["arrival_s,accelerators,duration_s", *rows])
    text = f"pods: [{{supernodes: 1, accelerators: 8}}]\npolicies: [fifo]\ntrace:\n  csv: |\n{csv}"
    document = fleet_text(text)
    assert built(document).trace is not None
    found = fleet_answer(document, []).forecast
    assert found is not None
    assert found.mean[:24] == pytest.approx([1] * 12 + [4] * 12)
    assert found.error == pytest.approx(0, abs=1e-9)


def test_jobs_that_never_started_are_counted_and_not_run() -> None:
    found = read_trace(OPENB, largest=64)
    assert (found.rows, found.never_started, found.without_accelerators, found.fault_count) == (4, 1, 1, 0)
    assert found.jobs.work_s.tolist() == [3990.0, 500.0]
    assert found.is_recorded
    assert not read_trace(PAI, largest=64).is_recorded


def test_use_as_recorded_is_that_of_the_replay_where_nothing_waits() -> None:
    document = build_document(
        FleetDocument,
        {"trace": {"csv": OPENB.replace(",110\n", ",100\n")}, "pods": [{"supernodes": 2, "accelerators": 8}],
         "policies": ["fifo"], "replications": 1},
    )  # fmt: skip
    answer = fleet_answer(document, [(task, computed_task(document, task)) for task in tasks_of(document)])
    assert answer.recorded_allocated == pytest.approx((4000 + 8 * 500) / (16 * 4000))
    assert answer.policies[0].mean("allocated") == pytest.approx(answer.recorded_allocated, rel=1e-9)
    assert answer.recorded_in_use == pytest.approx(answer.policies[0].timeline.in_use, abs=2e-3)
    assert answer.trace_never_started == 1
