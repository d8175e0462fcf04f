"""Lists of tasks, made by a real server that holds them to a split."""

import asyncio
import itertools
import json
import pickle
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from muxgym import AsyncClient, Client, Task, TaskError
from muxgym.train.tasks import read_tasks

LARGEST = 2**53 - 1


def test_place_slice_and_iteration_agree(address: str) -> None:
    with Client(address) as client:
        tasks = client.create_tasks(suite="cliff", seed=42, size=150, ops="1,2")
        listed = list(tasks)
        assert len(tasks) == len(listed) == tasks.size == 150
        assert [tasks[place] for place in (0, 5, 149)] == [listed[0], listed[5], listed[149]]
        assert tasks[-1] == listed[-1]
        assert tasks[60:70] == listed[60:70]
        assert len({task.id for task in listed}) == 150
        with pytest.raises(IndexError):
            tasks[150]
        with client.create(tasks[5].id) as episode:
            assert (episode.prompt, episode.task_hash) == (tasks[5].prompt, tasks[5].hash)


def test_list_is_the_same_for_every_client_and_no_longer_one_begins_otherwise(address: str) -> None:
    with Client(address) as left, Client(address) as right:
        short = [task.hash for task in left.create_tasks(seed=7, size=10)]
        endless = right.create_tasks(seed=7)
        assert [task.hash for task in itertools.islice(endless, 10)] == short
        assert endless.size is None
        assert endless[1_000_000].depth in (0, 1, 2)
        with pytest.raises(TypeError):
            len(endless)


def test_split_of_the_server_and_of_the_client_bound_the_list(address: str) -> None:
    with Client(address) as client, Client(address, split="train-d0d1") as narrow:
        assert {task.depth for task in client.create_tasks(size=60)} == {0, 1, 2}
        assert {task.depth for task in narrow.create_tasks(size=60)} == {0, 1}
        with pytest.raises(TaskError) as refused:
            client.create_tasks(depths="D3")
        assert refused.value.code == "E_EMPTY"


def test_mistakes_are_raised_when_the_list_is_made(address: str) -> None:
    with Client(address) as client:
        mistakes: list[tuple[str, dict[str, str | int]]] = [
            ("E_SUITE", {"suite": "nothing"}),
            ("E_DEPTH", {"depths": "D7"}),
            ("E_RANGE", {"ops": "many"}),
            ("E_AXIS", {"kinds": "bell"}),
            ("E_SEED", {"seed": -1}),
            ("E_SEED", {"seed": 2**53}),
            ("E_LIST_SIZE", {"size": 0}),
            ("E_LIST_SIZE", {"size": 5, "depths": "D0", "ops": "1", "seeds": "0-3"}),
        ]
        for code, arguments in mistakes:
            with pytest.raises(TaskError) as refused:
                client.create_tasks(**arguments)  # type: ignore[arg-type]
            assert refused.value.code == code


def test_seeds_are_exact_integers_through_json_and_arrow(address: str) -> None:
    with Client(address) as client:
        (task,) = client.create_tasks(depths="D0", ops="1", seeds=str(LARGEST))
        assert (task.seed, task.data["seed"], task.id) == (LARGEST, LARGEST, f"cliff-d0-n1-s{LARGEST}")
        assert json.loads(json.dumps(task.data))["seed"] == LARGEST
        column = pa.array([task.seed, LARGEST - 1], type=pa.int64())
        assert column.to_pylist() == [LARGEST, LARGEST - 1]
        with pytest.raises(TaskError):
            client.create_tasks(depths="D0", ops="1", seeds=str(2**53))


def test_answer_is_scored(address: str) -> None:
    with Client(address) as client:
        task = client.create_tasks(depths="D0", ops="1", seed=3)[0]
        script = task.data["solutions"]["oracle"][0]["actions"][0]["script"]
        tasks = client.create_tasks(depths="D0", ops="1", seed=3)
        assert tasks.score_answer(f"```bash\n{script}\n```", task) == 1.0
        assert tasks.score_answer("cat it", task) == 0.0


def test_list_can_be_pickled_and_its_lines_train(address: str, tmp_path: Path) -> None:
    with Client(address) as client:
        tasks = client.create_tasks(depths="D1", ops="2", size=3)
        copy = pickle.loads(pickle.dumps(tasks))
        assert list(copy) == list(tasks)
        file = tmp_path / "tasks.jsonl"
        file.write_text("".join(f"{json.dumps(task.data)}\n" for task in tasks))
        assert [task.id for task in read_tasks(file)] == [task.id for task in tasks]


def test_asyncio_lists_the_same(address: str) -> None:
    async def gather() -> list[Task]:
        async with AsyncClient(address) as client:
            tasks = await client.create_tasks(seed=42, size=70)
            assert (tasks.size, await tasks.at(5)) == (70, await tasks.at(-65))
            return [task async for task in tasks]

    with Client(address) as client:
        assert asyncio.run(gather()) == list(client.create_tasks(seed=42, size=70))
