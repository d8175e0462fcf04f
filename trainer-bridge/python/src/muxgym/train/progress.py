"""One line a training step."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from muxgym.train.report import say


class Progress(TrainerCallback):
    """Keeps what the trainer logs at each step, and prints part of it with the time that is left.

    `measure` is asked once a step for what the trainer does not know.
    """

    def __init__(self, shown: tuple[str, ...], measure: Callable[[], Mapping[str, Any]] = dict) -> None:
        self._shown = shown
        self._measure = measure
        self._start = time.monotonic()
        self.history: list[dict[str, Any]] = []

    def on_train_begin(
        self,
        args: TrainingArguments,  # noqa: ARG002 (the trainer passes it by name)
        state: TrainerState,  # noqa: ARG002
        control: TrainerControl,  # noqa: ARG002
        **_: Any,
    ) -> None:
        self._start = time.monotonic()

    def on_log(
        self,
        args: TrainingArguments,  # noqa: ARG002 (the trainer passes it by name)
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        logs: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> None:
        if logs is None or "loss" not in logs:
            return
        values = {**logs, **self._measure()}
        self.history.append({"step": state.global_step, **values})
        spent = time.monotonic() - self._start
        left = spent / state.global_step * (state.max_steps - state.global_step)
        shown = ", ".join(f"{key} {_format(values[key])}" for key in self._shown if key in values)
        say(f"step {state.global_step}/{state.max_steps}: {shown} ({spent:.0f} s, {left:.0f} s left)")


def _format(value: Any) -> str:
    return f"{float(value):.4g}" if isinstance(value, (int, float)) else str(value)
