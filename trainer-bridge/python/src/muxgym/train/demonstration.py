"""Rows for supervised fine-tuning: demonstrations that the server has played and graded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from muxgym.answer import format_answer, script_messages
from muxgym.calls import ScriptJob
from muxgym.client import Client
from muxgym.train.config import SftConfig
from muxgym.train.failure import UsageError
from muxgym.train.report import say
from muxgym.train.scoring import score
from muxgym.train.tasks import TrainingTask

#: Demonstrations played in one call.
_BATCH = 32


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A task and a script that should solve it."""

    task: str
    prompt: str
    script: str

    def to_row(self) -> dict[str, Any]:
        """TRL's conversational prompt and completion: the loss is on the completion only."""
        answer = {"role": "assistant", "content": format_answer(self.script)}
        return {"prompt": script_messages(self.prompt), "completion": [answer]}


@dataclass(frozen=True, slots=True)
class Verified:
    """`kept` earned reward 1. `failed` were graded below; `masked` could not be graded, by no fault of theirs."""

    kept: list[Demonstration]
    failed: list[str]
    masked: list[str]


def choose_demonstrations(tasks: Sequence[TrainingTask], config: SftConfig) -> list[Demonstration]:
    """One a task. Raises UsageError (E_TASKS) where a task has none that is a single script."""
    return [Demonstration(task.id, task.prompt, _choose(task, config)) for task in tasks]


def verify(client: Client, demonstrations: Sequence[Demonstration]) -> Verified:
    verified = Verified([], [], [])
    for start in range(0, len(demonstrations), _BATCH):
        batch = demonstrations[start : start + _BATCH]
        for demonstration, grade in zip(
            batch, score(client, [ScriptJob(each.task, each.script) for each in batch]), strict=True
        ):
            if grade.reward is None:
                verified.masked.append(demonstration.task)
                say(f"masked: {demonstration.task}, boundary {grade.boundary}: {grade.failure}")
            elif grade.passed:
                verified.kept.append(demonstration)
            else:
                verified.failed.append(demonstration.task)
                say(f"not kept: {demonstration.task}, reward {grade.reward:g}")
        say(f"verified {start + len(batch)}/{len(demonstrations)} demonstrations")
    return verified


def _choose(task: TrainingTask, config: SftConfig) -> str:
    if not task.demonstrations:
        raise UsageError(
            "E_TASKS", f"Cannot learn from task {task.id}", config.tasks, "a solution in one script", "none"
        )
    return task.demonstrations.get(config.demonstration, next(iter(task.demonstrations.values())))
