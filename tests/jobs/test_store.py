"""Jobs as their owners see them: who may see and start one, the list, keys of requests, and removing one."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, select

from app.db.tables import JobBlockRow, WorkspaceRow
from app.jobs import store
from app.jobs.executor import InThread
from app.jobs.queue import JobQueue
from app.jobs.records import NoSuchJobError
from app.jobs.run import run_job
from app.jobs.store import Jobs, Key
from app.saved.access import Actor, ForbiddenError, HiddenError, Role
from app.saved.errors import KeyReusedError
from app.scenarios.errors import ScenarioError
from tests.jobs.conftest import OWN_WORKSPACE, Plan


def as_member(engine: Engine, role: Role | None, account: str = "a") -> Jobs:
    """The jobs of the workspace to someone with a role in it, or with none."""
    roles = {} if role is None else {OWN_WORKSPACE: role}
    return Jobs(engine, OWN_WORKSPACE, Actor(name="Ada", account_id=account, roles=roles))


def test_who_may_write_starts_and_who_may_read_sees(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    editor, viewer, stranger = (as_member(engine, role) for role in ("editor", "viewer", None))
    job, _ = editor.start(plan(1))
    assert job.created_by == "a"
    assert viewer.get(job.id) == job
    assert viewer.listed().items == (job,)
    with pytest.raises(ForbiddenError, match="needs the role editor; yours is viewer"):
        viewer.start(plan(1))
    with pytest.raises(ForbiddenError):
        viewer.cancel(job.id)
    for asks in (
        lambda: stranger.get(job.id),
        lambda: stranger.cancel(job.id),
        lambda: [*stranger.blocks(job.id)],
    ):
        with pytest.raises(NoSuchJobError):  # as if it were not there
            asks()
    with pytest.raises(HiddenError):
        stranger.listed()


def test_another_workspace_has_jobs_of_its_own(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    with Session(engine) as session:
        team = WorkspaceRow(key="lab", name="Lab", kind="team")
        session.add(team)
        session.commit()
        other = Jobs(engine, team.id or 0, Actor(account_id="b", roles={team.id or 0: "owner"}))
    mine, _ = jobs.start(plan(1))
    theirs, _ = other.start(plan(1))
    assert jobs.listed().items == (mine,)
    assert other.listed().items == (theirs,)


def test_lists_go_on_where_the_page_before_ended(jobs: Jobs, plan: Plan) -> None:
    made = [jobs.start(plan(1))[0].id for _ in range(5)]
    first = jobs.listed(limit=2)
    second = jobs.listed(limit=2, after=first.next)
    last = jobs.listed(limit=2, after=second.next)
    found = [job.id for page in (first, second, last) for job in page.items]
    assert found == made[::-1]
    assert last.next is None
    with pytest.raises(NoSuchJobError):
        jobs.listed(after="0" * 32)


def test_a_request_with_the_same_key_starts_one_job(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    key = Key(key="k", request_hash="h")
    first, before = jobs.start(plan(1), key=key)
    again, replayed = jobs.start(plan(1), key=key)
    assert (before, replayed) == (False, True)
    assert again == first
    with pytest.raises(KeyReusedError):
        jobs.start(plan(1), key=Key(key="k", request_hash="other"))
    theirs, _ = as_member(engine, "editor").start(plan(1), key=key)  # somebody else's key of the same name
    assert theirs.id != first.id


def test_too_many_waiting_jobs_are_refused(jobs: Jobs, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_WAITING", 2)
    first, _ = jobs.start(plan(1))
    jobs.start(plan(1))
    with pytest.raises(ScenarioError, match="2 jobs of this workspace wait or run already"):
        jobs.start(plan(1))
    jobs.cancel(first.id)
    jobs.start(plan(1))


def test_a_job_is_removed_with_its_results_once_it_is_over(
    jobs: Jobs, engine: Engine, queue: JobQueue, plan: Plan
) -> None:
    made = plan(1)
    job, _ = jobs.start(made, worker=queue.worker)
    with pytest.raises(ScenarioError, match="The job is not over"):
        jobs.remove(job.id)
    run_job(queue, job, made, InThread())
    jobs.remove(job.id)
    with pytest.raises(NoSuchJobError):
        jobs.get(job.id)
    with Session(engine) as session:
        assert session.exec(select(JobBlockRow.number)).all() == []
