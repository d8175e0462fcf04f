from collections import Counter

from muxgym.train.tasks import TrainingTask, draw_tasks

TASKS = [
    TrainingTask(f"cliff-d{depth}-n{ops}-s{seed}", "prompt", "", ops, {})
    for seed in range(10)
    for depth in (0, 1)
    for ops in (1, 2)
]


def test_draw_tasks_is_even_over_the_cells_and_takes_no_task_twice() -> None:
    drawn = draw_tasks(TASKS, 12, seed=0)
    assert Counter(task.cell for task in drawn) == dict.fromkeys(
        ("cliff-d0-n1", "cliff-d0-n2", "cliff-d1-n1", "cliff-d1-n2"), 3
    )
    assert len({task.id for task in drawn}) == 12


def test_draw_tasks_depends_on_the_seed_only() -> None:
    assert draw_tasks(TASKS, 12, seed=0) == draw_tasks(TASKS, 12, seed=0)
    assert draw_tasks(TASKS, 12, seed=0) != draw_tasks(TASKS, 12, seed=1)


def test_draw_tasks_takes_all_when_there_are_fewer() -> None:
    assert sorted(task.id for task in draw_tasks(TASKS, 1000, seed=0)) == sorted(task.id for task in TASKS)


def test_draw_tasks_goes_on_with_the_cells_that_are_left() -> None:
    uneven = [*TASKS[:1], *(task for task in TASKS if task.cell == "cliff-d1-n2")]
    assert len(draw_tasks(uneven, 8, seed=0)) == 8
