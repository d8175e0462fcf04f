"""Group-relative policy optimisation: single-turn scripts, rewarded by graded episodes."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PrinterCallback
from trl.trainer.grpo_config import GRPOConfig as TrlGrpoConfig
from trl.trainer.grpo_trainer import GRPOTrainer

from muxgym.answer import script_messages
from muxgym.client import Client
from muxgym.train.config import GrpoConfig
from muxgym.train.failure import UsageError
from muxgym.train.model_files import is_cpu, load_checkpoint, require_checkpoint
from muxgym.train.progress import Progress
from muxgym.train.report import say
from muxgym.train.reward import ConstantReward, EpisodeReward
from muxgym.train.run_folder import RunFolder
from muxgym.train.savings import labelled_positions_only, seed_run
from muxgym.train.scoring import check_server
from muxgym.train.tasks import TrainingTask, draw_tasks, read_tasks
from muxgym.train.weights import WeightWatch

_SHOWN = ("reward_mean", "reward_spread", "passed", "masked", "format_failures", "kl", "weight_change_l2")


def plan_grpo(config: GrpoConfig) -> dict[str, Any]:
    """The size of the run. Touches no server."""
    rows = make_rows(_read_hard_tasks(config), config)
    require_checkpoint(config)
    return {
        "steps": config.steps,
        "completions": len(rows) * config.group_size,
        "tasks": [row["task"] for row in rows],
    }


def run_grpo(config: GrpoConfig, folder: RunFolder) -> dict[str, Any]:
    """Trains and saves; returns the metrics that it wrote."""
    tasks = _read_hard_tasks(config)
    require_checkpoint(config)
    with _connect(config) as client:
        rung = ""
        reward: EpisodeReward | ConstantReward = ConstantReward()
        if client is not None:
            rung = check_server(client, config, tasks).rung
            reward = EpisodeReward(client)
        folder.begin()
        metrics = {"command": "grpo", "reward": config.reward, "beta": config.beta, "rung": rung}
        metrics |= train_grpo(config, make_rows(tasks, config), reward, folder)
    folder.finish(metrics)
    return metrics


def make_rows(tasks: Sequence[TrainingTask], config: GrpoConfig) -> list[dict[str, Any]]:
    """One row a prompt, in the order of the steps; each round over the tasks takes another `sample`."""
    drawn = draw_tasks(tasks, config.steps * config.prompts_per_step, config.seed)
    return [
        {
            "prompt": script_messages(drawn[index % len(drawn)].prompt),
            "task": drawn[index % len(drawn)].id,
            "sample": 1 + index // len(drawn),
        }
        for index in range(config.steps * config.prompts_per_step)
    ]


def train_grpo(
    config: GrpoConfig, rows: list[dict[str, Any]], reward: EpisodeReward | ConstantReward, folder: RunFolder
) -> dict[str, Any]:
    start = time.monotonic()
    seed_run(config.seed, deterministic=is_cpu(config))
    model, tokenizer = load_checkpoint(config)
    watch = WeightWatch(model)

    def measure() -> Mapping[str, Any]:
        change = watch.change()
        step = reward.scored[-1].summary()
        return {**step, "weight_change_l2": change.l2, "weight_change_max": change.max_abs}

    progress = Progress(_SHOWN, measure)
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[reward],
        args=_trl_arguments(config, folder),
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        callbacks=[progress],
    )
    say(f"{config.steps} steps of {config.prompts_per_step} prompts x {config.group_size} completions")
    trainer.remove_callback(PrinterCallback)
    with labelled_positions_only():
        trainer.train()
    saved = config.reward == "episode"
    if saved:
        folder.save_model(model, tokenizer)
    return {**_totals(progress.history), "model": str(folder.model) if saved else None, "train_s": _since(start)}


def _read_hard_tasks(config: GrpoConfig) -> list[TrainingTask]:
    tasks = read_tasks(Path(config.tasks))
    hard = [task for task in tasks if task.ops is None or task.ops >= config.min_ops]
    if not hard:
        most = max(task.ops or 0 for task in tasks)
        raise UsageError(
            "E_TASKS", "Cannot train", config.tasks, f"tasks with min_ops {config.min_ops}", f"at most {most}"
        )
    return hard


def _totals(history: list[dict[str, Any]]) -> dict[str, Any]:
    last = history[-1]
    return {
        "steps": history,
        "weight_change_l2": last["weight_change_l2"],
        "weight_change_max": last["weight_change_max"],
        "masked": sum(step["masked"] for step in history),
        "format_failures": sum(step["format_failures"] for step in history),
        "completions": sum(step["completions"] for step in history),
    }


def _connect(config: GrpoConfig) -> AbstractContextManager[Client | None]:
    """No client where no episode is played."""
    return nullcontext(None) if config.reward == "constant" else Client(config.address, split=config.split)


def _since(start: float) -> float:
    return round(time.monotonic() - start, 3)


def _trl_arguments(config: GrpoConfig, folder: RunFolder) -> TrlGrpoConfig:
    batch = config.prompts_per_step * config.group_size
    return TrlGrpoConfig(
        output_dir=str(folder.scratch),
        max_steps=config.steps,
        per_device_train_batch_size=batch,
        steps_per_generation=1,
        num_generations=config.group_size,
        max_completion_length=config.max_completion_tokens,
        temperature=config.temperature,
        beta=config.beta,
        learning_rate=config.learning_rate,
        lr_scheduler_type="constant",
        max_grad_norm=config.max_grad_norm,
        weight_decay=config.weight_decay,
        shuffle_dataset=False,
        seed=config.seed,
        use_cpu=is_cpu(config),
        bf16=False,
        gradient_checkpointing=False,
        dataloader_pin_memory=False,
        save_strategy="no",
        logging_steps=1,
        report_to=[],
        disable_tqdm=True,
    )
