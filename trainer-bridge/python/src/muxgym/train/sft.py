"""Supervised fine-tuning on verified demonstrations, with loss on the assistant's answer only."""

import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PrinterCallback
from trl.trainer.sft_config import SFTConfig as TrlSftConfig
from trl.trainer.sft_trainer import SFTTrainer

from muxgym.client import Client
from muxgym.train.config import SftConfig
from muxgym.train.demonstration import Demonstration, Verified, choose_demonstrations, verify
from muxgym.train.failure import MachineryError
from muxgym.train.model_files import is_cpu, load_checkpoint, require_checkpoint
from muxgym.train.progress import Progress
from muxgym.train.report import say
from muxgym.train.run_folder import RunFolder
from muxgym.train.savings import labelled_positions_only, seed_run
from muxgym.train.scoring import check_server
from muxgym.train.tasks import draw_tasks, read_tasks
from muxgym.train.weights import WeightWatch


def plan_sft(config: SftConfig) -> dict[str, Any]:
    """The size of the run. Touches no server."""
    tasks = draw_tasks(read_tasks(Path(config.tasks)), config.rows, config.seed)
    rows = choose_demonstrations(tasks, config)
    require_checkpoint(config)
    return {
        "rows": len(rows),
        "steps": config.epochs * math.ceil(len(rows) / config.batch_size),
        "tasks": [row.task for row in rows],
    }


def run_sft(config: SftConfig, folder: RunFolder) -> dict[str, Any]:
    """Verifies, trains, saves; returns the metrics that it wrote."""
    start = time.monotonic()
    tasks = draw_tasks(read_tasks(Path(config.tasks)), config.rows, config.seed)
    demonstrations = choose_demonstrations(tasks, config)
    require_checkpoint(config)
    with Client(config.address, split=config.split) as client:
        server = check_server(client, config, tasks)
        verified = verify(client, demonstrations)
    _require_rows(verified, config)
    folder.begin()
    folder.write_rows("rows.jsonl", [asdict(row) for row in verified.kept])
    verify_s = time.monotonic() - start
    trained = train_sft(config, verified.kept, folder)
    metrics = {
        "command": "sft",
        "rows": len(verified.kept),
        "failed": verified.failed,
        "masked": verified.masked,
        "rung": server.rung,
        "split": server.split,
        "verify_s": round(verify_s, 3),
        **trained,
        "model": str(folder.model),
    }
    folder.finish(metrics)
    return metrics


def train_sft(config: SftConfig, rows: list[Demonstration], folder: RunFolder) -> dict[str, Any]:
    start = time.monotonic()
    seed_run(config.seed, deterministic=True)
    model, tokenizer = load_checkpoint(config)
    watch = WeightWatch(model)
    dataset = Dataset.from_list([row.to_row() for row in rows])
    progress = Progress(("loss", "mean_token_accuracy"))
    trainer = SFTTrainer(
        model=model,
        args=_trl_arguments(config, folder),
        train_dataset=dataset,
        processing_class=tokenizer,
        callbacks=[progress],
    )
    say(f"training on {len(rows)} rows, {config.epochs} epochs, batch {config.batch_size}")
    trainer.remove_callback(PrinterCallback)
    with labelled_positions_only():
        trainer.train()
    folder.save_model(model, tokenizer)
    change = watch.change()
    return {
        "steps": progress.history,
        "weight_change_l2": change.l2,
        "weight_change_max": change.max_abs,
        "train_s": round(time.monotonic() - start, 3),
    }


def _require_rows(verified: Verified, config: SftConfig) -> None:
    if not verified.kept:
        raise MachineryError(
            "E_ROWS",
            "Cannot train: no demonstration was verified",
            config.tasks,
            "at least one with reward 1",
            f"{len(verified.failed)} failed, {len(verified.masked)} masked",
        )


def _trl_arguments(config: SftConfig, folder: RunFolder) -> TrlSftConfig:
    return TrlSftConfig(
        output_dir=str(folder.scratch),
        per_device_train_batch_size=config.batch_size,
        num_train_epochs=config.epochs,
        learning_rate=config.learning_rate,
        lr_scheduler_type=config.schedule,
        max_grad_norm=config.max_grad_norm,
        weight_decay=config.weight_decay,
        max_length=config.max_tokens,
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
