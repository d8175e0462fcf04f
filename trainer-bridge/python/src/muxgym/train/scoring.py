"""Graded episodes for training, from a server that isolates well enough."""

import time
from collections.abc import Sequence

from muxgym.calls import ScriptJob
from muxgym.client import Client
from muxgym.errors import BusyError
from muxgym.train.config import RUNGS, CommonConfig
from muxgym.train.failure import UsageError
from muxgym.train.report import say
from muxgym.train.tasks import TrainingTask
from muxgym.values import Description, Grade

#: Tries of a call that finds the server busy.
_BUSY_TRIES = 20


def check_server(client: Client, config: CommonConfig, tasks: Sequence[TrainingTask]) -> Description:
    """Raises UsageError for a server that isolates less than `min_rung` (E_RUNG) or poses other tasks (E_GENERATOR)."""
    server = client.describe()
    if RUNGS.index(config.min_rung) < _strength(server.rung):
        raise UsageError(
            "E_RUNG",
            "Cannot train on this server: agents that are rewarded will try to break out",
            config.address,
            f"isolation rung {config.min_rung} or better",
            server.rung,
            f'install bubblewrap, or force it with min_rung = "{server.rung}"',
        )
    for task in tasks:
        if task.generator not in ("", server.generator):
            raise UsageError(
                "E_GENERATOR",
                f"Cannot train on task {task.id}: the server would pose another one under its name",
                config.tasks,
                f"generator {server.generator}",
                task.generator,
                "run muxgym generate again",
            )
    served = server.split or "everything"
    say(f"server {server.version}, generator {server.generator}, rung {server.rung}, serves {served}")
    return server


def _strength(rung: str) -> int:
    """Position on the ladder; a rung that is not known here counts as the weakest."""
    return RUNGS.index(rung) if rung in RUNGS else len(RUNGS)


def score(client: Client, jobs: Sequence[ScriptJob]) -> list[Grade]:
    """One grade a job. Waits as the server asks where it is busy, and raises BusyError after twenty tries."""
    for _ in range(_BUSY_TRIES):
        try:
            return client.score_scripts(jobs)
        except BusyError as busy:
            say(f"server busy, next try in {busy.retry_after_s:g} s")
            time.sleep(busy.retry_after_s)
    return client.score_scripts(jobs)
