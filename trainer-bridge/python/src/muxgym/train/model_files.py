"""Checkpoints on disk, and the device they train on."""

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from muxgym.train.config import CommonConfig
from muxgym.train.failure import UsageError


def require_checkpoint(config: CommonConfig) -> None:
    """Raises UsageError (E_MODEL) for a folder that holds none, and (E_DEVICE) for a device that is missing."""
    is_cpu(config)
    folder = Path(config.model)
    if not (folder / "config.json").is_file():
        raise UsageError(
            "E_MODEL",
            "Cannot load the model",
            str(folder),
            "a checkpoint folder with config.json",
            "none",
            f"the bundled model: muxgym-train model --out {folder}",
        )


def load_checkpoint(config: CommonConfig) -> tuple[Any, Any]:
    """The model in float32 and its tokenizer."""
    folder = Path(config.model)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call] # its stub has no types
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, local_files_only=True)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return model, tokenizer


def is_cpu(config: CommonConfig) -> bool:
    """Whether training runs on the CPU. Raises UsageError (E_DEVICE) where "cuda" is asked for and missing."""
    if config.device == "cuda" and not torch.cuda.is_available():
        raise UsageError("E_DEVICE", "Cannot train", "config key device", "a CUDA device", "none")
    return config.device == "cpu" or not torch.cuda.is_available()
