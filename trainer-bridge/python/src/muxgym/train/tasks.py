"""Training tasks, from the lines that `muxgym generate` and `muxgym export --format sft` write."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any

from muxgym.train.failure import UsageError


@dataclass(frozen=True, slots=True)
class TrainingTask:
    id: str
    prompt: str
    #: The generator that wrote the prompt; "" where the line does not say.
    generator: str
    #: The op-count N; None where the task has no such axis.
    ops: int | None
    #: Solutions that are one script or one command, by name, in the order of the task.
    demonstrations: dict[str, str]

    @property
    def cell(self) -> str:
        """The id without its seed: `cliff-d1-n2`. Tasks of one cell are equally hard."""
        return re.sub(r"-s\d+", "", self.id)


def read_tasks(path: Path) -> list[TrainingTask]:
    """Raises UsageError (E_TASKS) with the line of the first fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        raise UsageError("E_TASKS", "Cannot read the tasks", str(path), "JSON lines", str(cause)) from cause
    tasks = [_read_line(line, f"{path}:{number}") for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not tasks:
        raise UsageError("E_TASKS", "Cannot train", str(path), "at least one task", "none")
    return tasks


def draw_tasks(tasks: Sequence[TrainingTask], count: int, seed: int) -> list[TrainingTask]:
    """`count` tasks, or all where there are fewer, as evenly over the cells as there are tasks; `seed` decides which.

    The order goes round the cells, so that every head of it is even too.
    """
    random_order = random.Random(seed)  # noqa: S311 (a shuffle, no secret)
    cells: dict[str, list[TrainingTask]] = {}
    for task in tasks:
        cells.setdefault(task.cell, []).append(task)
    for cell in cells.values():
        random_order.shuffle(cell)
    rounds = zip_longest(*cells.values())
    drawn = chain.from_iterable(random_order.sample(row, len(row)) for row in rounds)
    return list(islice((task for task in drawn if task is not None), count))


def _read_line(line: str, where: str) -> TrainingTask:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as cause:
        raise UsageError("E_TASKS", "Cannot parse a task", where, "JSON", str(cause)) from cause
    if not isinstance(record, dict):
        raise UsageError("E_TASKS", "Cannot use a task", where, "an object", type(record).__name__)
    return TrainingTask(
        id=_text(record, ("id", "task"), where),
        prompt=_text(record, ("prompt",), where),
        generator=str(record.get("generator", "")),
        ops=record.get("ops"),
        demonstrations=dict(_demonstrations(record)),
    )


def _text(record: Mapping[str, Any], keys: Sequence[str], where: str) -> str:
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    raise UsageError("E_TASKS", "Cannot use a task", where, f'text in "{" or ".join(keys)}"', "none")


def _demonstrations(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(record.get("script"), str):
        yield "script", record["script"]
        return
    for solution in record.get("solutions", {}).get("oracle", ()):
        actions = solution.get("actions", ())
        if len(actions) == 1 and actions[0].get("type") in ("script", "command"):
            yield str(solution.get("name", "")), str(actions[0][actions[0]["type"]])
